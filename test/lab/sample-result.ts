import { cumulativeStdNormalProbability as belowNormal, probit } from 'simple-statistics';
import { effectsOf } from '../../src/lab/metrics/effects.ts';
import type { Standings } from '../../src/lab/result-parts.ts';
import type { CalibrationBin, Estimate, LabResult, Miss, ModelResult, Point } from '../../src/lab/result.ts';

const JUDGED = 1262;
const ONES = 402;
const SHARE = ONES / JUDGED;

const around = (value: number, half: number): Estimate => ({
  value,
  low: value - half,
  high: Math.min(1, value + half),
});

/**
 * Points [share of zeros above, share of ones above] of two normal classes, from the strictest threshold; `auc` is the
 * area under the curve.
 */
function thresholds(auc: number): Point[] {
  const apart = Math.SQRT2 * probit(auc);
  return Array.from({ length: 241 }, (_, step): Point => {
    const at = 4.5 - (step * 9) / 240;
    return [1 - belowNormal(at), 1 - belowNormal(at - apart)];
  });
}

/** Counts of `all` samples of a normal distribution in 20 bins. */
function bell(all: number, middle: number, width: number): number[] {
  const heights = Array.from({ length: 20 }, (_, bin) =>
    Math.exp(-(((bin + 0.5) / 20 - middle) ** 2) / (2 * width * width)),
  );
  const sum = heights.reduce((total, height) => total + height, 0);
  return heights.map((height) => Math.round((all * height) / sum));
}

function modelOf(
  name: string,
  auc: number,
  prAuc: number,
  prAucOfZeros: number,
  most: number,
  middles: readonly [ones: number, zeros: number],
  misses: readonly Miss[],
): ModelResult {
  const curve = thresholds(auc);
  const taken = ([zeros, ones]: Point): number => SHARE * ones + (1 - SHARE) * zeros;
  return {
    name,
    rocAuc: around(auc, 0.013),
    prAuc: around(prAuc, 0.024),
    prAucOfZeros: around(prAucOfZeros, 0.016),
    roc: [[0, 0], ...curve, [1, 1]],
    precisionRecall: curve
      .filter(([, ones]) => ones > 0.01)
      .map((point): Point => [point[1], (SHARE * point[1]) / taken(point)]),
    calibration: [],
    lift: [
      ...curve.filter((point) => taken(point) > 0.01).map((point): Point => [taken(point), point[1] / taken(point)]),
      [1, 1],
    ],
    scores: { most, ones: bell(ONES, middles[0], 0.24), zeros: bell(JUDGED - ONES, middles[1], 0.16) },
    misses,
  };
}

/** Ten bins whose observed share differs from the stated one by `stray`. */
function bins(stray: number): CalibrationBin[] {
  return [38, 214, 260, 171, 133, 118, 104, 97, 84, 43].map((count, bin): CalibrationBin => {
    const stated = (bin + 0.52) / 10;
    return { stated, observed: Math.min(1, Math.max(0, stated - stray * Math.sin(stated * Math.PI))), count };
  });
}

/** All labelled queries: those without a match have 0 points. */
const QUERIES = [
  { label: 1, numbers: bell(ONES, 0.66, 0.24), unmatched: 98 },
  { label: 0, numbers: bell(JUDGED - ONES, 0.2, 0.16), unmatched: 3640 },
] as const;

const JUDGED_QUERIES = QUERIES.flatMap(({ label, numbers, unmatched }) => [
  ...Array.from({ length: unmatched }, () => ({ label, points: 0, kinds: [] })),
  ...numbers.flatMap((number, bin) =>
    Array.from({ length: number }, (_, at) => ({ label, points: 5 * bin + 1 + (at % 5), kinds: [] })),
  ),
]);

const MISSES: readonly Miss[] = [
  {
    at: '2026-08-14T09:12:44.000Z',
    label: 0,
    points: 88,
    reported: 4,
    reliability: 9.1,
    sentences: [
      'Four reports by three reporters match; the strongest is of type chargeback with severity 9, 41 days old.',
      'It matches by email (.95) and phone (.78), which makes it .99 certain to be about this person.',
      'Its reporter is established and its word counts .74, after 61 claims of which 18 were confirmed by others.',
      'Without the reports of this reporter the answer would be 52-2-6.6.',
    ],
  },
  {
    at: '2026-02-03T17:40:02.000Z',
    label: 1,
    points: 3,
    reported: 1,
    reliability: 1.0,
    sentences: [
      'One report matches, by ip only, 210 days old; a shared address says little and its weight has decayed to .05.',
    ],
  },
  {
    at: '2025-11-21T06:05:31.000Z',
    label: 0,
    points: 71,
    reported: 2,
    reliability: 7.7,
    sentences: [
      'Two established reporters reported this phone number with severity 7 and 8.',
      'The number may have changed hands: the older report is 402 days old.',
    ],
  },
];

