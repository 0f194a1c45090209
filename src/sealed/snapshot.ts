import { SealedError } from './errors.ts';
import { ROW_BYTES, TAG_BYTES, unpackContent, type RowContent, type RowKeys } from './rows.ts';

// A snapshot is rows in ascending order of their tags, and nothing else. Each tag appears once.

/**
 * Throws `SealedError` with `wrong-snapshot` unless the bytes are whole rows with ascending tags. Verify the checksum
 * of the manifest first.
 */
export function requireRows(bytes: Uint8Array): void {
  let isRight = bytes.length % ROW_BYTES === 0;
  for (let at = ROW_BYTES; isRight && at < bytes.length; at += ROW_BYTES)
    isRight = compareTags(bytes, at - ROW_BYTES, bytes, at) < 0;
  if (!isRight) throw new SealedError('wrong-snapshot', 'the snapshot expected whole rows with ascending tags');
}

/** Returns what the rows of an identifier say, in order: index 0, 1, 2 and so on until one is missing. */
export function lookUp(bytes: Uint8Array, keys: RowKeys): RowContent[] {
  const contents: RowContent[] = [];
  for (let index = 0; ; index++) {
    const at = findTag(bytes, keys.tag(index));
    if (at === -1) return contents;
    contents.push(unpackContent(keys.open(index, bytes.subarray(at, at + ROW_BYTES))));
  }
}

/** Returns the offset of the row with this tag in sorted rows; -1 if there is none. Takes log2(rows) steps. */
export function findTag(bytes: Uint8Array, tag: Uint8Array): number {
  let from = 0;
  let to = bytes.length / ROW_BYTES;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = middle * ROW_BYTES;
    const order = compareTags(bytes, at, tag, 0);
    if (order === 0) return at;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

/** Compares the tags at two offsets: negative, zero or positive. */
export function compareTags(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): number {
  for (let at = 0; at < TAG_BYTES; at++) {
    const order = left[leftAt + at]! - right[rightAt + at]!;
    if (order !== 0) return order;
  }
  return 0;
}
