import type { Pace } from './pace.ts';

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

/** Fewer records than this are compared with each other. */
const FEW = 64;

/** Returns the records in ascending order of their bytes, in slices. */
export async function sortRecords(bytes: Uint8Array, width: number, pace: Pace): Promise<Uint8Array> {
  const order = new Uint32Array(bytes.length / width);
  for (let record = 0; record < order.length; record++) order[record] = record;
  const others = new Uint32Array(order.length);

  /** Sorts the records of a part, which have the same first bytes, by the byte at `depth` and then by the next ones. */
  const sortPart = async (from: number, to: number, depth: number): Promise<void> => {
    if (to - from < FEW || depth === width) {
      order
        .subarray(from, to)
        .sort((left, right) => compareAt(bytes, left * width + depth, bytes, right * width + depth, width - depth));
      if (pace.isDue()) await pace.turn();
      return;
    }
    const ends = new Uint32Array(0x101);
    for (let at = from; at < to; at++) {
      ends[bytes[order[at]! * width + depth]! + 1]!++;
      if (pace.isDue()) await pace.turn();
    }
    ends[0] = from;
    for (let byte = 0; byte < 0x100; byte++) ends[byte + 1]! += ends[byte]!;
    for (let at = from; at < to; at++) {
      const record = order[at]!;
      others[ends[bytes[record * width + depth]!]!++] = record;
      if (pace.isDue()) await pace.turn();
    }
    order.set(others.subarray(from, to), from);
    for (let byte = 0, begin = from; byte < 0x100; begin = ends[byte++]!)
      if (ends[byte]! - begin > 1) await sortPart(begin, ends[byte]!, depth + 1);
  };
  await sortPart(0, order.length, 0);

  const sorted = new Uint8Array(bytes.length);
  for (const [at, record] of order.entries()) {
    sorted.set(bytes.subarray(record * width, (record + 1) * width), at * width);
    if (pace.isDue()) await pace.turn();
  }
  return sorted;
}

/** Compares `count` bytes at two places: negative, zero or positive. */
export function compareAt(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number, count: number): number {
  for (let at = 0; at < count; at++) {
    const order = left[leftAt + at]! - right[rightAt + at]!;
    if (order !== 0) return order;
  }
  return 0;
}
