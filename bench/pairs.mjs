import { quantile } from './slices.mjs';

/**
 * Times contenders in turn, in short slices of random order, so that a change of the machine's speed meets all alike.
 * Each contender is `async (count) => void` and does `count` units of work. Gives microseconds a unit: median and quartiles.
 */
export async function timePairs(contenders, { slices = 40, unitsPerSlice = 200, random = Math.random } = {}) {
  const names = Object.keys(contenders);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await contenders[name](unitsPerSlice);
  for (let slice = 0; slice < slices; slice++) {
    for (const name of [...names].sort(() => random() - 0.5)) {
      const start = process.hrtime.bigint();
      await contenders[name](unitsPerSlice);
      samples[name].push(Number(process.hrtime.bigint() - start) / 1000 / unitsPerSlice);
    }
  }
  return Object.fromEntries(names.map((name) => [name, quartiles(samples[name])]));
}

function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    medianMicroseconds: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
  };
}
