import type { Pace } from './pace.ts';

/** Bytes of the part of a record that chooses its bucket. */
const BUCKET_BYTES = 2;
const BUCKETS = 0x1_0000;
/** Records of a new list. */
const FIRST = 1024;

/** Records of one width, one after the other in one piece of memory. */
export class Records {
  /** Bytes of a record. */
  readonly width: number;
  #bytes: Uint8Array;
  #used = 0;

  constructor(width: number, records = FIRST) {
    this.width = width;
    this.#bytes = new Uint8Array(width * Math.max(1, records));
  }

  /** Number of records. */
  get length(): number {
    return this.#used / this.width;
  }

  /** The records. The view is valid until the next {@link add}. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Adds a record and returns its bytes, which the caller fills at once. */
  add(): Uint8Array {
    if (this.#used === this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    const from = this.#used;
    this.#used += this.width;
    return this.#bytes.subarray(from, this.#used);
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
