import { SealedFormatError } from './errors.ts';
import { ROW_BYTES, TAG_BYTES, unpackContent, type RowContent, type RowKeys } from './rows.ts';

/**
 * A snapshot: rows in ascending order of their tags, and nothing else. Each tag appears once, so the same rows always
 * have the same bytes.
 */
export interface Snapshot {
  /** Number of the epoch, 0 to 2^32 - 1. */
  readonly epoch: number;
  /** Sequence of the manifest that published the rows, 0 to 2^32 - 1. */
  readonly sequence: number;
  /** Rows of {@link ROW_BYTES}. */
  readonly bytes: Uint8Array;
}

/** Sorts rows of {@link ROW_BYTES} bytes by tag and joins them. Throws `duplicate-tag` if two rows have one tag. */
export function buildSnapshot(rows: readonly Uint8Array[]): Uint8Array {
  const keyed = rows.map((row) => {
    if (row.length !== ROW_BYTES)
      throw new SealedFormatError('invalid-length', `a row expected ${ROW_BYTES} bytes, got ${row.length}`);
    return { row, high: readU32(row, 0), low: readU32(row, 4) };
  });
  keyed.sort((left, right) => left.high - right.high || left.low - right.low);
  const bytes = new Uint8Array(rows.length * ROW_BYTES);
  for (const [at, { row }] of keyed.entries()) bytes.set(row, at * ROW_BYTES);
  requireSorted(bytes, ROW_BYTES, 'snapshot');
  return bytes;
}

/**
 * Validates the bytes of a snapshot and returns it. Throws `SealedFormatError`: `invalid-length`, `unsorted` or
 * `duplicate-tag`. Verify the checksum of the manifest first. The bytes are not copied.
 */
export function parseSnapshot(epoch: number, sequence: number, bytes: Uint8Array): Snapshot {
  if (bytes.length % ROW_BYTES !== 0)
    throw new SealedFormatError('invalid-length', `a snapshot expected whole rows, got ${bytes.length} bytes`);
  requireSorted(bytes, ROW_BYTES, 'snapshot');
  return { epoch, sequence, bytes };
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

/** Throws unless the tags at each `step` bytes ascend: `duplicate-tag` or `unsorted`. */
export function requireSorted(bytes: Uint8Array, step: number, what: string): void {
  for (let at = step; at < bytes.length; at += step) {
    const order = compareTags(bytes, at - step, bytes, at);
    if (order === 0) throw new SealedFormatError('duplicate-tag', `the ${what} contains a tag twice`);
    if (order > 0) throw new SealedFormatError('unsorted', `the ${what} expected tags in ascending order`);
  }
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
