import { CommandError } from './errors.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Maximum bytes of a line. Each chunk copies what is held, so a longer line would take quadratic time. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Yields the lines of a stream of UTF-8 bytes. A line ends with LF, CR LF or CR; the last line may have no end. Skips a
 * byte order mark at the beginning. Throws CommandError with the line's number for bytes that are not UTF-8, and for a
 * line of more than 16 MiB. In a wrong encoding, a line could be another person's address.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let held: Buffer = Buffer.alloc(0);
  let number = 0;
  const decode = (bytes: Uint8Array): string => {
    number++;
    try {
      const text = decoder.decode(bytes);
      return number === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
    } catch {
      throw new CommandError(`line ${number} is not UTF-8`);
    }
  };

  for await (const chunk of chunks) {
    // The held bytes contain no line end, except a last CR that may be half of a CR LF.
    const searched = Math.max(0, held.length - 1);
    held = Buffer.concat([held, chunk]);
    let start = 0;
    for (let at = searched; at < held.length; at++) {
      const byte = held[at];
      if (byte !== LF && byte !== CR) continue;
      if (byte === CR && at + 1 === held.length) break;
      yield decode(held.subarray(start, at));
      if (byte === CR && held[at + 1] === LF) at++;
      start = at + 1;
    }
    held = held.subarray(start);
    if (held.length > MAX_LINE_BYTES) throw new CommandError(`line ${number + 1} is longer than 16 MiB`);
  }
  if (held.length > 0) yield decode(held.at(-1) === CR ? held.subarray(0, -1) : held);
}
