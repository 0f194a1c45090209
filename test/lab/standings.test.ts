import { describe, expect, it } from 'vitest';
import { createModels } from '../../src/lab/models.ts';
import type { ReporterStanding } from '../../src/lab/result-parts.ts';
import { summarise } from '../../src/lab/summarise.ts';
import { day, dispute, email, judged, live, query, replayed, report, reporter } from './histories.ts';

describe('a replay', () => {
  const both = (kind: string) => [email('ada'), { kind, hash: 'a'.repeat(40) }];

  it('knows the age of the youngest report and the time of each query', async () => {
    const { samples } = await live([
      { ...report(1, 'r1', 'ami', 'ada'), identifiers: both('ip') },
      report(4, 'r2', 'bea', 'ada'),
      { ...query(9, 'ada', 1), identifiers: both('ip') },
      { ...query(10, 'ada', 1), identifiers: both('ip').slice(1) },
      query(11, 'nobody', 0),
    ]);
    expect(samples.map(({ at, youngest }) => ({ at, youngest }))).toEqual([
      {
        at: day(9),
        youngest: [
          { kind: 'email', ageDays: 5 },
          { kind: 'ip', ageDays: 8 },
        ],
      },
      { at: day(10), youngest: [{ kind: 'ip', ageDays: 9 }] },
      { at: day(11), youngest: [] },
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

  it('has the largest standings of one replay', () => {
    const standings = Array.from({ length: 60 }, (_, number) => standing(`r${number + 10}`, number % 30));
    const result = summarise([replayed(samples, { standings })], options);
    expect(result.standings!.count).toBe(60);
    expect(result.standings!.reporters).toHaveLength(50);
    expect(result.standings!.reporters.slice(0, 3).map(({ name, claims }) => [name, claims])).toEqual([
      ['r39', 29],
      ['r69', 29],
      ['r38', 28],
    ]);
  });

  it('has no standings of several replays', () => {
    const standings = [standing('shop 1', 3)];
    const two = [replayed(samples.slice(0, 40), { standings }), replayed(samples.slice(40), { standings })];
    expect(summarise(two, options)).not.toHaveProperty('standings');
  });
});
