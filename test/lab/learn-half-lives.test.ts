import { describe, expect, it } from 'vitest';
import { toLabIdentifier, type LabEvent } from '../../src/lab/event.ts';
import { learnHalfLives, type LearnOptions } from '../../src/lab/learn-half-lives.ts';
import { createRandom } from '../../src/lab/random.ts';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { day, email, query, report, reporter } from './histories.ts';
import { shuffled } from './samples.ts';
import { createMemoryStore } from '../memory-store.ts';

const HALF_LIFE = 30;

/**
 * People who are reported once on the first days and queried once later. The chance that the query has label 1 halves
 * every 30 days.
 */
function history(people: number, { seed = 1, kind = 'email', rises = false } = {}): LabEvent[] {
  const random = createRandom(seed);
  const reports: LabEvent[] = [];
  const queries: LabEvent[] = [];
  for (let person = 0; person < people; person++) {
    const identifiers = [toLabIdentifier(kind, `person ${person}`)];
    // Half of the queries are before the middle of the year, at all ages.
    const reportedOn = Math.floor(random() * 300);
    const ageDays = Math.floor(random() * 120);
    const rate = 0.05 + 0.9 * 2 ** (-ageDays / HALF_LIFE);
    const label = random() < (rises && reportedOn + ageDays > 200 ? 1 - rate : rate) ? 1 : 0;
    reports.push({ ...report(reportedOn, `r${person}`, 'ami', 'x'), identifiers } as LabEvent);
    queries.push({ ...query(reportedOn + ageDays, 'x', label), identifiers } as LabEvent);
  }
  // Reports come before queries of the same time.
  return [reporter('ami'), ...[...reports, ...queries].sort((a, b) => a.at - b.at)];
}

const learn = (events: readonly LabEvent[], rest: Partial<LearnOptions> = {}) =>
  learnHalfLives({ readEvents: () => events, openStore: createMemoryStore, ...rest });

