import { median } from 'simple-statistics';
import { requireFunction, requireString } from '../core/domain/options.ts';
import { createCalibration } from '../core/scoring/calibration.ts';
import type { ScoringModel } from '../core/scoring/model.ts';
import type { Store } from '../core/store/store.ts';
import { fitCalibration } from './fit-map.ts';
import { valuesOf } from './metrics/evaluate.ts';
import { atLeast, listOf, optional, requireList, validateOptions } from './options.ts';
import { replay } from './replay.ts';
import type { Replayed } from './replayed.ts';
import type { AttackResult } from './result.ts';
import type { Sample } from './sample.ts';
import { formatAttack, type Attack } from './simulate/attacks.ts';
import { simulateWorld, type Simulation } from './simulate/world.ts';
import type { ScenarioName } from './simulate/world-options.ts';
import { matchedOf, samplesOf } from './summarise.ts';

/** Options of {@link runWorlds}. */
export interface WorldsOptions {
  /** Seeds, one for each world: whole numbers of at least 0. */
  readonly seeds: readonly number[];
  /** Name of the world that all seeds simulate. */
  readonly scenario: ScenarioName;
  /** At least one. They answer side by side. */
  readonly models: readonly ScoringModel[];
  /** Simulated in each world, one at a time; may be empty. */
  readonly attacks: readonly Attack[];
  /** Opens an empty store for each run. The run closes it. */
  readonly openStore: () => Promise<Store>;
  /** Called with the name of each run when it starts. */
  readonly onStep?: (step: string) => void;
}

/** Figures of one world. Areas and errors are 0 to 1. */
export interface WorldFigures {
  /** Seed of the world. */
  readonly seed: number;
  /** Number of reports in the world, removed ones included. */
  readonly reports: number;
  /** Number of labelled queries with a match. The figures are about them. */
  readonly matched: number;
  /** In the order of the models. */
  readonly models: readonly {
    /** e.g. `link-claim/7`. */
    readonly name: string;
    /** As in {@link Evaluation.rocAuc}. */
    readonly rocAuc: number;
    /** As in {@link Evaluation.prAuc}. */
    readonly prAuc: number;
    /** Expected calibration error; undefined if the model states no chances. */
    readonly ece: number | undefined;
    /** ECE with a map fitted on the other worlds; undefined if there is one world only. */
    readonly eceAfterMap: number | undefined;
  }[];
}

/** The result of {@link runWorlds}. */
export interface Worlds {
  /** One per seed, without an attack. */
  readonly replays: readonly Replayed[];
  /** One per seed. */
  readonly figures: readonly WorldFigures[];
  /** Over all worlds together, because one world has too few queries for ten bins. Each world has its own map. */
  readonly calibration: readonly {
    /** e.g. `link-claim/7`. */
    readonly name: string;
    /** Expected calibration error; undefined if the model states no chances. */
    readonly ece: number | undefined;
    /** The same with the maps; undefined for one world or without chances. */
    readonly eceAfterMap: number | undefined;
  }[];
  /** One per attack, over all worlds. */
  readonly attacks: readonly AttackResult[];
}

/**
 * Simulates a world for each seed, and each attack in each world. All models answer in the same worlds. For an invalid
 * option, rejects with TypeError or RangeError.
 */
export async function runWorlds(options: WorldsOptions): Promise<Worlds> {
  validateOptions('options', options, {
    seeds: listOf(atLeast(0)),
    scenario: requireString,
    models: requireList,
    attacks: requireList,
    openStore: requireFunction,
    onStep: optional(requireFunction),
  });
  const { seeds, scenario, models, attacks, openStore, onStep } = options;
  if (seeds.length === 0) throw new RangeError('"seeds" expected at least one seed, got none');

  const run = async (simulation: Simulation, excludeOwn: boolean): Promise<Replayed> => {
    const store = await openStore();
    try {
      return await replay(simulateWorld(simulation), store, { models, excludeOwn });
    } finally {
      await store.close();
    }
  };

  const replays: Replayed[] = [];
  // Points of the victims by attack and model, over all worlds.
  const attacked = attacks.map((attack) => ({
    attack,
    name: formatAttack(attack),
    victims: models.map((): number[] => []),
  }));
  for (const seed of seeds) {
    onStep?.(`world ${seed}`);
    replays.push(await run({ seed, scenario }, true));
    for (const { attack, name, victims } of attacked) {
      onStep?.(`world ${seed}, ${name}`);
      const points = (await run({ seed, scenario, attack }, false)).unlabelled.get('victim') ?? [];
      for (const [model, list] of victims.entries()) list.push(...(points[model] ?? []));
    }
  }

  const judged = replays.map(({ samples }) => matchedOf(samples));
  /** Returns a model's samples in one world: as answered, and with chances mapped by the map of the other worlds. */
  const samplesIn = (world: number, model: number): { plain: Sample[]; mapped: Sample[] | undefined } => {
    const plain = samplesOf(judged[world] ?? [], model);
    const elsewhere = judged.filter((_, other) => other !== world).flat();
    if (elsewhere.length === 0 || plain[0]?.chance === undefined) return { plain, mapped: undefined };
    const map = createCalibration(fitCalibration(samplesOf(elsewhere, model)));
    return { plain, mapped: plain.map((sample) => ({ ...sample, chance: map(sample.chance ?? 0) })) };
  };
  const worlds = seeds.map((seed, world) => ({
    seed,
    reports: replays[world]?.reports ?? 0,
    models: models.map(({ name }, model) => ({ name, ...samplesIn(world, model) })),
  }));
  const frauds = judged.flat().filter(({ label }) => label === 1);
  const scoresOfFrauds = models.map((_, model) => samplesOf(frauds, model).map(({ score }) => score));
  return {
    replays,
    figures: worlds.map(({ seed, reports, models: sets }) => ({
      seed,
      reports,
      matched: sets[0]?.plain.length ?? 0,
      models: sets.map(({ name, plain, mapped }) => {
        const { rocAuc, prAuc, ece } = valuesOf(plain);
        return { name, rocAuc, prAuc, ece, eceAfterMap: mapped && valuesOf(mapped).ece };
      }),
    })),
    calibration: models.map(({ name }, model) => {
      const sets = worlds.flatMap((world) => world.models[model] ?? []);
      const mapped = sets.flatMap((set) => set.mapped ?? []);
      return {
        name,
        ece: valuesOf(sets.flatMap(({ plain }) => plain)).ece,
        eceAfterMap: mapped.length === 0 ? undefined : valuesOf(mapped).ece,
      };
    }),
    attacks: attacked.map(({ name, victims }) => ({
      name,
      ratios: Object.fromEntries(
        models.map((model, at) => [model.name, median(victims[at] ?? []) / median(scoresOfFrauds[at] ?? [])]),
      ),
      points: Object.fromEntries(models.map((model, at) => [model.name, median(victims[at] ?? [])])),
    })),
  };
}
