// `npm run scoring:coverage -- SEEDS`: how well maps of Reliability and their intervals hold on later queries of
// simulated worlds. A map is fitted to the first half of a world's queries with a match, and judged on the second half.
import { binOf, calibrationBins, calibrationError } from '../../src/lab/metrics/bins.ts';
import { createAuditSample } from '../../src/lab/audit-sample.ts';
import { fitCalibration } from '../../src/lab/fit-map.ts';
import { fitShift } from '../../src/lab/fit-shift.ts';
import type { Sample } from '../../src/lab/sample.ts';
import { betaProbability, betaQuantile } from '../../src/scoring/beta.ts';
import { createCalibration, type Calibration } from '../../src/scoring/calibration.ts';
import { PRESENT, readCandidates } from './candidates.ts';
import { drawWorld } from './families.ts';
import { intervalOf, type Cell } from './intervals.ts';
import { answersOf } from './task.ts';
import { createWorldTask } from './world-task.ts';

const WORLDS = ['base', 'drifting', 'mixed'] as const;
const AUDITED = 100;
/** Fewer queries of a bin say nothing. */
const LEAST_IN_BIN = 10;
/** Blocks of time of the later queries, for the bins of one time. */
const TIMES = 5;
/** A map needs 50 queries in the first half. Worlds of families with few queries are left out. */
const LEAST_IN_WORLD = 200;
/** Rates over which the chance of a bin's queries is averaged. */
const QUANTILES = 200;

interface Asked extends Sample {
  readonly chance: number;
  readonly at: number;
}

/** Returns the queries of a world that match a report, in order of time. `at` is their number. */
function queriesOf(world: (typeof WORLDS)[number], seed: number): Asked[] {
  const simulation = world === 'base' ? { seed } : drawWorld(world, seed);
  const { epochs } = createWorldTask(world, String(seed), simulation, { epochDays: 28, attacks: [] });
  const candidate = readCandidates(undefined).find(({ name }) => name === PRESENT)!;
  return epochs
    .flatMap((epoch) => answersOf(candidate, epoch, new Map()))
    .map(({ chance, label }, at) => ({ chance: chance!, label, score: chance!, at }));
}

function auditOf(queries: readonly Asked[], seed: number): Asked[] {
  const sample = createAuditSample({ size: AUDITED, seed });
  for (const { at, chance } of queries)
    sample.offer({
      number: at,
      line: at,
      at,
      group: undefined,
      reported: 1,
      answers: [{ chance, verdict: { points: 1, reported: 1, reliability: 1 } }],
    });
  return sample.choose().map(({ number }) => queries[number]!);
}

function eceOf(queries: readonly Asked[], map: (chance: number) => number): number {
  const chances = Float64Array.from(queries, ({ chance }) => map(chance));
  const labels = Uint8Array.from(queries, ({ label }) => label);
  return calibrationError(calibrationBins(chances, labels, new Float64Array(queries.length).fill(1)));
}

/**
 * Tells for each of ten bins of stated chance whether its observed rate is inside the stated interval. The interval is
 * about the rate, and a bin has few queries, so their chance is added: the number of right queries has the
 * beta-binomial distribution of the interval's mean shapes. It is inside if it is between the quantiles .025 and .975,
 * where half of its own probability counts on each side.
 */
function insideOf(queries: readonly Asked[], calibrate: Calibration): boolean[] {
  const bins = Array.from({ length: 10 }, () => ({ ones: 0, zeros: 0, right: 0, count: 0 }));
  for (const { chance, label } of queries) {
    const worth = calibrate.worthOf(chance);
    if (worth === undefined) continue;
    const bin = bins[binOf(chance)]!;
    bin.ones += calibrate(chance) * worth + 0.5;
    bin.zeros += (1 - calibrate(chance)) * worth + 0.5;
    bin.right += label;
    bin.count++;
  }
  return bins
    .filter(({ count }) => count >= LEAST_IN_BIN)
    .map(({ ones, zeros, right, count }) => {
      const below = rankOf(right, count, ones / count, zeros / count);
      return below >= 0.025 && below <= 0.975;
    });
}

