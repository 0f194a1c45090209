import { fromBase64Url, fromHex, toBase64Url, toHex } from '../encoding.ts';
import { ELEMENT_BYTES } from '../group/group.ts';
import { joinBytes } from '../group/hash-to-group.ts';
import type { EvaluationBook } from './evaluations.ts';

/**
 * The form of a book before it is encrypted. Numbers are big-endian.
 *
 * ```
 * book  = epoch…
 * epoch = public key 32 · count u32 · (hash 20 · element 32)…
 * ```
 */
const KEY_BYTES = 32;
const HASH_BYTES = 20;
const ENTRY_BYTES = HASH_BYTES + ELEMENT_BYTES;

export function encodeBook(book: EvaluationBook): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [epochKey, elements] of book) {
    const count = new Uint8Array(4);
    new DataView(count.buffer).setUint32(0, elements.size);
    parts.push(fromBase64Url(epochKey)!, count);
    for (const [hash, element] of elements) parts.push(fromHex(hash)!, element);
  }
  return joinBytes(parts);
}

/** Returns the book of bytes that {@link encodeBook} returned. Throws RangeError for others. */
export function decodeBook(bytes: Uint8Array): EvaluationBook {
  const book: EvaluationBook = new Map();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const count = view.getUint32(at + KEY_BYTES);
    const elements = new Map<string, Uint8Array>();
    book.set(toBase64Url(bytes.subarray(at, at + KEY_BYTES)), elements);
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
