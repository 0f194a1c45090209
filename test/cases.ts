/** The number of cases for a law, for `fc.assert`: enough to see it broken, and many in the slow tests. */
export function cases(ordinary: number, slow: number): { readonly numRuns: number } {
  return { numRuns: process.env['SLOW'] === '1' ? slow : ordinary };
}
