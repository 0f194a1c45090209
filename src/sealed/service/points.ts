import { ELEMENT_BYTES, type SealedGroup } from '../group/group.ts';
import { CONTENT_BYTES } from '../rows.ts';
import type { Pace } from './pace.ts';
import { compareAt, Records } from './records.ts';

/** Bytes of a source record: an element E, then the content of a row. */
export const SOURCE_BYTES = ELEMENT_BYTES + CONTENT_BYTES;

/** What identifiers became in an epoch. With it, the next publication multiplies only new elements. */
export interface EpochPoints {
  readonly epoch: number;
  /** E of each identifier, 32 bytes, ascending. */
  readonly elements: Uint8Array;
  /** N = k_e · E, in the same order. */
  readonly points: Uint8Array;
}

/** Returns the points of an epoch of which nothing is known. */
export function noPoints(epoch: number): EpochPoints {
  return { epoch, elements: new Uint8Array(), points: new Uint8Array() };
}

/**
 * Returns the points of all identifiers in `source`: records of {@link SOURCE_BYTES}, ascending. Takes one
 * multiplication by `key` (k_e) for each element that `known` lacks. `known` must be of the same epoch. Throws
 * `invalid-element` for an element that is not of the group.
 */
export async function toPoints(
  group: SealedGroup,
  key: Uint8Array,
  source: Uint8Array,
  known: EpochPoints,
  pace: Pace,
): Promise<EpochPoints> {
  const elements = new Records(ELEMENT_BYTES, source.length / SOURCE_BYTES);
  const points = new Records(ELEMENT_BYTES, source.length / SOURCE_BYTES);
  let knownAt = 0;
  for (let from = 0; from < source.length; from = endOfIdentifier(source, from)) {
    const element = source.subarray(from, from + ELEMENT_BYTES);
    while (knownAt < known.elements.length && compareAt(known.elements, knownAt, element, 0, ELEMENT_BYTES) < 0)
      knownAt += ELEMENT_BYTES;
    const isKnown =
      knownAt < known.elements.length && compareAt(known.elements, knownAt, element, 0, ELEMENT_BYTES) === 0;
    elements.add().set(element);
    points.add().set(isKnown ? known.points.subarray(knownAt, knownAt + ELEMENT_BYTES) : group.multiply(key, element));
    if (pace.isDue()) await pace.turn();
  }
  return { epoch: known.epoch, elements: await elements.join(pace), points: await points.join(pace) };
}

/** Returns the offset after the records of the identifier whose first record is at `from`. */
export function endOfIdentifier(source: Uint8Array, from: number): number {
  let to = from + SOURCE_BYTES;
  while (to < source.length && compareAt(source, to, source, from, ELEMENT_BYTES) === 0) to += SOURCE_BYTES;
  return to;
}
