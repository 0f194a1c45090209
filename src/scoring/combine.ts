import type { LinkClaimConstants } from './constants.ts';
import type { Standing } from './evidence.ts';
import type { VoicePart } from './explanation.ts';

/** One reporter's strength in one of the two sums. */
export interface Strength {
  readonly reporterId: string;
  readonly standing: Standing;
  /** a, 0 to 1. */
  readonly strength: number;
}

/**
 * S = V · (1 − Π over established (1 − a/V) · Π over the others, strongest first, (1 − a/V · ρ^j)), as a sum: each voice adds what it takes from the
 * silence that the ones before it left. `unit` is the number that S = 1 stands for.
 */
export function combine<T extends Strength>(
  voices: readonly T[],
  reach: number,
  constants: LinkClaimConstants,
  unit: number,
): { readonly total: number; readonly parts: readonly (VoicePart & { readonly voice: T })[] } {
  let total = 0;
  let silent = 1;
  let crowd = 1;
  const parts = [...voices].sort(strongestFirst).map((voice) => {
    const discount = voice.standing.established ? 1 : crowd;
    if (!voice.standing.established) crowd *= constants.crowdFactor;
    const heard = reach === 0 ? 0 : Math.min(constants.voiceMost, voice.strength / reach) * discount;
    const part = unit * reach * silent * heard;
    silent *= 1 - heard;
    total += part;
    return { voice, strength: voice.strength, discount, part };
  });
  return { total, parts };
}

/** The crowd's discount needs the order, and a fixed one makes the float sums independent of the order of reports. */
function strongestFirst(a: Strength, b: Strength): number {
  return (
    b.strength - a.strength ||
    Number(b.standing.established) - Number(a.standing.established) ||
    (a.reporterId < b.reporterId ? -1 : 1)
  );
}
