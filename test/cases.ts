/** How many cases a law is tried with: enough to see it broken, and many in the slow tests. For `fc.assert`. */
export function cases(ordinary: number, slow: number): { readonly numRuns: number } {
  return { numRuns: process.env['SLOW'] === '1' ? slow : ordinary };
}
