import { parse } from 'csv-parse/browser/esm/sync';
import { recogniseKind } from '../../core/identifiers/clear-value.ts';
import { formOfKind } from '../../core/identifiers/value-form.ts';
import { DELIMITERS, isHeader } from './csv.ts';

/** A table that a person has pasted or dropped. */
export interface PastedTable {
  /** The names of the columns; without a header, `Column 1` and so on. */
  readonly header: readonly string[];
  /** Each as long as the header. */
  readonly rows: readonly (readonly string[])[];
}

/** What a column may be: a kind of identifier, a part of a report, or empty for neither. */
export type ColumnUse = '' | 'email' | 'phone' | 'ip' | 'domain' | 'name' | 'other' | 'type' | 'severity' | 'text';

/** Values by which a column without a known name is recognised. */
const MAX_SAMPLES = 50;

/**
 * Reads CSV with a comma, semicolon, tab or `|`, as `redflag hash --csv` does. Leaves out blank lines. Returns what is
 * wrong in one sentence if there is no table, or more than `mostRows`.
 */
export function readTable(text: string, mostRows: number): PastedTable | string {
  let records: string[][];
  try {
    records = parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // One more, so that a longer table is noticed. A header is no row.
      to: mostRows + 2,
    });
  } catch {
    return 'The rows cannot be read: a quote is open, or text follows one. Save the table as CSV in UTF-8.';
  }
  records = records.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const [first] = records;
  if (!first) return 'There are no rows.';
  const named = isHeader(first.map((name) => name.trim()));
  const width = Math.max(...records.map(({ length }) => length));
  const header = Array.from({ length: width }, (_, at) => (named && first[at]?.trim()) || `Column ${at + 1}`);
  const rows = (named ? records.slice(1) : records).map((cells) => header.map((_, at) => cells[at]?.trim() ?? ''));
  if (rows.length === 0) return 'There are no rows below the names of the columns.';
  return rows.length > mostRows ? `There are more than ${mostRows} rows. Split the table.` : { header, rows };
}

/** Returns the character that splits the first line into most cells. */
function delimiterOf(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1);
  const cells = (by: string): number => line.split(by).length;
  return Object.keys(DELIMITERS).reduce((best, by) => (cells(by) > cells(best) ? by : best), ',');
}

/** Returns what each column seems to be: by its name, or by its values. `isReport`: also parts of reports. */
export function guessColumns({ header, rows }: PastedTable, isReport: boolean): ColumnUse[] {
  const taken = new Set<ColumnUse>();
  return header.map((name, at) => {
    const part = isReport ? partOf(name) : '';
    if (part !== '' && !taken.has(part)) {
      taken.add(part);
      return part;
    }
    const form = formOfKind(name);
    if (form === 'email' || form === 'phone' || form === 'ip' || form === 'domain') return form;
    // The name of a person is a weak identifier, and many columns with names are of no person.
    return form === 'name' ? '' : kindOfValues(rows.map((cells) => cells[at] ?? ''));
  });
}

function partOf(name: string): ColumnUse {
  if (/^_?(?:offen[cs]e[ _-]?)?type$|^offen[cs]e$|^what$/i.test(name)) return 'type';
  if (/^_?(?:severity|value)$/i.test(name)) return 'severity';
  return /^_?(?:text|description|comment|note|notes|reason)$/i.test(name) ? 'text' : '';
}

/** Returns the kind of most values. */
function kindOfValues(cells: readonly string[]): ColumnUse {
  const samples = samplesOf(cells);
  const kinds = samples.map(recogniseKind);
  const kind = (['email', 'phone', 'ip', 'domain'] as const).find((one) => isMost(kinds, (other) => other === one));
  // Numbers of orders look like phone numbers, so one value at least needs its plus.
  return kind === undefined || (kind === 'phone' && !samples.some((value) => value.startsWith('+'))) ? '' : kind;
}

/** True for a column without a use whose values look like phone numbers, or like numbers of orders. */
export function seemsPhone({ rows }: PastedTable, at: number, uses: readonly ColumnUse[]): boolean {
  const isLike = (cell: string): boolean => recogniseKind(cell) === 'phone' && !DATE_OR_PRICE.test(cell);
  return uses[at] === '' && isMost(samplesOf(rows.map((cells) => cells[at] ?? '')), isLike);
}

const DATE_OR_PRICE = /^(?:\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{2,4}|\d+\.\d{1,2})$/;

function samplesOf(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell !== '').slice(0, MAX_SAMPLES);
}

function isMost<T>(values: readonly T[], is: (value: T) => boolean): boolean {
  return values.filter(is).length * 2 > values.length;
}
