import { seedOf, sqlName, type Cell, type Column, type Columns, type RowOf } from './columns.ts';

/** How to verify and decode rows of an answer. Computed once per declaration, because every row uses it. */
export interface Plan {
  /** SQL after SELECT: every column that the checksum covers, then the checksum. */
  readonly columns: string;
  /** One seed per column that is read, in the same order. Empty for an answer without checksums. */
  readonly seeds: readonly number[];
  /**
   * The columns to decode, each with its index in the row. The index is {@link LOOKED_UP} for the column that is looked
   * up.
   */
  readonly cells: readonly { readonly name: string; readonly column: Column<unknown>; readonly at: number }[];
  /** The statements that insert rows, by their number. Filled when they are needed. */
  readonly inserts: string[];
  /** Makes a row object from the values of its cells. */
  readonly make?: ((...cells: readonly (Cell | undefined)[]) => unknown) | undefined;
}

/** Replaces a column's index: the column is not read, because its value is the one looked up. */
export const LOOKED_UP = -1;

/** A statement that looks up one value of a column, and need not read that column. */
export interface Lookup extends Plan {
  /** The statement up to its first parameter, the value to look up. */
  readonly text: string;
  readonly seed: number;
}

/** The columns of an answer that is not a table, such as a count. `Row` is the type of its rows. */
export interface Shape<Row> {
  /** The table's name in SQL. */
  readonly name: string;
  readonly plan: Plan;
  /** Exists only for the type `Row`; never set. */
  readonly row?: Row;
}

/** Some columns of a table. */
export interface Selection<Row, C extends Columns> extends Shape<Row> {
  /** All columns of the table. */
  readonly columns: C;
  readonly by: { readonly [N in keyof C]: Lookup };
}

/** A declared table, which is also the selection of all its columns. */
export interface Table<C extends Columns = Columns> extends Selection<RowOf<C>, C> {
  /** The columns that identify a row and sort the rows. */
  readonly key: readonly string[];
  /** The version of the schema that created the table. */
  readonly since: number;
  /**
   * `facts`: exported and copied, with checksums. `own`: belongs to this store, with checksums, never exported.
   * `learnt`: computed from facts, without checksums, never exported.
   */
  readonly holds: 'facts' | 'own' | 'learnt';
}

/** Declares a table. */
export function table<const C extends Columns>(
  name: string,
  about: Pick<Table, 'since' | 'holds'> & { readonly key: readonly (keyof C & string)[] },
  columns: C,
): Table<C> {
  return { ...about, ...select(name, columns, about.holds, Object.keys(columns)) };
}

/** Returns a table without the columns that versions of the schema after this one added. */
export function tableAt({ name, since, holds, key, columns }: Table, version: number): Table {
  const known: Record<string, Column<unknown>> = {};
  for (const [column, type] of Object.entries(columns)) if ((type.since ?? since) <= version) known[column] = type;
  return table(name, { since, holds, key }, known);
}

/** Selects some columns of a table. The other columns are read only for the checksum. */
export function pick<C extends Columns, N extends keyof C & string>(
  { name, columns, holds }: Table<C>,
  ...names: readonly N[]
): Selection<Pick<RowOf<C>, N>, C> {
  return select(name, columns, holds, names);
}

/**
 * Like {@link pick}, for statements that return many rows. `make` returns an object literal from the values of `names`,
 * in their order. This is faster than an object with computed names.
 */
export function pickMany<C extends Columns, const N extends readonly (keyof C & string)[]>(
  { name, columns, holds }: Table<C>,
  names: N,
  make: (...cells: { [At in keyof N]: RowOf<C>[N[At]] }) => Pick<RowOf<C>, N[number]>,
): Selection<Pick<RowOf<C>, N[number]>, C> {
  return select(name, columns, holds, names, make as Plan['make']);
}

/** Returns a selection whose lookups by this column end in `tail`, which is SQL. */
export function lookupWith<Row, C extends Columns>(
  selection: Selection<Row, C>,
  column: keyof C & string,
  tail: string,
): Selection<Row, C> {
  const lookup = selection.by[column];
  return { ...selection, by: { ...selection.by, [column]: { ...lookup, text: `${lookup.text} ${tail}` } } };
}

/** Declares the columns of an answer that is not verified: counts, joins and parts of rows. */
export function shape<const C extends Columns>(columns: C): Shape<RowOf<C>> {
  return { name: 'an answer', plan: planOf('', columns, false, Object.keys(columns)) };
}

function select<Row, C extends Columns>(
  name: string,
  columns: C,
  holds: Table['holds'],
  selected: readonly string[],
  make?: Plan['make'],
): Selection<Row, C> {
  const made = (lookedUp?: string): Plan => ({
    ...planOf(name, columns, holds !== 'learnt', selected, lookedUp),
    make,
  });
  const lookups = Object.keys(columns).map((column): [string, Lookup] => {
    const plan = made(column);
    return [
      column,
      {
        ...plan,
        text: `SELECT ${plan.columns} FROM ${name} WHERE ${sqlName(column)} = ?`,
        seed: seedOf(name, sqlName(column)),
      },
    ];
  });
  return { name, columns, plan: made(), by: Object.fromEntries(lookups) as Selection<Row, C>['by'] };
}

function planOf(
  table: string,
  columns: Columns,
  hasChecksum: boolean,
  selected: readonly string[],
  lookedUp?: string,
): Plan {
  const read = Object.keys(columns).filter((name) => name !== lookedUp);
  const names = read.map(sqlName);
  return {
    columns: [...names, ...(hasChecksum ? ['checksum'] : [])].join(', '),
    seeds: hasChecksum ? names.map((name) => seedOf(table, name)) : [],
    cells: selected.flatMap((name) => {
      const column = columns[name];
      return column ? [{ name, column, at: read.indexOf(name) }] : [];
    }),
    inserts: [],
  };
}
