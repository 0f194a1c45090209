import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isHash, toKind } from '../../src/core/domain/identifier.ts';
import type { LabEvent } from '../../src/lab/event.ts';
import { createCustomers } from '../../src/lab/simulate/customers.ts';
import { chanceAt, createReporters } from '../../src/lab/simulate/reporters.ts';
import { resolveWorld } from '../../src/lab/simulate/resolve-world.ts';
import { createStreams } from '../../src/lab/simulate/draws.ts';
import { createVisits } from '../../src/lab/simulate/visits.ts';
import { simulateWorld } from '../../src/lab/simulate/world.ts';
import { SCENARIOS, type ScenarioName, type WorldOverrides } from '../../src/lab/simulate/world-options.ts';
import { isLong } from '../budget.ts';
import { matchQueries } from './event-index.ts';

const DAY = 86_400_000;
const START = Date.UTC(2021, 0, 1);
const SMALL: WorldOverrides = { customers: 1000, queries: { count: 400 } };

const digest = (events: Iterable<LabEvent>): string =>
  createHash('sha256')
    .update([...events].map((event) => JSON.stringify(event)).join('\n'))
    .digest('hex');
const count = (events: readonly LabEvent[], what: LabEvent['do']): number =>
  events.filter((event) => event.do === what).length;

// The most expensive part of this file, so it runs once.
const WORLDS = (isLong ? [1, 2] : [1]).map((seed) => ({ seed, events: [...simulateWorld({ seed })] }));

describe('a simulated world', () => {
  it('is the same for the same seed on every machine, and different for another seed', () => {
    const first = digest(simulateWorld({ seed: 7, options: SMALL }));
    expect(first).toBe('44f0d285cd4603f574e27b6291a71a792433de7f08ed3c091bc5b11a6790e629');
    expect(digest(simulateWorld({ seed: 7, options: SMALL }))).toBe(first);
    expect(digest(simulateWorld({ seed: 8, options: SMALL }))).not.toBe(first);
  });

  it('shares no identifier with the world of another seed', () => {
    const hashes = (seed: number) =>
      new Set(
        [...simulateWorld({ seed, options: SMALL })].flatMap((event) =>
          'identifiers' in event ? event.identifiers.map((i) => i.hash) : [],
        ),
      );
    const one = hashes(1);
    expect([...hashes(2)].filter((hash) => one.has(hash))).toEqual([]);
  });

  it.each(WORLDS)('is in order of time, from the first day to the last (seed $seed)', ({ events }) => {
    let last = START;
    for (const { at } of events) {
      expect(Number.isSafeInteger(at) && at >= last).toBe(true);
      last = at;
    }
    expect(events[0]!.at).toBe(START);
    expect(last).toBeGreaterThan(START + 1399 * DAY);
    expect(last).toBeLessThanOrEqual(START + 1400 * DAY);
  });

  it.each(WORLDS)('refers only to what exists, in valid reports and queries (seed $seed)', ({ events }) => {
    const reporters = new Set<string>();
    const live = new Set<string>();
    for (const event of events) {
      if (event.do === 'reporter') reporters.add(event.name);
      if (event.do === 'report') {
        expect(reporters.has(event.reporter) && !live.has(event.id)).toBe(true);
        live.add(event.id);
        expect(Number.isInteger(event.severity) && event.severity >= 1 && event.severity <= 10).toBe(true);
      }
      if (event.do === 'remove') expect(live.delete(event.id)).toBe(true);
      if (event.do === 'query') expect(reporters.has(event.reporter!)).toBe(true);
      if (event.do === 'report' || event.do === 'query') {
        const { identifiers } = event;
        expect(identifiers[0]!.kind).toBe('email');
        expect(identifiers.every(({ kind, hash }) => toKind(kind) !== undefined && isHash(hash))).toBe(true);
        expect(new Set(identifiers.map(({ kind }) => kind)).size).toBe(identifiers.length);
        expect(new Set(identifiers.map(({ hash }) => hash)).size).toBe(identifiers.length);
      }
    }
  });

  it('never uses a hash for two kinds', () => {
    const kinds = new Map<string, string>();
    for (const event of WORLDS[0]!.events) {
      if (!('identifiers' in event)) continue;
      for (const { kind, hash } of event.identifiers) {
        expect(kinds.get(hash) ?? kind).toBe(kind);
        kinds.set(hash, kind);
      }
    }
  });

  it.each(WORLDS)('has roughly the designed figures (seed $seed)', ({ seed, events }) => {
    const world = resolveWorld();
    const customers = createCustomers(world, createStreams(seed));
    const frauds = customers.filter((customer) => customer.fraud);
    expect(frauds).toHaveLength(720);
    const visits = createVisits(customers, world, createStreams(seed));
    expect(visits.length).toBeGreaterThan(46_500);
    expect(visits.length).toBeLessThan(49_500);
    const mean = (of: typeof customers) => of.reduce((sum, customer) => sum + customer.visits, 0) / of.length;
    expect(mean(frauds) / mean(customers.filter((customer) => !customer.fraud))).toBeCloseTo(2, 0);

    expect(count(events, 'reporter')).toBe(80);
    // Few large shops dominate the number: 3,100 to 5,500 over 16 seeds, mean 4,000.
    expect(count(events, 'report')).toBeGreaterThan(3000);
    expect(count(events, 'report')).toBeLessThan(5700);
    expect(count(events, 'query')).toBe(5000);

    const queries = matchQueries(events);
    const matched = queries.filter((one) => one.matched);
    const share = (of: typeof queries) => of.filter(({ query }) => query.label === 1).length / of.length;
    expect(matched.length / queries.length).toBeGreaterThan(0.2);
    expect(matched.length / queries.length).toBeLessThan(0.3);
    expect(share(matched)).toBeGreaterThan(0.27);
    expect(share(matched)).toBeLessThan(0.4);
    expect(queries.every(({ query }) => query.at >= START + 490 * DAY)).toBe(true);
  });

  it('queries before it reports, with the same identifiers', () => {
    const { events } = WORLDS[0]!;
    const pairs = events.flatMap((event, i) => {
      const before = events[i - 1];
      return event.do === 'report' && before?.do === 'query' && before.at === event.at
        ? [[before, event] as const]
        : [];
    });
    expect(pairs.length).toBeGreaterThan(100);
    for (const [query, report] of pairs) {
      expect(query.identifiers).toEqual(report.identifiers);
      expect(query.reporter).toBe(report.reporter);
    }
    const asked = new Set(pairs.map(([query]) => query.at));
    const reportsAtQueries = events.filter((event) => event.do === 'report' && asked.has(event.at)).length;
    expect(reportsAtQueries).toBe(pairs.length);
  });

  it('leaves the rest unchanged if one number changes', () => {
    const ids = (options: WorldOverrides) =>
      new Map(
        [...simulateWorld({ seed: 3, options: { ...SMALL, ...options } })].flatMap((event) =>
          event.do === 'report' ? [[event.id, event]] : [],
        ),
      );
    const plain = ids({});
    const more = ids({ reporting: { honest: [0.01, 0.02] } });
    expect(more.size).toBeGreaterThan(plain.size);
    // Withdrawn and copied reports may follow from others; all other events must be identical.
    const kept = [...plain].filter(([id, report]) => JSON.stringify(more.get(id)) === JSON.stringify(report)).length;
    expect(kept).toBeGreaterThan(plain.size * 0.98);
  });
});

