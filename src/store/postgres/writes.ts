import { EVERYBODY } from '../sql/statement.ts';

/** The number of the reader's writes, and of writes that all must see at once. Counted in the writing transaction. */
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

/**
 * Returns the statement that counts one write per reader. It locks their rows, so each number belongs to one commit.
 */
export function countWrites(schema: string, readers: ReadonlySet<string>): string {
  if (readers.size === 0) return '';
  // Sorted, so that two transactions cannot deadlock.
  const counted = readers.has(EVERYBODY) ? [EVERYBODY] : [...readers].sort();
  return `INSERT INTO "${schema}".reporter_writes AS known VALUES ${counted.map((reader) => `(decode('${validated(reader)}', 'hex'), 1)`).join(', ')}
    ON CONFLICT (reporter_id) DO UPDATE SET writes = known.writes + 1; `;
}

/** The id becomes a part of the statement's text, so it must be hex. */
function validated(reader: string): string {
  if (!/^[0-9a-f]*$/.test(reader)) throw new TypeError('"reporterId" expected lowercase hex text');
  return reader;
}
