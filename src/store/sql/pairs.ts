import type { Columns, RowOf } from './columns.ts';
import { decode } from './rows.ts';
import type { SingleRead, SqlRow, SqlValue } from './statement.ts';
import type { Table } from './table.ts';

/** A row of one table with a row of another one, if there is one. `rest` holds the columns after both. */
export interface Pair<A extends Columns, B extends Columns> {
  readonly left: RowOf<A>;
  readonly right: RowOf<B> | undefined;
  readonly rest: SqlRow;
}

/** Returns the columns of two tables for {@link askPairs}. Each has a unique name, such as `reporter_name`. */
export function pairColumns(left: Table, right: Table): string {
  return [left, right].map(({ name, plan }) => plan.columns.replace(/\w+/g, `${name}.$& AS ${name}_$&`)).join(', ');
}

/** Runs a reading statement that begins with the {@link pairColumns} of two tables. Throws like {@link read}. */
export function* askPairs<A extends Columns, B extends Columns>(
  left: Table<A>,
  right: Table<B>,
  text: string,
  lists: readonly (readonly SqlValue[])[] = [[]],
): SingleRead<Pair<A, B>[]> {
  if (lists.length === 0) return [];
  const answers = yield { sql: text, each: lists };
  const [width, end] = [widthOf(left), widthOf(left) + widthOf(right)];
  return answers.flat().flatMap((row) => {
    const other = row.slice(width, end);
    const [found] = other.every((value) => value === null) ? [] : decode<RowOf<B>>(right.name, right.plan, [other]);
    const [one] = decode<RowOf<A>>(left.name, left.plan, [row]);
    return one ? [{ left: one, right: found, rest: row.slice(end) }] : [];
  });
}

function widthOf({ plan }: Table): number {
  return plan.cells.length + (plan.seeds.length > 0 ? 1 : 0);
}
