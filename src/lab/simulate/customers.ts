import { randomBeta, randomExponential } from 'd3-random';
import { takeShare, type Streams } from './draws.ts';
import type { Line } from './lines.ts';
import { KINDS, type WorldOptions } from './world-options.ts';

export interface Customer {
  readonly index: number;
  readonly fraud: boolean;
  /** Probability that a visit turns bad; 0 for an honest customer. */
  readonly badChance: number;
  /** Visits over the whole world, at least 1. */
  readonly visits: number;
  /** Lines in the order of KINDS; missing kinds are omitted. The two customers of a household share phone and ip. */
  readonly lines: readonly Line[];
}

export function createCustomers(
  { customers: count, visits, fraud, households, kinds }: WorldOptions,
  streams: Streams,
): Customer[] {
  const drawn = Array.from({ length: count }, (_, index) => {
    const random = streams('customer', index);
    return {
      index,
      fraudRank: random(),
      householdRank: random(),
      // The mean is 1; the numbers are scaled below.
      visits: randomExponential.source(random)(1)(),
      lines: KINDS.filter((kind) => random() < kinds[kind].share).map((kind): Line => ({
        kind,
        hash: '',
        until: 0,
        handedOn: false,
      })),
    };
  });
  const frauds = new Set(takeShare(drawn, fraud.share, (c) => c.fraudRank));

  const settled = takeShare(
    drawn.filter((c) => !frauds.has(c)),
    households,
    (c) => c.householdRank,
  );
  for (let i = 0; i < settled.length; i += 2) {
    const [one, other] = settled.slice(i, i + 2);
    if (one === undefined || other === undefined) break;
    // Share the line objects: if a line is renewed, it is renewed for both. If the first customer has no phone, the
    // other has none.
    other.lines = KINDS.flatMap((kind) =>
      (kind === 'phone' || kind === 'ip' ? one : other).lines.filter((line) => line.kind === kind),
    );
  }

  return drawn.map((c) => {
    const isFraud = frauds.has(c);
    return {
      index: c.index,
      fraud: isFraud,
      badChance: isFraud ? randomBeta.source(streams('bad chance', c.index))(fraud.alpha, fraud.beta)() : 0,
      visits: Math.max(1, Math.floor(c.visits * visits.mean * (isFraud ? visits.fraudFactor : 1))),
      lines: c.lines,
    };
  });
}
