import { waited } from './hash-processes.mjs';

export { quantile, seeded } from './statistics.mjs';

const SLICE_NS = 8e6;
const MAX_TRIES = 10;
const WAKING_NS = 2e5;

/** Does a fixed amount of work and returns its nanoseconds. If two results differ, the machine's speed has changed. */
function calibrate() {
  const start = process.hrtime.bigint();
  let x = 1;
  for (let i = 0; i < 300_000; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0;
  // Use the result, so that the compiler cannot remove the loop.
  return Number.isInteger(x) ? Number(process.hrtime.bigint() - start) : 0;
}

/**
 * Times cases `{ contender, values }` in short slices of random order. A slice counts only if its process hardly waited
 * for a core, and if the machine was equally fast before and after it. The digests of every slice are compared with
 * those of all other contenders. Resolves, by name, with sorted nanoseconds per identifier of `rounds` rounds, and with
 * the number of rejected slices.
 */
export async function timeSlices(cases, { slices, rounds, random, expect }) {
  const empty = () => Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  const [samples, steady] = [empty(), empty()];
  const lengths = {};
  for (const [name, { contender, values }] of Object.entries(cases)) {
    // Warm up until the optimised code runs.
    for (let i = 0; i < 4; i++) await contender.run(values, 2000);
    const { nanoseconds } = await contender.run(values, 2000);
    lengths[name] = Math.max(100, Math.min(rounds, Math.round(((SLICE_NS / nanoseconds) * 2000) / 100) * 100));
  }
  let rejected = 0;
  for (let slice = 0; slice < slices; slice++) {
    for (const name of Object.keys(cases)
      .map((key) => [random(), key])
      .sort(([a], [b]) => a - b)
      .map(([, key]) => key)) {
      const { contender, values } = cases[name];
      for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
        await contender.run(values, 100);
        const [before, waitBefore] = [calibrate(), waited(contender.pid)];
        const { nanoseconds, digests } = await contender.run(values, lengths[name]);
        const [after, waitAfter] = [calibrate(), waited(contender.pid)];
        expect(values, lengths[name], digests, name);
        const sample = (nanoseconds / values.length / lengths[name]) * rounds;
        const isSteady = Math.abs(after - before) < 0.07 * Math.min(after, before);
        // After a wake-up, a process waits briefly for the process that woke it. This wait does not count.
        const isAlone = waitAfter === undefined || waitAfter - waitBefore < 0.01 * nanoseconds + WAKING_NS;
        if (isSteady) steady[name].push(sample);
        if (isSteady && isAlone) {
          samples[name].push(sample);
          break;
        }
        rejected++;
        // A contender with several threads on the core always waits, so count its steady slices.
        if (samples[name].length === 0 && steady[name].length >= slices) break;
      }
    }
  }
  for (const [name, list] of Object.entries(samples)) {
    if (list.length < slices / 2) samples[name] = steady[name];
    if (samples[name].length < slices / 2)
      throw new Error(
        `${name}: only ${samples[name].length} of ${slices} slices were undisturbed; end other programs and retry`,
      );
    samples[name].sort((a, b) => a - b);
  }
  return { samples, rejected };
}
