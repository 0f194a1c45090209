import { DAY_MS } from '../../core/domain/day.ts';
import { MIN_GROUP_QUERIES, type Period } from '../result-parts.ts';
import type { Sample } from '../sample.ts';
import { estimatesOf } from './evaluate.ts';

/** Average length of a quarter. */
const QUARTER_MS = (365.25 / 4) * DAY_MS;
const TENTHS = 10;

/** A sample and the time of its query, milliseconds UTC. */
export interface TimedSample {
  readonly at: number;
  readonly sample: Sample;
}

/**
 * Returns figures by calendar quarter (UTC), or by tenth of the time if a tenth is shorter. Leaves out periods without
 * samples. Returns nothing if all samples have the same time.
 *
 * @param options as of `bootstrap`; the caller validates them.
 */
export function periodsOf(
  samples: readonly TimedSample[],
  options: { readonly seed: number; readonly resamples: number },
): Period[] {
  let [first, last] = [Infinity, -Infinity];
  for (const { at } of samples) [first, last] = [Math.min(first, at), Math.max(last, at)];
  if (!(first < last)) return [];
  const tenth = (last - first) / TENTHS;
  const numberOf =
    tenth < QUARTER_MS ? (at: number) => Math.min(TENTHS - 1, Math.floor((at - first) / tenth)) : quarterOf;
  const startOf = tenth < QUARTER_MS ? (number: number) => first + number * tenth : startOfQuarter;

  const byNumber = new Map<number, Sample[]>();
  for (const { at, sample } of samples) {
    const number = numberOf(at);
    const others = byNumber.get(number);
    if (others === undefined) byNumber.set(number, [sample]);
    else others.push(sample);
  }
  return [...byNumber]
    .sort(([a], [b]) => a - b)
    .map(([number, own]): Period => {
      const positives = own.filter(({ label }) => label === 1).length;
      const known = own.length >= MIN_GROUP_QUERIES && positives > 0 && positives < own.length;
      const { rocAuc, prAuc } = known ? estimatesOf(own, options) : {};
      return {
        from: new Date(startOf(number)).toISOString(),
        to: new Date(startOf(number + 1)).toISOString(),
        judged: own.length,
        positives,
        ...(rocAuc && { rocAuc }),
        ...(prAuc && { prAuc }),
      };
    });
}

function quarterOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 4 + Math.floor(date.getUTCMonth() / 3);
}

function startOfQuarter(quarter: number): number {
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(Math.floor(quarter / 4), (quarter % 4) * 3);
}
