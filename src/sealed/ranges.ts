import { HASHES, type ByteHashes } from './byte-hashes.ts';
import { requireWhole } from '../core/domain/options.ts';
import { requireChecksum } from './checksum.ts';
import { toHex } from './encoding.ts';
import { SealedFormatError } from './errors.ts';
import { ROW_BYTES } from './rows.ts';
import { requireSorted } from './snapshot.ts';

/**
 * The index of a snapshot: {@link RANGES} entries. Range r has the rows whose tag begins with the 10 bits of r, so all
 * rows of an identifier are in one range. Numbers are big-endian.
 *
 * ```
 * entry = first row u32 · SHA-256 of the range's rows 32                                             36 bytes
 * ```
 *
 * An empty range begins where the next one does, and its SHA-256 is that of no bytes.
 */
export const RANGES = 1024;
export const INDEX_BYTES = RANGES * 36;

const ENTRY_BYTES = 36;
const RANGE_BITS = 10;

/** Where a range of a snapshot is, and its checksum. */
export interface RangeEntry {
  /** Offset of the first byte in the snapshot. */
  readonly from: number;
  /** Offset after the last byte. Equal to `from` if the range is empty. */
  readonly to: number;
  /** SHA-256 of the bytes in lowercase hex. */
  readonly sha256: string;
}

/** Returns the range of a tag, or of the two bytes of an address: 0 to 1,023. */
export function rangeOf(tag: Uint8Array): number {
  return ((tag[0]! << 8) | tag[1]!) >> (16 - RANGE_BITS);
}

/** Returns the index of a valid snapshot: {@link INDEX_BYTES} bytes. */
export function buildIndex(snapshot: Uint8Array, hashes: ByteHashes = HASHES): Uint8Array {
  const index = new Uint8Array(INDEX_BYTES);
  const view = new DataView(index.buffer);
  let at = 0;
  for (let range = 0; range < RANGES; range++) {
    const from = at;
    while (at < snapshot.length && rangeOf(snapshot.subarray(at, at + 2)) === range) at += ROW_BYTES;
    view.setUint32(range * ENTRY_BYTES, from / ROW_BYTES);
    index.set(hashes.sha256(snapshot.subarray(from, at)), range * ENTRY_BYTES + 4);
  }
  return index;
}

/**
 * Validates an index and returns its ranges. `rows` is the number of rows in the manifest. Throws `SealedFormatError`:
 * `invalid-length`, or `malformed` if the ranges do not fill the snapshot in order. Verify the checksum of the manifest
 * first.
 */
export function parseIndex(index: Uint8Array, rows: number): RangeEntry[] {
  requireWhole('rows', rows, 0, 0xffff_ffff);
  if (index.length !== INDEX_BYTES)
    throw new SealedFormatError('invalid-length', `an index expected ${INDEX_BYTES} bytes, got ${index.length}`);
  const view = new DataView(index.buffer, index.byteOffset, INDEX_BYTES);
  const first = (range: number): number => (range === RANGES ? rows : view.getUint32(range * ENTRY_BYTES));
  return Array.from({ length: RANGES }, (_, range) => {
    const [from, to] = [first(range), first(range + 1)];
    if (to < from || (range === 0 && from !== 0))
      throw new SealedFormatError('malformed', 'the index expected ranges in ascending order that fill the snapshot');
    const at = range * ENTRY_BYTES + 4;
    return { from: from * ROW_BYTES, to: to * ROW_BYTES, sha256: toHex(index.subarray(at, at + 32)) };
  });
}

/**
 * Throws unless the bytes are range `range` of the snapshot: `invalid-length`, `wrong-range`, `unsorted`,
 * `duplicate-tag`, or `malformed` if a row belongs to another range. No message has the number of the range: it is a
 * part of an identifier's address.
 */
export function verifyRange(range: number, entry: RangeEntry, bytes: Uint8Array, hashes: ByteHashes = HASHES): void {
  if (bytes.length !== entry.to - entry.from)
    throw new SealedFormatError('invalid-length', `the range expected ${entry.to - entry.from} bytes`);
  requireChecksum(bytes, entry.sha256, 'range', hashes);
  requireSorted(bytes, ROW_BYTES, 'range');
  for (let at = 0; at < bytes.length; at += ROW_BYTES) {
    if (rangeOf(bytes.subarray(at, at + 2)) !== range)
      throw new SealedFormatError('malformed', 'the range contains a row of another range');
  }
}
