import type { Identifier } from '../../core/domain/identifier.ts';
import type { LabEvent, ReportEvent } from '../event.ts';
import { DAY_MS } from '../../core/domain/day.ts';
import { accusingDays, isLeading, type Attack } from './attacks.ts';
import { drawHash, type Streams } from './draws.ts';
import type { Victim } from './victims.ts';
import { KINDS, START_MS, type WorldOptions } from './world-options.ts';

const MINUTE_MS = 60_000;

/**
 * Returns the events of the attackers and the queries about their victims, not sorted by time.
 *
 * @param honest the events of the world without the attack.
 */
export function attackEvents(
  attack: Attack,
  { attack: options }: WorldOptions,
  victims: readonly Victim[],
  honest: readonly LabEvent[],
  streams: Streams,
): LabEvent[] {
  const attackAt = START_MS + options.day * DAY_MS;
  const events: LabEvent[] = [];
  let keys = 0;
  let reports = 0;

  const createKey = (at: number, verified = false): string => {
    const name = `attacker ${++keys}`;
    events.push({ at, do: 'reporter', name, verified });
    return name;
  };
  let verified: readonly string[] | undefined;
  /** Returns `count` verified reporters for a victim. Other verified ones are for the next victim. */
  const verifiedFor = (victim: number, count: number): string[] => {
    verified ??= verifiedOf(honest);
    if (verified.length === 0) verified = [createKey(START_MS, true)];
    const chosen = verified;
    return Array.from({ length: count }, (_, k) => chosen[(victim * count + k) % chosen.length]!);
  };
  const createKeys = (count: number, at: number): string[] => Array.from({ length: count }, () => createKey(at));
  const report = (
    reporter: string,
    at: number,
    identifiers: readonly Identifier[],
    type = 'fraud',
    severity: number = options.severity,
  ): void => {
    events.push({ at, do: 'report', id: `attack ${++reports}`, reporter, type, severity, identifiers });
  };
  const accuse = (reporters: readonly string[], victim: Victim, from = attackAt, everyMs = MINUTE_MS): void => {
    const identifiers = victim.identifiers.slice(0, options.identifiers);
    reporters.forEach((reporter, i) => report(reporter, from + Math.round(i * everyMs), identifiers));
  };

  switch (attack.kind) {
    // Each victim has its own keys. Sixty reports of one key would reveal the key. An attack on one victim would also
    // affect the measurement of the next.
    case 'duplicates':
      for (const victim of victims) {
        const key = createKey(attackAt);
        accuse(
          Array.from({ length: attack.copies }, () => key),
          victim,
        );
      }
      break;
    case 'sybil':
      for (const victim of victims) accuse(createKeys(attack.keys, attackAt), victim);
      break;
    case 'ring': {
      const random = streams('ring');
      const firstAt = attackAt - Math.round(options.ringDays * DAY_MS);
      const ring = createKeys(attack.keys, firstAt);
      for (let party = 0; party < options.ringParties; party++) {
        const identifiers = KINDS.map((kind) => ({ kind, hash: drawHash(random) }));
        for (const key of ring) report(key, firstAt + Math.floor(random() * (attackAt - firstAt)), identifiers);
      }
      for (const victim of victims) accuse(ring, victim);
      break;
    }
    case 'camouflage': {
      const copiedAt = attackAt - Math.round(options.camouflageDays * DAY_MS);
      const copiers = createKeys(attack.keys, copiedAt);
      const standing = standingReports(honest, copiedAt);
      copiers.forEach((key, k) => {
        const random = streams('camouflage', k);
        const ranked = standing.map((real) => ({ real, rank: random() })).sort((a, b) => a.rank - b.rank);
        ranked
          .slice(0, options.camouflageReports)
          .forEach(({ real }, i) => report(key, copiedAt + i * MINUTE_MS, real.identifiers, real.type, real.severity));
      });
      for (const victim of victims) accuse(copiers, victim);
      break;
    }
    case 'patient':
    case 'sleeper':
    case 'drip':
    case 'launder': {
      const random = streams('patient');
      const quietDays = attack.kind === 'sleeper' ? options.sleeperDays : options.patientDays;
      const from = START_MS + options.patientFromDay * DAY_MS;
      // A report of the world's first day can be filed at its beginning only.
      const confirmedFrom = options.patientFromDay === 0 ? START_MS : from + DAY_MS;
      const leads = confirmedFirst(honest, confirmedFrom, attackAt - quietDays * DAY_MS).map((real) => ({
        real,
        rank: random(),
      }));
      leads.sort((a, b) => b.rank - a.rank);
      for (const [v, victim] of victims.slice(0, options.patientVictims).entries()) {
        const keys = createKeys(attack.keys, from);
        for (const key of keys)
          for (let i = 0; i < attack.reports; i++) {
            const lead = leads.pop();
            if (lead === undefined) break;
            const { at, identifiers, type, severity } = lead.real;
            report(key, Math.max(from, at - DAY_MS), identifiers, type, severity);
          }
        accuse(keys, victim, attackAt, attack.kind === 'drip' ? options.dripDays * DAY_MS : MINUTE_MS);
        if (attack.kind === 'launder') accuse(verifiedFor(v, 1), victim, attackAt + options.launderDays * DAY_MS);
      }
      break;
    }
    case 'rogue':
      for (const [v, victim] of victims.entries()) accuse(verifiedFor(v, attack.keys), victim);
      break;
  }

  const askedAt = attackAt + Math.round((accusingDays(attack, options) + options.askedAfterDays) * DAY_MS);
  const asked = isLeading(attack) ? victims.slice(0, options.patientVictims) : victims;
  for (const { identifiers } of asked) events.push({ at: askedAt, do: 'query', identifiers, group: 'victim' });
  return events;
}

function verifiedOf(events: readonly LabEvent[]): string[] {
  return events.flatMap((event) => (event.do === 'reporter' && event.verified ? [event.name] : []));
}

/**
 * Returns the reports from `from` until `until` that are the first on all their identifiers but the ip, one for each
 * person. They are of verified reporters, or of all if none is verified. An attacker who files one of them first is
 * confirmed.
 */
function confirmedFirst(events: readonly LabEvent[], from: number, until: number): ReportEvent[] {
  const verified = new Set(verifiedOf(events));
  const seen = new Set<string>();
  const filed = events.filter((event): event is ReportEvent => event.do === 'report').sort((a, b) => a.at - b.at);
  return filed.filter(({ at, reporter, identifiers }) => {
    const strong = identifiers.filter(({ kind }) => kind !== 'ip');
    const first = !(strong.length === 0 ? identifiers : strong).some(({ hash }) => seen.has(hash));
    for (const { hash } of identifiers) seen.add(hash);
    return first && at >= from && at < until && (verified.size === 0 || verified.has(reporter));
  });
}

/** Returns the reports that are filed and not withdrawn at `at`. */
function standingReports(events: readonly LabEvent[], at: number): ReportEvent[] {
  const before = events.filter((event) => event.at < at);
  const removed = new Set(before.flatMap((event) => (event.do === 'remove' ? [event.id] : [])));
  return before.filter((event): event is ReportEvent => event.do === 'report' && !removed.has(event.id));
}
