import { EVERYBODY } from '../sql/statement.ts';

/** How often a reader has written, and how often something was written that everybody must see: counted up within the transaction that writes. */
export interface WriteCounts {
  readonly own: number;
  readonly everybodys: number;
}

/** The two counts of a reader; its parameters are the reader's id and {@link EVERYBODY}, as bytes. */
export const WRITE_COUNTS =
  'SELECT (SELECT writes FROM reporter_writes WHERE reporter_id = ?) AS own, (SELECT writes FROM reporter_writes WHERE reporter_id = ?) AS everybodys';

/**
 * True when a copy that has counted `seen` holds all that was written up to `written`. The count is a row of the same transactions as what it counts, and they come
 * to a standby whole and in their order, so it cannot say more than is there. Ids of transactions would not do: a standby's snapshot does not list those under way.
 */
export function holdsAll(seen: WriteCounts, written: WriteCounts): boolean {
  return seen.own >= written.own && seen.everybodys >= written.everybodys;
}

/** The statement that counts one write of each of these, with its semicolon; nothing for nobody. The row waits for others' transactions, so each of a reporter's numbers is a commit. */
export function countWrites(schema: string, readers: ReadonlySet<string>): string {
  if (readers.size === 0) return '';
  // In one order, so that two that count the same do not wait for each other.
  const counted = readers.has(EVERYBODY) ? [EVERYBODY] : [...readers].sort();
  return `INSERT INTO "${schema}".reporter_writes AS known VALUES ${counted.map((reader) => `(decode('${proved(reader)}', 'hex'), 1)`).join(', ')}
    ON CONFLICT (reporter_id) DO UPDATE SET writes = known.writes + 1; `;
}

/** It stands in the statement's text. */
function proved(reader: string): string {
  if (!/^[0-9a-f]*$/.test(reader))
    throw new TypeError('a reporter’s id expected lowercase hex text, got something else');
  return reader;
}
