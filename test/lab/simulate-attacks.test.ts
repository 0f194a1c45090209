import { beforeEach, describe, expect, it } from 'vitest';
import type { LabEvent, QueryEvent, ReportEvent } from '../../src/lab/event.ts';
import { formatAttack, parseAttack } from '../../src/lab/simulate/attacks.ts';
import { simulateAttacks, simulateWorld } from '../../src/lab/simulate/world.ts';

const DAY = 86_400_000;
const ATTACK_AT = Date.UTC(2021, 0, 1) + 1008 * DAY;
const OPTIONS = { customers: 3000, attack: { patientVictims: 60 } };
const ALONE = [...simulateWorld({ seed: 4, options: OPTIONS })];

const run = (attack: string) => {
  const events = [...simulateWorld({ seed: 4, options: OPTIONS, attack: parseAttack(attack) })];
  const victims = events.filter((event): event is QueryEvent => event.do === 'query' && event.group === 'victim');
  const attackers = new Set(
    events.flatMap((event) => (event.do === 'reporter' && event.name.startsWith('attacker') ? [event.name] : [])),
  );
  const filed = events.filter((event): event is ReportEvent => event.do === 'report' && event.id.startsWith('attack'));
  return {
    events,
    victims,
    attackers,
    filed,
    accusations: filed.filter((report) => report.at >= ATTACK_AT),
    before: filed.filter((report) => report.at < ATTACK_AT),
  };
};

const hashes = (events: readonly LabEvent[]) =>
  new Set(events.flatMap((event) => ('identifiers' in event ? event.identifiers.map(({ hash }) => hash) : [])));
const key = (event: QueryEvent | ReportEvent) => event.identifiers.map(({ hash }) => hash).join();

