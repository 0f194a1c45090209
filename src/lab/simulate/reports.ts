import { randomExponential, randomNormal } from 'd3-random';
import type { Identifier } from '../../core/domain/identifier.ts';
import { SEVERITY } from '../../core/domain/report.ts';
import type { RemoveEvent, ReportEvent } from '../event.ts';
import { DAY_MS } from '../../core/domain/day.ts';
import { pick, type Random } from './draws.ts';
import type { Reporter } from './reporters.ts';
import { START_MS, type WorldOptions } from './world-options.ts';

/** A visit that its shop reports. Times are milliseconds since the start of the world. */
export interface Case {
  /** Prefix of the ids of its reports. */
  readonly name: string;
  readonly reporter: Reporter;
  readonly at: number;
  readonly identifiers: readonly Identifier[];
  /** True if the customer is a fraudster, so the report is true. */
  readonly fraud: boolean;
}

/** Equally likely; the default model treats them alike. */
const TYPES: readonly string[] = ['chargeback', 'fraud', 'nonpayment', 'stolen_card'];

/**
 * Returns the events of a case: the report, the repeats of a lazy reporter, and their withdrawal at `until`. `until` is
 * in milliseconds since the start of the world. Infinity means no withdrawal.
 */
export function reportCase(
  one: Case,
  { reporting, severity }: WorldOptions,
  random: Random,
): { events: (ReportEvent | RemoveEvent)[]; until: number } {
  const withdrawn = random() < reporting.withdrawn && !one.fraud;
  const after = randomExponential.source(random)(1 / reporting.withdrawnAfterDays)() * DAY_MS;
  const until = withdrawn ? one.at + Math.ceil(after) : Infinity;

  const type = pick(TYPES, random);
  const [mean, deviation] = one.fraud ? severity.fraud : severity.honest;
  const stated = randomNormal.source(random)(mean, deviation)() + one.reporter.severityBias;
  const jitter = randomNormal.source(random)(0, severity.repeat);
  const times = randomExponential.source(random)(1)() * reporting.repeats;
  const repeats = one.reporter.lazy ? Math.round(times) : 0;

  const reports: ReportEvent[] = [];
  for (let i = 0; i <= repeats; i++) {
    const at = one.at + Math.round(i * reporting.repeatEveryDays * DAY_MS);
    // A withdrawn report is not repeated.
    if (at >= until) break;
    reports.push({
      at: START_MS + at,
      do: 'report',
      id: i === 0 ? one.name : `${one.name}#${i + 1}`,
      reporter: one.reporter.name,
      type,
      severity: toSeverity(i === 0 ? stated : stated + jitter()),
      identifiers: one.identifiers,
    });
  }
  const removals = withdrawn ? reports.map(({ id }): RemoveEvent => ({ at: START_MS + until, do: 'remove', id })) : [];
  return { events: [...reports, ...removals], until };
}

function toSeverity(value: number): number {
  return Math.min(SEVERITY.max, Math.max(SEVERITY.min, Math.round(value)));
}

/** Who reported which identifier, and until when. Copying reporters use this record. All times have the same unit. */
export interface PublicRecord {
  add(hashes: readonly string[], reporter: string, until: number): void;
  /** True if another reporter's report on the hash is not withdrawn. */
  hasAnother(hash: string, reporter: string, at: number): boolean;
  /** True if the hash was ever reported, even if withdrawn since. */
  has(hash: string): boolean;
}

export function createPublicRecord(): PublicRecord {
  const byHash = new Map<string, { reporter: string; until: number }[]>();
  return {
    add(hashes, reporter, until) {
      for (const hash of hashes) {
        const entries = byHash.get(hash);
        if (entries === undefined) byHash.set(hash, [{ reporter, until }]);
        else entries.push({ reporter, until });
      }
    },
    hasAnother: (hash, reporter, at) =>
      byHash.get(hash)?.some((entry) => entry.reporter !== reporter && entry.until > at) ?? false,
    has: (hash) => byHash.has(hash),
  };
}
