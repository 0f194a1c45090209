import { SealedFormatError } from './errors.ts';
import { joinBytes, toAscii } from './group/hash-to-group.ts';
import { ROW_BYTES, TAG_BYTES } from './rows.ts';
import { compareTags, requireSorted, type Snapshot } from './snapshot.ts';

/**
 * A delta: what turns the snapshot of one sequence into that of a later one. Numbers are big-endian.
 *
 * ```
 * delta  = header, tags to drop, rows to put
 * header = "redflagD" · version u16 · zero u16 · epoch u32 · from u32 · to u32 · drops u32 · puts u32   32 bytes
 * ```
 *
 * Both lists ascend by tag. A tag is in one list at most. A row that is put replaces the row with its tag, if there is
 * one. So two snapshots have one delta, byte for byte.
 */
export interface Delta {
  readonly epoch: number;
  /** Sequence of the snapshot that the delta applies to. */
  readonly from: number;
  /** Sequence of the result. Higher than `from`. */
  readonly to: number;
  /** Tags of 8 bytes. */
  readonly drops: Uint8Array;
  /** Rows of {@link ROW_BYTES}. */
  readonly puts: Uint8Array;
}

const MAGIC = /* @__PURE__ */ toAscii('redflagD');
const VERSION = 1;
const HEADER_BYTES = 32;
const SAME_ROW_ORDER = 0;

/**
 * Returns the bytes of the delta between two snapshots of one epoch. Throws `wrong-sequence` if the epochs differ, or
 * the second sequence is not higher.
 */
export function createDelta(from: Snapshot, to: Snapshot): Uint8Array {
  if (from.epoch !== to.epoch || to.sequence <= from.sequence)
    throw new SealedFormatError('wrong-sequence', 'a delta expected two snapshots of one epoch, the older one first');
  const drops: Uint8Array[] = [];
  const puts: Uint8Array[] = [];
  let [left, right] = [0, 0];
  while (left < from.bytes.length || right < to.bytes.length) {
    const order = orderOf(from.bytes, left, to.bytes, right);
    if (order < 0) drops.push(from.bytes.subarray(left, left + TAG_BYTES));
    else if (order > 0 || !isSameRow(from.bytes, left, to.bytes, right))
      puts.push(to.bytes.subarray(right, right + ROW_BYTES));
    if (order <= SAME_ROW_ORDER) left += ROW_BYTES;
    if (order >= SAME_ROW_ORDER) right += ROW_BYTES;
  }
  return encode(from.epoch, from.sequence, to.sequence, drops, puts);
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
  const bytes = encode(
    first.epoch,
    first.from,
    first.to,
    deltas.map(({ drops }) => drops),
    deltas.map(({ puts }) => puts),
  );
  parseDelta(bytes);
  return bytes;
}

function isSameStep(left: Delta, right: Delta): boolean {
  return left.epoch === right.epoch && left.from === right.from && left.to === right.to;
}

