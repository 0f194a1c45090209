import { count } from '../../../core/domain/text.ts';
import type { ReadClear } from '../clear-values.ts';
import { CommandError, UsageError } from '../errors.ts';
import { parseWhole, text, withDefault } from '../option.ts';
import { formatNames } from '../output.ts';
import { IdentifierError, normaliseIdentifier } from '../../../hash.ts';
import type { NotIdentifier } from '../../../core/identifiers/not-identifier.ts';
import { isReserved, toFieldName } from '../../../core/protocol/form.ts';
import { DELIMITERS, isHeader } from '../../web/csv.ts';
import { csvError, NOT_CSV, readRecords, type Cell, type CsvRecord } from './records.ts';

/** How a CSV file is read. */
export interface CsvLayout {
  /** One ASCII character. */
  readonly delimiter: string;
  /** The column's name in the header, or its number from 1 in a file without header. */
  readonly column: string | number;
  /** New name of the column; undefined keeps the old name. Requires a header. */
  readonly kind: string | undefined;
  /** Decides what of a cell is hashed; without it, every value as it is. */
  readonly readClear?: ReadClear | undefined;
}

/** Maximum number of columns. Real files have far fewer. */
const MAX_COLUMNS = 1_000_000;

/** The option `--delimiter`. */
export const DELIMITER = {
  delimiter: withDefault(
    text('CHAR', 'character between cells; \\t is a tab', { read: parseDelimiter }),
    'a comma',
    () => ',',
  ),
};

/** Parses the options that describe a CSV file's layout. Throws UsageError for a missing or invalid option. */
export function readLayout(values: {
  readonly column: string | undefined;
  readonly 'no-header': boolean;
  readonly kind: string | undefined;
  readonly delimiter: string;
}): CsvLayout {
  const { column, kind, delimiter } = values;
  if (column === undefined || column === '')
    throw new UsageError('hash --csv expects --column and the name or number of the column to hash');
  const hasHeader = !values['no-header'];
  if (!hasHeader && kind !== undefined)
    throw new UsageError('--kind renames a column in the header; use it without --no-header');
  return { delimiter, column: hasHeader ? column : parseWhole(column, 1, MAX_COLUMNS, '--column '), kind };
}

