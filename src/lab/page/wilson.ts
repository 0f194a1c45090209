/** Normal quantile of a 95 % interval. */
const Z = 1.959964;

/** Between which shares the truth lies with 95 % confidence when `share` of `count` was seen (Wilson's interval: right for small counts, too). */
export function wilson(share: number, count: number): readonly [low: number, high: number] {
  if (count <= 0) return [0, 1];
  const square = (Z * Z) / count;
  const middle = (share + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
