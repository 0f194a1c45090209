import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import type { AuditedQuery } from '../../../lab/audit-sample.ts';
import { parseTime } from '../../../lab/moment.ts';
import { CommandError, messageOf } from '../errors.ts';
import { parseWhole } from '../option.ts';
import { csvCell } from '../../web/csv.ts';
import { toFolderError } from './folder-error.ts';

const HEADER = ['query', 'line', 'at', 'group', 'points', 'reliability', 'label'] as const;

/** A labelled row of an audit file. */
export interface AuditRow {
  /** Line of the file, from 1. */
  readonly line: number;
  /** When the query was asked (ms, UTC). */
  readonly at: number;
  readonly label: 0 | 1;
}

/** Formats queries to label as CSV, with a header and an empty label. */
export function formatAudit(queries: readonly AuditedQuery[]): string {
  const rows = queries.map(({ number, line, at, group = '', points, reliability }) =>
    [number, line, new Date(at).toISOString(), csvCell(group), points, reliability.toFixed(1), ''].join(),
  );
  return [HEADER.join(), ...rows, ''].join('\n');
}

/**
 * Reads the rows of an audit file that have a label, by number of the query. Columns may be in any order, and between
 * them commas or semicolons. Throws CommandError with the number of the wrong line.
 */
export async function readAudit(file: string): Promise<ReadonlyMap<number, AuditRow>> {
  const rows = new Map<number, AuditRow>();
  const bytes = createReadStream(file);
  const parser = bytes.pipe(parse({ bom: true, info: true, delimiter: [',', ';'], skip_empty_lines: true }));
  // A pipe forwards data, but no errors.
  bytes.on('error', (error: Error) => parser.destroy(error));
  let line = 0;
  let columns: readonly string[] | undefined;
  try {
    // The parser's type does not know the option `info`.
    const records: AsyncIterable<{ record: string[]; info: { lines: number } }> = parser;
    for await (const { record, info } of records) {
      line = info.lines;
      if (columns === undefined) {
        for (const name of ['query', 'at', 'label'])
          if (!record.includes(name)) throw new Error(`the header expected the columns ${HEADER.join()}`);
        columns = record;
        continue;
      }
      const cell = (name: string): string => record[columns!.indexOf(name)]!.trim();
      const label = cell('label');
      if (label === '') continue;
      if (label !== '0' && label !== '1') throw new Error('"label" expected 0, 1 or nothing');
      const query = parseWhole(cell('query'), 1, Number.MAX_SAFE_INTEGER, '"query" ');
      const at = parseTime(cell('at'));
      if (at === undefined) throw new Error('"at" expected a time such as 2021-01-31T12:00:00.000Z');
      if (rows.has(query)) throw new Error('an earlier line labels this query');
      rows.set(query, { line, at, label: label === '1' ? 1 : 0 });
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw toFolderError(file, error);
    // The parser reads ahead, so its error has its own line. Do not show its message: it quotes the content.
    const [at, why] = error instanceof CsvError ? [error['lines'], 'it is not valid CSV'] : [line, messageOf(error)];
    throw new CommandError(`line ${String(at)} of the audit cannot be read: ${why}`);
  }
  if (rows.size === 0) throw new CommandError('the audit has no labels: write 1 or 0 in the column "label"');
  return rows;
}
