import type { Columns, RowOf } from './columns.ts';
import { decode } from './rows.ts';
import type { SingleRead, SqlValue } from './statement.ts';
import type { Shape, Table } from './table.ts';

/** A row of one table with a row of another one, if there is one. `rest` has the columns after both. */
export interface Pair<A extends Columns, B extends Columns, R> {
  readonly left: RowOf<A>;
  readonly right: RowOf<B> | undefined;
  readonly rest: R;
}

/** Returns the columns of tables for {@link askPairs}. Each has a unique name, such as `reporter_name`. */
export function pairColumns(...tables: readonly Table[]): string {
  return tables.map(({ name, plan }) => plan.columns.replace(/\w+/g, `${name}.$& AS ${name}_$&`)).join(', ');
}

/**
 * Runs a reading statement that returns the {@link pairColumns} of one or two tables, and then those of `rest`. Throws
 * StoreDamagedError for a row that is damaged or appears twice.
 */
export function* askPairs<A extends Columns, B extends Columns, R = unknown>(
  { left, right, rest }: { readonly left: Table<A>; readonly right?: Table<B>; readonly rest?: Shape<R> },
  text: string,
  lists: readonly (readonly SqlValue[])[] = [[]],
): SingleRead<Pair<A, B, R>[]> {
  const found: Pair<A, B, R>[] = [];
  if (lists.length === 0) return found;
  const width = widthOf(left);
  const end = right ? width + widthOf(right) : width;
  for (const rows of yield { sql: text, each: lists }) {
    const ones = decode<RowOf<A>>(left.name, left.plan, rows);
    const more =
      rest &&
      decode(
        rest.name,
        rest.plan,
        rows.map((row) => row.slice(end)),
      );
    for (let at = 0; at < ones.length; at++) {
      const other = right ? rows[at]!.slice(width, end) : [];
      const [second] =
        right && other.some((value) => value !== null) ? decode<RowOf<B>>(right.name, right.plan, [other]) : [];
      found.push({ left: ones[at]!, right: second, rest: more?.[at] as R });
    }
  }
  return found;
}

function widthOf({ plan }: Table): number {
  return plan.cells.length + (plan.seeds.length > 0 ? 1 : 0);
}
