import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { kindOf, isKind } from '../../domain/identifier.ts';
import { normaliseIdentifier } from '../../identifiers/normalise.ts';
import type { LabelRow, ReportRow } from '../../lab/import-rows.ts';
import { parseDay } from '../../lab/moment.ts';
import { CommandError } from '../arguments.ts';

/** Reads a list of reports: a header and `kind,value,reporter,date,removed,type`; `.gz` is unpacked. Throws CommandError with the line. */
export async function readReportRows(file: string): Promise<ReportRow[]> {
  return readRows(
    file,
    ['kind', 'value', 'reporter', 'date', 'removed', 'type'],
    ([kind, value, reporter, date, removed, type], line) => ({
      line,
      kind: readKind(kind!),
      value: readValue(value!),
      reporter: notBlank('reporter', reporter!),
      date: readDay('date', date!),
      removed: removed === '' ? undefined : readDay('removed', removed!),
      type: notBlank('type', type!),
    }),
  );
}

/** Reads a list of labels: a header and `kind,value,label,source,date`. Throws CommandError with the line. */
export async function readLabelRows(file: string): Promise<LabelRow[]> {
  return readRows(file, ['kind', 'value', 'label', 'source', 'date'], ([kind, value, label, , date]) => {
    if (label !== '0' && label !== '1') throw new Error('label expected 0 or 1');
    return {
      kind: readKind(kind!),
      value: readValue(value!),
      label: label === '1' ? 1 : 0,
      date: date === '' ? undefined : readDay('date', date!),
    };
  });
}

async function readRows<Row>(
  file: string,
  header: readonly string[],
  toRow: (cells: readonly string[], line: number) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  const bytes = createReadStream(file);
  const text: Readable = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  const parser = text.pipe(parse({ bom: true, info: true }));
  // A pipe passes data on, and no errors.
  for (const source of new Set<Readable>([bytes, text])) source.on('error', (error: Error) => parser.destroy(error));
  let line = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      line = info.lines;
      if (rows.length === 0 && record.join() === header.join()) continue;
      if (record.length !== header.length) throw new Error(`expected the columns ${header.join(',')}`);
      rows.push(toRow(record, line));
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new CommandError('the list cannot be unpacked: its name ends with .gz, and it is damaged or no gzip');
    // The parser is ahead of the rows, so it says where it is; its own messages quote the content.
    throw new CommandError(
      `line ${error instanceof CsvError ? String(error['lines']) : line} cannot be read: ${error instanceof CsvError ? 'it is malformed' : (error as Error).message}`,
    );
  }
  return rows;
}

function readKind(text: string): string {
  if (!isKind(text)) throw new Error('kind expected a name such as domain');
  return kindOf(text);
}

function readValue(text: string): string {
  try {
    return normaliseIdentifier(text);
  } catch {
    throw new Error('value is empty or not text');
  }
}

function notBlank(column: string, text: string): string {
  if (text.trim() === '') throw new Error(`${column} is empty`);
  return text;
}

function readDay(column: string, text: string): number {
  const at = parseDay(text);
  if (at === undefined) throw new Error(`${column} expected a day as in 2021-01-31`);
  return at;
}
