import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CsvError, parse } from 'csv-parse';
import { toKind } from '../../../core/domain/identifier.ts';
import { normaliseIdentifier } from '../../../core/identifiers/normalise.ts';
import type { LabelRow, ReportRow } from '../../../lab/import-rows.ts';
import { parseDay } from '../../../lab/moment.ts';
import { CommandError, messageOf, UsageError } from '../errors.ts';
import { flag, text } from '../option.ts';
import { formatNames } from '../output.ts';
import { toFolderError } from './folder-error.ts';
import { MAP_TYPE } from './offence-types.ts';

export const LISTS_HELP = `REPORTS is a CSV file with the header kind,value,reporter,date,removed,type.
LABELS is a CSV file with the header kind,value,label,source,date.
Files named .gz are unpacked.`;

/** The options of a command that reads dated lists. */
export const LISTS_OPTIONS = {
  judge: text('LIST', 'reporters whose reports are left out because the labels come from them', {
    read: (list) => list.split(','),
  }),
  unverified: flag('treat the reporters as not verified by the operator'),
  ...MAP_TYPE,
};

/**
 * Returns the two files that a command line names. Throws UsageError unless there are exactly two. `command` is for the
 * message.
 */
export function readFileNames(
  command: string,
  positionals: readonly string[],
): readonly [reports: string, labels: string] {
  const [reports, labels, ...more] = positionals;
  if (reports === undefined || labels === undefined || more.length > 0)
    throw new UsageError(
      `lab ${command} expects a file of reports and a file of labels; see redflag lab ${command} --help`,
    );
  return [reports, labels];
}

/** Reads both lists. Unpacks files named `.gz`. Throws CommandError with the number of the wrong line. */
export async function readLists([reports, labels]: readonly [reports: string, labels: string]) {
  return { reports: await readRows(reports, REPORTS), labels: await readRows(labels, LABELS) };
}

/** Throws UsageError for a judge without reports. Otherwise, a misspelt name would leave the judge's own reports in. */
export function validateJudges(judges: readonly string[], reports: readonly ReportRow[]): void {
  validateNames(
    '--judge expects reporters from the list of reports',
    judges,
    [...new Set(reports.map(({ reporter }) => reporter))].sort(),
  );
}

/** Throws UsageError for an unknown name. The message has `expectation`, as in `--judge expects …`, and known names. */
export function validateNames(expectation: string, names: readonly string[], known: readonly string[]): void {
  if (names.every((name) => known.includes(name))) return;
  throw new UsageError(`${expectation}, separated by commas: ${formatNames(known)}`);
}

/** One kind of list: its columns, and the function that reads a row. */
interface List<Row> {
  readonly name: 'reports' | 'labels';
  readonly header: readonly string[];
  readonly toRow: (cells: readonly string[], line: number) => Row;
}

const REPORTS: List<ReportRow> = {
  name: 'reports',
  header: ['kind', 'value', 'reporter', 'date', 'removed', 'type'],
  toRow: ([kind = '', value = '', reporter = '', date = '', removed = '', type = ''], line) => ({
    line,
    kind: readKind(kind),
    value: readValue(value),
    reporter: notBlank('reporter', reporter),
    date: readDay('date', date),
    removed: removed === '' ? undefined : readDay('removed', removed),
    type: notBlank('type', type),
  }),
};

const LABELS: List<LabelRow> = {
  name: 'labels',
  header: ['kind', 'value', 'label', 'source', 'date'],
  toRow: ([kind = '', value = '', label, , date = '']) => {
    if (label !== '0' && label !== '1') throw new Error('"label" expected 0 or 1');
    const at = date === '' ? undefined : readDay('date', date);
    return { kind: readKind(kind), value: readValue(value), label: label === '1' ? 1 : 0, date: at };
  },
};

/** Maximum bytes of a row: a small file named .gz may unpack to a quote that is never closed. */
const MAX_RECORD_BYTES = 1024 * 1024;

async function readRows<Row>(file: string, { name, header, toRow }: List<Row>): Promise<Row[]> {
  const rows: Row[] = [];
  const bytes = createReadStream(file);
  const content: Readable = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  const parser = content.pipe(parse({ bom: true, info: true, max_record_size: MAX_RECORD_BYTES }));
  // A pipe forwards data, but no errors.
  for (const source of new Set<Readable>([bytes, content])) source.on('error', (error: Error) => parser.destroy(error));
  let line = 0;
  try {
    // The parser's type does not know the option `info`.
    const records: AsyncIterable<{ record: string[]; info: { lines: number } }> = parser;
    for await (const { record, info } of records) {
      line = info.lines;
      if (rows.length === 0 && record.join() === header.join()) continue;
      if (record.length !== header.length) throw new Error(`expected the columns ${header.join(',')}`);
      rows.push(toRow(record, line));
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw toFolderError(file, error);
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new CommandError(
        `the list of ${name} cannot be unpacked: its name ends with .gz, but its content is damaged or is not gzip`,
      );
    // The parser reads ahead, so its error has its own line. Do not show its message: it quotes the content.
    const [at, why] = error instanceof CsvError ? [error['lines'], 'it is not valid CSV'] : [line, messageOf(error)];
    throw new CommandError(`line ${String(at)} of the ${name} cannot be read: ${why}`);
  }
  return rows;
}

function readKind(text: string): string {
  const kind = toKind(text);
  if (kind === undefined) throw new Error('"kind" expected a lowercase name such as domain');
  return kind;
}

function readValue(text: string): string {
  try {
    return normaliseIdentifier(text);
  } catch {
    throw new Error('"value" is empty or not valid Unicode');
  }
}

function notBlank(column: string, text: string): string {
  if (text.trim() === '') throw new Error(`"${column}" is empty`);
  return text;
}

function readDay(column: string, text: string): number {
  const at = parseDay(text);
  if (at === undefined) throw new Error(`"${column}" expected a day as in 2021-01-31`);
  return at;
}
