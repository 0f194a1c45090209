// `npm run scoring:coverage -- SEEDS`: how well maps of Reliability and their intervals hold on later queries of
// simulated worlds. The second half of a world's queries with a match is judged. An operator fits the map again every
// 28 days, to all queries whose labels are known by then.
import { binOf, calibrationBins, calibrationError } from '../../src/lab/metrics/bins.ts';
import { fitCalibration } from '../../src/lab/fit-map.ts';
import type { Sample } from '../../src/lab/sample.ts';
import { DAY_MS } from '../../src/core/domain/day.ts';
import { createRandom } from '../../src/lab/random.ts';
import { betaProbability, betaQuantile } from '../../src/core/scoring/beta.ts';
import { createCalibration, type Calibration } from '../../src/core/scoring/calibration.ts';
import type { CalibrationMap } from '../../src/core/scoring/calibration-map.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../../src/core/scoring/model.ts';
import { PRESENT, readCandidates } from './candidates.ts';
import { drawWorld, FAMILY_NAMES } from './families.ts';
import { intervalOf, type Cell } from './intervals.ts';
import { answersOf, type TableCache } from './task.ts';
import { createWorldTask } from './world-task.ts';

const WORLDS = ['base', ...FAMILY_NAMES] as const;
const EPOCH_DAYS = 28;
/** A label is known after two epochs, because complaints take weeks. */
const LABEL_EPOCHS = 2;
/** Every later visit is asked about. */
const EVERY_VISIT = 1_000_000;
/** Fewer queries of a bin say nothing. */
const MIN_BIN_QUERIES = 10;
/** How queries are put into bins: by the answer, or by the chance before the map; over all later time, or by fifths. */
const BINS = [
  { name: 'answered', by: 'answered', times: 1 },
  { name: 'answered, by fifths of the time', by: 'answered', times: 5 },
  { name: 'before the map', by: 'stated', times: 1 },
  { name: 'before the map, by fifths of the time', by: 'stated', times: 5 },
] as const;
/** Half of them must be enough for a map. */
const MIN_WORLD_QUERIES = 400;
/** Queries of each world for one map of all worlds, so that a large world does not outweigh the others. */
const OF_EACH_WORLD = 100;
/** Labels drawn by the mapped chances, to measure the error that chance alone causes. */
const DRAWS = 20;
/** Rates over which the chance of a bin's queries is averaged. */
const QUANTILES = 200;

interface Asked extends Sample {
  readonly chance: number;
  readonly at: number;
}

/** The queries of an epoch that match a report. All have its time. */
interface AskedEpoch {
  readonly queries: readonly Asked[];
  /** Returns what a service with the map answers. */
  readonly answer: (calibration: CalibrationMap) => readonly Answer[];
}

/** A stated chance and the truth. */
type Answer = Pick<Asked, 'chance' | 'label'>;

/** Queries of one epoch, with the map that the operator has then. */
interface Answered {
  readonly queries: readonly Asked[];
  readonly calibrate: Calibration;
}

function epochsOf(world: (typeof WORLDS)[number], seed: number): AskedEpoch[] {
  const { options, ...simulation } = world === 'base' ? { seed, options: {} } : drawWorld(world, seed);
  const asking = { ...simulation, options: { ...options, queries: { ...options?.queries, count: EVERY_VISIT } } };
  const { epochs } = createWorldTask(world, String(seed), asking, { epochDays: EPOCH_DAYS, attacks: [] });
  const candidate = readCandidates(undefined).find(({ name }) => name === PRESENT)!;
  return epochs.map((epoch) => {
    const cache: TableCache = new Map();
    const answersBy = (model: ScoringModel): Answer[] =>
      answersOf({ ...candidate, model }, epoch, cache).map(({ chance, label }) => ({ chance: chance!, label }));
    return {
      queries: answersBy(candidate.model).map((answer) => ({ ...answer, score: answer.chance, at: epoch.at })),
      answer: (calibration) => answersBy(createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, calibration })),
    };
  });
}

function eceOf(answers: readonly Answer[]): number {
  const chances = Float64Array.from(answers, ({ chance }) => chance);
  const labels = Uint8Array.from(answers, ({ label }) => label);
  return calibrationError(calibrationBins(chances, labels, new Float64Array(answers.length).fill(1)));
}

function mapped(answered: readonly Answered[]): Answer[] {
  return answered.flatMap(({ queries, calibrate }) =>
    queries.map(({ chance, label }) => ({ chance: calibrate(chance), label })),
  );
}

/** Returns the mean ECE of answers that are right exactly as often as they say. */
function eceByChance(answers: readonly Answer[], seed: number): number {
  const random = createRandom(seed);
  let sum = 0;
  for (let draw = 0; draw < DRAWS; draw++)
    sum += eceOf(answers.map(({ chance }) => ({ chance, label: random() < chance ? 1 : 0 })));
  return sum / DRAWS;
}

/**
 * Tells for each of ten bins of chance, after the map or before it, whether its observed rate is inside the stated
 * interval. The interval is about the rate, and a bin has few queries, so their chance is added: the number of right
 * queries has the beta-binomial distribution of the interval's mean shapes. It is inside if it is between the quantiles
 * .025 and .975, where half of its own probability counts on each side.
 */
