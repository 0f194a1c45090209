/**
 * Offline evaluation of scoring models: replay of events, simulated worlds, figures and a page.
 *
 * @module redflag/lab
 */
export { ATTACK_PRICES, type AttackPrice, type PricePart } from './lab/attack/price.ts';
export {
  searchAttacks,
  type AttackerResult,
  type AttackSearch,
  type AttackSearchOptions,
  type TriedAttack,
} from './lab/attack/search-attacks.ts';
export {
  measureBlocking,
  type Blocking,
  type BlockingEffect,
  type BlockingOptions,
  type EffectOfPoints,
  type PastOrders,
  type Total,
} from './lab/blocking.ts';
export {
  LabEventError,
  toLabIdentifier,
  type DisputeEvent,
  type LabEvent,
  type QueryEvent,
  type RemoveEvent,
  type ReportEvent,
  type ReporterEvent,
} from './lab/event.ts';
export { fitHalfLives, type AgedQuery, type HalfLife, type KindAge } from './lab/fit-half-lives.ts';
export { fitCalibration } from './lab/fit-map.ts';
export {
  learnHalfLives,
  type Areas,
  type LaterFigures,
  type LearnOptions,
  type LearntHalfLives,
} from './lab/learn-half-lives.ts';
export { evaluate } from './lab/metrics/evaluate.ts';
export { createModels, MODEL_NAMES, type ModelName } from './lab/models.ts';
export { renderPage } from './lab/page/page.ts';
export { formatEvent, parseEvent, readEvents } from './lab/read-events.ts';
export { replay } from './lab/replay.ts';
export type { Judged, Replayed, ReplayOptions } from './lab/replayed.ts';
export type { ReporterStanding, Standings } from './lab/result-parts.ts';
export type {
  AttackResult,
  CalibrationBin,
  Difference,
  Estimate,
  Evaluation,
  LabResult,
  Miss,
  ModelResult,
  Point,
  Recommended,
  Subset,
  ThresholdEffect,
  Thresholds,
} from './lab/result.ts';
export type { Sample } from './lab/sample.ts';
export { formatAttack, parseAttack, type Attack } from './lab/simulate/attacks.ts';
export { simulateWorld, type Simulation } from './lab/simulate/world.ts';
export {
  SCENARIOS,
  WORLD_OPTIONS,
  type Kind as WorldKind,
  type KindOptions as WorldKindOptions,
  type Overrides,
  type Range as WorldRange,
  type ScenarioName,
  type WorldOptions,
  type WorldOverrides,
} from './lab/simulate/world-options.ts';
export { fitMap, NothingJudgedError, samplesOf, summarise, type SummaryOptions } from './lab/summarise.ts';
export { costOfThresholds, type JudgedQuery, type ThresholdCost } from './lab/thresholds.ts';
export { runWorlds, type WorldFigures, type Worlds, type WorldsOptions } from './lab/worlds.ts';
