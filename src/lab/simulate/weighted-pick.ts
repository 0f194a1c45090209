/** Turns a number from 0 to below 1 into the index of a weight, each as often as its share of all weights. */
export function createWeightedPick(weights: readonly number[]): (at: number) => number {
  const sums: number[] = [];
  for (const weight of weights) sums.push((sums.at(-1) ?? 0) + weight);
  const total = sums.at(-1) ?? 0;
  return (at) => {
    const wanted = at * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
