import type { Random } from '../group/group.ts';

/** The lowest rung. */
const LEAST = 64;

/**
 * Returns the lowest rung of a ladder that is at least `count`. The ladder has `steps` rungs between each power of two
 * and the next one, from 64 on.
 */
export function rungOf(count: number, steps: number): number {
  let power = LEAST / 2;
  while (2 * power < count) power *= 2;
  const step = power / steps;
  return Math.max(LEAST, Math.ceil(count / step) * step);
}

/** Returns the rows of the first snapshot of an epoch. A part of them are blank, so that later changes can hide. */
export function rowsAtFirst(count: number): number {
  return rungOf(count + LEAST + Math.ceil(count / 8), 4);
}

/** Returns the rows that a publication adds to a snapshot, or changes in it. */
export function rowsOfDay(count: number): number {
  return rungOf(count, 1);
}

/** Moves `count` numbers to the front of a list, each with the same chance. `count` is at most the length. */
export function choose(list: Uint32Array, count: number, random: Random): Uint32Array {
  for (let at = 0; at < count; at++) {
    const drawn = new DataView(random(8).slice().buffer).getBigUint64(0);
    const other = at + Number(drawn % BigInt(list.length - at));
    [list[at], list[other]] = [list[other]!, list[at]!];
  }
  return list.subarray(0, count);
}
