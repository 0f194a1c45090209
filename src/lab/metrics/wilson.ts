/** Normal quantile of a 95 % interval. */
const Z = 1.959964;

/** Returns Wilson's 95 % confidence interval of a share of `count` cases. Also valid for small counts. */
export function wilson(share: number, count: number): readonly [low: number, high: number] {
  if (count <= 0) return [0, 1];
  const square = (Z * Z) / count;
  const middle = (share + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
