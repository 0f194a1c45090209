import { randomNormal, randomPareto } from 'd3-random';
import { DAY_MS } from '../../core/domain/day.ts';
import { takeShare, type Streams } from './draws.ts';
import type { Range, WorldOptions } from './world-options.ts';

export interface Reporter {
  readonly name: string;
  /** The reporter's share of visits is proportional to this. */
  readonly size: number;
  readonly copying: boolean;
  readonly lazy: boolean;
  readonly verified: boolean;
  readonly colluding: boolean;
  /** Probabilities of reporting a bad visit and any other visit, in the middle of the world. Unused for copying. */
  readonly badChance: number;
  readonly honestChance: number;
  /** Logarithms by which the two probabilities change from the middle of the world to its end. */
  readonly drift: { readonly bad: number; readonly honest: number };
  /** First and last time at which the reporter is active, milliseconds since the start of the world. */
  readonly active: Range;
  /** Added to each severity that the shop states. */
  readonly severityBias: number;
}

export function createReporters(
  { reporters: count, reporting, severity, days }: WorldOptions,
  streams: Streams,
): Reporter[] {
  const drawn = Array.from({ length: count }, (_, index) => {
    const random = streams('reporter', index);
    // A stream of its own, so that these options leave the other draws unchanged.
    const later = streams('reporter in time', index);
    const drift = randomNormal.source(later)(0, reporting.drift);
    const firstDay = later() * Math.max(0, days - reporting.activeDays);
    return {
      drift: { bad: drift(), honest: drift() },
      active: [firstDay * DAY_MS, (firstDay + reporting.activeDays) * DAY_MS] as const,
      colludingRank: later(),
      index,
      size: randomPareto.source(random)(reporting.sizeExponent)(),
      habitRank: random(),
      lazyRank: random(),
      verifiedRank: random(),
      bad: random(),
      honest: random(),
      severityBias: randomNormal.source(random)(0, severity.reporter)(),
    };
  });
  const copying = new Set(takeShare(drawn, reporting.copying, (r) => r.habitRank));
  // Take from the other end of the ranks: then, a larger share of one habit does not change the reporters with the
  // other.
  const careless = new Set(takeShare(drawn, reporting.careless, (r) => -r.habitRank).filter((r) => !copying.has(r)));
  const lazy = new Set(takeShare(drawn, reporting.lazy, (r) => r.lazyRank));
  const verified = new Set(
    takeShare(
      drawn.filter((r) => !copying.has(r)),
      reporting.verified,
      (r) => r.verifiedRank,
    ),
  );

  const colluding = new Set(
    takeShare(
      drawn.filter((r) => !copying.has(r)),
      reporting.colluding,
      (r) => r.colludingRank,
    ),
  );

  return drawn.map((r) => ({
    name: `shop ${r.index + 1}`,
    size: r.size,
    copying: copying.has(r),
    colluding: colluding.has(r),
    drift: r.drift,
    active: r.active,
    lazy: lazy.has(r),
    verified: verified.has(r),
    badChance: within(reporting.bad, r.bad),
    honestChance: within(careless.has(r) || colluding.has(r) ? reporting.carelessHonest : reporting.honest, r.honest),
    severityBias: r.severityBias,
  }));
}

/** Returns the probability that a reporter who does not copy reports a visit at `share` of the world, 0 to 1. */
export function chanceAt({ badChance, honestChance, drift }: Reporter, bad: boolean, share: number): number {
  const change = (bad ? drift.bad : drift.honest) * (2 * share - 1);
  return Math.min(0.95, (bad ? badChance : honestChance) * Math.exp(change));
}

function within([low, high]: Range, at: number): number {
  return low + (high - low) * at;
}