/** Returns the probability of fewer right queries, and half that of as many, averaged over quantiles of the rate. */
function rankOf(right: number, count: number, ones: number, zeros: number): number {
  const atMost = (most: number, rate: number): number =>
    most < 0 ? 0 : most >= count ? 1 : 1 - betaProbability(rate, most + 1, count - most);
  let sum = 0;
  for (let i = 0; i < QUANTILES; i++) {
    const rate = betaQuantile((i + 0.5) / QUANTILES, ones, zeros);
    sum += (atMost(right, rate) + atMost(right - 1, rate)) / 2;
  }
  return sum / QUANTILES;
}

/** Returns the figures of one world by name. Coverage is a share of bins, which are also counted. */
function figuresOf(queries: readonly Asked[], seed: number) {
  const half = queries.length >> 1;
  const [first, later] = [queries.slice(0, half), queries.slice(half)];
  const population = first.map(({ chance }) => chance);
  const maps = { map: fitCalibration(first), shift: fitShift(auditOf(first, seed), population).map };
  const times = Array.from({ length: TIMES }, (_, time) =>
    later.slice(Math.floor((later.length * time) / TIMES), Math.floor((later.length * (time + 1)) / TIMES)),
  );
  return {
    raw: eceOf(later, (chance) => chance),
    map: eceOf(later, createCalibration(maps.map)),
    shift: eceOf(later, createCalibration(maps.shift)),
    inside: Object.entries(maps).map(([name, map]) => {
      const calibrate = createCalibration(map);
      return {
        name,
        known: later.filter(({ chance }) => calibrate.worthOf(chance) !== undefined).length / later.length,
        width: meanWidth(later, calibrate),
        all: insideOf(later, calibrate),
        byTime: times.flatMap((part) => insideOf(part, calibrate)),
      };
    }),
  };
}

function meanWidth(queries: readonly Asked[], calibrate: Calibration): number {
  const widths = queries.flatMap(({ chance }) => {
    const interval = calibrate.intervalOf(chance);
    return interval === undefined ? [] : [interval[1] - interval[0]];
  });
  return widths.reduce((sum, width) => sum + width, 0) / widths.length;
}

const [from, to] = (process.argv[2] ?? '1-10').split('-').map(Number);
const seeds = Array.from({ length: to! - from! + 1 }, (_, at) => from! + at);
const percent = (inside: readonly boolean[]): string =>
  `${((100 * inside.filter(Boolean).length) / inside.length).toFixed(1)} % of ${inside.length}`;
const show = (cells: readonly Cell[]): string => {
  const { value, low, high } = intervalOf(cells, false);
  return `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
};

const everything = { map: [] as boolean[], shift: [] as boolean[] };
for (const world of WORLDS) {
  const usable = seeds.flatMap((seed) => {
    const queries = queriesOf(world, seed);
    return queries.length < LEAST_IN_WORLD ? [] : [{ seed, ...figuresOf(queries, seed) }];
  });
  process.stdout.write(`${world}, ${usable.length} worlds\n`);
  for (const name of ['raw', 'map', 'shift'] as const)
    process.stdout.write(
      `  ECE ${name}: ${show(usable.map((one) => ({ group: world, unit: String(one.seed), value: one[name] })))}\n`,
    );
  for (const name of ['map', 'shift'] as const) {
    const found = usable.map(({ inside }) => inside.find((one) => one.name === name)!);
    const all = found.flatMap((one) => one.all);
    everything[name].push(...all);
    const mean = (of: (one: (typeof found)[number]) => number): string =>
      (found.reduce((sum, one) => sum + of(one), 0) / found.length).toFixed(3);
    process.stdout.write(
      `  inside by ${name}: ${percent(all)}; by time ${percent(found.flatMap((one) => one.byTime))}; ` +
        `known ${mean((one) => one.known)}, mean width ${mean((one) => one.width)}\n`,
    );
  }
}
process.stdout.write(`all: inside by map ${percent(everything.map)}, by shift ${percent(everything.shift)}\n`);
