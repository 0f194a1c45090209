import type { StoredRow, StoredTable, StoreSnapshot } from '../../core/store/upkeep.ts';
import { readTable, type RowSource, type SourceRow } from './row-source.ts';
import { compareRows, completeRow, problemOf, tableOf, textOf } from './rows.ts';
import { ExportError, TransferError } from './transfer-errors.ts';

export interface AlignedRow {
  readonly table: StoredTable;
  readonly row: StoredRow;
  /** True if the target already has the row. */
  readonly isStored: boolean;
}

/** Position in a target's table during the comparison. */
interface OpenTable {
  readonly table: StoredTable;
  readonly rows: AsyncGenerator<StoredRow, undefined>;
  /** The next row of the target; undefined after the last one. */
  stored: StoredRow | undefined;
  /** The previous row of the source in this table; undefined before the first one. */
  last: StoredRow | undefined;
}

/**
 * Reads a source and a target side by side, in the order of tables and keys. Yields each row of the source.
 *
 * If a source row is invalid or out of order, throws ExportError for an export and TransferError for a store. Throws
 * TransferError if the target has a row that the source lacks, or a row with other values. A log of the target may go
 * on after the source's last row. A source of an older `schema` lacks the tables and columns that were added since.
 */
export async function* align(source: RowSource, target: StoreSnapshot, schema: number): AsyncGenerator<AlignedRow> {
  const rest = [...target.tables];
  const openTable = async (table: StoredTable): Promise<OpenTable> => {
    const rows = readTable(target, table.name);
    return { table, rows, stored: (await rows.next()).value, last: undefined };
  };
  let current: OpenTable | undefined;

  for await (const given of source.rows()) {
    while (current?.table.name !== given.table) {
      requireEnd(current);
      const next = rest.shift();
      if (!next) throw invalid(given, 'the table of the row is unknown or out of order');
      current = await openTable(next);
    }
    const { table, last, stored } = current;
    const problem =
      table.since > schema ? 'the table is newer than the source' : problemOf(tableOf(table, schema), given.row);
    if (problem !== undefined) throw invalid(given, problem);
    const row = completeRow(table, given.row, schema);
    if (last && compareRows(table, last, row) >= 0)
      throw invalid(given, `the rows of ${table.name} are out of order`, '; the file was changed: export again');
    current.last = row;

    const order = stored ? compareRows(table, stored, row) : 1;
    if (stored && (order < 0 || (order === 0 && textOf(table, stored) !== textOf(table, row)))) throw notEmpty(table);
    if (order === 0) current.stored = (await current.rows.next()).value;
    yield { table, row, isStored: order === 0 };
  }

  requireEnd(current);
  for (const table of rest) requireEnd(await openTable(table));
}

/** Throws if the target has rows after the last one of the source, except in a log. */
function requireEnd(open: OpenTable | undefined): void {
  if (open?.stored && !open.table.grows) throw notEmpty(open.table);
}

/** `remedy` is what to do about an export file. */
function invalid({ table, line }: SourceRow, problem: string, remedy = ''): Error {
  return line === undefined
    ? new TransferError(
        'source',
        `the source is damaged: a row of ${table} is not valid: ${problem}; run redflag check on the source and restore a backup`,
      )
    : new ExportError(line, problem + remedy);
}

function notEmpty({ name }: StoredTable): TransferError {
  return new TransferError(
    'target',
    `the target is not empty: its table ${name} has rows that differ from the source; use an empty store; nothing was written`,
  );
}
