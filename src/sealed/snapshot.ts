import { SealedFormatError } from './errors.ts';
import { ROW_BYTES, TAG_BYTES, unpackContent, type RowContent, type RowKeys } from './rows.ts';

// A snapshot is rows in ascending order of their tags, and nothing else. Each tag appears once, so the same rows always
// have the same bytes.

/**
 * Validates the rows of a snapshot or delta. Throws `SealedFormatError`: `invalid-length`, `unsorted` or
 * `duplicate-tag`. Verify the checksum of the manifest first.
 */
export function requireRows(bytes: Uint8Array, what: 'snapshot' | 'delta'): void {
  if (bytes.length % ROW_BYTES !== 0)
    throw new SealedFormatError('invalid-length', `a ${what} expected whole rows, got ${bytes.length} bytes`);
  for (let at = ROW_BYTES; at < bytes.length; at += ROW_BYTES) {
    const order = compareTags(bytes, at - ROW_BYTES, bytes, at);
    if (order === 0) throw new SealedFormatError('duplicate-tag', `the ${what} contains a tag twice`);
    if (order > 0) throw new SealedFormatError('unsorted', `the ${what} expected tags in ascending order`);
  }
}

/** Returns the number of rows. */
export function rowCount(bytes: Uint8Array): number {
  return bytes.length / ROW_BYTES;
}

/**
 * Returns what the rows of an identifier say, in order: index 0, 1, 2 and so on until one is missing. A row that says
 * nothing is left out. Returns an empty list for an identifier without a row.
 */
export function lookUp(bytes: Uint8Array, keys: RowKeys): RowContent[] {
  const contents: RowContent[] = [];
  for (let index = 0; ; index++) {
    const at = findTag(bytes, keys.tag(index));
    if (at === -1) return contents;
    const content = keys.open(index, bytes.subarray(at, at + ROW_BYTES));
    if (content) contents.push(unpackContent(content));
  }
}

/** Returns the offset of the row with this tag in sorted rows; -1 if there is none. Takes log2(rows) steps. */
export function findTag(bytes: Uint8Array, tag: Uint8Array): number {
  const high = readU32(tag, 0);
  const low = readU32(tag, 4);
  let from = 0;
  let to = bytes.length / ROW_BYTES;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = middle * ROW_BYTES;
    const order = readU32(bytes, at) - high || readU32(bytes, at + 4) - low;
    if (order === 0) return at;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

/** Compares the tags at two offsets: negative, zero or positive. */
export function compareTags(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): number {
  return (
    readU32(left, leftAt) - readU32(right, rightAt) ||
    readU32(left, leftAt + TAG_BYTES / 2) - readU32(right, rightAt + TAG_BYTES / 2)
  );
}

function readU32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
