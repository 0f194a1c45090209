import type { Verdict } from '../domain/verdict.ts';

/** Rounds as the protocol shows it: points 0 to 100, reliability 0 to 10 with one decimal; a match is never zero in any of the three (silent: 4.4). */
export function toVerdict(points: number, reliability: number, reported: number): Verdict {
  if (reported === 0) return { points: 0, reported: 0, reliability: 0 };
  return {
    points: Math.min(100, Math.max(1, roundHalfUp(points))),
    reported,
    reliability: Math.min(10, Math.max(1, roundHalfUp(reliability * 10) / 10)),
  };
}

/** Half up on x + 1e-9: 0.665 is 0.66499… in binary and must still become 6.7. */
function roundHalfUp(x: number): number {
  return Math.floor(x + 0.5 + 1e-9);
}
