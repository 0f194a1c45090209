import { randomNormal, randomPareto } from 'd3-random';
import { takeShare } from './shares.ts';
import type { Streams } from './streams.ts';
import type { Range, WorldOptions } from './world-options.ts';

/** A shop: customers visit it, and it reports some of them. */
export interface Reporter {
  readonly name: string;
  /** Visits come in proportion to it. */
  readonly size: number;
  readonly copying: boolean;
  readonly lazy: boolean;
  readonly verified: boolean;
  /** Chances to report a bad visit and any other; a copying reporter looks at neither. */
  readonly badChance: number;
  readonly honestChance: number;
  /** Added to each severity that it states. */
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
  // From the other end of the ranks: more of the one habit leaves those of the other as they are.
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
