import { describe, expect, it } from 'vitest';
import { effectsOf } from '../../src/lab/metrics/effects.ts';
import { evaluate } from '../../src/lab/metrics/evaluate.ts';
import { advantages } from '../../src/lab/metrics/paired.ts';
import { createRandom } from '../../src/lab/random.ts';
import type { Sample } from '../../src/lab/sample.ts';

const OPTIONS = { seed: 3, resamples: 100 };

/** Answers of two models to the same queries. The second one adds noise to the first one. */
function answers(queries: number, noise: number): readonly [Sample[], Sample[]] {
  const random = createRandom(7);
  const first: Sample[] = [];
  const second: Sample[] = [];
  for (let n = 0; n < queries; n++) {
    const label = n % 3 === 0 ? 1 : 0;
    const score = 40 * label + 100 * random();
    const chance = Math.min(1, score / 140);
    first.push({ label, score, chance });
    second.push({ label, score: score + noise * random(), chance: Math.min(1, chance + 0.2) });
  }
  return [first, second];
}

describe('the advantage of the first model', () => {
  it('is the difference of the figures, positive if the first model is better', () => {
    const [first, second] = answers(400, 60);
    const [advantage] = advantages([first, second], OPTIONS);
    const [ours, theirs] = [evaluate(first, OPTIONS), evaluate(second, OPTIONS)];
    for (const name of ['rocAuc', 'prAuc', 'prAucOfZeros'] as const) {
      expect(advantage![name].value).toBeCloseTo(ours[name].value - theirs[name].value, 12);
      expect(advantage![name].low).toBeLessThanOrEqual(advantage![name].value);
      expect(advantage![name].high).toBeGreaterThanOrEqual(advantage![name].value);
    }
    // A low Brier score is good.
    expect(advantage!.brier!.value).toBeCloseTo(theirs.brier!.value - ours.brier!.value, 12);
    expect(advantage!.brier!.value).toBeGreaterThan(0);
  });

  it('has narrower intervals than the figures, because the queries are the same', () => {
    const [first, second] = answers(400, 20);
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const [advantage] = advantages([first, second], OPTIONS);
    expect(width(advantage!.rocAuc)).toBeLessThan(width(evaluate(first, OPTIONS).rocAuc) / 2);
    // Equal answers differ in no resample.
    expect(advantages([first, first], OPTIONS)).toEqual([
      {
        rocAuc: { value: 0, low: 0, high: 0 },
        prAuc: { value: 0, low: 0, high: 0 },
        prAucOfZeros: { value: 0, low: 0, high: 0 },
        brier: { value: 0, low: 0, high: 0 },
      },
    ]);
  });

  it('does not depend on the order of the queries', () => {
    const [first, second] = answers(100, 60);
    expect(advantages([[...first].reverse(), [...second].reverse()], OPTIONS)).toEqual(
      advantages([first, second], OPTIONS),
    );
  });

  it('compares stated chances only if both models state them, and one model with nothing', () => {
    const [first, second] = answers(30, 60);
    const silent = second.map(({ label, score }) => ({ label, score }));
    expect(Object.keys(advantages([first, silent], OPTIONS)[0]!)).toEqual(['rocAuc', 'prAuc', 'prAucOfZeros']);
    expect(advantages([first], OPTIONS)).toEqual([]);
    expect(advantages([], OPTIONS)).toEqual([]);
  });
});

describe('the effects of thresholds', () => {
  const query = (label: 0 | 1, points: number, times: number) =>
    Array.from({ length: times }, () => ({ label, points, kinds: ['email'] }));
  // At 70 points: 60 of 100 frauds and 1 of 1,000 honest; at 30: 80 and 10; at 12: 90 and 40.
  const JUDGED = [
    ...[query(1, 70, 60), query(1, 30, 20), query(1, 12, 10), query(1, 0, 10)].flat(),
    ...[query(0, 70, 1), query(0, 30, 9), query(0, 12, 30), query(0, 11, 100), query(0, 0, 860)].flat(),
  ];

  it('count what is stopped, and recommend the lowest threshold within each limit', () => {
    const { frauds, honest, effects, recommended } = effectsOf(JUDGED);
    expect([frauds, honest]).toEqual([100, 1000]);
    expect(recommended).toEqual([
      { threshold: 31, honestMost: 0.001 },
      { threshold: 13, honestMost: 0.01 },
      { threshold: 12, honestMost: 0.05 },
    ]);
    const at = (threshold: number) => effects.find((effect) => effect.threshold === threshold)!;
    expect(at(31)).toMatchObject({ fraudsStopped: { value: 0.6 }, honestStopped: { value: 0.001 } });
    expect(at(1)).toMatchObject({ fraudsStopped: { value: 0.9 }, honestStopped: { value: 0.14 } });
    expect(at(100)).toMatchObject({ fraudsStopped: { value: 0 }, honestStopped: { value: 0, low: 0 } });
    // Wilson: 1 of 1,000 may be up to 5.6 of 1,000.
    expect(at(31).honestStopped.high).toBeCloseTo(0.00565, 4);
    for (const [n, effect] of effects.entries()) {
      const before = effects[n - 1];
      expect(effect.threshold).toBeGreaterThan(before?.threshold ?? 0);
      for (const key of ['fraudsStopped', 'honestStopped'] as const) {
        expect(effect[key].value).toBeLessThanOrEqual(before?.[key].value ?? 1);
        expect(effect[key].low).toBeLessThanOrEqual(effect[key].value);
        expect(effect[key].high).toBeGreaterThanOrEqual(effect[key].value);
      }
    }
  });

  it('recommend no threshold that stops no fraud, and none twice', () => {
    expect(effectsOf([...query(1, 0, 5), ...query(0, 90, 5)]).recommended).toEqual([]);
    expect(effectsOf([...query(1, 90, 5), ...query(0, 0, 5)]).recommended).toEqual([
      { threshold: 1, honestMost: 0.001 },
    ]);
  });
});
