// `npm run scoring:boosted`: compares the default model with boosted trees on the same evidence. Decision 83 describes
// the protocol.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { averaged } from './averaged.ts';
import { loadBoostedTrees } from './boosted-trees.ts';
import { readCandidates } from './candidates.ts';
import { drawWorld, FAMILY_NAMES, isHeldOut } from './families.ts';
import { drawSample, toCsv, type FeatureSample } from './feature-sample.ts';
import { meanOf } from './intervals.ts';
import { compareFamilies, type Comparison } from './leave-one-out.ts';
import { cellsOf, paired, print, short, showInterval, signed } from './print.ts';
import { createWorldTask } from './world-task.ts';

const HELP = `npm run scoring:boosted -- [options]

  --worlds N   worlds of each family, a third of them held out (default 6)
  --held-out   judge the worlds that are never used for choosing, and no others
  --seed N     seed of the boosted model and of the importance of features (default 1)
  --rows FILE  also write the features, label and Points of every query as CSV, for other libraries
  --quick      one judged world of each of four families
`;

interface Options {
  readonly worlds: number;
  readonly heldOut: boolean;
  readonly seed: number;
  readonly rows: string | undefined;
  readonly quick: boolean;
}

const MAX_WORLDS = 1000;
const MAX_SEED = 1e9;
const FIRST_HELD_OUT = 2;
const QUICK_FAMILIES = 4;
const FEATURES_SHOWN = 5;
/** Trainings per judged family, whose chances are averaged. */
const MEMBERS = 5;

function refuse(why: string): never {
  process.stderr.write(`scoring:boosted: ${why}\n`);
  process.exit(1);
}

function readValues() {
  try {
    return parseArgs({
      options: {
        worlds: { type: 'string', default: '6' },
        'held-out': { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        rows: { type: 'string' },
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    // The message of `parseArgs` may have several lines.
    return refuse((error as Error).message.split('\n', 1)[0]!);
  }
}

function readOptions(): Options {
  const values = readValues();
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const [worlds, seed] = [Number(values.worlds), Number(values.seed)];
  if (!Number.isInteger(worlds) || worlds < 1 || worlds > MAX_WORLDS)
    refuse(`--worlds expects a whole number from 1 to ${MAX_WORLDS}`);
  if (!Number.isInteger(seed) || seed < 0 || seed > MAX_SEED)
    refuse(`--seed expects a whole number from 0 to ${MAX_SEED}`);
  const heldOut = values['held-out'];
  if (heldOut && worlds <= FIRST_HELD_OUT)
    refuse(`--held-out needs at least ${FIRST_HELD_OUT + 1} worlds of each family`);
  return { worlds, seed, heldOut, rows: values.rows, quick: values.quick };
}

function drawSamples({ worlds, heldOut, quick }: Options): FeatureSample[] {
  const [present] = readCandidates(undefined);
  const samples: FeatureSample[] = [];
  for (const family of quick ? FAMILY_NAMES.slice(0, QUICK_FAMILIES) : FAMILY_NAMES) {
    for (let number = 0; number < worlds; number++) {
      const isWanted = quick ? number === 0 || number === FIRST_HELD_OUT : true;
      if (!isWanted || (isHeldOut(number) && !heldOut)) continue;
      const options = { epochDays: 28, attacks: [] };
      samples.push(drawSample(present!, createWorldTask(family, String(number), drawWorld(family, number), options)));
    }
    progress(`drawn: ${family}`);
  }
  return samples;
}

/** Progress is on standard error, so that the tables can be kept in a file. */
function progress(what: string): void {
  process.stderr.write(`scoring:boosted: ${what}\n`);
}

function printComparison({ rows, importance }: Comparison, name: string): void {
  const families = [...new Set(rows.map(({ group }) => group))];
  const lineOf = (label: string, own: Comparison['rows']): string[] => [
    label,
    ...['auc', 'pr'].flatMap((figure) => {
      const differences = paired(own, 'boosted', 'model', figure);
      if (differences.length === 0) return ['-', '-', '-'];
      const [model, boosted] = ['model', 'boosted'].map((one) => short(meanOf(cellsOf(own, one, figure))));
      // One world has no interval.
      const difference = differences.length === 1 ? signed(differences[0]!.value) : showInterval(differences, false);
      return [model!, boosted!, difference];
    }),
  ];
  const worlds = new Set(rows.map(({ group, unit }) => `${group} ${unit}`)).size;
  print(`${name} and boosted trees: ${worlds} worlds. Means, and paired differences with 95 % intervals`, [
    ['FAMILY', 'MODEL AUC', 'BOOSTED', 'DIFFERENCE', 'MODEL PR', 'BOOSTED', 'DIFFERENCE'],
    ...families.map((family) =>
      lineOf(
        family,
        rows.filter(({ group }) => group === family),
      ),
    ),
    lineOf('mean', rows),
  ]);
  print('the most important features: AUC that the trees lose if the feature is shuffled', [
    ['FEATURE', 'AUC LOST'],
    ...importance.slice(0, FEATURES_SHOWN).map(({ name: feature, lost }) => [feature, short(lost)]),
  ]);
}

const options = readOptions();
const [present] = readCandidates(undefined);
const samples = drawSamples(options);
if (options.rows !== undefined) writeFileSync(options.rows, toCsv(samples));
const { train } = await loadBoostedTrees();
const { heldOut, seed, quick } = options;
const onFamily = (family: string): void => progress(`judged: ${family}`);
printComparison(
  compareFamilies(samples, { heldOut, seed, train: averaged(train, quick ? 1 : MEMBERS), onFamily }),
  present!.model.name,
);
