import { describe, expect, it } from 'vitest';
import type { Miss } from '../../src/lab/result.ts';
import { fitMap, NothingJudgedError, samplesOf, summarise } from '../../src/lab/summarise.ts';
import { day, judged, replayed } from './histories.ts';

const MODELS = ['good', 'bad'];
/** Matched: the first model ranks 1 1 0 0, the second 0 1 0 1; one of each label has no match. */
const SAMPLES = [
  judged(1, [90, 20], { group: 'late' }),
  judged(1, [80, 80]),
  judged(0, [20, 90]),
  judged(0, [10, 30]),
  judged(1, [0, 0], { reported: 0, group: 'late' }),
  judged(0, [0, 0], { reported: 0 }),
];
const summary = (judgedWhich: 'matched' | 'all' = 'matched') =>
  summarise([replayed(SAMPLES)], { title: 'T', models: MODELS, judged: judgedWhich });

describe('a summary', () => {
  it('judges queries with a match, or all on request', () => {
    const { models, counts, judged: which } = summary();
    expect(which).toBe('matched');
    expect(counts).toMatchObject({ queries: 6, matched: 4, judged: 4, positives: 2 });
    expect(models.map(({ name, rocAuc }) => [name, rocAuc.value])).toEqual([
      ['good', 1],
      ['bad', 0.25],
    ]);
    // The second ranks 0 1 0 1: precision 1/2 at the first one and at the second.
    expect(models[1]!.prAuc.value).toBeCloseTo(0.5, 12);
    // Bins of .9, .8, .2, .1 with errors of .1, .2, .2, .1.
    expect(models[0]!.ece!.value).toBeCloseTo(0.15, 12);
    expect(models[0]!.brier!.value).toBeCloseTo((0.01 + 0.04 + 0.04 + 0.01) / 4, 12);

    const all = summary('all');
    expect(all.counts).toMatchObject({ matched: 4, judged: 6, positives: 3 });
    // Of nine pairs, six are right, one is tied, and the one without a match loses two.
    expect(all.models[0]!.rocAuc.value).toBeCloseTo(6.5 / 9, 12);
  });

  it('has the other set of queries, and each group against all zeros', () => {
    expect(
      summary().subsets.map(({ name, judged: count, positives, models }) => [
        name,
        count,
        positives,
        models[0]!.rocAuc,
      ]),
    ).toEqual([
      ['all labelled', 6, 3, 6.5 / 9],
      ['late', 5, 2, 3.5 / 6],
      ['late, with a match', 3, 1, 1],
    ]);
    expect(summary('all').subsets.map(({ name }) => name)).toEqual(['with a match', 'late', 'late, with a match']);
    expect(summary().subsets[2]!.models.map(({ name, rocAuc, prAuc }) => [name, rocAuc, prAuc])).toEqual([
      ['good', 1, 1],
      ['bad', 0, 1 / 3],
    ]);
  });

  it('leaves out a set with only one label', () => {
    const samples = [
      judged(1, [9]),
      judged(0, [1], { group: 'zeros' }),
      judged(1, [0], { reported: 0, group: 'unseen' }),
    ];
    expect(
      summarise([replayed(samples)], { title: '', models: ['m'] }).subsets.map(({ name, positives }) => [
        name,
        positives,
      ]),
    ).toEqual([
      ['all labelled', 2],
      ['unseen', 1],
    ]);
  });

  it('warns about each label with fewer than thirty judged queries', () => {
    const warningsOf = (ones: number, zeros: number) =>
      summarise(
        [
          replayed([
            ...Array.from({ length: ones }, () => judged(1, [9])),
            ...Array.from({ length: zeros }, () => judged(0, [1])),
            judged(1, [0], { reported: 0 }),
          ]),
        ],
        { title: '', models: ['m'], resamples: 1 },
      ).warnings;
    expect(warningsOf(30, 30)).toEqual([]);
    expect(warningsOf(29, 400)).toEqual([
      expect.stringMatching(/^Only 29 judged queries are labelled 1\. With fewer than 30 .+ intervals are narrower/),
    ]);
    expect(warningsOf(30, 1)).toEqual([expect.stringMatching(/^Only 1 judged query is labelled 0\. /)]);
    expect(warningsOf(2, 2)).toHaveLength(2);
  });

  it('combines several replays', () => {
    const one = replayed(SAMPLES.slice(0, 2), {
      from: day(5),
      to: day(9),
      reporters: 2,
      reports: 3,
      removed: 1,
      disputes: 1,
    });
    const other = replayed(SAMPLES.slice(2), { from: day(1), to: day(7), reporters: 5, reports: 7 });
    const empty = replayed([], { from: null, to: null });
    const result = summarise([one, empty, other], { title: 'T', models: MODELS, seed: 9 });
    expect(result).toMatchObject({
      version: 1,
      title: 'T',
      seed: 9,
      from: '2021-01-02T00:00:00.000Z',
      to: '2021-01-10T00:00:00.000Z',
      attacks: [],
      counts: { reporters: 7, reports: 10, removed: 1, disputes: 1, queries: 6, matched: 4, judged: 4 },
    });
    expect(result.models.map(({ rocAuc }) => rocAuc.value)).toEqual([1, 0.25]);
  });

  it('has no calibration for a model that states no chance', () => {
    const samples = SAMPLES.map((sample) => ({
      ...sample,
      answers: [sample.answers[0]!, { ...sample.answers[1]!, chance: undefined }],
    }));
    const [stated, unstated] = summarise([replayed(samples)], { title: '', models: MODELS }).models;
    expect(stated!.calibration.length).toBeGreaterThan(0);
    expect(unstated).toMatchObject({ calibration: [] });
    expect(unstated!.ece ?? unstated!.brier).toBeUndefined();
  });

  it('ranks the worst misses of all replays by chance, or by points without one', () => {
    const miss = (label: 0 | 1, points: number, reliability: number): Miss => ({
      at: '',
      label,
      points,
      reported: 1,
      reliability,
      sentences: [],
    });
    const pair = [
      [miss(0, 90, 1), miss(1, 30, 9)],
      [miss(0, 50, 8), miss(1, 1, 2)],
    ].map((misses, at) => replayed(SAMPLES.slice(at, at + 3), { misses: [misses, misses] }));
    const order = (stated: boolean): number[] => {
      const replays = pair.map((one) => ({
        ...one,
        samples: one.samples.map((sample) => ({
          ...sample,
          answers: sample.answers.map((answer) => (stated ? answer : { ...answer, chance: undefined })),
        })),
      }));
      return summarise(replays, { title: '', models: MODELS }).models[0]!.misses.map(({ points }) => points);
    };
    expect(order(true)).toEqual([50, 1, 90, 30]);
    expect(order(false)).toEqual([1, 90, 30, 50]);
  });

  it.each([
    ['nothing', [], 'of 0 judged queries, 0 are labelled 1: the figures need queries of both labels'],
    ['ones only', [judged(1, [9]), judged(1, [8])], 'of 2 judged queries, 2 are labelled 1'],
    ['zeros only', [judged(0, [9])], 'of 1 judged queries, 0 are labelled 1'],
    ['no match', [judged(1, [0], { reported: 0 }), judged(0, [0], { reported: 0 })], 'of 0 judged queries'],
  ])('throws without both labels: %s', (_, samples, message) => {
    const nothing = () => summarise([replayed(samples)], { title: '', models: ['m'] });
    expect(nothing).toThrow(NothingJudgedError);
    expect(nothing).toThrow(message);
  });
});