/** Returns the bytes of a delta. The lists may be in pieces of several tags or rows. */
function encode(
  epoch: number,
  from: number,
  to: number,
  drops: readonly Uint8Array[],
  puts: readonly Uint8Array[],
): Uint8Array {
  const bytes = joinBytes([new Uint8Array(HEADER_BYTES), ...drops, ...puts]);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(8, VERSION);
  const counts = [lengthOf(drops) / TAG_BYTES, lengthOf(puts) / ROW_BYTES];
  for (const [at, value] of [epoch, from, to, ...counts].entries()) view.setUint32(12 + 4 * at, value);
  return bytes;
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/**
 * Validates the bytes of a delta and returns it as views of them. Throws `SealedFormatError`: `invalid-header`,
 * `invalid-length`, `malformed` (the sequence does not rise), `unsorted`, or `duplicate-tag`, also for a tag in both
 * lists. Verify the checksum of the manifest first.
 */
export function parseDelta(bytes: Uint8Array): Delta {
  if (bytes.length < HEADER_BYTES)
    throw new SealedFormatError('invalid-length', `a delta expected at least ${HEADER_BYTES} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (MAGIC.some((byte, at) => byte !== bytes[at]) || view.getUint16(8) !== VERSION || view.getUint16(10) !== 0)
    throw new SealedFormatError('invalid-header', `the delta expected "redflagD" and version ${VERSION}`);
  const [epoch, from, to, dropCount, putCount] = [12, 16, 20, 24, 28].map((at) => view.getUint32(at)) as [
    ...[number, number, number, number, number],
  ];
  if (to <= from) throw new SealedFormatError('malformed', 'the delta expected a sequence that rises');
  const putsFrom = HEADER_BYTES + dropCount * TAG_BYTES;
  if (bytes.length !== putsFrom + putCount * ROW_BYTES)
    throw new SealedFormatError('invalid-length', 'the delta has another length than its header states');
  const drops = bytes.subarray(HEADER_BYTES, putsFrom);
  const puts = bytes.subarray(putsFrom);
  requireSorted(drops, TAG_BYTES, 'list of tags to drop');
  requireSorted(puts, ROW_BYTES, 'list of rows to put');
  requireDisjoint(drops, puts);
  return { epoch, from, to, drops, puts };
}

/**
 * Returns the snapshot after the delta: the same bytes as a snapshot that is made anew. The snapshot does not change.
 * Throws `SealedFormatError`: `wrong-sequence` if the delta is of another epoch or does not begin at the snapshot's
 * sequence, `unknown-tag` for a tag to drop that the snapshot lacks, `redundant-row` for a row that the snapshot has.
 */
export function applyDelta(snapshot: Snapshot, delta: Delta): Snapshot {
  if (delta.epoch !== snapshot.epoch || delta.from !== snapshot.sequence)
    throw new SealedFormatError('wrong-sequence', 'the delta expected the snapshot of another epoch or sequence');
  const { drops, puts } = delta;
  const old = snapshot.bytes;
  const joined = new Uint8Array(old.length + puts.length);
  let [written, from, drop, put] = [0, 0, 0, 0];
  const write = (rows: Uint8Array): void => {
    joined.set(rows, written);
    written += rows.length;
  };
  while (drop < drops.length || put < puts.length) {
    const isDrop = orderOf(drops, drop, puts, put) < 0;
    const to = isDrop ? endOfLower(old, from, drops, drop) : endOfLower(old, from, puts, put);
    write(old.subarray(from, to));
    from = to;
    if (isDrop) {
      if (orderOf(old, from, drops, drop) !== 0) throw unknownTag();
      from += ROW_BYTES;
      drop += TAG_BYTES;
    } else {
      if (from < old.length && compareTags(old, from, puts, put) === 0) {
        if (isSameRow(old, from, puts, put))
          throw new SealedFormatError('redundant-row', 'the delta puts a row that the snapshot already has');
        from += ROW_BYTES;
      }
      write(puts.subarray(put, put + ROW_BYTES));
      put += ROW_BYTES;
    }
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

function unknownTag(): SealedFormatError {
  return new SealedFormatError('unknown-tag', 'the delta drops a tag that the snapshot lacks; fetch a new snapshot');
}

/** Compares two tags. The end of a list comes after each tag, and equals the end of another list. */
function orderOf(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): number {
  if (leftAt >= left.length) return rightAt >= right.length ? 0 : 1;
  return rightAt >= right.length ? -1 : compareTags(left, leftAt, right, rightAt);
}

function isSameRow(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number): boolean {
  for (let at = TAG_BYTES; at < ROW_BYTES; at++) if (left[leftAt + at] !== right[rightAt + at]) return false;
  return true;
}

function requireDisjoint(drops: Uint8Array, puts: Uint8Array): void {
  let [drop, put] = [0, 0];
  while (drop < drops.length && put < puts.length) {
    const order = compareTags(drops, drop, puts, put);
    if (order === 0) throw new SealedFormatError('duplicate-tag', 'the delta drops and puts one tag');
    if (order < 0) drop += TAG_BYTES;
    else put += ROW_BYTES;
  }
}
