import { describe, expect, it } from 'vitest';
import { formatMap } from '../../src/service/cli/lab/format-map.ts';
import { DAY_MS } from '../../src/core/domain/day.ts';
import { fitCalibration } from '../../src/lab/fit-map.ts';
import type { Sample } from '../../src/lab/sample.ts';

/** One query a minute from a day on, every second one labelled 1. */
const asked = (count: number, day: number): Sample[] =>
  Array.from({ length: count }, (_, n) => ({
    label: n % 2 === 0 ? 1 : 0,
    score: 0.4,
    chance: 0.4,
    at: day * DAY_MS + 60_000 * n,
  }));
const wordsOf = (samples: readonly Sample[]): string => formatMap(fitCalibration(samples), samples);

describe('the text about a fitted map', () => {
  it('says how many labelled queries were fitted, and which', () => {
    expect(wordsOf(asked(1000, 400))).toMatch(
      /^Fitted a map to 1000 labelled queries, 500 of them labelled 1, in 1 block /,
    );
    expect(wordsOf([...asked(700, 0), ...asked(1000, 400)])).toMatch(
      /^Fitted a map to the newest 1000 of 1700 labelled queries, 500 of them labelled 1, in 1 block /,
    );
  });

  it('says why a map has no intervals, and what it maps', () => {
    const atOnce = asked(1000, 0).map((sample) => ({ ...sample, at: 5 }));
    expect(wordsOf(atOnce)).toMatch(
      /^Fitted a map\. It has no intervals, because .* fewer than five of ten periods of time\.\nSTATED  MAPPED  RIGHT, %\n1\.0     5\.0     unknown\n/,
    );
  });
});