const STANDINGS: Standings = {
  count: 80,
  reporters: Array.from({ length: 50 }, (_, place) => ({
    name: `shop ${(place * 37) % 80}`,
    verified: place % 4 === 0,
    established: place % 3 !== 2,
    precision: 0.9 - place / 70,
    claims: 1400 - 27 * place,
    confirmed: (1400 - 27 * place) * 0.37,
    lost: place % 5,
  })),
};

/** A result as of a simulated world: three models, six attacks, all computed by formulas. */
export const SAMPLE: LabResult = {
  version: 1,
  title: 'Simulated world, base scenario: 12,000 customers over 1,400 days',
  seed: 7,
  from: '2023-01-01T00:00:00.000Z',
  to: '2026-10-31T22:41:09.000Z',
  counts: {
    reporters: 80,
    reports: 4512,
    removed: 214,
    disputes: 37,
    queries: 5000,
    matched: JUDGED,
    judged: JUDGED,
    positives: ONES,
  },
  judged: 'matched',
  warnings: [],
  differences: [
    {
      name: 'one-voice/1',
      rocAuc: around(0.0329, 0.011),
      prAuc: around(0.1001, 0.02),
      prAucOfZeros: around(0.0347, 0.041),
      brier: around(0.0255, 0.006),
    },
    {
      name: 'severity-sum/1',
      rocAuc: around(0.279, 0.02),
      prAuc: around(0.424, 0.031),
      prAucOfZeros: around(0.1919, 0.024),
    },
  ],
  thresholds: effectsOf(JUDGED_QUERIES),
  standings: STANDINGS,
  models: [
    {
      ...modelOf('link-claim/2', 0.8081, 0.7274, 0.8861, 100, [0.66, 0.2], MISSES),
      ece: around(0.0263, 0.009),
      brier: around(0.1587, 0.008),
      calibration: bins(0.05),
    },
    {
      ...modelOf('one-voice/1', 0.7752, 0.6273, 0.8514, 100, [0.5, 0.26], MISSES.slice(1)),
      ece: around(0.0912, 0.011),
      brier: around(0.1842, 0.009),
      calibration: bins(0.16),
    },
    modelOf('severity-sum/1', 0.5291, 0.3034, 0.6942, 400, [0.16, 0.13], MISSES.slice(0, 1)),
  ],
  subsets: [],
  attacks: [
    {
      name: '100 duplicates by one new key',
      ratios: { 'link-claim/2': 0.31, 'one-voice/1': 0.62, 'severity-sum/1': 59 },
      points: { 'link-claim/2': 15, 'one-voice/1': 30, 'severity-sum/1': 2832 },
    },
    {
      name: '10 sybil keys',
      ratios: { 'link-claim/2': 0.52, 'one-voice/1': 1.07, 'severity-sum/1': 5.9 },
      points: { 'link-claim/2': 25, 'one-voice/1': 51, 'severity-sum/1': 283 },
    },
    {
      name: '100 sybil keys',
      ratios: { 'link-claim/2': 0.53, 'one-voice/1': 1.31, 'severity-sum/1': 59 },
      points: { 'link-claim/2': 25, 'one-voice/1': 63, 'severity-sum/1': 2832 },
    },
    {
      name: 'ring of 10 keys',
      ratios: { 'link-claim/2': 0.58, 'one-voice/1': 1.07, 'severity-sum/1': 5.9 },
      points: { 'link-claim/2': 28, 'one-voice/1': 51, 'severity-sum/1': 283 },
    },
    {
      name: '10 camouflaged keys',
      ratios: { 'link-claim/2': 0.74, 'one-voice/1': 1.12, 'severity-sum/1': 5.9 },
      points: { 'link-claim/2': 36, 'one-voice/1': 54, 'severity-sum/1': 283 },
    },
    {
      name: '30 camouflaged keys',
      ratios: { 'link-claim/2': 0.81, 'one-voice/1': 1.24, 'severity-sum/1': 17.6 },
      points: { 'link-claim/2': 39, 'one-voice/1': 60, 'severity-sum/1': 845 },
    },
  ],
};