describe.each(['duplicates:20', 'sybil:20', 'ring:10', 'camouflage:10', 'rogue:2', 'patient:2x3', 'sleeper:2x3'])(
  '%s',
  (attack) => {
    let events: ReturnType<typeof run>['events'];
    let victims: ReturnType<typeof run>['victims'];
    let attackers: ReturnType<typeof run>['attackers'];
    let accusations: ReturnType<typeof run>['accusations'];
    beforeEach(() => {
      if (events === undefined) ({ events, victims, attackers, accusations } = run(attack));
    });

    it('reports 60 honest people without earlier reports, with all their identifiers', () => {
      expect(victims).toHaveLength(60);
      expect(hashes(victims).size).toBe(victims.reduce((sum, victim) => sum + victim.identifiers.length, 0));
      const reported = hashes(ALONE.filter((event) => event.do === 'report' && event.at < ATTACK_AT));
      const frauds = hashes(ALONE.filter((event) => event.do === 'query' && event.label === 1 && event.at < ATTACK_AT));
      for (const { hash } of victims.flatMap((victim) => victim.identifiers.filter(({ kind }) => kind === 'email')))
        expect(frauds.has(hash)).toBe(false);
      for (const hash of hashes(victims)) expect(reported.has(hash)).toBe(false);

      const each = parseAttack(attack);
      const count = each.kind === 'duplicates' ? each.copies : each.keys;
      const byVictim = new Map(victims.map((victim) => [key(victim), 0]));
      for (const report of accusations) {
        expect(byVictim.has(key(report))).toBe(true);
        expect(report.severity).toBe(10);
        expect(report.at).toBeLessThan(ATTACK_AT + DAY);
        byVictim.set(key(report), byVictim.get(key(report))! + 1);
      }
      expect([...byVictim.values()]).toEqual(victims.map(() => count));
    });

    it('ends with the queries about them a day later, and leaves other events unchanged', () => {
      for (const victim of events.slice(-60) as QueryEvent[]) {
        expect(victim).toMatchObject({ do: 'query', group: 'victim', at: ATTACK_AT + DAY });
        expect(victim.label ?? victim.reporter).toBeUndefined();
      }
      const others = events.filter(
        (event) =>
          !('id' in event && event.id.startsWith('attack')) &&
          !('name' in event && attackers.has(event.name)) &&
          !('group' in event),
      );
      expect(others).toEqual(ALONE.filter((event) => event.at <= ATTACK_AT + DAY));
    });

    it('uses unverified keys, each registered before its first report', () => {
      const known = new Set<string>();
      for (const event of events) {
        if (event.do === 'reporter') known.add(event.name);
        if (event.do === 'reporter' && attackers.has(event.name)) expect(event.verified).toBe(false);
        if (event.do === 'report') expect(known.has(event.reporter)).toBe(true);
      }
      const ids = events.flatMap((event) => (event.do === 'report' ? [event.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
    });
  },
);

describe('the keys of an attack', () => {
  it('are one for each victim of duplicates, and a new one for each report of sybils', () => {
    const duplicates = run('duplicates:5');
    expect(duplicates.attackers.size).toBe(60);
    expect(new Set(duplicates.filed.map((report) => `${report.reporter} ${key(report)}`)).size).toBe(60);
    const sybil = run('sybil:5');
    expect(sybil.attackers.size).toBe(300);
    expect(new Set(sybil.filed.map((report) => report.reporter)).size).toBe(sybil.filed.length);
  });

  it('of a ring confirm each other on 40 invented people in the 90 days before', () => {
    const { before, attackers, victims } = run('ring:10');
    expect(attackers.size).toBe(10);
    const parties = new Set(before.map(key));
    expect([parties.size, before.length]).toEqual([40, 400]);
    expect(Math.min(...before.map((report) => report.at))).toBeGreaterThanOrEqual(ATTACK_AT - 90 * DAY);
    const invented = hashes(before);
    const real = hashes([...ALONE, ...victims]);
    expect([...invented].filter((hash) => real.has(hash))).toEqual([]);
  });

  it('that are camouflaged copy 30 standing reports each, 400 days before', () => {
    const { before, attackers } = run('camouflage:10');
    expect(attackers.size).toBe(10);
    for (const attacker of attackers) expect(before.filter((report) => report.reporter === attacker)).toHaveLength(30);
    for (const report of before) expect((ATTACK_AT - report.at) / DAY).toBeCloseTo(400, 0);
    const removed = new Map(ALONE.flatMap((event) => (event.do === 'remove' ? [[event.id, event.at]] : [])));
    const standing = new Set(
      ALONE.flatMap((event) =>
        event.do === 'report' && event.at < ATTACK_AT - 400 * DAY && !(removed.get(event.id)! < ATTACK_AT - 400 * DAY)
          ? [key(event)]
          : [],
      ),
    );
    for (const report of before) expect(standing.has(key(report))).toBe(true);
  });
});

describe('the keys that pay for trust', () => {
  it('that are patient file true reports a day before a verified reporter, and 60 days before the attack', () => {
    const { before, attackers, filed } = run('patient:2x3');
    expect(attackers.size).toBe(120);
    for (const attacker of attackers) {
      expect(before.filter((report) => report.reporter === attacker).length).toBeLessThanOrEqual(3);
      expect(filed.filter((report) => report.reporter === attacker && report.at >= ATTACK_AT)).toHaveLength(1);
    }
    expect(before.length).toBeGreaterThan(100);
    const verified = new Set(ALONE.flatMap((event) => (event.do === 'reporter' && event.verified ? event.name : [])));
    const reports = ALONE.filter((event) => event.do === 'report');
    expect(new Set(before.map(key)).size).toBe(before.length);
    for (const report of before) {
      expect(report.at).toBeLessThan(ATTACK_AT - 60 * DAY);
      const same = reports.find((real) => key(real) === key(report))!;
      expect(verified.has(same.reporter)).toBe(true);
      expect(same.at).toBe(report.at + DAY);
    }
  });

  it('that turn rogue are verified; without a verified reporter, the attacker has a verified key', () => {
    const { filed, attackers } = run('rogue:1');
    const verified = new Set(ALONE.flatMap((event) => (event.do === 'reporter' && event.verified ? event.name : [])));
    expect(attackers.size).toBe(0);
    expect(filed.every((report) => verified.has(report.reporter))).toBe(true);
    expect(new Set(filed.map((report) => report.reporter)).size).toBe(Math.min(60, verified.size));
    const options = { ...OPTIONS, reporting: { verified: 0 } };
    const without = [...simulateWorld({ seed: 4, options, attack: { kind: 'rogue', keys: 1 } })];
    expect(without.filter((event) => event.do === 'reporter' && event.verified)).toHaveLength(1);
  });

  it('that sleep file no report in the 365 days before the attack', () => {
    const { before, attackers, accusations } = run('sleeper:2x3');
    expect(attackers.size).toBe(120);
    expect(before.length).toBeGreaterThan(50);
    expect(Math.max(...before.map((report) => report.at))).toBeLessThan(ATTACK_AT - 365 * DAY);
    expect(accusations).toHaveLength(120);
    expect(Math.max(...accusations.map((report) => report.at))).toBeLessThan(ATTACK_AT + DAY);
  });

  it('that drip report a victim one after the other, a week apart, before the query', () => {
    const { accusations, before, victims } = run('drip:3x2');
    for (const victim of victims) {
      const own = accusations.filter((report) => key(report) === key(victim));
      expect(own.map((report) => (report.at - ATTACK_AT) / DAY)).toEqual([0, 7, 14]);
      expect(new Set(own.map((report) => report.reporter)).size).toBe(3);
      expect(victim.at).toBe(ATTACK_AT + 15 * DAY);
    }
    expect(before.length).toBeGreaterThan(100);
    expect(run('drip:3x0').before).toEqual([]);
  });

  it('that launder are followed by one verified reporter for each victim, a week later', () => {
    const { accusations, attackers, victims } = run('launder:2x0');
    const verified = new Set(ALONE.flatMap((event) => (event.do === 'reporter' && event.verified ? event.name : [])));
    for (const victim of victims) {
      const own = accusations.filter((report) => key(report) === key(victim));
      expect(own.map((report) => attackers.has(report.reporter))).toEqual([true, true, false]);
      expect(verified.has(own[2]!.reporter)).toBe(true);
      expect((own[2]!.at - ATTACK_AT) / DAY).toBe(7);
      expect(victim.at).toBe(ATTACK_AT + 8 * DAY);
    }
  });

  it('take the numbers of the world: first day, severity, identifiers', () => {
    const attack = { ...OPTIONS.attack, patientFromDay: 700, severity: 4, identifiers: 2 };
    const events = [...simulateWorld({ seed: 4, options: { ...OPTIONS, attack }, attack: parseAttack('patient:1x3') })];
    const filed = events.filter(
      (event): event is ReportEvent => event.do === 'report' && event.id.startsWith('attack'),
    );
    expect(Math.min(...filed.map((report) => report.at))).toBeGreaterThanOrEqual(ATTACK_AT - 308 * DAY);
    const accusations = filed.filter((report) => report.at >= ATTACK_AT);
    expect(accusations).toHaveLength(60);
    for (const { severity, identifiers } of accusations) {
      expect(severity).toBe(4);
      expect(identifiers.length).toBeLessThanOrEqual(2);
      expect(identifiers[0]!.kind).toBe('email');
    }
  });

  it('attack the same victims in several attacks on one world', () => {
    const attacks = ['sybil:3', 'patient:2x3', 'drip:2x1', 'launder:1x2'].map(parseAttack);
    const together = simulateAttacks({ seed: 4, options: OPTIONS }, attacks);
    expect(together.events).toEqual(ALONE);
    expect(together.attackAt).toBe(ATTACK_AT);
    for (const [at, attack] of attacks.entries()) {
      const isOfAttack = (event: LabEvent): boolean =>
        ('id' in event && event.id.startsWith('attack')) ||
        ('name' in event && event.name.startsWith('attacker')) ||
        ('group' in event && event.group === 'victim');
      const alone = [...simulateWorld({ seed: 4, options: OPTIONS, attack })].filter(isOfAttack);
      expect(together.attacks[at]).toEqual(alone);
    }
  });
});

describe('the text of an attack', () => {
  it.each([
    'duplicates:100',
    'sybil:1',
    'ring:30',
    'camouflage:1000',
    'patient:10x6',
    'sleeper:3x4',
    'drip:5x0',
    'launder:1x0',
    'rogue:1',
  ])('%s is parsed and formatted', (text) => {
    expect(formatAttack(parseAttack(text))).toBe(text);
  });

  it.each([
    '',
    'sybil',
    'sybil:',
    'sybil:0',
    'sybil:1001',
    'sybil:1.5',
    'sybil:-1',
    'sybil:1x2',
    'patient:3',
    'patient:3x0',
    'sleeper:3x0',
    'drip:3',
    'launder:0x1',
    'flood:3',
    ' sybil:3',
    'sybil:3\n',
  ])('%j is refused', (text) => {
    expect(() => parseAttack(text)).toThrow(/^"attack" expected duplicates, sybil, ring, camouflage or rogue/);
  });

  it('an invalid attack, too many victims and too short a world are refused', () => {
    const first = (simulation: Parameters<typeof simulateWorld>[0]) => () => simulateWorld(simulation).next();
    expect(first({ seed: 1, attack: { kind: 'sybil', keys: 0.5 } })).toThrow('"attack" expected');
    expect(first({ seed: 1, attack: { kind: 'ring', keys: 2 }, options: { customers: 50 } })).toThrow(
      /^"world\.attack\.victims" expected at most \d+, the number of honest customers/,
    );
    expect(first({ seed: 1, attack: { kind: 'ring', keys: 2 }, options: { days: 1008 } })).toThrow(
      '"world.days" expected at least 1009',
    );
    expect(first({ seed: 1, attack: { kind: 'drip', keys: 100, reports: 0 } })).toThrow(
      '"world.days" expected at least 1702',
    );
    expect(first({ seed: 1, options: { attack: { severity: 11 } } })).toThrow(
      '"world.attack.severity" expected a whole number from 1 to 10, got 11',
    );
    const early = { attack: { day: 300, camouflageDays: 200 } };
    expect(first({ seed: 1, attack: parseAttack('sleeper:1x1'), options: early })).toThrow(
      '"world.attack.sleeperDays" expected at most 300, the day of the attack, got 365',
    );
    expect(first({ seed: 1, attack: parseAttack('patient:1x1'), options: early })).not.toThrow();
  });
});
