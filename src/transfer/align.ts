import type { StoredRow, StoredTable, StoreSnapshot } from '../store/store.ts';
import { readTable } from './read-table.ts';
import type { RowSource, SourceRow } from './row-source.ts';
import { compareRows, problemOf, textOf } from './rows.ts';
import { ExportError, TransferError } from './transfer-errors.ts';

/** A row of the source that is one of its table, and whether the target has it. */
export interface AlignedRow {
  readonly table: StoredTable;
  readonly row: StoredRow;
  readonly isStored: boolean;
}

/**
 * Walks along a source and a target at once, both in the same order. Throws ExportError or TransferError for a row of the source that cannot be one, or is not in its place, and
 * TransferError for a row of the target that the source does not have, or has otherwise.
 */
export async function* align(source: RowSource, target: StoreSnapshot): AsyncGenerator<AlignedRow> {
  const rest = [...target.tables];
  const walk = async (table: StoredTable) => {
    const rows = readTable(target, table.name);
    return { table, rows, stored: await rows.next(), last: undefined as StoredRow | undefined };
  };
  let current: Awaited<ReturnType<typeof walk>> | undefined;

  for await (const given of source.rows()) {
    while (current?.table.name !== given.table) {
      if (current && !current.stored.done) throw stranger(current.table);
      const next = rest.shift();
      if (!next) throw wrong(given, 'its table is unknown, or comes too late');
      current = await walk(next);
    }
    const { table, last } = current;
    const { row } = given;
    const problem = problemOf(table, row);
    if (problem !== undefined) throw wrong(given, problem);
    if (last && compareRows(table, last, row) >= 0)
      throw wrong(given, `the rows of ${table.name} are not in the order of their keys`);
    current.last = row;

    const order = current.stored.done ? 1 : compareRows(table, current.stored.value, row);
    if (order < 0 || (order === 0 && textOf(table, current.stored.value as StoredRow) !== textOf(table, row)))
      throw stranger(table);
    if (order === 0) current.stored = await current.rows.next();
    yield { table, row, isStored: order === 0 };
  }

  for (let table = current?.table ?? rest.shift(); table; table = rest.shift()) {
    const { stored } = table === current?.table ? current : await walk(table);
    if (!stored.done) throw stranger(table);
  }
}

function wrong({ table, line }: SourceRow, problem: string): Error {
  return line === undefined
    ? new TransferError('source', `a row of ${table} in the source: ${problem}`)
    : new ExportError(line, problem);
}

function stranger({ name }: StoredTable): TransferError {
  return new TransferError(
    'target',
    `the target is not empty: its table ${name} has rows that are not in the source, or are not the same there; nothing was written`,
  );
}
