import { costOfThresholds, type JudgedQuery } from '../thresholds.ts';
import type { Estimate, Recommended, ThresholdEffect, Thresholds } from '../result.ts';
import { wilson } from './wilson.ts';

/** Shares of honest customers that a shop may accept to stop: 1, 10 and 50 of 1,000. */
const MAX_HONEST_SHARES = [0.001, 0.01, 0.05];

/** Thresholds of the table, beside the recommended ones. */
const SHOWN_EVERY = 5;

/**
 * Returns what each threshold would have stopped, and recommends thresholds: for each of three shares of honest
 * customers, the lowest threshold that stops no larger share. Both labels must occur.
 */
export function effectsOf(judged: readonly JudgedQuery[]): Thresholds {
  const all = costOfThresholds(
    judged.map(({ label, points }) => ({ label, points, kinds: [] })),
    Array.from({ length: 100 }, (_, at) => at + 1),
  );
  const recommended: Recommended[] = [];
  for (const honestMost of MAX_HONEST_SHARES) {
    const best = all.find(({ falsePositiveRate = 1 }) => falsePositiveRate <= honestMost);
    // A stricter limit may choose the same threshold. Then the stricter limit is the better description.
    if (best === undefined || best.blockedOnes === 0) continue;
    if (recommended.every(({ threshold }) => threshold !== best.threshold))
      recommended.push({ threshold: best.threshold, honestMost });
  }
  const isShown = (threshold: number): boolean =>
    threshold === 1 ||
    threshold % SHOWN_EVERY === 0 ||
    recommended.some((recommendation) => recommendation.threshold === threshold);
  const [{ ones: frauds, zeros: honest }] = all as [(typeof all)[number]];
  return {
    frauds,
    honest,
    effects: all
      .filter(({ threshold }) => isShown(threshold))
      .map(({ threshold, recall, falsePositiveRate }): ThresholdEffect => ({
        threshold,
        fraudsStopped: toEstimate(recall, frauds),
        honestStopped: toEstimate(falsePositiveRate, honest),
      })),
    recommended,
  };
}

function toEstimate(value = 0, cases: number): Estimate {
  const [low, high] = wilson(value, cases);
  // Rounding errors must not put the value outside its interval.
  return { value, low: Math.min(low, value), high: Math.max(high, value) };
}