function parseDelimiter(value: string): string {
  const delimiter = value === '\\t' ? '\t' : value;
  // If the delimiter were a letter or digit, it would split hashes and names of kinds.
  if (!/^[\t\x20-\x7e]$/.test(delimiter) || /["A-Za-z0-9_-]/.test(delimiter)) {
    throw new UsageError(
      'expects one ASCII character that is not a letter, digit, quote, hyphen or underscore; \\t is a tab',
    );
  }
  return delimiter;
}

/** Parses the option `--kind`. */
export function parseKind(value: string): string {
  const name = toFieldName(value);
  if (name === undefined || isReserved(name))
    throw new UsageError(
      'expects a valid kind, such as email: a letter, then letters, digits, _ and -, at most 32 characters in all',
    );
  return name;
}

/** A value to hash. */
export interface HashedCell {
  readonly normalised: string;
  readonly isCanonical: boolean;
  /** As of {@link ClearValue.wouldChange}. */
  readonly wouldChange?: true;
}

/** A row of the output: two parts of the input, with the hash between them. */
export interface Row {
  /** Line of the file on which the row begins, from 1. */
  readonly line: number;
  /** Size of the row in the input, in bytes. */
  readonly size: number;
  readonly before: Buffer;
  readonly after: Buffer;
  /**
   * Content between the two parts: the value to hash, or a reason for none. `kept`: the row is a header or blank line,
   * and `before` contains all of it. `empty`: the cell is empty after normalisation. `bad`: the cell is not UTF-8. Else
   * why the value is no identifier.
   */
  readonly cell: 'kept' | 'empty' | 'bad' | NotIdentifier | HashedCell;
}

const NOTHING = Buffer.alloc(0);

/** Returns the byte order mark at the beginning of a UTF-8 file, if any. Throws CommandError for a file in UTF-16. */
export function markOf(head: Uint8Array): Buffer {
  const [a, b, c] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new CommandError('the file is UTF-16, not UTF-8: save as CSV UTF-8');
  return a === 0xef && b === 0xbb && c === 0xbf ? Buffer.from([a, b, c]) : NOTHING;
}

/**
 * Yields the rows of a CSV file, including the header, with all bytes except the column's cells. Blank lines stay: many
 * programs end a file with one. Throws CommandError if the file is malformed, lacks the column, or has rows of
 * different lengths. The message contains the line's number, not its content.
 *
 * @param chunks the file without byte order mark
 */
export async function* readRows(chunks: AsyncIterable<Buffer>, layout: CsvLayout): AsyncGenerator<Row> {
  let column = -1;
  let width = 0;
  const judge = createJudge(layout);
  for await (const record of readRecords(chunks, layout.delimiter)) {
    const { cells } = record;
    if (width === 0) {
      refuseSeparatorLine(record);
      column = typeof layout.column === 'number' ? numbered(cells, layout.column) : named(record, layout);
      width = cells.length;
      if (typeof layout.column === 'string') {
        yield renamed(record, column, layout.kind);
        continue;
      }
    }
    if (cells.length === width) yield split(record, column, judge);
    else if (cells.length === 1 && cells[0]?.end === 0) yield whole(record, record.bytes);
    else throw csvError(record.line, `it has ${count(cells.length, 'cell')}, but the first row has ${width}`);
  }
  if (width === 0 && typeof layout.column === 'string') throw new CommandError('the file is empty: there is no header');
}

function split({ line, bytes, cells }: CsvRecord, column: number, judge: Judge): Row {
  const cell = cells[column];
  if (!cell) throw csvError(line, NOT_CSV);
  const quote = cell.isQuoted ? 1 : 0;
  // The cell's position and content must agree. Otherwise, other bytes would be replaced.
  const written = cell.isQuoted ? `"${cell.latin1.replaceAll('"', '""')}"` : cell.latin1;
  if (bytes.toString('latin1', cell.start, cell.end) !== written) throw csvError(line, NOT_CSV);
  return {
    line,
    size: bytes.length,
    before: bytes.subarray(0, cell.start + quote),
    after: bytes.subarray(cell.end - quote),
    cell: judge(cell),
  };
}

type Judge = (cell: Cell) => Row['cell'];

/** Returns the kind by which values are read: that of `--kind`, or the name of the column. */
export function kindOf({ kind, column }: CsvLayout): string | undefined {
  return kind ?? (typeof column === 'string' ? column : undefined);
}

/** Returns the function that says what of a cell is hashed. */
function createJudge(layout: CsvLayout): Judge {
  const { readClear } = layout;
  const of = kindOf(layout);
  return (cell) => judgeCell(cell, (text) => readClear?.(of, text) ?? { text, isCanonical: true });
}

function judgeCell(cell: Cell, read: (text: string) => ReturnType<ReadClear>): Row['cell'] {
  try {
    const text = decode(cell);
    if (text === undefined) return 'bad';
    const value = read(text);
    return typeof value === 'string' ? value : { ...value, normalised: normaliseIdentifier(value.text) };
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error;
    return error.reason === 'empty' ? 'empty' : 'bad';
  }
}

/** What messages say of text in another encoding, after its place. */
export const NOT_UTF8 = 'not UTF-8: save as CSV UTF-8';

/** Returns the text of a cell; undefined if its bytes are not UTF-8. */
export function decode({ latin1 }: Cell): string | undefined {
  // Most cells are ASCII, and need no decoder.
  if (!/[\u0080-\u00ff]/.test(latin1)) return latin1;
  try {
    // Without `ignoreBOM` the decoder would drop a U+FEFF at the beginning of a cell.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
}

function whole({ line, bytes }: CsvRecord, written: Buffer): Row {
  return { line, size: bytes.length, before: written, after: NOTHING, cell: 'kept' };
}

function renamed(record: CsvRecord, column: number, kind: string | undefined): Row {
  if (kind === undefined) return whole(record, record.bytes);
  const { before, after } = split(record, column, () => 'kept');
  return whole(record, Buffer.concat([before, Buffer.from(kind), after]));
}

function numbered(cells: readonly Cell[], column: number): number {
  if (column > cells.length)
    throw new CommandError(
      `--column expects the number of a column, but the first row has only ${count(cells.length, 'cell')}`,
    );
  return column - 1;
}

/** Excel writes and hides a first line such as `sep=;`. */
function refuseSeparatorLine({ bytes, line }: CsvRecord): void {
  const [, by] = /^sep=(.)\r?\n?$/i.exec(bytes.toString('latin1')) ?? [];
  if (by === undefined) return;
  const option = Object.hasOwn(DELIMITERS, by) ? ` and use --delimiter ${DELIMITERS[by]}` : '';
  throw new CommandError(`line ${line} is Excel's line for the separator, not a header; delete it${option}`);
}

/** Returns the names of a header that has a known one; without a header, the first row is personal data. */
function headerNames(names: readonly (string | undefined)[]): string | undefined {
  return isHeader(names) ? `the columns are ${formatNames(names.map(String))}` : undefined;
}

function named(record: CsvRecord, layout: CsvLayout): number {
  const { column, kind } = layout;
  const names = record.cells.map((cell) => decode(cell)?.trim());
  const wanted = String(column).trim();
  const at = names.indexOf(wanted);
  if (at === -1 && names.includes(undefined)) throw new CommandError(`line ${record.line} is ${NOT_UTF8}`);
  if (at === -1)
    throw new CommandError(
      `--column names none of the file's ${count(names.length, 'column')}; ${otherDelimiter(record, layout) ?? headerNames(names) ?? "for a file without a header, use --no-header and the column's number"}`,
    );
  if (names.indexOf(wanted, at + 1) !== -1)
    throw new CommandError('two columns have the name that --column gives; rename one of them');
  // Field names are case-insensitive (docs/protocol.md), so two columns would have the same name.
  if (names.some((name, index) => index !== at && name?.toLowerCase() === kind))
    throw new CommandError(
      'another column already has the name that --kind gives; rename that column or choose another --kind',
    );
  return at;
}

/** Returns which delimiter the header seems to have, or undefined. */
function otherDelimiter({ bytes }: CsvRecord, { column, delimiter }: CsvLayout): string | undefined {
  const header = bytes.toString('utf8').trim();
  const parts = (by: string): string[] => header.split(by).map((name) => name.trim().replace(/^"|"$/g, ''));
  const others = Object.keys(DELIMITERS).filter((by) => by !== delimiter && header.includes(by));
  const found =
    others.find((by) => parts(by).includes(String(column))) ?? (header.includes(delimiter) ? undefined : others[0]);
  return found === undefined ? undefined : adviseDelimiter(found);
}

/** Returns what to do about a header whose cells are separated by `found`, one of {@link DELIMITERS}. */
export function adviseDelimiter(found: string): string {
  return `its header seems to separate cells by another character: use --delimiter ${DELIMITERS[found]}`;
}
