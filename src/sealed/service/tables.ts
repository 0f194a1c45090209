import { sha256 } from '@noble/hashes/sha2.js';
import { HASHES } from '../byte-hashes.ts';
import { createDelta } from '../delta.ts';
import { toHex } from '../encoding.ts';
import { ROW_BYTES } from '../rows.ts';
import { joinBytes } from '../group/hash-to-group.ts';
import type { Pace } from './pace.ts';

/** Bytes of a snapshot that are hashed at once: about a millisecond. */
const HASHED_AT_ONCE = 0x4_0000;
/** Slices of a delta: those of a tag's first 10 bits. */
const SLICES = 1024;

/** Returns the SHA-256 of bytes in lowercase hex, in slices. */
export async function hashInSlices(bytes: Uint8Array, pace: Pace): Promise<string> {
  if (bytes.length <= HASHED_AT_ONCE) return toHex(HASHES.sha256(bytes));
  // Only this implementation hashes in pieces on each platform.
  const hash = sha256.create();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    if (pace.isDue()) await pace.turn();
  }
  return toHex(hash.digest());
}

/** Returns `createDelta` of two snapshots, in slices. */
export async function diffSnapshots(from: Uint8Array, to: Uint8Array, pace: Pace): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let slice = 0, left = 0, right = 0; slice < SLICES; slice++) {
    const leftTo = endOfSlice(from, left, slice);
    const rightTo = endOfSlice(to, right, slice);
    parts.push(createDelta(from.subarray(left, leftTo), to.subarray(right, rightTo)));
    left = leftTo;
    right = rightTo;
    if (pace.isDue()) await pace.turn();
  }
  return joinBytes(parts);
}

/** Returns the offset after the rows of a slice that begin at `from`. Takes log2(rows) steps. */
function endOfSlice(snapshot: Uint8Array, from: number, slice: number): number {
  let [low, high] = [from / ROW_BYTES, snapshot.length / ROW_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * ROW_BYTES;
    if (((snapshot[at]! << 8) | snapshot[at + 1]!) >> 6 > slice) high = middle;
    else low = middle + 1;
  }
  return low * ROW_BYTES;
}
