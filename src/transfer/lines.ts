import { utf8ToBytes } from '@noble/hashes/utils.js';
import { ExportError } from './transfer-errors.ts';

/** A row with the longest text that a service may allow is far shorter; a file without line ends is not read into memory as a whole. */
const LINE_BYTES = 64 * 1024 * 1024;
const LINE_END = 0x0a;

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
  /** With the line end. */
  readonly bytes: Uint8Array;
}

/** The lines of an export: UTF-8, each ended by one LF, the last one too. Throws ExportError. */
export async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Line> {
  // A byte order mark is not skipped: no export has one.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const held: { pieces: Uint8Array[]; length: number; number: number } = { pieces: [], length: 0, number: 1 };
  const hold = (piece: Uint8Array): void => {
    held.pieces.push(piece);
    held.length += piece.length;
    if (held.length > LINE_BYTES) throw new ExportError(held.number, 'it is longer than any line of an export');
  };

  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? utf8ToBytes(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      hold(bytes.subarray(start, end + 1));
      start = end + 1;
      const line = held.pieces.length === 1 ? held.pieces[0]! : join(held.pieces, held.length);
      yield { number: held.number, text: decode(decoder, line.subarray(0, -1), held.number), bytes: line };
      Object.assign(held, { pieces: [], length: 0, number: held.number + 1 });
    }
    // A copy: whoever gave the chunk may use its memory again.
    if (start < bytes.length) hold(bytes.slice(start));
  }
  if (held.length > 0) throw new ExportError(held.number, 'it is cut off');
}

function decode(decoder: TextDecoder, bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ExportError(number, 'it is not UTF-8');
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