function insideOf(answered: readonly Answered[], by: 'answered' | 'stated'): boolean[] {
  const bins = Array.from({ length: 10 }, () => ({ ones: 0, zeros: 0, right: 0, count: 0 }));
  for (const { queries, calibrate } of answered)
    for (const { chance, label } of queries) {
      const worth = calibrate.worthOf(chance);
      if (worth === undefined) continue;
      const answer = calibrate(chance);
      const bin = bins[binOf(by === 'answered' ? answer : chance)]!;
      bin.ones += answer * worth + 0.5;
      bin.zeros += (1 - answer) * worth + 0.5;
      bin.right += label;
      bin.count++;
    }
  return bins
    .filter(({ count }) => count >= MIN_BIN_QUERIES)
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

/** Returns the figures of one world. Coverage is a share of bins, which are also counted. */
function figuresOf(epochs: readonly AskedEpoch[], seed: number) {
  const all = epochs.flatMap(({ queries }) => queries);
  const half = all[all.length >> 1]!.at;
  const later = epochs.filter(({ queries: [query] }) => query !== undefined && query.at >= half);
  const asked = later.flatMap(({ queries }) => queries);
  const maps = later.map(({ queries }) =>
    fitCalibration(all.filter(({ at }) => at <= queries[0]!.at - LABEL_EPOCHS * EPOCH_DAYS * DAY_MS)),
  );
  const answered = later.map(({ queries }, at): Answered => ({ queries, calibrate: createCalibration(maps[at]!) }));
  return {
    later: asked,
    raw: eceOf(asked),
    map: eceOf(mapped(answered)),
    chance: eceByChance(mapped(answered), seed),
    served: eceOf(later.flatMap(({ answer }, at) => answer(maps[at]!))),
    inside: {
      known: meanOf(answered, ({ worthOf }, chance) => (worthOf(chance) === undefined ? 0 : 1)),
      width: meanOf(answered, ({ intervalOf }, chance) => {
        const interval = intervalOf(chance);
        return interval && interval[1] - interval[0];
      }),
      bins: BINS.map(({ by, times }) =>
        Array.from({ length: times }, (_, time) =>
          insideOf(
            answered.filter((__, at) => Math.floor((times * at) / answered.length) === time),
            by,
          ),
        ).flat(),
      ),
    },
  };
}

/** Returns the mean over all queries for which `of` is defined. */
function meanOf(
  answered: readonly Answered[],
  of: (calibrate: Calibration, chance: number) => number | undefined,
): number {
  const values = answered.flatMap(({ queries, calibrate }) =>
    queries.flatMap(({ chance }) => of(calibrate, chance) ?? []),
  );
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

interface JudgedWorld {
  readonly group: string;
  readonly unit: string;
  readonly later: readonly Asked[];
}

/** Returns the ECE of each world by one map, fitted to queries of all of them. */
function byOneMap(worlds: readonly JudgedWorld[]): Cell[] {
  const pooled = worlds.flatMap(({ later }) =>
    Array.from({ length: OF_EACH_WORLD }, (_, at) => {
      const { chance, label, score } = later[Math.floor((at * later.length) / OF_EACH_WORLD)]!;
      return { chance, label, score };
    }),
  );
  const calibrate = createCalibration(fitCalibration(pooled));
  return worlds.map(({ group, unit, later }) => ({
    group,
    unit,
    value: eceOf(mapped([{ queries: later, calibrate }])),
  }));
}

const [from, to] = (process.argv[2] ?? '1-10').split('-').map(Number);
const seeds = Array.from({ length: to! - from! + 1 }, (_, at) => from! + at);
const percent = (inside: readonly boolean[]): string =>
  `${((100 * inside.filter(Boolean).length) / inside.length).toFixed(1)} % of ${inside.length}`;
const show = (cells: readonly Cell[]): string => {
  const { value, low, high } = intervalOf(cells, false);
  return `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
};

const FIGURES = ['raw', 'map', 'chance', 'served'] as const;
const everything = FIGURES.map(() => [] as Cell[]);
const judged: JudgedWorld[] = [];
const inside = BINS.map(() => [] as boolean[]);
for (const world of WORLDS) {
  const usable = seeds.flatMap((seed) => {
    const epochs = epochsOf(world, seed);
    return epochs.flatMap(({ queries }) => queries).length < MIN_WORLD_QUERIES
      ? []
      : [{ seed, ...figuresOf(epochs, seed) }];
  });
  if (usable.length === 0) continue;
  judged.push(...usable.map(({ seed, later }) => ({ group: world, unit: String(seed), later })));
  process.stdout.write(`${world}, ${usable.length} worlds\n`);
  for (const [at, name] of FIGURES.entries()) {
    const cells = usable.map((one): Cell => ({ group: world, unit: String(one.seed), value: one[name] }));
    everything[at]!.push(...cells);
    process.stdout.write(`  ECE ${name}: ${show(cells)}\n`);
  }
  const found = usable.map((one) => one.inside);
  const bins = BINS.map((_, at) => found.flatMap((one) => one.bins[at]!));
  for (const [at, part] of bins.entries()) inside[at]!.push(...part);
  const mean = (of: (one: (typeof found)[number]) => number): string =>
    (found.reduce((sum, one) => sum + of(one), 0) / found.length).toFixed(3);
  process.stdout.write(
    `  inside by map: ${bins.map(percent).join('; ')}; ` +
      `known ${mean(({ known }) => known)}, mean width ${mean(({ width }) => width)}\n`,
  );
}
process.stdout.write('all worlds\n');
for (const [at, name] of FIGURES.entries()) process.stdout.write(`  ECE ${name}: ${show(everything[at]!)}\n`);
process.stdout.write(`  ECE by one map for all worlds, fitted to their own labels: ${show(byOneMap(judged))}\n`);
for (const [at, { name }] of BINS.entries())
  process.stdout.write(`  inside in bins ${name}: by map ${percent(inside[at]!)}\n`);
