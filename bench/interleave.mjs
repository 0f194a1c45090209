import { Bench } from 'tinybench';
import { quantile } from './statistics.mjs';

/**
 * Times contenders in turn, in short slices of random order, so that a change of the machine's speed affects all of
 * them. A contender is an async function that does `unitsPerCall` units of work. In each slice, tinybench times
 * `callsPerSlice` calls by the clock `now`, in milliseconds. The first slice does not count. Returns microseconds per
 * unit: the median and quartiles of the slices.
 */
export async function timeInterleaved(contenders, options = {}) {
  const {
    slices = 40,
    callsPerSlice = 200,
    unitsPerCall = 1,
    random = Math.random,
    now = () => performance.now(),
  } = options;
  const bench = new Bench({ iterations: callsPerSlice, time: 0, warmup: false, throws: true, now });
  for (const [name, contender] of Object.entries(contenders)) bench.add(name, contender);
  const samples = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (const task of bench.tasks) await task.run();
  for (let slice = 0; slice < slices; slice++) {
    for (const task of [...bench.tasks].sort(() => random() - 0.5)) {
      task.reset();
      await task.run();
      samples[task.name].push((1000 * task.result.latency.mean) / unitsPerCall);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, list]) => [name, quartiles(list)]));
}

/** Returns the median and the quartiles of microseconds. */
export function quartiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    medianMicroseconds: quantile(sorted, 0.5),
    lowerQuartile: quantile(sorted, 0.25),
    upperQuartile: quantile(sorted, 0.75),
  };
}
