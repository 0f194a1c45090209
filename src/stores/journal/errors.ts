import { RedflagError } from '../../core/domain/redflag-error.ts';

/**
 * The journal's bytes differ from what was written, and an interrupted write cannot explain it. Thrown while opening,
 * before anything is written: an operator can copy and examine the bytes.
 */
export class JournalDamagedError extends RedflagError {
  static override readonly kind = 'JournalDamagedError';
  /** Offset of the first byte that cannot be read. Everything before it is intact. */
  readonly offset: number;
  /** What was expected at this offset. */
  readonly expected: string;

  constructor(offset: number, expected: string) {
    super(`the journal is damaged at byte ${offset}: expected ${expected}; nothing was changed; restore a backup`);
    this.offset = offset;
    this.expected = expected;
  }
}

/**
 * A newer version of this library wrote the journal, in a format that this version cannot read. Nothing was changed.
 */
export class JournalVersionError extends RedflagError {
  static override readonly kind = 'JournalVersionError';
  /** The format that the journal names. */
  readonly version: number;

  constructor(version: number, known: number) {
    super(
      `the journal has format ${version} or unknown features, but this program reads only format ${known}; ` +
        'nothing was changed; use a newer redflag',
    );
    this.version = version;
  }
}

/**
 * The journal could not make a record durable. It contains every record whose promise resolved. This record and later
 * ones are rejected. If they cannot be cut off, they may reappear after a restart. `cause` is the medium's error. The
 * journal rejects all later calls. To recover, see `Journal.durableBytes`.
 */
export class JournalFailedError extends RedflagError {
  static override readonly kind = 'JournalFailedError';

  constructor(cause: unknown) {
    super('acknowledged writes are safe, but the journal accepts no new ones; check the disk', { cause });
  }
}
