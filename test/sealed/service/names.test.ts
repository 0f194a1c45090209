import { expect, it } from 'vitest';
import { seededRandom } from '../group-samples.ts';
import { toHex } from '../../../src/sealed/encoding.ts';
import { createNames } from '../../../src/sealed/service/names.ts';

const idOf = (n: number): string => n.toString(16).padStart(16, '0');
const IDS = Array.from({ length: 500 }, (_, n) => idOf(n * 0x0123_4567_89ab));

it('has names in each publication that say nothing about those in another one', () => {
  const random = seededRandom('both');
  const [names, other] = [createNames(random), createNames(random)];
  const numbers = IDS.map((id) => names.numberOf(id));
  expect(IDS.map((id) => names.numberOf(id))).toEqual(numbers);
  const tags = [names, other].flatMap((one) => IDS.map((id) => toHex(one.tagOf(id)!)));
  expect(new Set(tags).size).toBe(2 * IDS.length);
  // Neither is in the order of the ids, and the order of one publication is not that of the next.
  const others = IDS.map((id) => other.numberOf(id));
  const rises = (list: readonly number[]): boolean[] => list.slice(1).map((number, at) => number > list[at]!);
  const inOrder = rises(numbers);
  const asBefore = (list: readonly number[]): number => rises(list).filter((one, at) => one === inOrder[at]).length;
  for (const list of [others, IDS.map((_, n) => n)]) {
    // 499 pairs; fair coins are within 5 standard deviations.
    expect(Math.abs(asBefore(list) - 499 / 2)).toBeLessThan(5 * (Math.sqrt(499) / 2));
  }
});

it('numbers 65,536 reporters, each once, and refuses one more', () => {
  const names = createNames(seededRandom('names'));
  const all = Array.from({ length: 0x1_0000 }, (_, n) => names.numberOf(idOf(n)));
  expect(new Set(all).size).toBe(0x1_0000);
  expect(Math.max(...all.slice(0, 1000))).toBeLessThanOrEqual(0xffff);
  expect(names.numberOf(idOf(7))).toBe(all[7]);
  expect(() => names.numberOf(idOf(0x1_0000))).toThrow(RangeError);
});

it('has no tag for a text that is no id', () => {
  const names = createNames(seededRandom('names'));
  for (const id of ['', 'x'.repeat(16), '0123456789']) expect(names.tagOf(id)).toBeUndefined();
});
