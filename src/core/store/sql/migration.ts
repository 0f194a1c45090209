import { CHECKED_TABLES } from './catalogue.ts';
import { sqlName } from './columns.ts';
import { walkTable } from './pages.ts';
import { putValues } from './rows.ts';
import { CHECKSUMS_SINCE } from './schema.ts';
import type { SqlRow, SqlWork } from './statement.ts';
import { tableAt, type Table } from './table.ts';

/** Rows per statement. On a server, each statement is a round trip. */
const PAGE = 500;

/**
 * Tables that were older than checksums, with the columns of the version that added checksums to them. Later tables
 * have had checksums from the start. Columns of later versions are NULL at first, which changes no checksum.
 */
export const GIVEN_CHECKSUMS = CHECKED_TABLES.filter(({ since }) => since < CHECKSUMS_SINCE).map((table) =>
  tableAt(table, CHECKSUMS_SINCE),
);

/** Changes the rows for a step of the schema, in the step's transaction. `version` is the version after the step. */
export function* afterStep(version: number): SqlWork<void> {
  if (version === CHECKSUMS_SINCE) for (const table of GIVEN_CHECKSUMS) yield* writeChecksums(table);
}

function* writeChecksums(table: Table): SqlWork<void> {
  const key = table.key.map(sqlName).join(', ');
  let page: readonly SqlRow[] = [];
  do {
    page = (yield* walkTable(table, PAGE, page.at(-1))).rows;
    yield* putValues(
      table,
      page.map((row) => row.slice(0, -1)),
      ` ON CONFLICT (${key}) DO UPDATE SET checksum = excluded.checksum`,
    );
  } while (page.length === PAGE);
}
