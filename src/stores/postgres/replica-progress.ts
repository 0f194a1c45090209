import { EVERYBODY } from '../../core/store/sql/statement.ts';

// How far a replica is behind its primary: by the counts of writes, and by the places in the primary's log.

/**
 * The number of the reader's writes, and of writes that all readers must see at once. Each write is counted in its own
 * transaction.
 */
export interface WriteCounts {
  readonly own: number;
  readonly everybodys: number;
}

/** Reads the two counts. Its parameters are the reader's id and {@link EVERYBODY}, as bytes. */
export const WRITE_COUNTS =
  'SELECT (SELECT writes FROM reporter_writes WHERE reporter_id = ?) AS own, (SELECT writes FROM reporter_writes WHERE reporter_id = ?) AS everybodys';

/**
 * True if a standby that shows `seen` has every write up to `written`. A write and its count are in one transaction,
 * and a standby receives transactions whole and in order. Transaction ids do not work: a standby's snapshot does not
 * list running transactions.
 */
export function holdsAll(seen: WriteCounts, written: WriteCounts): boolean {
  return seen.own >= written.own && seen.everybodys >= written.everybodys;
}

/** Counts one write for a reader, whose id in bytes is the parameter. It locks the row until the commit. */
export const COUNT_WRITE =
  'INSERT INTO reporter_writes AS known VALUES (?, 1) ON CONFLICT (reporter_id) DO UPDATE SET writes = known.writes + 1';

/**
 * Returns the readers to count a write for, sorted, so that two transactions cannot deadlock. If all readers must see
 * the write, only {@link EVERYBODY} counts it.
 */
export function readersToCount(readers: ReadonlySet<string>): readonly string[] {
  return readers.has(EVERYBODY) ? [EVERYBODY] : [...readers].sort();
}

/** Maximum number of noted places within `maxAgeMs`. */
const NOTED = 32;

/** Places (byte positions) in the primary's log, with times by one clock. They give the age of a replica's data. */
export interface LogPlaces {
  /** Notes that the primary's log ended at `place`, in bytes, at a moment not before `atMs`. */
  note(place: number, atMs: number): void;
  /** Returns the maximum lag of a replica at `place`, in milliseconds; Infinity if unknown. */
  ageOf(place: number, nowMs: number): number;
  /**
   * Returns the known lag of a replica at `place`, in milliseconds: the age of the first noted place after it, or 0.
   */
  lacksFor(place: number, nowMs: number): number;
}

/** Of the places older than `maxAgeMs`, only the last one is kept. */
export function createLogPlaces(maxAgeMs: number): LogPlaces {
  const noted: { place: number; atMs: number }[] = [];
  return {
    note(place, atMs) {
      const last = noted.at(-1);
      if (last && atMs - last.atMs < maxAgeMs / NOTED) return;
      // A lower place belongs to another server, which has replaced the primary.
      if (last && place < last.place) noted.length = 0;
      noted.push({ place, atMs });
      while (atMs - (noted.at(1)?.atMs ?? atMs) > maxAgeMs) noted.shift();
    },
    ageOf(place, nowMs) {
      const reached = noted.filter((one) => one.place <= place).at(-1);
      return reached === undefined ? Infinity : nowMs - reached.atMs;
    },
    lacksFor(place, nowMs) {
      const lacking = noted.find((one) => one.place > place);
      return lacking === undefined ? 0 : nowMs - lacking.atMs;
    },
  };
}
