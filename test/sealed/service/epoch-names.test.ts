import { expect, it } from 'vitest';
import { toHex } from '../../../src/sealed/encoding.ts';
import { createEpochNames } from '../../../src/sealed/service/epoch-names.ts';

const idOf = (n: number): string => n.toString(16).padStart(16, '0');
const epochs = [1, 2].map((epoch) => new Uint8Array(32).fill(epoch));
const IDS = Array.from({ length: 500 }, (_, n) => idOf(n * 0x0123_4567_89ab));

it('has the same names for the same epoch, and for two epochs names that say nothing about each other', () => {
  const [names, again, other] = [epochs[0]!, epochs[0]!, epochs[1]!].map((key) => createEpochNames(key));
  const numbers = IDS.map((id) => names!.numberOf(id));
  expect(IDS.map((id) => again!.numberOf(id))).toEqual(numbers);
  expect(IDS.map((id) => toHex(again!.tagOf(id)!))).toEqual(IDS.map((id) => toHex(names!.tagOf(id)!)));
  expect(new Set(IDS.map((id) => toHex(names!.tagOf(id)!))).size).toBe(IDS.length);
  for (const id of IDS) expect(toHex(names!.tagOf(id)!)).not.toBe(id.slice(0, 12));
  // Neither is in the order of the ids, and the order of one epoch is not that of the next.
  const others = IDS.map((id) => other!.numberOf(id));
  const rises = (list: readonly number[]): boolean[] => list.slice(1).map((number, at) => number > list[at]!);
  const inOrder = rises(numbers);
  const asBefore = (list: readonly number[]): number => rises(list).filter((one, at) => one === inOrder[at]).length;
  for (const list of [others, IDS.map((_, n) => n)]) {
    // 499 pairs; fair coins are within 5 standard deviations.
    expect(Math.abs(asBefore(list) - 499 / 2)).toBeLessThan(5 * (Math.sqrt(499) / 2));
  }
});

it('numbers 65,536 reporters, each once, and refuses one more', () => {
  const names = createEpochNames(epochs[0]!);
  const all = Array.from({ length: 0x1_0000 }, (_, n) => names.numberOf(idOf(n)));
  expect(new Set(all).size).toBe(0x1_0000);
  expect(Math.max(...all.slice(0, 1000))).toBeLessThanOrEqual(0xffff);
  expect(names.numberOf(idOf(7))).toBe(all[7]);
  expect(() => names.numberOf(idOf(0x1_0000))).toThrow(RangeError);
});

it('has no tag for a text that is no id', () => {
  const names = createEpochNames(epochs[0]!);
  for (const id of ['', 'x'.repeat(16), '0123456789']) expect(names.tagOf(id)).toBeUndefined();
});
