import type { StoreProblem } from '../store.ts';
import { rowSum } from './checksum.ts';
import { firstAstray, keyOf } from './order.ts';
import { isSound } from './rows.ts';
import { sql, type SqlValue, type SqlWork } from './statement.ts';
import { TABLES, tableOf } from './tables.ts';

/** Rows at once: a page of the longest texts is some megabytes. */
const PAGE = 500;

/** A walk over all rows of a table, a page at a time, each proved by its checksum. */
export interface RowWalk {
  readonly table: string;
  readonly after: readonly SqlValue[] | undefined;
  readonly damaged: number;
  readonly isAstray: boolean;
  readonly isDone: boolean;
}

/** The walks over all tables, at their beginning. */
export function rowWalks(): RowWalk[] {
  return TABLES.map(({ name }) => ({ table: name, after: undefined, damaged: 0, isAstray: false, isDone: false }));
}

/** The walk one page further. */
export function* walkOn({ table, after, damaged }: RowWalk): SqlWork<RowWalk> {
  const { key } = tableOf(table);
  const order = key.join(', ');
  const select = `SELECT ${rowSum(table).columns} FROM ${table}`;
  const rows = after
    ? yield* sql(
        `${select} WHERE (${order}) > (${key.map(() => '?').join(', ')}) ORDER BY ${order} LIMIT ?`,
        ...after,
        PAGE,
      )
    : yield* sql(`${select} ORDER BY ${order} LIMIT ?`, PAGE);
  const isAstray = firstAstray(table, rows, after) >= 0;
  const last = rows.at(-1);
  return {
    table,
    after: last && keyOf(table, last),
    isAstray,
    damaged: damaged + rows.filter((row) => !isSound(table, row)).length,
    // From out of order it would come round again for ever.
    isDone: isAstray || rows.length < PAGE,
  };
}

/** What a walk found at its end. */
export function problemsOf({ table, damaged, isAstray }: RowWalk): StoreProblem[] {
  return [
    ...(damaged > 0 ? [{ problem: `rows of ${table} that are not as they were written`, count: damaged }] : []),
    ...(isAstray ? [{ problem: `rows of ${table} that are not in the order of their keys`, count: 1 }] : []),
  ];
}
