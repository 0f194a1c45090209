/**
 * Rounds parts to whole numbers that add up to `total`, by largest remainder. The parts, which are not negative, add up
 * to about `total`.
 */
export function apportion(parts: readonly number[], total: number): number[] {
  const rounded = parts.map(Math.floor);
  const missing = total - rounded.reduce((sum, part) => sum + part, 0);
  const byRemainder = parts.map((part, at) => [part - Math.floor(part), at] as const).sort(([a], [b]) => b - a);
  for (const [, at] of byRemainder.slice(0, Math.max(0, missing))) rounded[at]!++;
  return rounded;
}
