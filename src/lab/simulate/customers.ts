import { randomBeta, randomExponential } from 'd3-random';
import type { Line } from './lines.ts';
import { takeShare } from './shares.ts';
import type { Streams } from './streams.ts';
import { KINDS, type WorldOptions } from './world-options.ts';

/** Somebody who visits shops, under identifiers that change over time. */
export interface Customer {
  readonly index: number;
  readonly fraud: boolean;
  /** Chance that a visit turns bad; 0 for an honest one. */
  readonly badChance: number;
  /** Visits over the whole world, at least 1. */
  readonly visits: number;
  /** In the order of KINDS, without those that the customer does not have. A household's two share two of them. */
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
      // Of a mean of 1; stretched below.
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
  for (let i = 0; i + 1 < settled.length; i += 2) {
    const [one, other] = [settled[i]!, settled[i + 1]!];
    // The same objects: when a line is renewed, it is so for both. A household without a phone has none between them.
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
