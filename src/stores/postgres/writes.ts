import { EVERYBODY } from '../../core/store/sql/statement.ts';

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
export function counted(readers: ReadonlySet<string>): readonly string[] {
  return readers.has(EVERYBODY) ? [EVERYBODY] : [...readers].sort();
}
