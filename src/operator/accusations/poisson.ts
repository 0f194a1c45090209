/**
 * Returns the chance of at least `count` events under a Poisson distribution with this mean. `count` is a whole number,
 * `mean` above 0. For a `count` up to the mean, returns 1: callers only ask about unusually many.
 */
export function poissonTail(count: number, mean: number): number {
  if (count <= mean) return 1;
  let logTerm = -mean;
  for (let n = 1; n <= count; n++) logTerm += Math.log(mean / n);
  // From the largest term on: 1 minus the sum of the others would cancel to 0.
  let term = Math.exp(logTerm);
  let tail = 0;
  for (let n = count + 1; term > tail * 1e-12; n++) {
    tail += term;
    term *= mean / n;
  }
  return Math.min(1, tail);
}
