import { isLong } from './budget.ts';

/** The number of cases for a law, for `fc.assert`: enough to see it broken, and many under `npm run test:long`. */
export function cases(ordinary: number, long: number): { readonly numRuns: number } {
  return { numRuns: isLong ? long : ordinary };
}