describe('samples and maps of a replay', () => {
  it('are the answers of one model, with a chance if it states one', () => {
    const { at } = SAMPLES[0]!;
    const mixed = [
      {
        ...SAMPLES[0]!,
        answers: [
          { score: 4, chance: 0.5, points: 4 },
          { score: 7, chance: undefined, points: 7 },
        ],
      },
    ];
    expect(samplesOf(mixed, 0)).toStrictEqual([{ at, label: 1, score: 4, chance: 0.5 }]);
    expect(samplesOf(mixed, 1)).toStrictEqual([{ at, label: 1, score: 7 }]);
  });

  it('fit on queries with a match of all replays', () => {
    const group = (chance: number, ones: number, zeros: number, reported = 1) =>
      Array.from({ length: ones + zeros }, (_, at) => judged(at < ones ? 1 : 0, [0, chance], { reported }));
    const replays = [replayed(group(80, 15, 25)), replayed([...group(20, 4, 36), ...group(50, 0, 40, 0)])];
    expect(fitMap(replays, 1)).toEqual({
      version: 3,
      points: [
        [expect.closeTo(0.2, 12), 0.1],
        [expect.closeTo(0.8, 12), 0.375],
      ],
      support: [],
      spread: 0,
    });
    expect(() => fitMap([replayed(group(50, 20, 29))])).toThrow('at least 50');
  });
});
