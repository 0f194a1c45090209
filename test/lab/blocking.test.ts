import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toSourceHash } from '../../src/core/crypto/crypto.ts';
import { renderOrders } from '../../src/lab/page/orders.ts';
import { measureBlocking, type Blocking, type PastOrders } from '../../src/lab/blocking.ts';
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

describe('the effect of every number of Points', () => {
  const EARLIER: Order[] = [[1, 30, 100], GOOD];
  const LATER: Order[] = [
    [1, 30, 70],
    [1, 12, 9],
    [0, 30, 40],
    [0, 5, 60],
    [0, 0, 10],
    [1, 0, 3],
  ];
  const measure = (later: readonly Order[], weeks?: Uint32Array) =>
    measureBlocking({ ...orders(...EARLIER, ...later), ...(weeks && { weeks }) }, { earlier: 2, margin: 0.5 });

  it('is in one entry for numbers that block the same orders', () => {
    const { effects } = measure(LATER);
    expect(
      effects.map(({ first, last, stoppedFrauds, refusedGoods, stoppedAmount, lost, saved }) =>
        [first, last, ...[stoppedFrauds, refusedGoods, stoppedAmount, lost, saved].map(({ value }) => value)].join(' '),
      ),
    ).toEqual(['1 5 2 2 79 50 29', '6 12 2 1 79 20 59', '13 30 1 1 70 20 50', '31 100 0 0 0 0 0']);
  });

  it('covers 1 to 100 without a gap, and at the chosen number it is the result', () => {
    const order = fc.tuple(fc.constantFrom<0 | 1>(0, 1), fc.nat(100), fc.nat(1000));
    fc.assert(
      fc.property(fc.array(order, { maxLength: 30 }), (some) => {
        const { from, effects, ...result } = measure([...some, [1, 0, 5], GOOD]);
        expect(effects.map(({ first }) => first)).toEqual([1, ...effects.slice(0, -1).map(({ last }) => last + 1)]);
        expect(effects.at(-1)!.last).toBe(100);
        const { first, last, ...effect } = effects.find((one) => one.last >= from!)!;
        expect(first <= from! && from! <= last).toBe(true);
        expect(result).toMatchObject(effect);
        for (const { saved, stoppedAmount, lost } of effects)
          expect(saved.value).toBeCloseTo(stoppedAmount.value - lost.value, 6);
      }),
      { numRuns: 50 },
    );
  });

  it('has intervals over weeks, if there are ten: a fraudster of one week is there or not', () => {
    // In each of ten weeks, one fraudster orders ten times.
    const later = Array.from({ length: 200 }, (_, i): Order => (i % 2 ? [1, 30, 1] : GOOD));
    const weekOf = (each: number) => Uint32Array.from({ length: 202 }, (_, i) => Math.floor(Math.max(0, i - 2) / each));
    const [alone, few, weekly] = [measure(later), measure(later, weekOf(23)), measure(later, weekOf(20))];
    expect([alone.weeks, few.weeks, weekly.weeks]).toEqual([0, 0, 10]);
    expect(few).toEqual(alone);
    // Each week has ten of them: without the weeks, chance would change their number.
    expect(weekly.stoppedFrauds).toEqual({ value: 100, low: 100, high: 100 });
    expect(alone.stoppedFrauds.low).toBeLessThan(95);
    const burst = later.map((order, i): Order => (i < 20 || order[0] === 0 ? order : [1, 0, 1]));
    const width = ({ stoppedFrauds: { low, high } }: ReturnType<typeof measure>): number => high - low;
    expect(width(measure(burst, weekOf(20)))).toBeGreaterThan(2 * width(measure(burst)));
  });
});

describe('the number of Points from which to look', () => {
  const lookFrom = (...earlier: Order[]) =>
    measureBlocking(orders(...earlier, GOOD, [1, 0, 1]), { earlier: earlier.length, margin: 1 }).lookFrom;
  const goods = (number: number, points: number): Order[] => Array.from({ length: number }, () => [0, points, 100]);

  it('is the lowest one from which 1 in 10 orders below the hold was a fraud', () => {
    const held: Order = [1, 60, 1000];
    expect(lookFrom(held, [1, 20, 10], ...goods(9, 20), ...goods(5, 3))).toBe(20);
    expect(lookFrom(held, [1, 20, 10], ...goods(4, 20), ...goods(5, 3))).toBe(3);
    expect(lookFrom(held, [1, 20, 10], ...goods(10, 20))).toBeNull();
    expect(lookFrom(held, ...goods(1, 0))).toBeNull();
  });

  it('is there also if no number saves money', () => {
    expect(lookFrom([1, 20, 10], ...goods(9, 20))).toBe(20);
  });
});

describe('the page of orders', () => {
  const report = (blocking: Blocking, hasAmounts = true) =>
    renderOrders({
      title: 'a <b>.csv',
      blocking,
      splitAt: '2024-05-01T00:00:00.000Z',
      hasAmounts,
      assumed: { Margin: 'of <20> %.' },
      read: ['Left out: 3 by --fraud.'],
      warnings: ['few orders.'],
    });
  const BLOCKING = measureBlocking(orders([1, 30, 100], GOOD, [0, 10, 40], [1, 30, 70], [1, 12, 9], GOOD), {
    earlier: 3,
    margin: 0.5,
  });

  it('has one script and one style, both in its policy, and escapes what it is given', () => {
    const html = report(BLOCKING);
    const inside = (tag: string) =>
      [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))].map(([, text]) => toSourceHash(text!));
    const policy = /content="(default-src[^"]*)"/.exec(html)![1]!.replaceAll('&#39;', "'");
    expect(policy).toBe(
      `default-src 'none'; script-src ${inside('script').join()}; style-src ${inside('style').join()}; base-uri 'none'; form-action 'none'`,
    );
    expect(html).toContain('a &lt;b&gt;.csv');
    expect(html).toContain('of &lt;20&gt; %.');
    expect(html).toContain('few orders.');
  });

  it('says what to type into the panel, and when nothing should be held', () => {
    const fields = (html: string) => [...html.matchAll(/ from<\/dt><dd>([^<,]*)/g)].map(([, value]) => value);
    expect(fields(report(BLOCKING))).toEqual(['21', '21', '0']);
    const never = measureBlocking(orders([1, 0, 9], GOOD, [1, 80, 9], GOOD), { earlier: 2, margin: 0.2 });
    const html = report(never);
    expect(fields(html)).toEqual(['101 (never)', '101 (never)', '0']);
    expect(html).toContain('do not hold orders by Points alone');
  });

  it('has no money if each order counts as 1', () => {
    expect(report(BLOCKING, false)).not.toMatch(/[Ss]aved in all|Saved:|Lost on/);
  });
});
