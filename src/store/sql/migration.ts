import { rowSum } from './checksum.ts';
import { insert, sql, type SqlRow, type SqlWork } from './statement.ts';
import { CHECKSUMS_SINCE } from './schema.ts';
import { TABLES } from './tables.ts';

const PAGE = 500;

/**
 * What a step of the schema, by the version that it leads to, wants done to the rows, in its transaction. The columns are those of the catalogue: a later version that adds one
 * to a table moves this to its own step, for only there the table has it.
 */
export function* afterStep(version: number): SqlWork<void> {
  if (version === CHECKSUMS_SINCE) for (const { name } of TABLES) yield* writeChecksums(name);
}

/** Several rows a statement, for a server is far away. */
function* writeChecksums(table: string): SqlWork<void> {
  const { columns, key } = TABLES.find(({ name }) => name === table)!;
  const { columns: written, of } = rowSum(table);
  const names = columns.map(({ name }) => name);
  const order = key.join(', ');
  const select = `SELECT ${names.join(', ')} FROM ${table}`;
  let page: readonly SqlRow[] = [];
  do {
    const last = page.at(-1);
    page = last
      ? yield* sql(
          `${select} WHERE (${order}) > (${key.map(() => '?').join(', ')}) ORDER BY ${order} LIMIT ?`,
          ...key.map((part) => last[names.indexOf(part)]!),
          PAGE,
        )
      : yield* sql(`${select} ORDER BY ${order} LIMIT ?`, PAGE);
    yield* insert(
      `INSERT INTO ${table} (${written})`,
      page.map((row) => [...row, of(row)]),
      ` ON CONFLICT (${order}) DO UPDATE SET checksum = excluded.checksum`,
    );
  } while (page.length === PAGE);
}
