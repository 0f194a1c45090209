import { sha256 } from '@noble/hashes/sha2.js';
import { HASHES } from '../byte-hashes.ts';
import { createDelta, joinDeltas } from '../delta.ts';
import { toHex } from '../encoding.ts';
import { INDEX_BYTES, RANGES, rangeOf } from '../ranges.ts';
import { ROW_BYTES } from '../rows.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Pace } from './pace.ts';
import { sortRecords } from './records.ts';

/** Bytes of a snapshot that are hashed at once: about a millisecond. */
const HASHED_AT_ONCE = 0x4_0000;
const ENTRY_BYTES = INDEX_BYTES / RANGES;

/** Returns `buildSnapshot` of the rows, in slices. */
export function sortRows(rows: Uint8Array, pace: Pace): Promise<Uint8Array> {
  return sortRecords(rows, ROW_BYTES, pace);
}

/** Returns `buildIndex` of a snapshot, in slices. */
export async function indexRanges(snapshot: Uint8Array, pace: Pace): Promise<Uint8Array> {
  const index = new Uint8Array(INDEX_BYTES);
  const view = new DataView(index.buffer);
  for (let range = 0, from = 0; range < RANGES; range++) {
    const to = endOfRange(snapshot, from, range);
    view.setUint32(range * ENTRY_BYTES, from / ROW_BYTES);
    index.set(HASHES.sha256(snapshot.subarray(from, to)), range * ENTRY_BYTES + 4);
    from = to;
    if (pace.isDue()) await pace.turn();
  }
  return index;
}

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
export async function diffSnapshots(from: Snapshot, to: Snapshot, pace: Pace): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let range = 0, left = 0, right = 0; range < RANGES; range++) {
    const leftTo = endOfRange(from.bytes, left, range);
    const rightTo = endOfRange(to.bytes, right, range);
    parts.push(
      createDelta(
        { ...from, bytes: from.bytes.subarray(left, leftTo) },
        { ...to, bytes: to.bytes.subarray(right, rightTo) },
      ),
    );
    left = leftTo;
    right = rightTo;
    if (pace.isDue()) await pace.turn();
  }
  return joinDeltas(parts);
}

/** Returns the offset after the rows of a range that begin at `from`. Takes log2(rows) steps. */
function endOfRange(snapshot: Uint8Array, from: number, range: number): number {
  let [low, high] = [from / ROW_BYTES, snapshot.length / ROW_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * ROW_BYTES;
    if (rangeOf(snapshot.subarray(at, at + 2)) > range) high = middle;
    else low = middle + 1;
  }
  return low * ROW_BYTES;
}
