/**
 * Exactly this share of things, rounded: those of the lowest rank, lowest first. With ranks that are drawn once, a larger share holds the smaller one's things,
 * so that two worlds of one seed differ in what was changed and no more. A coin for each thing would make a share of 80 reporters vary by a third.
 */
export function takeShare<T>(things: readonly T[], share: number, rank: (thing: T) => number): T[] {
  const count = Math.round(things.length * share);
  return [...things].sort((a, b) => rank(a) - rank(b)).slice(0, count);
}