describe('an option of the world', () => {
  const DAYS = 1400;
  const eventsOf = (options: WorldOverrides, seed = 6) => [
    ...simulateWorld({ seed, options: { ...SMALL, ...options } }),
  ];
  const kindsOf = (events: readonly LabEvent[]) =>
    new Set(events.flatMap((event) => ('identifiers' in event ? event.identifiers.map(({ kind }) => kind) : [])));

  it.each(['ip', 'phone'] as const)('%s can be the only kind, and copies and attacks find it', (kind) => {
    const kinds = { email: { share: 0 }, phone: { share: 0 }, domain: { share: 0 }, ip: { share: 0 } };
    const only = { kinds: { ...kinds, [kind]: { share: 1 } }, reporting: { copying: 0.3 } };
    const events = eventsOf(only);
    expect(kindsOf(events)).toEqual(new Set([kind]));
    const copying = createReporters(resolveWorld('base', only), createStreams(6)).filter((one) => one.copying);
    const copiers = new Set(copying.map(({ name }) => name));
    expect(events.filter((event) => event.do === 'report' && copiers.has(event.reporter)).length).toBeGreaterThan(5);
    const attack = { kind: 'sybil', keys: 1 } as const;
    const attacked = [
      ...simulateWorld({ seed: 6, attack, options: { ...only, customers: 3000, attack: { victims: 5 } } }),
    ];
    expect(attacked.filter((event) => event.do === 'query' && event.group === 'victim')).toHaveLength(5);
  });

  it('season moves visits to one half of the year', () => {
    const inFirstHalf = (season: number) => {
      const world = resolveWorld('base', { ...SMALL, visits: { season }, fraud: { season: 0 } });
      const visits = createVisits(createCustomers(world, createStreams(6)), world, createStreams(6));
      expect(visits.every(({ at }) => at >= 0 && at < DAYS * DAY)).toBe(true);
      const honest = visits.filter(({ customer, at }) => !customer.fraud && at < 3 * 365 * DAY);
      return honest.filter(({ at }) => at % (365 * DAY) < 182.5 * DAY).length / honest.length;
    };
    expect(inFirstHalf(0)).toBeCloseTo(0.5, 1);
    // The mean of 1 + .8·sin over half a year is 1 + .8·2/π, of 2.
    expect(inFirstHalf(0.8)).toBeCloseTo(0.5 + 0.8 / Math.PI, 1);
  });

  it('drift changes the probabilities of each reporter from one end of the world to the other', () => {
    const [still, drifting] = [0, 1].map((drift) =>
      createReporters(resolveWorld('base', { reporting: { drift } }), createStreams(6)),
    );
    for (const [i, reporter] of drifting!.entries()) {
      expect(chanceAt(reporter, false, 0.5)).toBe(still![i]!.honestChance);
      expect(chanceAt(still![i]!, true, 1)).toBe(still![i]!.badChance);
      expect(chanceAt(reporter, true, 1)).toBeLessThanOrEqual(0.95);
    }
    const ends = drifting!.map((one) => chanceAt(one, false, 1) / chanceAt(one, false, 0));
    expect(Math.max(...ends)).toBeGreaterThan(5);
    expect(Math.min(...ends)).toBeLessThan(0.2);
  });

  it('activeDays bounds the time in which a reporter reports', () => {
    const byReporter = new Map<string, number[]>();
    for (const event of eventsOf({ customers: 4000, reporting: { activeDays: 200, lazy: 0 } }))
      if (event.do === 'report') byReporter.set(event.reporter, [...(byReporter.get(event.reporter) ?? []), event.at]);
    const spans = [...byReporter.values()].map((times) => (Math.max(...times) - Math.min(...times)) / DAY);
    expect(Math.max(...spans)).toBeLessThanOrEqual(200);
    expect(byReporter.size).toBeGreaterThan(20);
  });

  it('colluding reporters repeat each other’s false reports within 14 days', () => {
    const options = { reporting: { colluding: 0.2, colluded: 1, lazy: 0, copying: 0 } };
    const events = eventsOf({ customers: 3000, ...options });
    const joined = events.filter((event) => event.do === 'report' && event.id.includes('~'));
    expect(joined.length).toBeGreaterThan(100);
    const byId = new Map(events.flatMap((event) => (event.do === 'report' ? [[event.id, event]] : [])));
    for (const event of joined) {
      if (event.do !== 'report') continue;
      const led = byId.get(event.id.split('~')[0]!)!;
      expect(event.identifiers).toEqual(led.identifiers);
      expect(event.at - led.at).toBeLessThanOrEqual(14 * DAY);
      expect(event.reporter).not.toBe(led.reporter);
    }
  });
});

