import { SealedFormatError } from './errors.ts';
import { joinBytes } from './group/hash-to-group.ts';
import { ROW_BYTES, TAG_BYTES } from './rows.ts';
import { compareTags, requireRows } from './snapshot.ts';

/**
 * Returns the delta between two snapshots of one epoch: the rows that the second one adds or has in place of others,
 * ascending by tag, and nothing else. No tag goes within an epoch, so two snapshots have one delta, byte for byte.
 * Throws `missing-tag` if the second one lacks a tag of the first one.
 */
export function createDelta(from: Uint8Array, to: Uint8Array): Uint8Array {
  const rows: Uint8Array[] = [];
  let left = 0;
  for (let right = 0; right < to.length; right += ROW_BYTES) {
    const order = left === from.length ? 1 : compareTags(from, left, to, right);
    if (order < 0) break;
    if (order > 0 || !isSameRow(from, left, to, right)) rows.push(to.subarray(right, right + ROW_BYTES));
    if (order === 0) left += ROW_BYTES;
  }
  if (left < from.length)
    throw new SealedFormatError('missing-tag', 'a delta expected each tag of the older snapshot in the newer one');
  return joinBytes(rows);
}

/**
 * Returns the snapshot after the delta: the same bytes as a snapshot that is made anew. Neither argument changes.
 * Throws `SealedFormatError` as {@link requireRows}, and `redundant-row` for a row that the snapshot has. Verify the
 * checksum of the manifest first.
 */
export function applyDelta(old: Uint8Array, delta: Uint8Array): Uint8Array {
  requireRows(delta, 'delta');
  const joined = new Uint8Array(old.length + delta.length);
  let [written, from] = [0, 0];
  const write = (part: Uint8Array): void => {
    joined.set(part, written);
    written += part.length;
  };
  for (let at = 0; at < delta.length; at += ROW_BYTES) {
    const to = endOfLower(old, from, delta, at);
    write(old.subarray(from, to));
    from = to;
    if (from < old.length && compareTags(old, from, delta, at) === 0) {
      if (isSameRow(old, from, delta, at))
        throw new SealedFormatError('redundant-row', 'the delta has a row that the snapshot already has');
      from += ROW_BYTES;
    }
    write(delta.subarray(at, at + ROW_BYTES));
  }
  write(old.subarray(from));
  return joined.subarray(0, written);
}

/** Returns the offset after the rows from `from` with lower tags than that at `at`. Takes log2(rows) steps. */
function endOfLower(rows: Uint8Array, from: number, tags: Uint8Array, at: number): number {
  let [low, high] = [from / ROW_BYTES, rows.length / ROW_BYTES];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTags(rows, middle * ROW_BYTES, tags, at) < 0) low = middle + 1;
    else high = middle;
  }
  return low * ROW_BYTES;
}

function isSameRow(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): boolean {
  for (let at = TAG_BYTES; at < ROW_BYTES; at++) if (left[leftAt + at] !== right[rightAt + at]) return false;
  return true;
}
