import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrationGroupsOf, type GroupedAnswer } from '../../src/lab/metrics/calibration-groups.ts';
import { evaluate } from '../../src/lab/metrics/evaluate.ts';
import { periodsOf, type TimedSample } from '../../src/lab/metrics/periods.ts';
import { wilson } from '../../src/lab/metrics/wilson.ts';
import { createModels } from '../../src/lab/models.ts';
import type { ReporterStanding } from '../../src/lab/result-parts.ts';
import { summarise } from '../../src/lab/summarise.ts';
import { day, dispute, email, judged, live, query, replayed, report, reporter, START } from './histories.ts';
import { shuffled } from './samples.ts';

const OPTIONS = { seed: 3, resamples: 20 };
const sample = (at: number, number: number): TimedSample => ({
  at,
  sample: { label: number % 3 === 0 ? 1 : 0, score: ((number * 37) % 101) / 2, chance: 0.5 },
});
const spread = (count: number, days: number): TimedSample[] =>
  Array.from({ length: count }, (_, number) => sample(day((number * days) / (count - 1)), number));

describe('periods', () => {
  it('are calendar quarters in a long time, each with the figures of its own queries', () => {
    const samples = spread(400, 1000);
    const periods = periodsOf(samples, OPTIONS);
    // From 2021-01-01, a thousand days reach into September 2023.
    expect(periods.map(({ from }) => from.slice(0, 10))).toEqual(
      [2021, 2022, 2023].flatMap((year) => ['01', '04', '07', '10'].map((month) => `${year}-${month}-01`)).slice(0, 11),
    );
    for (const [at, { from, to, judged: count, positives, rocAuc, prAuc }] of periods.entries()) {
      if (at > 0) expect(periods[at - 1]!.to).toBe(from);
      const own = samples.filter((one) => one.at >= Date.parse(from) && one.at < Date.parse(to));
      expect(count).toBe(own.length);
      expect(positives).toBe(own.filter((one) => one.sample.label === 1).length);
      const expected = evaluate(
        own.map((one) => one.sample),
        OPTIONS,
      );
      expect({ rocAuc, prAuc }).toEqual({ rocAuc: expected.rocAuc, prAuc: expected.prAuc });
    }
  });

  it('are tenths in a short time; the last query is in the last tenth', () => {
    const periods = periodsOf(spread(401, 100), OPTIONS);
    expect(periods.map((period) => period.judged)).toEqual([40, 40, 40, 40, 40, 40, 40, 40, 40, 41]);
    expect(periods[3]).toMatchObject({ from: new Date(day(30)).toISOString(), to: new Date(day(40)).toISOString() });
    expect(periods.at(-1)!.to).toBe(new Date(day(100)).toISOString());
  });

  it('have no figures with fewer than thirty queries or with one label, and are left out without queries', () => {
    const few = spread(29, 5);
    const zeros = spread(60, 5).map(({ at, sample: one }) => ({
      at: at + 50 * 86_400_000,
      sample: { ...one, label: 0 as const },
    }));
    const periods = periodsOf([...few, ...zeros, sample(day(100), 0)], OPTIONS);
    expect(periods.map((period) => [period.judged, 'rocAuc' in period, 'prAuc' in period])).toEqual([
      [29, false, false],
      [60, false, false],
      [1, false, false],
    ]);
  });

  it('need two times', () => {
    expect(periodsOf([], OPTIONS)).toEqual([]);
    expect(periodsOf([sample(START, 0), sample(START, 1)], OPTIONS)).toEqual([]);
  });

  it('count each query once, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -20_000, max: 40_000 }), { maxLength: 60 }), fc.nat(), (days, seed) => {
        const samples = days.map((at, number) => sample(day(at), number));
        const periods = periodsOf(samples, { seed: 1, resamples: 2 });
        const total = periods.reduce((sum, one) => sum + one.judged, 0);
        expect(total).toBe(new Set(days).size < 2 ? 0 : days.length);
        for (const { from, to } of periods) expect(from < to).toBe(true);
        expect(periodsOf(shuffled(samples, seed), { seed: 1, resamples: 2 })).toEqual(periods);
      }),
    );
  });
});

const answer = (number: number, rest: Partial<GroupedAnswer> = {}): GroupedAnswer => ({
  label: number % 2 === 0 ? 1 : 0,
  chance: (number % 10) / 10,
  kind: 'email',
  ageDays: number,
  ...rest,
});

