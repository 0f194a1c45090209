import { JournalDamagedError } from './errors.ts';
import { encodeFileHeader } from './format.ts';
import { Journal } from './journal.ts';
import type { JournalMedium } from './medium.ts';
import type { JournalReader } from './read.ts';
import { readJournal } from './read.ts';

/** Bytes at the journal's end that were cut off because they belonged to no acknowledged record. */
export interface JournalNotice {
  /** `torn`: a crash interrupted the write. `unacknowledged`: a failed write left them behind (see `durableBytes`). */
  readonly reason: 'torn' | 'unacknowledged';
  /** Offset of the first byte that was cut off. */
  readonly offset: number;
  /** Number of bytes that were cut off. */
  readonly bytes: number;
}

export interface OpenJournalOptions extends JournalReader {
  /** Only this journal may use the medium, until the journal is closed or has failed. */
  readonly medium: JournalMedium;
  /**
   * `Journal.durableBytes` of a failed journal on this medium. Exactly this many bytes are read, and the rest is cut
   * off before the next write. By default, everything is read.
   */
  readonly durableBytes?: number;
  /** Called after bytes were cut off. */
  onNotice?(notice: JournalNotice): void;
}

/**
 * Reads a medium's content in order and returns a journal that continues it. Initializes an empty medium.
 *
 * Rejects with `JournalDamagedError` for bytes that no crash can leave, with `JournalVersionError` for a newer format,
 * and with errors of `onSnapshot`, `onRecord` and the medium. Nothing was written then, and the caller must close the
 * medium.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const { medium, durableBytes } = options;
  const present = await medium.size();
  const size = durableBytes ?? present;
  if (present < size) throw new JournalDamagedError(present, `${size} acknowledged bytes`);
  // Every byte up to `durableBytes` was acknowledged, so a torn frame there is damage.
  const contents = await readJournal(medium, size, durableBytes === undefined, options);
  if (contents.end === 0) {
    const file = encodeFileHeader(false);
    // Replace instead of append: a crash then leaves either nothing or the whole header.
    await medium.replace([file.bytes]);
    if (present > 0) options.onNotice?.({ reason: 'torn', offset: 0, bytes: present });
    return new Journal(medium, { ...contents, end: file.bytes.byteLength });
  }
  if (contents.end < present) {
    try {
      await medium.truncate(contents.end);
    } catch (error) {
      if (durableBytes === undefined) throw error;
      // The medium is now read-only. Acknowledged records can still be read. The first write cuts off the rest.
      return new Journal(medium, contents, true);
    }
    options.onNotice?.({
      reason: durableBytes === undefined ? 'torn' : 'unacknowledged',
      offset: contents.end,
      bytes: present - contents.end,
    });
  }
  return new Journal(medium, contents);
}
