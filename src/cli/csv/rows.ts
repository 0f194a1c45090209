import { CommandError } from '../arguments.ts';
import { IdentifierError, normaliseIdentifier } from '../../hash.ts';
import { malformed, readRecords, type Cell, type CsvRecord } from './records.ts';

/** How a CSV file is read. */
export interface CsvLayout {
  /** One ASCII character. */
  readonly delimiter: string;
  /** The column's name in the header, or its number from 1 in a file without header. */
  readonly column: string | number;
  /** New name of the column; undefined keeps the old one. Only with a header. */
  readonly kind: string | undefined;
}

/** A row of the output as two pieces of the input, between which a hash belongs. */
export interface Row {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** Bytes of the input that it took. */
  readonly size: number;
  readonly before: Buffer;
  readonly after: Buffer;
  /** What belongs between them: a header and a blank line are `before` alone; nothing for a cell that is `empty` after normalisation or is `bad`, no UTF-8. */
  readonly cell: 'kept' | 'empty' | 'bad' | { readonly normalised: string };
}

const NOTHING = Buffer.alloc(0);

/** The bytes that a file begins with and that are no row: a byte order mark of UTF-8. Throws CommandError for those of UTF-16. */
export function markOf(head: Uint8Array): Buffer {
  const [a, b, c] = head;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new CommandError('the file is UTF-16; save it as UTF-8');
  return a === 0xef && b === 0xbb && c === 0xbf ? Buffer.from([a, b, c]) : NOTHING;
}

/**
 * The rows of a CSV file, the header too. All bytes are there but those of the column's cells.
 * Throws CommandError, which names the line and shows nothing of it, for a file that is malformed, has no such column, or whose rows differ in length.
 * Blank lines pass as they are: many programs end a file with one.
 *
 * @param chunks the file without byte order mark
 */
export async function* readRows(chunks: AsyncIterable<Buffer>, layout: CsvLayout): AsyncGenerator<Row> {
  let column = -1;
  let width = 0;
  for await (const record of readRecords(chunks, layout.delimiter)) {
    const { cells } = record;
    if (width === 0) {
      column =
        typeof layout.column === 'number' ? numbered(cells, layout.column) : named(cells, layout.column, layout.kind);
      width = cells.length;
      if (typeof layout.column === 'string') {
        yield renamed(record, column, layout.kind);
        continue;
      }
    }
    if (cells.length === width) yield split(record, column);
    else if (cells.length === 1 && cells[0]!.end === 0) yield whole(record, record.bytes);
    else throw malformed(record.line, `it has ${count(cells.length, 'cell')}, the first row has ${width}`);
  }
  if (width === 0 && typeof layout.column === 'string') throw new CommandError('the file is empty: there is no header');
}

/** As in `1 row` and `2 rows`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function split({ line, bytes, cells }: CsvRecord, column: number): Row {
  const cell = cells[column]!;
  const quote = cell.isQuoted ? 1 : 0;
  // csv-parse says both where the cell is and what it holds: the two have to agree, or something else would be replaced.
  const written = cell.isQuoted ? `"${cell.latin1.replaceAll('"', '""')}"` : cell.latin1;
  if (bytes.toString('latin1', cell.start, cell.end) !== written) throw malformed(line, 'it is no CSV');
  return {
    line,
    size: bytes.length,
    before: bytes.subarray(0, cell.start + quote),
    after: bytes.subarray(cell.end - quote),
    cell: judge(cell),
  };
}

function judge(cell: Cell): Row['cell'] {
  try {
    const text = decode(cell);
    return text === undefined ? 'bad' : { normalised: normaliseIdentifier(text) };
  } catch (error) {
    if (!(error instanceof IdentifierError)) throw error;
    return error.reason === 'empty' ? 'empty' : 'bad';
  }
}

function decode({ latin1 }: Cell): string | undefined {
  try {
    // Without `ignoreBOM` the decoder would swallow a U+FEFF that a cell begins with.
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
  const { before, after } = split(record, column);
  return whole(record, Buffer.concat([before, Buffer.from(kind), after]));
}

function numbered(cells: readonly Cell[], column: number): number {
  if (column > cells.length) throw new CommandError(`the first row has only ${count(cells.length, 'cell')}`);
  return column - 1;
}

/** Shows no name of the header: in a file that has none, it is the first person's row. */
function named(cells: readonly Cell[], column: string, kind: string | undefined): number {
  const names = cells.map(decode);
  const at = names.indexOf(column);
  if (at === -1)
    throw new CommandError(
      `none of the ${count(names.length, 'column')} has the name that --column gives; for a file without header, give --no-header and the column's number`,
    );
  if (names.indexOf(column, at + 1) !== -1)
    throw new CommandError('two columns have the name that --column gives; rename one');
  // Names of fields are read without regard to case (PROTOCOL.md), so these would be one name twice.
  if (names.some((name, index) => index !== at && name?.toLowerCase() === kind))
    throw new CommandError('another column has the name that --kind gives; rename it');
  return at;
}