describe('learning half-lives from events', () => {
  it('finds the half-life, and compares it with the one before on the later queries', async () => {
    const events = history(1000);
    const { splitAt, earlier, later, halfLives, changes } = await learn(events);
    const { halfLifeDays, lowDays, highDays, queries } = halfLives.find(({ kind }) => kind === 'email')!;
    expect(lowDays).toBeLessThanOrEqual(HALF_LIFE);
    expect(highDays).toBeGreaterThanOrEqual(HALF_LIFE);
    expect(changes).toEqual({ kinds: { email: { halfLifeDays } } });
    expect(() => configureLinkClaim(changes)).not.toThrow();
    const early = events.filter((event) => event.do === 'query' && event.at < splitAt).length;
    expect(early).toBeGreaterThan(450);
    expect(earlier).toEqual({ labelled: early, matched: early });
    expect(queries).toBe(early);
    expect(later).toMatchObject({ labelled: 1000 - early, matched: 1000 - early });
    const { before, learnt, difference } = later!;
    expect(learnt.rocAuc.value - before.rocAuc.value).toBeCloseTo(difference.rocAuc.value, 12);
    expect(learnt.prAuc.value - before.prAuc.value).toBeCloseTo(difference.prAuc.value, 12);
  });

  it('advises to use half-lives that rank the later queries better, and not those that rank them worse', async () => {
    // A second kind that does not fade: with the default half-life of an email, its old matches rank too low.
    const mixed = (rises: boolean): LabEvent[] => {
      const random = createRandom(5);
      const lasting: LabEvent[] = [];
      for (let person = 0; person < 800; person++) {
        const on = Math.floor(random() * 300);
        const identifiers = [toLabIdentifier('phone', `person ${person}`)];
        lasting.push({ ...report(on, `p${person}`, 'ami', 'x'), identifiers } as LabEvent);
        const at = on + Math.floor(random() * 120);
        lasting.push({
          ...query(at, 'x', random() < (rises && at > 200 ? 0.1 : 0.6) ? 1 : 0),
          identifiers,
        } as LabEvent);
      }
      const [first, ...rest] = history(1000, { rises });
      return [first!, ...[...rest, ...lasting].sort((a, b) => a.at - b.at || (a.do === 'report' ? -1 : 1))];
    };
    const better = await learn(mixed(false));
    expect(better.later!.difference.rocAuc.low).toBeGreaterThan(0);
    expect(better.advice).toBe('use');
    // On the later queries, the opposite holds.
    const worse = await learn(mixed(true));
    expect(worse.later!.difference.rocAuc.high).toBeLessThan(0);
    expect(worse.advice).toBe('keep');
  });

  it('keeps a configuration, and lists a new kind with all of its constants', async () => {
    const given = { ip: { weight: 0.2, halfLifeDays: 700 } };
    const changes = { crowdFactor: 0.4, kinds: given, otherKinds: { weight: 0.6 } };
    const found = await learn(history(400, { kind: 'iban' }), { changes });
    const { halfLifeDays } = found.halfLives.find(({ kind }) => kind === 'iban')!;
    expect(found.changes).toEqual({ ...changes, kinds: { ...given, iban: { weight: 0.6, halfLifeDays } } });
    const ip = await learn(history(400, { kind: 'ip' }), { changes });
    const { halfLifeDays: days } = ip.halfLives.find(({ kind }) => kind === 'ip')!;
    expect(days).toBeLessThan(100);
    expect(ip.changes).toEqual({ ...changes, kinds: { ip: { weight: 0.2, halfLifeDays: days } } });
  });

  it('does not depend on the order of queries at one time', async () => {
    const events = history(300);
    // The same day is the same time here.
    const other = [
      ...events.slice(0, 1),
      ...shuffled(events.slice(1), 7).sort(
        (a, b) => a.at - b.at || Number(b.do === 'report') - Number(a.do === 'report'),
      ),
    ];
    expect(other).not.toEqual(events);
    expect(await learn(other)).toEqual(await learn(events));
  });

  it('keeps everything without enough queries, and does not replay again', async () => {
    let stores = 0;
    const changes = { crowdFactor: 0.4 };
    const found = await learn(history(120), {
      changes,
      openStore: () => {
        stores++;
        return createMemoryStore();
      },
    });
    expect(found).toMatchObject({ later: undefined, advice: 'keep', changes });
    expect(
      found.halfLives.every(({ learnt, halfLifeDays, beforeDays }) => !learnt && halfLifeDays === beforeDays),
    ).toBe(true);
    expect(stores).toBe(1);
  });

  it('splits at the given time', async () => {
    const events = history(400);
    const { splitAt, earlier } = await learn(events, { splitAt: day(300) });
    expect(splitAt).toBe(day(300));
    expect(earlier.labelled).toBe(events.filter(({ at, do: what }) => what === 'query' && at < day(300)).length);
  });
});

describe('events that cannot be learnt from', () => {
  it('have no labels, or all at one time, or none in a part', async () => {
    await expect(learn([reporter('ami'), query(1, 'bea')])).rejects.toThrow('no query has a label');
    await expect(learn([query(1, 'bea', 1), query(1, 'cid', 0)])).rejects.toThrow(
      'of 2 labelled queries, 0 are before 2021-01-02T00:00:00.000Z',
    );
    await expect(learn(history(20), { splitAt: day(2000) })).rejects.toThrow('of 20 labelled queries, 20 are before');
  });

  it('are out of order, also in a part that a replay leaves out', async () => {
    const events = [query(3, 'bea', 1), query(2, 'cid', 0), query(4, 'dan', 1), query(5, 'eve', 1)];
    await expect(learn(events)).rejects.toThrow('line 2: it is earlier than the previous event');
  });

  it('are refused with the number of the event, also behind queries that a replay leaves out', async () => {
    const events = history(400);
    const bad = { ...report(500, 'r1', 'ami', 'x'), identifiers: [email('x')] } as LabEvent;
    await expect(learn([...events, bad])).rejects.toThrow(`line ${events.length + 1}: an earlier report has this id`);
  });
});
