import { damageError, type StoreDamagedError } from '../errors.ts';
import {
  CHECKSUM_CHANGED,
  checksumOf,
  difference,
  partOf,
  seedOf,
  fromSql,
  sqlName,
  toBytes,
  toHex,
  toSql,
  WHOLE,
  type Cell,
  type Columns,
  type RowOf,
} from './columns.ts';
import { sql, type SingleRead, type SqlRow, type SqlStatement, type SqlValue, type SqlWork } from './statement.ts';
import { LOOKED_UP, shape, type Plan, type Selection, type Shape, type Table } from './table.ts';

// Only this file handles rows as lists of values. It writes rows with a checksum and verifies the checksum when it
// reads them. Other code gets objects with the names of the catalogue.

/** Maximum rows per INSERT. Each number of rows is a different text, and each text is prepared once. */
const INSERTED_AT_ONCE = 16;
/** Maximum parameters of a statement in a Durable Object. Other databases allow thousands. */
const MAX_PARAMETERS = 100;

/** Writes new rows. `tail` is SQL after VALUES. */
export function* put<C extends Columns>(table: Table<C>, rows: readonly RowOf<C>[], tail = ''): SqlWork<void> {
  const lists: SqlRow[] = [];
  for (const row of rows) {
    const values: SqlValue[] = [];
    for (const { name, column } of table.plan.cells) values.push(toSql(column, row[name]));
    lists.push(values);
  }
  yield* putValues(table, lists, tail);
}

/** Writes new rows, given as values in the order of the table's columns. */
export function* putValues(table: Table, rows: readonly SqlRow[], tail = ''): SqlWork<void> {
  const { seeds, inserts, cells } = table.plan;
  const atOnce = Math.min(INSERTED_AT_ONCE, Math.floor(MAX_PARAMETERS / (cells.length + 1)));
  for (let from = 0; from < rows.length; from += atOnce) {
    const some = rows.slice(from, from + atOnce);
    const values: SqlValue[] = [];
    for (const row of some) {
      values.push(...row);
      if (seeds.length > 0) values.push(checksumOf(seeds, row));
    }
    // Joined once: a database finds a prepared statement faster by a text that does not change.
    const text = (inserts[some.length] ??= insertText(table, some.length));
    yield { sql: tail === '' ? text : text + tail, each: [values] };
  }
}

/** Returns the statement that inserts this number of rows. */
function insertText({ name, plan }: Table, rows: number): string {
  const list = `(${plan.columns.replace(/\w+/g, '?')})`;
  return `INSERT INTO ${name} (${plan.columns}) VALUES ${Array.from({ length: rows }, () => list).join(', ')}`;
}

/** Writes one new row if a condition of SQL holds and the row does not exist. */
export function* putWhere<C extends Columns>(
  { name, plan }: Table<C>,
  row: RowOf<C>,
  condition: string,
  ...values: SqlValue[]
): SqlWork<void> {
  const written = plan.cells.map((cell) => toSql(cell.column, row[cell.name]));
  yield* sql(
    `INSERT INTO ${name} (${plan.columns}) SELECT ${plan.columns.replace(/\w+/g, '?')} WHERE ${condition} ON CONFLICT DO NOTHING`,
    ...written,
    checksumOf(plan.seeds, written),
    ...values,
  );
}

/** Changed columns, each with its old and new value. */
export type Changes<Row> = { readonly [N in keyof Row]?: readonly [from: Row[N], to: Row[N]] };

/**
 * Changes columns of all rows that match `where`, and their checksums. Each of these rows must have the old values.
 * Otherwise, its checksum becomes wrong and the row counts as damaged.
 */
export function* change<C extends Columns>(
  { name: table, columns }: Table<C>,
  where: Partial<RowOf<C>>,
  changes: Changes<RowOf<C>>,
): SqlWork<void> {
  const sets: string[] = [];
  const set: SqlValue[] = [];
  const parts: [number, SqlValue, SqlValue][] = [];
  const conditions: string[] = [];
  const wanted: SqlValue[] = [];
  for (const [name, column] of Object.entries(columns)) {
    const pair = changes[name];
    if (pair) {
      const [from, to] = pair;
      sets.push(`${sqlName(name)} = ?`);
      set.push(toSql(column, to));
      parts.push([seedOf(table, sqlName(name)), toSql(column, from), toSql(column, to)]);
    }
    if (!(name in where)) continue;
    const value = toSql(column, where[name]);
    conditions.push(value === null ? `${sqlName(name)} IS NULL` : `${sqlName(name)} = ?`);
    if (value !== null) wanted.push(value);
  }
  yield* sql(
    `UPDATE ${table} SET ${sets.join(', ')}, ${CHECKSUM_CHANGED} WHERE ${conditions.join(' AND ')}`,
    ...set,
    difference(parts),
    ...wanted,
  );
}

