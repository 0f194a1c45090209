import { utf8ToBytes } from '@noble/hashes/utils.js';
import { requireFunction } from '../../core/domain/options.ts';
import { createSum, parseHead, parseRow } from './export-format.ts';
import type { RowSource, SourceHead, SourceRow } from './row-source.ts';
import { ExportError } from './transfer-errors.ts';

/**
 * Maximum length of a line. The rows of a service are far shorter. Without this limit, a file without line ends would
 * fill the memory.
 */
const LINE_BYTES = 64 * 1024 * 1024;
const LINE_END = 0x0a;

interface Line {
  /** Line number, from 1. */
  readonly number: number;
  readonly text: string;
  /** Including the line end. */
  readonly bytes: Uint8Array;
}

/**
 * Returns an export as a source. One row is in memory at a time.
 *
 * @param open returns the export from its first byte, in chunks of any size, as bytes or text. Called several times. If
 * `open` is not a function, throws TypeError.
 */
export function readExport(open: () => AsyncIterable<Uint8Array | string>): RowSource {
  requireFunction('open', open);
  return {
    async head(): Promise<SourceHead> {
      for await (const { text } of readLines(open())) return parseHead(text);
      throw new ExportError(1, 'the file is empty');
    },

    async *rows(): AsyncGenerator<SourceRow> {
      const sum = createSum();
      const read = { number: 0, hasEnded: false };
      for await (const { number, text, bytes } of readLines(open())) {
        read.number = number;
        if (read.hasEnded) throw new ExportError(number, 'the file continues after its last line');
        const parsed = number === 1 ? parseHead(text) : parseRow(number, text);
        if (parsed === undefined) {
          if (text !== sum.lastLine())
            throw new ExportError(
              number,
              'the last line does not match the lines before it: the file was changed; export again',
            );
          read.hasEnded = true;
        } else if ('table' in parsed) {
          sum.add(bytes, parsed.table);
          yield { ...parsed, line: number };
        } else {
          sum.add(bytes);
        }
      }
      if (!read.hasEnded)
        throw new ExportError(read.number + 1, 'the file is cut off: its last line is missing; export again');
    },
  };
}

/**
 * Yields the lines of an export. The text is UTF-8, and each line ends with one LF, even the last. Throws ExportError
 * for a line that is too long, cut off or not UTF-8.
 */
async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  // An export has no byte order mark. With `ignoreBOM`, the decoder keeps one, and the line is invalid.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const held: { pieces: Uint8Array[]; length: number; number: number } = { pieces: [], length: 0, number: 1 };
  const hold = (piece: Uint8Array): void => {
    held.pieces.push(piece);
    held.length += piece.length;
    if (held.length > LINE_BYTES)
      throw new ExportError(
        held.number,
        'the line is longer than 64 MiB, the maximum in an export; the file is damaged or is no export; export again',
      );
  };

  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? utf8ToBytes(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      hold(bytes.subarray(start, end + 1));
      start = end + 1;
      const line = join(held.pieces, held.length);
      yield { number: held.number, text: decode(decoder, line.subarray(0, -1), held.number), bytes: line };
      Object.assign(held, { pieces: [], length: 0, number: held.number + 1 });
    }
    // Copy the bytes: the caller may reuse the chunk's memory.
    if (start < bytes.length) hold(bytes.slice(start));
  }
  if (held.length > 0) throw new ExportError(held.number, 'the line is cut off; export again');
}

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ExportError(number, 'the line is not UTF-8');
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces;
  if (first?.length === length) return first;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