describe('a scenario', () => {
  const reportersOf = (scenario: ScenarioName) => createReporters(resolveWorld(scenario), createStreams(5));
  const careless = (scenario: ScenarioName) =>
    reportersOf(scenario).filter((r) => r.honestChance >= 0.02 && !r.copying).length;
  const copying = (scenario: ScenarioName) => reportersOf(scenario).filter((r) => r.copying).length;
  const lazy = (scenario: ScenarioName) => reportersOf(scenario).filter((r) => r.lazy).length;
  const verified = (scenario: ScenarioName) => reportersOf(scenario).filter((r) => r.verified).length;

  it('has the reporters of its options', () => {
    expect([copying('base'), careless('base'), lazy('base'), verified('base')]).toEqual([8, 12, 12, 29]);
    expect([copying('copying'), careless('copying')]).toEqual([24, 12]);
    expect([copying('careless'), careless('careless')]).toEqual([8, 28]);
    expect(lazy('lazy')).toBe(48);
    expect(verified('none-verified')).toBe(0);
    expect([copying('all-careful'), careless('all-careful')]).toEqual([0, 0]);
    expect(reportersOf('few-reporters')).toHaveLength(15);
    expect(reportersOf('base').some((r) => r.copying && r.verified)).toBe(false);
  });

  it('changes one trait and leaves the other traits unchanged', () => {
    const base = reportersOf('base');
    reportersOf('careless').forEach((reporter, i) =>
      expect({ ...reporter, honestChance: 0 }).toEqual({ ...base[i], honestChance: 0 }),
    );
    reportersOf('lazy').forEach((reporter, i) =>
      expect({ ...reporter, lazy: false }).toEqual({ ...base[i], lazy: false }),
    );
  });

  it('of shared addresses makes an ip weaker evidence', () => {
    const share = (scenario: ScenarioName) => {
      const queries = matchQueries(simulateWorld({ seed: 5, scenario, options: { customers: 4000 } })).filter(
        (one) => one.matched,
      );
      return queries.filter(({ query }) => query.label === 1).length / queries.length;
    };
    expect(share('shared-addresses')).toBeLessThan(share('base') * 0.8);
  });

  it.each(Object.keys(SCENARIOS) as ScenarioName[])('%s runs', (scenario) => {
    expect(count([...simulateWorld({ seed: 2, scenario, options: SMALL })], 'query')).toBe(400);
  });
});
