import { describe, expect, it } from 'vitest';
import { measureBlocking, type PastOrders } from '../../src/lab/blocking.ts';
import { NothingJudgedError } from '../../src/lab/summarise.ts';

type Order = readonly [label: 0 | 1, points: number, amount: number];
const orders = (...list: readonly Order[]): PastOrders => ({
  labels: Uint8Array.from(list, ([label]) => label),
  points: Uint8Array.from(list, ([, points]) => points),
  amounts: Float64Array.from(list, ([, , amount]) => amount),
});
const GOOD: Order = [0, 0, 50];

/** The number of Points chosen on these orders; the later orders do not matter. */
const chosen = (margin: number, ...earlier: Order[]) =>
  measureBlocking(orders(...earlier, GOOD, [1, 0, 1]), { earlier: earlier.length, margin }).from;

describe('the number of Points from which to block', () => {
  // A fraud of 100 at 10 Points, and good orders of 200 each at 10 and 5 Points.
  const mixed: Order[] = [
    [1, 10, 100],
    [1, 5, 10],
    [0, 10, 200],
    [0, 5, 200],
  ];

  it.each([
    // From 1 to 5 Points: 110 less 400 times the margin. From 6 to 10 Points: 100 less 200 times the margin.
    [0, 3],
    [0.04, 3],
    [0.06, 8],
    [0.4, 8],
    [0.6, null],
  ])('saves the most if a refused good order costs %f of its amount', (margin, from) => {
    expect(chosen(margin, ...mixed)).toBe(from);
  });

  it('is the middle of those that save the same, and never 0, which would block every order', () => {
    expect(chosen(0.2, [1, 40, 10], GOOD)).toBe(21);
    expect(chosen(0.2, [1, 40, 10], [0, 37, 10])).toBe(39);
    expect(chosen(0, [1, 0, 10], GOOD)).toBeNull();
  });

  it('is chosen on the earlier orders only, and its effect is that on the later ones', () => {
    const earlier: Order[] = [[1, 30, 100], GOOD, [0, 20, 1000]];
    const later: Order[] = [[1, 30, 70], [1, 25, 1000], [1, 0, 3], [0, 90, 40], [0, 26, 60], GOOD];
    const blocking = measureBlocking(orders(...earlier, ...later), { earlier: 3, margin: 0.5 });
    expect(blocking).toMatchObject({
      from: 26,
      earlier: { frauds: { count: 1, amount: 100 }, goods: { count: 2, amount: 1050 } },
      later: { frauds: { count: 3, amount: 1073 }, goods: { count: 3, amount: 150 } },
      stoppedFrauds: { value: 1 },
      stoppedAmount: { value: 70 },
      refusedGoods: { value: 2 },
      refusedAmount: { value: 100 },
      saved: { value: 20 },
    });
    const { low, high } = blocking.saved;
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(70);
  });

  it('blocks nothing if no number saves money', () => {
    const { from, saved, stoppedFrauds } = measureBlocking(orders([1, 0, 9], GOOD, [1, 80, 9], GOOD), {
      earlier: 2,
      margin: 0.2,
    });
    expect({ from, saved: saved.value, stopped: stoppedFrauds.value }).toEqual({ from: null, saved: 0, stopped: 0 });
  });

  it.each([
    [0, 'of the 0 earlier orders, 0 are frauds'],
    [1, 'of the 1 earlier orders, 1 are frauds'],
    [3, 'of the 1 later orders, 0 are frauds'],
  ])('needs both kinds of orders before and after order %i', (earlier, message) => {
    const error = (() => {
      try {
        return measureBlocking(orders([1, 9, 1], GOOD, [1, 9, 1], GOOD), { earlier, margin: 0 });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(NothingJudgedError);
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });

  it.each([Number.NaN, '0.2'])('refuses the margin %s', (margin) => {
    expect(() => measureBlocking(orders(GOOD), { earlier: 1, margin: margin as number })).toThrow('"margin" expected');
  });
});