describe('calibration groups', () => {
  it('are by kind, the largest first, without bins below thirty queries', () => {
    const answers = Array.from({ length: 129 }, (_, number) =>
      answer(number, { kind: number < 29 ? 'ip' : number < 59 ? 'phone' : 'email' }),
    );
    const { kinds } = calibrationGroupsOf(answers);
    expect(kinds.map((group) => [group.kind, group.judged, group.bins.length])).toEqual([
      ['email', 70, 10],
      ['phone', 30, 10],
      ['ip', 29, 0],
    ]);
    for (const { bins } of kinds)
      for (const { observed, count, low, high } of bins) expect([low, high]).toEqual(wilson(observed, count));
    expect(kinds[0]!.bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(70);
  });

  it('are three ages with equal counts, or as equal as equal ages permit', () => {
    const { ages } = calibrationGroupsOf(Array.from({ length: 91 }, (_, number) => answer(number)));
    expect(ages.map((group) => [group.leastDays, group.mostDays, group.judged])).toEqual([
      [0, 30, 31],
      [31, 60, 30],
      [61, 90, 30],
    ]);
    const ties = Array.from({ length: 90 }, (_, number) => answer(number, { ageDays: number < 50 ? 1 : 7 }));
    expect(calibrationGroupsOf(ties).ages.map((group) => [group.mostDays, group.judged])).toEqual([
      [1, 50],
      [7, 40],
    ]);
    expect(calibrationGroupsOf([])).toEqual({ kinds: [], ages: [] });
  });

  it('count each answer once by kind and once by age, in any order', () => {
    const anyAnswer = fc.record({
      label: fc.constantFrom<0 | 1>(0, 1),
      chance: fc.double({ min: 0, max: 1, noNaN: true }),
      kind: fc.constantFrom('email', 'phone', 'ip'),
      ageDays: fc.integer({ min: 0, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 120 }), fc.nat(), (answers, seed) => {
        const groups = calibrationGroupsOf(answers);
        for (const some of [groups.kinds, groups.ages]) {
          expect(some.reduce((sum, group) => sum + group.judged, 0)).toBe(answers.length);
          for (const { judged: count, bins } of some)
            expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(count < 30 ? 0 : count);
        }
        expect(calibrationGroupsOf(shuffled(answers, seed))).toEqual(groups);
      }),
    );
  });
});

describe('a replay', () => {
  const both = (kind: string) => [email('ada'), { kind, hash: 'a'.repeat(40) }];

  it('knows the strongest kind, the age of the youngest report and the time of each query', async () => {
    const { samples } = await live([
      { ...report(1, 'r1', 'ami', 'ada'), identifiers: both('ip') },
      report(4, 'r2', 'bea', 'ada'),
      { ...query(9, 'ada', 1), identifiers: both('ip') },
      { ...query(10, 'ada', 1), identifiers: both('ip').slice(1) },
      query(11, 'nobody', 0),
    ]);
    expect(samples.map(({ at, strongest, youngest }) => ({ at, strongest, youngest }))).toEqual([
      {
        at: day(9),
        strongest: 'email',
        youngest: [
          { kind: 'email', ageDays: 5 },
          { kind: 'ip', ageDays: 8 },
        ],
      },
      { at: day(10), strongest: 'ip', youngest: [{ kind: 'ip', ageDays: 9 }] },
      { at: day(11), strongest: undefined, youngest: [] },
    ]);
  });

  it('ends with the standings of the first model', async () => {
    const events = [
      reporter('ami'),
      reporter('bea'),
      report(1, 'r1', 'ami', 'ada'),
      report(2, 'r2', 'bea', 'ada'),
      report(2, 'r4', 'stranger', 'ada'),
      report(3, 'r3', 'ami', 'bob'),
      dispute(4, 'r3', true),
      // The agreement about claims of verified reporters counts after 90 days.
      query(95, 'ada', 1),
    ];
    const { standings } = await live(events);
    expect(standings!.map(({ name, verified, established, lost }) => [name, verified, established, lost])).toEqual([
      ['ami', true, true, 1],
      ['bea', true, true, 0],
      ['stranger', false, false, 0],
    ]);
    const [ami, , stranger] = standings!;
    expect(ami!.claims).toBeGreaterThan(0);
    expect(ami!.confirmed).toBeGreaterThan(0);
    expect(ami!.precision).toBeGreaterThan(stranger!.precision);
    expect(await live(events, { models: createModels(['severity-sum', 'link-claim']) })).not.toHaveProperty(
      'standings',
    );
  });
});

describe('a summary', () => {
  const standing = (name: string, claims: number): ReporterStanding => ({
    name,
    claims,
    verified: false,
    established: false,
    precision: 0.2,
    confirmed: 0,
    lost: 0,
  });
  const samples = Array.from({ length: 90 }, (_, number) =>
    judged(number % 2 === 0 ? 1 : 0, [number, 90 - number], {
      at: day(number),
      age: number,
      kinds: ['phone', 'email'],
    }),
  );
  const options = { title: '', models: ['one', 'other'], resamples: 5 };

  it('has periods, calibration groups and the largest standings of one replay', () => {
    const standings = Array.from({ length: 60 }, (_, number) => standing(`r${number + 10}`, number % 30));
    const result = summarise([replayed(samples, { standings })], options);
    expect(result.periods!.reduce((sum, period) => sum + period.judged, 0)).toBe(90);
    expect(result.calibrationGroups!.kinds.map(({ kind, judged: count }) => [kind, count])).toEqual([['phone', 90]]);
    expect(result.calibrationGroups!.ages.map((group) => group.judged)).toEqual([30, 30, 30]);
    expect(result.standings!.count).toBe(60);
    expect(result.standings!.reporters).toHaveLength(50);
    expect(result.standings!.reporters.slice(0, 3).map(({ name, claims }) => [name, claims])).toEqual([
      ['r39', 29],
      ['r69', 29],
      ['r38', 28],
    ]);
  });

  it('has no standings of several replays, and no groups without stated probabilities', () => {
    const standings = [standing('shop 1', 3)];
    const two = [replayed(samples.slice(0, 40), { standings }), replayed(samples.slice(40), { standings })];
    expect(summarise(two, options)).not.toHaveProperty('standings');
    const unstated = samples.map((one) => ({
      ...one,
      answers: one.answers.map((each) => ({ ...each, chance: undefined })),
    }));
    expect(summarise([replayed(unstated)], options)).not.toHaveProperty('calibrationGroups');
  });

  it('takes periods from the judged queries, and groups from those with a match', () => {
    const unmatched = Array.from({ length: 50 }, (_, number) => judged(0, [0, 0], { reported: 0, at: day(number) }));
    const result = summarise([replayed([...samples, ...unmatched])], { ...options, judged: 'all' });
    expect(result.periods!.reduce((sum, period) => sum + period.judged, 0)).toBe(140);
    expect(result.calibrationGroups!.kinds[0]!.judged).toBe(90);
  });
});
