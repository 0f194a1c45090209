import { randomExponential, randomNormal } from 'd3-random';
import type { Identifier } from '../../domain/identifier.ts';
import { SEVERITY } from '../../domain/report.ts';
import type { RemoveEvent, ReportEvent } from '../event.ts';
import type { Reporter } from './reporters.ts';
import { DAY_MS, START_MS } from './start.ts';
import type { Random } from './streams.ts';
import type { WorldOptions } from './world-options.ts';

/** A visit that its shop reports. */
export interface Case {
  /** Names the reports. */
  readonly name: string;
  readonly reporter: Reporter;
  /** Milliseconds since the start of the world. */
  readonly at: number;
  readonly identifiers: readonly Identifier[];
  /** Whether the customer is a fraudster: only then the report is true. */
  readonly fraud: boolean;
}

/** Each as often as the others; the default model tells no difference. */
const TYPES = ['chargeback', 'fraud', 'nonpayment', 'stolen_card'] as const;

/** All that comes of one case: the report, a lazy reporter's repeats, and their withdrawal; `until` is when that is, in milliseconds since the start of the world. */
export function reportCase(
  one: Case,
  { reporting, severity }: WorldOptions,
  random: Random,
): { events: (ReportEvent | RemoveEvent)[]; until: number } {
  const withdrawn = random() < reporting.withdrawn && !one.fraud;
  const after = randomExponential.source(random)(1 / reporting.withdrawnAfterDays)() * DAY_MS;
  const until = withdrawn ? one.at + Math.ceil(after) : Infinity;

  const type = TYPES[Math.floor(random() * TYPES.length)]!;
  const [mean, deviation] = one.fraud ? severity.fraud : severity.honest;
  const stated = randomNormal.source(random)(mean, deviation)() + one.reporter.severityBias;
  const jitter = randomNormal.source(random)(0, severity.repeat);
  const times = randomExponential.source(random)(1)() * reporting.repeats;
  const repeats = one.reporter.lazy ? Math.round(times) : 0;

  const reports: ReportEvent[] = [];
  for (let i = 0; i <= repeats; i++) {
    const at = one.at + Math.round(i * reporting.repeatEveryDays * DAY_MS);
    // Nobody repeats what was taken back.
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
  return Math.min(SEVERITY.most, Math.max(SEVERITY.least, Math.round(value)));
}
