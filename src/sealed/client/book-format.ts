import { fromBase64Url, fromHex, toBase64Url, toHex } from '../encoding.ts';
import { ELEMENT_BYTES } from '../group/group.ts';
import { joinBytes } from '../group/hash-to-group.ts';
import { createBook, type EvaluationBook } from './evaluations.ts';

/**
 * The form of a book before it is encrypted. The file's version covers it (`book-cipher.ts`). Numbers are big-endian.
 *
 * ```
 * book  = count of operators u32 · seen… · epoch…
 * seen  = operator's public key 32 · sequence u32 · link 32 · epoch's public key 32 · end of the epoch u64
 * epoch = public key 32 · count u32 · (hash 20 · element 32)…
 * ```
 */
const KEY_BYTES = 32;
const HASH_BYTES = 20;
const SEEN_BYTES = KEY_BYTES + 4 + 32 + KEY_BYTES + 8;
const ENTRY_BYTES = HASH_BYTES + ELEMENT_BYTES;

export function encodeBook({ epochs, seen }: EvaluationBook): Uint8Array {
  const parts: Uint8Array[] = [toU32(seen.size)];
  for (const [operatorKey, { sequence, link, epochKey, epochEndsAt }] of seen) {
    const time = new Uint8Array(8);
    new DataView(time.buffer).setBigUint64(0, BigInt(epochEndsAt));
    parts.push(fromBase64Url(operatorKey)!, toU32(sequence), fromHex(link)!, fromBase64Url(epochKey)!, time);
  }
  for (const [epochKey, elements] of epochs) {
    parts.push(fromBase64Url(epochKey)!, toU32(elements.size));
    for (const [hash, element] of elements) parts.push(fromHex(hash)!, element);
  }
  return joinBytes(parts);
}

/** Returns the book of bytes that {@link encodeBook} returned. Throws RangeError for others. */
export function decodeBook(bytes: Uint8Array): EvaluationBook {
  const book = createBook();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 4;
  for (let left = view.getUint32(0); left > 0; left--) {
    const end = at + SEEN_BYTES;
    book.seen.set(toBase64Url(bytes.subarray(at, at + KEY_BYTES)), {
      sequence: view.getUint32(at + KEY_BYTES),
      link: toHex(bytes.subarray(end - 72, end - 40)),
      epochKey: toBase64Url(bytes.subarray(end - 40, end - 8)),
      epochEndsAt: Number(view.getBigUint64(end - 8)),
    });
    at = end;
  }
  while (at < bytes.length) {
    const count = view.getUint32(at + KEY_BYTES);
    const elements = new Map<string, Uint8Array>();
    book.epochs.set(toBase64Url(bytes.subarray(at, at + KEY_BYTES)), elements);
    at += KEY_BYTES + 4;
    const end = at + count * ENTRY_BYTES;
    if (end > bytes.length) throw new RangeError('the book of evaluations ends too early');
    for (; at < end; at += ENTRY_BYTES) {
      const hash = toHex(bytes.subarray(at, at + HASH_BYTES));
      elements.set(hash, bytes.slice(at + HASH_BYTES, at + ENTRY_BYTES));
    }
  }
  return book;
}

function toU32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
