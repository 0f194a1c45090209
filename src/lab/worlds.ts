import { median } from 'simple-statistics';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';
import { samplesOf } from './summarise.ts';
import { valuesOf } from './metrics/evaluate.ts';
import { replay, type Replayed } from './replay.ts';
import type { AttackResult } from './result.ts';
import type { Sample } from './sample.ts';
import { formatAttack, type Attack } from './simulate/attacks.ts';
import type { ScenarioName } from './simulate/world-options.ts';
import { simulateWorld } from './simulate/world.ts';
import { fitCalibration } from './fit-map.ts';
import { createCalibration } from '../scoring/calibration.ts';

export interface WorldsOptions {
  readonly seeds: readonly number[];
  readonly scenario: ScenarioName;
  readonly models: readonly ScoringModel[];
  readonly attacks: readonly Attack[];
  /** An empty store for each run. */
  readonly openStore: () => Promise<Store>;
  /** Told what begins. */
  readonly onStep?: (step: string) => void;
}

/** How each model did in one world. */
export interface WorldFigures {
  readonly seed: number;
  readonly reports: number;
  readonly matched: number;
  readonly models: readonly {
    readonly name: string;
    readonly rocAuc: number;
    readonly prAuc: number;
    readonly ece: number | undefined;
    /** After a map that was fitted on the other worlds. */
    readonly eceAfterMap: number | undefined;
  }[];
}

export interface Worlds {
  readonly replays: readonly Replayed[];
  readonly figures: readonly WorldFigures[];
  /** All worlds taken together, each mapped as in its own figures: a world alone has too few queries for ten bins. */
  readonly calibration: readonly {
    readonly name: string;
    readonly ece: number | undefined;
    readonly eceAfterMap: number | undefined;
  }[];
  readonly attacks: readonly AttackResult[];
}

/** Lives through simulated worlds, and through each attack in each of them. All models answer in the same worlds. */
export async function runWorlds({
  seeds,
  scenario,
  models,
  attacks,
  openStore,
  onStep,
}: WorldsOptions): Promise<Worlds> {
  const live = async (simulation: Parameters<typeof simulateWorld>[0], excludeOwn: boolean): Promise<Replayed> => {
    const store = await openStore();
    try {
      return await replay(simulateWorld(simulation), store, { models, excludeOwn });
    } finally {
      await store.close();
    }
  };

  const replays: Replayed[] = [];
  /** Points of the victims of each attack, and of true frauds, by model: of all worlds together, as the calibration is. */
  const victims = attacks.map(() => models.map((): number[] => []));
  for (const seed of seeds) {
    onStep?.(`world ${seed}`);
    const world = await live({ seed, scenario }, true);
    replays.push(world);
    for (const [at, attack] of attacks.entries()) {
      onStep?.(`world ${seed}, ${formatAttack(attack)}`);
      const attacked = await live({ seed, scenario, attack }, false);
      attacked.unlabelled.get('victim')!.forEach((points, model) => victims[at]![model]!.push(...points));
    }
  }
  const trueFrauds = (model: number): number[] =>
    replays.flatMap(({ samples }) =>
      samples.filter(({ label, reported }) => label === 1 && reported > 0).map(({ answers }) => answers[model]!.score),
    );
  const judged = replays.map(({ samples }) => samples.filter(({ reported }) => reported > 0));
  /** Of one model and world: the samples as they are, and with their chances mapped by what was fitted on the other worlds. */
  const samplesIn = (world: number, model: number): { plain: Sample[]; mapped: Sample[] | undefined } => {
    const plain = samplesOf(judged[world]!, model);
    const elsewhere = judged.filter((_, other) => other !== world).flat();
    if (elsewhere.length === 0 || plain[0]?.chance === undefined) return { plain, mapped: undefined };
    const map = createCalibration(fitCalibration(samplesOf(elsewhere, model)));
    return { plain, mapped: plain.map((sample) => ({ ...sample, chance: map(sample.chance!) })) };
  };
  const sets = models.map((_, model) => replays.map((__, world) => samplesIn(world, model)));
  return {
    replays,
    figures: replays.map((world, at) => ({
      seed: seeds[at]!,
      reports: world.reports,
      matched: judged[at]!.length,
      models: models.map(({ name }, model) => ({
        name,
        ...figuresOf(sets[model]![at]!.plain),
        eceAfterMap: eceOf(sets[model]![at]!.mapped),
      })),
    })),
    calibration: models.map(({ name }, model) => {
      const mapped = sets[model]!.flatMap((set) => set.mapped ?? []);
      return {
        name,
        ece: eceOf(sets[model]!.flatMap(({ plain }) => plain)),
        eceAfterMap: mapped.length === 0 ? undefined : eceOf(mapped),
      };
    }),
    attacks: attacks.map((attack, at) => ({
      name: formatAttack(attack),
      ratios: Object.fromEntries(
        models.map(({ name }, model) => [name, median(victims[at]![model]!) / median(trueFrauds(model))]),
      ),
    })),
  };
}

function figuresOf(samples: readonly Sample[]): { rocAuc: number; prAuc: number; ece: number | undefined } {
  const { rocAuc, prAuc, ece } = valuesOf(samples);
  return { rocAuc, prAuc, ece };
}

function eceOf(samples: readonly Sample[] | undefined): number | undefined {
  return samples && valuesOf(samples).ece;
}
