import { SealedFormatError } from './errors.ts';
import { joinBytes, toAscii } from './group/hash-to-group.ts';
import { ROW_BYTES, TAG_BYTES } from './rows.ts';
import { compareTags, requireSorted, type Snapshot } from './snapshot.ts';

/**
 * A delta: what turns the snapshot of one sequence into that of a later one. Numbers are big-endian.
 *
 * ```
 * delta  = header, rows
 * header = "redflagD" · version u16 · zero u16 · epoch u32 · from u32 · to u32 · rows u32   28 bytes
 * ```
 *
 * The rows ascend by tag. A row replaces the row with its tag, if there is one. No tag goes within an epoch. So two
 * snapshots have one delta, byte for byte.
 */
export interface Delta {
  readonly epoch: number;
  /** Sequence of the snapshot that the delta applies to. */
  readonly from: number;
  /** Sequence of the result. Higher than `from`. */
  readonly to: number;
  /** Rows of {@link ROW_BYTES}. */
  readonly rows: Uint8Array;
}

const MAGIC = /* @__PURE__ */ toAscii('redflagD');
const VERSION = 2;
const HEADER_BYTES = 28;

/**
 * Returns the bytes of the delta between two snapshots of one epoch. Throws `wrong-sequence` if the epochs differ, or
 * the second sequence is not higher, and `missing-tag` if it lacks a tag of the first one.
 */
export function createDelta(from: Snapshot, to: Snapshot): Uint8Array {
  if (from.epoch !== to.epoch || to.sequence <= from.sequence)
    throw new SealedFormatError('wrong-sequence', 'a delta expected two snapshots of one epoch, the older one first');
  const rows: Uint8Array[] = [];
  let left = 0;
  for (let right = 0; right < to.bytes.length; right += ROW_BYTES) {
    const order = left === from.bytes.length ? 1 : compareTags(from.bytes, left, to.bytes, right);
    if (order < 0) break;
    if (order > 0 || !isSameRow(from.bytes, left, to.bytes, right))
      rows.push(to.bytes.subarray(right, right + ROW_BYTES));
    if (order === 0) left += ROW_BYTES;
  }
  if (left < from.bytes.length)
    throw new SealedFormatError('missing-tag', 'a delta expected each tag of the older snapshot in the newer one');
  return encode(from.epoch, from.sequence, to.sequence, rows);
}

/**
 * Returns the delta of two snapshots from the deltas of their parts: the parts have all rows, ascending, and a tag is
 * in the same part of both. So a long delta can be made in slices. Throws as {@link parseDelta}, and `wrong-sequence`
 * unless all parts have one epoch and the same two sequences.
 */
export function joinDeltas(parts: readonly Uint8Array[]): Uint8Array {
  const deltas = parts.map((part) => parseDelta(part));
  const [first] = deltas;
  if (first === undefined || deltas.some((one) => !isSameStep(one, first)))
    throw new SealedFormatError('wrong-sequence', 'the parts of a delta expected one epoch and the same two sequences');
  const rows = deltas.map((delta) => delta.rows);
  const bytes = encode(first.epoch, first.from, first.to, rows);
  parseDelta(bytes);
  return bytes;
}

function isSameStep(left: Delta, right: Delta): boolean {
  return left.epoch === right.epoch && left.from === right.from && left.to === right.to;
}

/** Returns the bytes of a delta. The rows may be in pieces of several rows. */
function encode(epoch: number, from: number, to: number, rows: readonly Uint8Array[]): Uint8Array {
  const bytes = joinBytes([new Uint8Array(HEADER_BYTES), ...rows]);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(8, VERSION);
  const count = (bytes.length - HEADER_BYTES) / ROW_BYTES;
  for (const [at, value] of [epoch, from, to, count].entries()) view.setUint32(12 + 4 * at, value);
  return bytes;
}

/**
 * Validates the bytes of a delta and returns it as views of them. Throws `SealedFormatError`: `invalid-header`,
 * `invalid-length`, `malformed` (the sequence does not rise), `unsorted` or `duplicate-tag`. Verify the checksum of the
 * manifest first.
 */
export function parseDelta(bytes: Uint8Array): Delta {
  if (bytes.length < HEADER_BYTES)
    throw new SealedFormatError('invalid-length', `a delta expected at least ${HEADER_BYTES} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (MAGIC.some((byte, at) => byte !== bytes[at]) || view.getUint16(8) !== VERSION || view.getUint16(10) !== 0)
    throw new SealedFormatError('invalid-header', `the delta expected "redflagD" and version ${VERSION}`);
  const [epoch, from, to, count] = [12, 16, 20, 24].map((at) => view.getUint32(at)) as [number, number, number, number];
  if (to <= from) throw new SealedFormatError('malformed', 'the delta expected a sequence that rises');
  if (bytes.length !== HEADER_BYTES + count * ROW_BYTES)
    throw new SealedFormatError('invalid-length', 'the delta has another length than its header states');
  const rows = bytes.subarray(HEADER_BYTES);
  requireSorted(rows, ROW_BYTES, 'delta');
  return { epoch, from, to, rows };
}

/**
 * Returns the snapshot after the delta: the same bytes as a snapshot that is made anew. The snapshot does not change.
 * Throws `SealedFormatError`: `wrong-sequence` if the delta is of another epoch or does not begin at the snapshot's
 * sequence, `redundant-row` for a row that the snapshot has.
 */
export function applyDelta(snapshot: Snapshot, delta: Delta): Snapshot {
  if (delta.epoch !== snapshot.epoch || delta.from !== snapshot.sequence)
    throw new SealedFormatError('wrong-sequence', 'the delta expected the snapshot of another epoch or sequence');
  const { rows } = delta;
  const old = snapshot.bytes;
  const joined = new Uint8Array(old.length + rows.length);
  let [written, from] = [0, 0];
  const write = (part: Uint8Array): void => {
    joined.set(part, written);
    written += part.length;
  };
  for (let at = 0; at < rows.length; at += ROW_BYTES) {
    const to = endOfLower(old, from, rows, at);
    write(old.subarray(from, to));
    from = to;
    if (from < old.length && compareTags(old, from, rows, at) === 0) {
      if (isSameRow(old, from, rows, at))
        throw new SealedFormatError('redundant-row', 'the delta has a row that the snapshot already has');
      from += ROW_BYTES;
    }
    write(rows.subarray(at, at + ROW_BYTES));
  }
  write(old.subarray(from));
  return { epoch: snapshot.epoch, sequence: delta.to, bytes: joined.subarray(0, written) };
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
