import type { Pace } from './pace.ts';

/** Bytes of the part of a record that chooses its bucket. */
const BUCKET_BYTES = 2;
const BUCKETS = 0x1_0000;
/** Records of a piece of memory, if the number of all is not known: about a megabyte. */
const AT_ONCE = 0x8000;

/** Records of one width. A list that grows copies nothing: that would take tens of milliseconds at once. */
export class Records {
  /** Bytes of a record. */
  readonly width: number;
  readonly #pieces: Uint8Array[] = [];
  readonly #pieceBytes: number;
  /** Bytes of the last piece that are used. */
  #used: number;

  /** `records` is the number of all records, at least, if it is known. They then lie in one piece. */
  constructor(width: number, records = AT_ONCE) {
    this.width = width;
    this.#pieceBytes = width * Math.max(1, records);
    this.#used = this.#pieceBytes;
  }

  /** Adds a record and returns its bytes, which the caller fills at once. */
  add(): Uint8Array {
    if (this.#used === this.#pieceBytes) {
      // The system gives memory only to what is written.
      this.#pieces.push(new Uint8Array(this.#pieceBytes));
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += this.width;
    return this.#pieces.at(-1)!.subarray(from, this.#used);
  }

  /** Returns all records, one after the other. */
  async join(pace: Pace): Promise<Uint8Array> {
    const [only, ...others] = this.#pieces;
    const length = this.#pieceBytes * others.length + this.#used;
    if (only === undefined) return new Uint8Array();
    if (others.length === 0) return only.subarray(0, length);
    const bytes = new Uint8Array(length);
    for (const [at, piece] of this.#pieces.entries()) {
      const from = at * this.#pieceBytes;
      bytes.set(piece.subarray(0, length - from), from);
      if (pace.isDue()) await pace.turn();
    }
    return bytes;
  }
}

/**
 * Returns the records in ascending order of their bytes, in slices. Fast if the first two bytes are spread evenly, as
 * in tags and elements.
 */
export async function sortRecords(bytes: Uint8Array, width: number, pace: Pace): Promise<Uint8Array> {
  const count = bytes.length / width;
  const next = new Uint32Array(BUCKETS + 1);
  for (let at = 0; at < bytes.length; at += width) {
    next[bucketOf(bytes, at) + 1]!++;
    if (pace.isDue()) await pace.turn();
  }
  for (let bucket = 0; bucket < BUCKETS; bucket++) next[bucket + 1]! += next[bucket]!;
  const order = new Uint32Array(count);
  for (let record = 0; record < count; record++) {
    order[next[bucketOf(bytes, record * width)]!++] = record;
    if (pace.isDue()) await pace.turn();
  }
  const compare = (left: number, right: number): number => compareBytes(bytes, left * width, right * width, width);
  const sorted = new Uint8Array(bytes.length);
  // `next` of a bucket is now where the following one begins.
  for (let bucket = 0, from = 0; bucket < BUCKETS; bucket++) {
    const to = next[bucket]!;
    const part = order.subarray(from, to);
    if (part.length > 1) part.sort(compare);
    for (const [at, record] of part.entries())
      sorted.set(bytes.subarray(record * width, (record + 1) * width), (from + at) * width);
    from = to;
    if (pace.isDue()) await pace.turn();
  }
  return sorted;
}

function bucketOf(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

/** Compares two records after the bytes of their bucket. */
function compareBytes(bytes: Uint8Array, left: number, right: number, width: number): number {
  for (let at = BUCKET_BYTES; at < width; at++) {
    const order = bytes[left + at]! - bytes[right + at]!;
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares `count` bytes at two places: negative, zero or positive. */
export function compareAt(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number, count: number): number {
  for (let at = 0; at < count; at++) {
    const order = left[leftAt + at]! - right[rightAt + at]!;
    if (order !== 0) return order;
  }
  return 0;
}
