import { CsvError, parse } from 'csv-parse';
import { CommandError } from '../errors.ts';

/** Position of a cell in its record's bytes, including quotes, and its content. */
export interface Cell {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The content without quotes. Each character is one byte (latin1), in any encoding of the file. */
  readonly latin1: string;
}

/** One record of a CSV file, unchanged. */
export interface CsvRecord {
  /** Line of the file on which the record begins, from 1. */
  readonly line: number;
  /** All bytes, including the line end. */
  readonly bytes: Buffer;
  readonly cells: readonly Cell[];
}

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** Maximum bytes of a record. A longer record probably has an unclosed quote. Limits memory. */
const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** What is wrong with a row whose bytes the parser and this file read differently. */
export const NOT_CSV = 'its quotes or delimiters do not follow RFC 4180';

const OTHER_DELIMITER = "; if another character separates the cells, use --delimiter, such as --delimiter ';'";
const WORDING: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: `a closing quote is followed by more text${OTHER_DELIMITER}`,
  INVALID_OPENING_QUOTE: `a cell that does not begin with a quote contains a quote${OTHER_DELIMITER}`,
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_MAX_RECORD_SIZE: 'it is longer than 16 MiB; probably a quote is not closed',
};

/**
 * Returns the error for a file that is not CSV (RFC 4180, with LF or CR LF). Omits csv-parse's messages: they quote
 * cells.
 */
export function csvError(line: number, what: string): CommandError {
  return new CommandError(`the row that begins on line ${line} is malformed: ${what}`);
}

/**
 * Splits a CSV file into records. Each record keeps its original bytes, so a copy changes nothing. csv-parse returns
 * the content of the cells. {@link locate} finds the cells in the bytes, which verifies the parser's result. Memory
 * holds one chunk and the current record. Rows may have different numbers of cells. Throws CommandError for any other
 * irregularity.
 *
 * @param chunks the file without byte order mark
 * @param delimiter one ASCII character
 */
export async function* readRecords(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRecord> {
  let found: string[][] = [];
  const parser = parse({
    delimiter,
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    // Collect records here: on an error, the parser's stream would drop the records before the error.
    on_record(record: string[]) {
      found.push(record);
      return null;
    },
  });
  parser.on('error', () => undefined).resume();
  const feed = (chunk?: Buffer): Promise<Error | undefined> =>
    new Promise((resolve) => {
      const done = (error?: Error | null): void => resolve(error ?? undefined);
      if (chunk) parser.write(chunk, done);
      else parser.end(done);
    });

  let line = 1;
  // Bytes after the last complete record.
  let held: Buffer = Buffer.alloc(0);
  let isEmpty = true;
  function* takeRecords(error: Error | undefined): Generator<CsvRecord> {
    let start = 0;
    for (const texts of found) {
      const record = locate(texts, held, start, delimiter, line);
      yield record;
      line += countLines(record.bytes);
      start += record.bytes.length;
    }
    found = [];
    held = held.subarray(start);
    if (error) throw csvError(line, (error instanceof CsvError && WORDING[error.code]) || NOT_CSV);
  }

  for await (const chunk of chunks) {
    isEmpty = false;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    yield* takeRecords(await feed(chunk));
  }
  // A parser that ends without input reports an error.
  if (!isEmpty) yield* takeRecords(await feed());
}

/**
 * Finds the cells of a record in the file's bytes, by the cells' lengths, and the record's end. Throws CommandError if
 * a quote, a delimiter or the line end is not at its expected position. The parser can also return positions, but is
 * then much slower.
 */
function locate(
  texts: readonly string[],
  held: Buffer,
  recordStart: number,
  delimiter: string,
  line: number,
): CsvRecord {
  let at = recordStart;
  const cells = texts.map((latin1, index) => {
    if (index > 0 && held[at++] !== delimiter.charCodeAt(0)) throw csvError(line, NOT_CSV);
    const start = at;
    const isQuoted = held[start] === QUOTE;
    at += latin1.length + (isQuoted ? 2 + countQuotes(latin1) : 0);
    if (isQuoted && held[at - 1] !== QUOTE) throw csvError(line, NOT_CSV);
    // Most readers treat a bare CR as a line end, so its meaning is ambiguous.
    if (!isQuoted && latin1.includes('\r'))
      throw csvError(line, 'a cell without quotes contains a carriage return (CR) without a line feed (LF)');
    return { start: start - recordStart, end: at - recordStart, isQuoted, latin1 };
  });
  if (held[at] === CR) at++;
  if (held[at] === LF) at++;
  else if (at !== held.length) throw csvError(line, NOT_CSV);
  return { line, bytes: held.subarray(recordStart, at), cells };
}

function countQuotes(text: string): number {
  let quotes = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) quotes++;
  return quotes;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines++;
  return lines;
}