/**
 * Overwrites the `written` columns, whatever their old values. Sets the checksum of `row`, the whole row after the
 * change.
 */
export function* overwrite<C extends Columns>(
  { name, columns, plan }: Table<C>,
  row: RowOf<C>,
  written: readonly (keyof C & string)[],
  where: string,
  ...values: SqlValue[]
): SqlWork<void> {
  const entries = Object.entries(columns).map(([column, type]) => ({ column, value: toSql(type, row[column]) }));
  const set = entries.filter(({ column }) => written.includes(column));
  yield* sql(
    `UPDATE ${name} SET ${set.map(({ column }) => `${sqlName(column)} = ?`).join(', ')}, checksum = ? WHERE ${where}`,
    ...set.map(({ value }) => value),
    checksumOf(
      plan.seeds,
      entries.map(({ value }) => value),
    ),
    ...values,
  );
}

/**
 * Reads rows. `tail` is SQL after the table's name. Throws StoreDamagedError for a row that is damaged or appears
 * twice.
 */
export function* read<Row, C extends Columns>(
  { name, plan }: Selection<Row, C>,
  tail = '',
  ...values: SqlValue[]
): SqlWork<Row[]> {
  return decode(name, plan, yield* sql(`SELECT ${plan.columns} FROM ${name} ${tail}`, ...values));
}

