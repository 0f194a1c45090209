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

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

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
 * csv-parse says what the cells hold, and {@link locate} finds them in the bytes, which proves both.
 * The parser is fed chunk by chunk, so only one chunk and the record that is open are in memory.
 * The cells of a row may be fewer or more than those of another. Throws CommandError for anything else that is irregular.
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
    max_record_size: MOST_RECORD_BYTES,
    // Taken here and not from the stream, which would drop what came before an error.
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
  // Bytes that no record has claimed yet.
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
    if (error) throw malformed(line, (error instanceof CsvError && WORDING[error.code]) || 'it is no CSV');
  }

  for await (const chunk of chunks) {
    isEmpty = false;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    yield* takeRecords(await feed(chunk));
  }
  // Ending a parser that never saw a byte is an error of its own.
  if (!isEmpty) yield* takeRecords(await feed());
}

/**
 * Finds the cells of a record in the file's bytes, by their lengths, and the record's end. Throws CommandError when a quote, a delimiter or the line end is not
 * where it has to be. The parser would tell the places too, but takes far longer for that than for parsing.
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
    if (index > 0 && held[at++] !== delimiter.charCodeAt(0)) throw malformed(line, 'it is no CSV');
    const start = at;
    const isQuoted = held[start] === QUOTE;
    at += latin1.length + (isQuoted ? 2 + countQuotes(latin1) : 0);
    if (isQuoted && held[at - 1] !== QUOTE) throw malformed(line, 'it is no CSV');
    // Most readers take a bare CR for a line end, so what it means is anybody's guess.
    if (!isQuoted && latin1.includes('\r'))
      throw malformed(line, 'a carriage return without line feed stands outside quotes');
    return { start: start - recordStart, end: at - recordStart, isQuoted, latin1 };
  });
  if (held[at] === CR) at++;
  if (held[at] === LF) at++;
  else if (at !== held.length) throw malformed(line, 'it is no CSV');
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
