import type { Columns, RowOf } from './columns.ts';
import { decode } from './rows.ts';
import type { SingleRead, SqlValue } from './statement.ts';
import { shape, type Shape, type Table } from './table.ts';

/** A row of one table with a row of another one, if there is one. `rest` has the columns after both. */
export interface Pair<A extends Columns, B extends Columns, R> {
  readonly left: RowOf<A>;
  readonly right: RowOf<B> | undefined;
  readonly rest: R;
}

const NOTHING = shape({});

/** Returns the columns of two tables for {@link askPairs}. Each has a unique name, such as `reporter_name`. */
export function pairColumns(left: Table, right: Table): string {
  return [left, right].map(({ name, plan }) => plan.columns.replace(/\w+/g, `${name}.$& AS ${name}_$&`)).join(', ');
}

/**
 * Runs a reading statement that returns the {@link pairColumns} of two tables, and then those of `rest`. Throws
 * StoreDamagedError for a row that is damaged or appears twice.
 */
export function* askPairs<A extends Columns, B extends Columns, R = unknown>(
  { left, right, rest }: { readonly left: Table<A>; readonly right: Table<B>; readonly rest?: Shape<R> },
  text: string,
  lists: readonly (readonly SqlValue[])[] = [[]],
): SingleRead<Pair<A, B, R>[]> {
  const found: Pair<A, B, R>[] = [];
  if (lists.length === 0) return found;
  const [width, end] = [widthOf(left), widthOf(left) + widthOf(right)];
  const { name, plan } = rest ?? NOTHING;
  for (const rows of yield { sql: text, each: lists }) {
    const ones = decode<RowOf<A>>(left.name, left.plan, rows);
    for (const [at, row] of rows.entries()) {
      const other = row.slice(width, end);
      const [second] = other.every((value) => value === null) ? [] : decode<RowOf<B>>(right.name, right.plan, [other]);
      const [more] = decode<R>(name, plan, [row.slice(end)]);
      const one = ones[at];
      if (one && more) found.push({ left: one, right: second, rest: more });
    }
  }
  return found;
}

function widthOf({ plan }: Table): number {
  return plan.cells.length + (plan.seeds.length > 0 ? 1 : 0);
}