/** Like {@link read}, for rows that have all of these hex values. A value that is undefined matches every row. */
export function readWhere<Row, C extends Columns>(
  selection: Selection<Row, C>,
  filter: { readonly [N in keyof C]?: string | undefined },
  order: string,
): SqlWork<Row[]> {
  const conditions: string[] = [];
  const values: Uint8Array[] = [];
  for (const [name, value] of Object.entries<string | undefined>(filter)) {
    if (value === undefined) continue;
    conditions.push(`${sqlName(name)} = ?`);
    values.push(toBytes(value));
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')} `;
  return read(selection, `${where}ORDER BY ${order}`, ...values);
}

/** Like {@link read}, for several lists of parameters. */
export function* readEach<Row, C extends Columns>(
  { name, plan }: Selection<Row, C>,
  tail: string,
  lists: readonly (readonly SqlValue[])[],
): SingleRead<Row[][]> {
  const found: Row[][] = [];
  if (lists.length === 0) return found;
  const answers = yield { sql: `SELECT ${plan.columns} FROM ${name} ${tail}`, each: lists };
  for (const rows of answers) found.push(decode(name, plan, rows));
  return found;
}

/** Like {@link read}, but leaves out damaged rows. */
export function* readSound<Row, C extends Columns>(
  { name, plan }: Selection<Row, C>,
  tail: string,
  ...values: SqlValue[]
): SqlWork<Row[]> {
  const rows = yield* sql(`SELECT ${plan.columns} FROM ${name} ${tail}`, ...values);
  return decode(
    name,
    plan,
    rows.filter((row) => isSound(plan, row)),
  );
}

/**
 * Returns the rows that have one of these hex values in a column, as one list. Throws like {@link read}. If an index
 * leads to a row with another value, the checksum does not match, because it covers the value.
 */
export function* find<Row, C extends Columns>(
  { name, by }: Selection<Row, C>,
  column: keyof C & string,
  keys: readonly string[],
): SingleRead<Row[]> {
  const found: Row[] = [];
  if (keys.length === 0) return found;
  const lookup = by[column];
  const each: [Uint8Array][] = [];
  for (const key of keys) each.push([toBytes(key)]);
  let at = 0;
  for (const rows of yield { sql: lookup.text, each }) {
    if (rows.length > 0) decode(name, lookup, rows, found, keys[at], partOf(lookup.seed, each[at]?.at(0)));
    at++;
  }
  return found;
}

/** Runs a reading statement. Its columns are those of `shape`, in the same order. The answer is not verified. */
export function* ask<Row>({ name, plan }: Shape<Row>, text: string, ...values: SqlValue[]): SingleRead<Row[]> {
  const [rows = []] = yield { sql: text, each: [values] };
  return decode(name, plan, rows);
}

/** Like {@link ask}, for several lists of parameters. */
export function* askEach<Row>(
  { name, plan }: Shape<Row>,
  text: string,
  lists: readonly (readonly SqlValue[])[],
): SingleRead<Row[][]> {
  const found: Row[][] = [];
  if (lists.length > 0) for (const rows of yield { sql: text, each: lists }) found.push(decode(name, plan, rows));
  return found;
}

/** A read that finds nothing unless a condition of SQL holds. */
export function* onlyIf<T>(condition: string | undefined, read: SingleRead<T>): SingleRead<T> {
  const first = read.next([]);
  if (first.done) return first.value;
  return finished(read.next(yield { ...first.value, onlyIf: condition }));
}

function finished<T>(last: IteratorResult<SqlStatement, T>): T {
  if (!last.done) throw new RangeError('"read" expected a read of one statement');
  return last.value;
}

/** The results of several reads, in the same order. */
type Results<Reads extends readonly SingleRead<unknown>[]> = {
  -readonly [At in keyof Reads]: Reads[At] extends SingleRead<infer T> ? T : never;
};

/** Runs several reads together. A server runs them in one round trip, so none may need the answer to another. */
export function* together<const Reads extends readonly SingleRead<unknown>[]>(
  ...reads: Reads
): SqlWork<Results<Reads>> {
  const started = reads.map((read) => read.next([]));
  const statements: SqlStatement[] = [];
  for (const first of started) if (!first.done) statements.push(first.value);
  const answers = yield { reads: statements };
  let at = 0;
  const results = reads.map((read, index) => {
    const first = started[index]!;
    if (first.done) return first.value;
    const from = at;
    at += first.value.each.length;
    return finished(read.next(answers.slice(from, at)));
  });
  return results as Results<Reads>;
}

const COUNT = shape({ count: WHOLE });

/** Counts rows. `from` is SQL after FROM. */
export function* countOf(from: string, ...values: SqlValue[]): SqlWork<number> {
  const [row] = yield* ask(COUNT, `SELECT count(*) FROM ${from}`, ...values);
  return row?.count ?? 0;
}

/** True if a row exists. `from` is SQL after FROM. */
export function* exists(from: string, ...values: SqlValue[]): SqlWork<boolean> {
  return (yield* sql(`SELECT 1 FROM ${from} LIMIT 1`, ...values)).length > 0;
}

/** Returns the error for a missing row that another row refers to. */
export function missingRowError({ name }: Table): StoreDamagedError {
  return damageError(`a row of ${name} is missing, but another row refers to it`);
}

/** True if a whole row of a table matches its checksum. */
export function isSound({ seeds }: Plan, row: SqlRow): boolean {
  return seeds.length === 0 || checksumOf(seeds, row) === row[seeds.length];
}

/**
 * Verifies rows and adds them to `found`, with the names and types of the catalogue or shape. For a lookup, `key` is
 * the value that was looked up, and `known` is its part of the checksum.
 */
export function decode<Row>(
  table: string,
  plan: Plan,
  rows: readonly SqlRow[],
  found: Row[] = [],
  key?: string,
  known?: number,
): Row[] {
  const { cells, seeds, make } = plan;
  for (const values of rows) {
    if (seeds.length > 0 && checksumOf(seeds, values, known) !== values[seeds.length])
      throw damageError(`a row of ${table} is damaged: its checksum does not match`);
    if (make) {
      const list: (Cell | undefined)[] = [];
      for (const { column, at } of cells) list.push(at === LOOKED_UP ? key : fromSql(column, values[at]));
      found.push(make(...list) as Row);
      continue;
    }
    const row: Record<string, Cell | undefined> = {};
    for (const { name, column, at } of cells) row[name] = at === LOOKED_UP ? key : fromSql(column, values[at]);
    found.push(row as Row);
  }
  if (rows.length > 1 && seeds.length > 0) requireDistinct(table, seeds.length, rows);
  return found;
}

/**
 * Throws if a row appears twice. Compares checksums first: they are equal for equal rows, and almost always differ
 * otherwise.
 */
function requireDistinct(table: string, checksum: number, rows: readonly SqlRow[]): void {
  if (new Set(rows.map((row) => row[checksum])).size === rows.length) return;
  const texts = rows.map((row) =>
    JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [toHex(value)] : value))),
  );
  if (new Set(texts).size < rows.length)
    throw damageError(`a row of ${table} was found twice: the table or an index is damaged`);
}
