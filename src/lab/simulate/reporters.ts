import { randomNormal, randomPareto } from 'd3-random';
import { takeShare, type Streams } from './draws.ts';
import type { Range, WorldOptions } from './world-options.ts';

export interface Reporter {
  readonly name: string;
  /** The reporter's share of visits is proportional to this. */
  readonly size: number;
  readonly copying: boolean;
  readonly lazy: boolean;
  readonly verified: boolean;
  /** Probabilities of reporting a bad visit and any other visit. Unused for a copying reporter. */
  readonly badChance: number;
  readonly honestChance: number;
  /** Added to each severity that the shop states. */
  readonly severityBias: number;
}

export function createReporters({ reporters: count, reporting, severity }: WorldOptions, streams: Streams): Reporter[] {
  const drawn = Array.from({ length: count }, (_, index) => {
    const random = streams('reporter', index);
    return {
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

  return drawn.map((r) => ({
    name: `shop ${r.index + 1}`,
    size: r.size,
    copying: copying.has(r),
    lazy: lazy.has(r),
    verified: verified.has(r),
    badChance: within(reporting.bad, r.bad),
    honestChance: within(careless.has(r) ? reporting.carelessHonest : reporting.honest, r.honest),
    severityBias: r.severityBias,
  }));
}

function within([low, high]: Range, at: number): number {
  return low + (high - low) * at;
}
