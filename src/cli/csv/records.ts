import { CsvError, parse } from 'csv-parse';
import { CommandError } from '../arguments.ts';

/** Where a cell stands in its record's bytes, quotes included, and what it says. */
export interface Cell {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The content without quotes; each character is one byte (latin1), whatever the file's encoding. */
  readonly latin1: string;
}

/** One record of a CSV file, as it stands there. */
export interface CsvRecord {
  /** Line of the file on which it begins, from 1. */
  readonly line: number;
  /** All of it, the line end included. */
  readonly bytes: Buffer;
  readonly cells: readonly Cell[];
}

/** A record longer than this is a quote that nobody closed; it bounds the memory. */
const MOST_RECORD_BYTES = 16 * 1024 * 1024;

const WORDING: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by more text',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell without quotes',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_MAX_RECORD_SIZE: 'a row is longer than 16 MiB; is a quote not closed?',
};

/** The file is no CSV (RFC 4180, with LF or CR LF). Names the line; csv-parse's own messages quote the content, so they go no further. */
export function malformed(line: number, what: string): CommandError {
  return new CommandError(`the row that begins on line ${line} is malformed: ${what}`);
}

/**
 * Splits a CSV file into records, each with the bytes that it was written with: whoever copies them changes nothing.
 * csv-parse says where cells end; it is fed chunk by chunk, so only one chunk and the record that is open are in memory.
 * The cells of a row may be fewer or more than those of another. Throws CommandError for anything else that is irregular.
 *
 * @param chunks the file without byte order mark
 * @param delimiter one ASCII character
 */
export async function* readRecords(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRecord> {
  let found: { cells: { end: number; isQuoted: boolean; latin1: string }[]; end: number }[] = [];
  let open: (typeof found)[number]['cells'] = [];
  const parser = parse({
    delimiter, encoding: 'latin1', record_delimiter: ['\r\n', '\n'], relax_column_count: true, max_record_size: MOST_RECORD_BYTES,
    cast(latin1, { bytes, quoting }) {
      open.push({ end: bytes, isQuoted: quoting, latin1 });
      return latin1;
    },
    // Taken here and not from the stream, which would drop what came before an error.
    on_record(_record, { bytes }) {
      found.push({ cells: open, end: bytes });
      open = [];
      return null;
    },
  });
  parser.on('error', () => undefined).resume();
  const feed = (chunk?: Buffer): Promise<Error | undefined> => new Promise((resolve) => {
    const done = (error?: Error | null): void => resolve(error ?? undefined);
    if (chunk) parser.write(chunk, done);
    else parser.end(done);
  });

  let line = 1;
  // Bytes that no record has claimed yet, and where in the file they begin.
  let held: Buffer = Buffer.alloc(0);
  let base = 0;
  function* takeRecords(error: Error | undefined): Generator<CsvRecord> {
    let start = base;
    for (const { cells, end } of found) {
      const bytes = held.subarray(start - base, end - base);
      yield { line, bytes, cells: locate(cells, start, line) };
      line += countLines(bytes);
      start = end;
    }
    found = [];
    held = held.subarray(start - base);
    base = start;
    if (error) throw malformed(line, (error instanceof CsvError && WORDING[error.code]) || 'it is no CSV');
  }

  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    yield* takeRecords(await feed(chunk));
  }
  // Ending a parser that never saw a byte is an error of its own.
  if (base + held.length > 0) yield* takeRecords(await feed());
}

function locate(cells: readonly { end: number; isQuoted: boolean; latin1: string }[], recordStart: number, line: number): Cell[] {
  let start = 0;
  return cells.map(({ end, isQuoted, latin1 }) => {
    // Most readers take a bare CR for a line end, so what it means is anybody's guess.
    if (!isQuoted && latin1.includes('\r')) throw malformed(line, 'a carriage return without line feed stands outside quotes');
    const cell = { start, end: end - recordStart, isQuoted, latin1 };
    start = cell.end + 1;
    return cell;
  });
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) lines++;
  return lines;
}
