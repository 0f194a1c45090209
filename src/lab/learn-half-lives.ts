import { requireBoolean, requireFunction } from '../core/domain/options.ts';
import { configureLinkClaim } from '../core/scoring/configure.ts';
import type { LinkClaimConstants } from '../core/scoring/constants.ts';
import { createLinkClaimModel } from '../core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../core/scoring/model.ts';
import type { Store } from '../core/store/store.ts';
import { LabEventError, type LabEvent } from './event.ts';
import { fitHalfLives, type HalfLife } from './fit-half-lives.ts';
import { atLeast, isRecord, optional, requireFinite, requireObject, validateOptions } from './options.ts';
import { replay } from './replay.ts';
import type { Replayed } from './replayed.ts';
import type { Estimate } from './result.ts';
import { NothingJudgedError, summarise } from './summarise.ts';

/** Options of {@link learnHalfLives}. */
export interface LearnOptions {
  /** Begins to read the events from the start, each time the same ones. Called three times at most. */
  readonly readEvents: () => Iterable<LabEvent> | AsyncIterable<LabEvent>;
  /** Opens an empty store, twice at most. The run closes it. */
  readonly openStore: () => Promise<Store>;
  /** Constants that differ from the defaults, as for `configureLinkClaim`; default none. */
  readonly changes?: object;
  /** Milliseconds UTC: earlier queries fit, the others check. Default: the time of the middle labelled query. */
  readonly splitAt?: number;
  /** Ignores the asking reporter's own reports in its queries; default false. */
  readonly excludeOwn?: boolean;
  /** Days between two full computations of the standings, at least 1; default 7. */
  readonly epochDays?: number;
  /** Seed of the bootstrap and of the draws, a whole number of at least 0; default 1. */
  readonly seed?: number;
  /** Called every 1,000 events of a replay with the number of its events so far. */
  readonly onProgress?: (events: number) => void;
}

/** Two areas, each 0 to 1, or their difference. */
export interface Areas {
  /** Area under the ROC curve. */
  readonly rocAuc: Estimate;
  /** Area under the precision-recall curve of label 1. */
  readonly prAuc: Estimate;
}

/** The result of {@link learnHalfLives}. */
export interface LearntHalfLives {
  /** Queries before this time were used for the fit, milliseconds UTC. */
  readonly splitAt: number;
  /** Number of labelled queries before `splitAt`, and how many of them match a report. */
  readonly earlier: { readonly labelled: number; readonly matched: number };
  /** By kind, in order of kind. */
  readonly halfLives: readonly HalfLife[];
  /** The given changes with the learnt half-lives: a configuration for `configureLinkClaim`. */
  readonly changes: object;
  /** Figures of the later labelled queries with a match; undefined if no kind was learnt. */
  readonly later: LaterFigures | undefined;
  /** Whether the later queries are ranked better for certain (`use`), worse or not at all (`keep`), or neither. */
  readonly advice: 'use' | 'uncertain' | 'keep';
}

/** How well both sets of half-lives rank the same later queries. */
export interface LaterFigures {
  /** Number of labelled queries, and how many of these match a report. The figures are about the latter. */
  readonly labelled: number;
  /** Labelled queries that match a report. */
  readonly matched: number;
  /** How many of these have label 1. */
  readonly ones: number;
  /** With the half-lives of before. */
  readonly before: Areas;
  /** With the learnt half-lives. */
  readonly learnt: Areas;
  /** Learnt less before, with paired intervals. */
  readonly difference: Areas;
}

/**
 * Learns the half-lives of kinds from a service's own labelled events with `fitHalfLives`, on the earlier queries.
 * Measures them on the later queries, which had no part in the fit.
 *
 * @throws NothingJudgedError if a part has no labelled query, or if the later queries with a match have one label.
 * {@link LabEventError} for an event that is refused, TypeError or RangeError for an invalid option.
 */
export async function learnHalfLives(options: LearnOptions): Promise<LearntHalfLives> {
  validateOptions('options', options, {
    readEvents: requireFunction,
    openStore: requireFunction,
    changes: optional(requireObject),
    splitAt: optional(requireFinite),
    excludeOwn: optional(requireBoolean),
    epochDays: optional(atLeast(1)),
    seed: optional(atLeast(0)),
    onProgress: optional(requireFunction),
  });
  const { changes = {}, seed = 1 } = options;
  const constants = configureLinkClaim(changes);
  const before = createLinkClaimModel(constants);
  const splitAt = await findSplit(options);

  const earlier = await run(options, [before], (event) => event.at < splitAt);
  const halfLives = fitHalfLives(earlier.samples, constants);
  const learnt = halfLives.filter((one) => one.learnt);
  const configured = learnt.length === 0 ? changes : withHalfLives(changes, constants, learnt);
  const result = { splitAt, earlier: countsOf(earlier), halfLives, changes: configured };
  if (learnt.length === 0) return { ...result, later: undefined, advice: 'keep' };

  const models = [createLinkClaimModel(configureLinkClaim(configured)), before];
  // A query changes nothing, so the earlier ones can be left out.
  const checked = await run(options, models, (event) => event.do !== 'query' || event.at >= splitAt);
  const {
    counts,
    models: figures,
    differences,
  } = summarise([checked], { title: '', models: models.map(({ name }) => name), seed });
  const [ours, theirs, difference] = [figures[0], figures[1], differences?.[0]].map(areasOf);
  const later = {
    ...countsOf(checked),
    ones: counts.positives,
    before: theirs!,
    learnt: ours!,
    difference: difference!,
  };
  return { ...result, later, advice: adviceOf(later.difference) };
}

/** Reads all events. Returns the time of the middle labelled query, unless the options have a time. */
async function findSplit({ readEvents, splitAt }: LearnOptions): Promise<number> {
  const times: number[] = [];
  let last = -Infinity;
  for await (const { at, line, ...event } of numbered(readEvents())) {
    // Replays leave events out, so they would not notice each wrong order.
    if (at < last) throw new LabEventError(line, 'it is earlier than the previous event');
    last = at;
    if (event.do === 'query' && event.label !== undefined) times.push(at);
  }
  const middle = times[times.length >> 1];
  if (middle === undefined) throw new NothingJudgedError('no query has a label: the fit needs labelled queries');
  const chosen = splitAt ?? middle;
  const earlier = times.filter((at) => at < chosen).length;
  if (earlier === 0 || earlier === times.length)
    throw new NothingJudgedError(
      `of ${times.length} labelled queries, ${earlier} are before ${new Date(chosen).toISOString()}: the fit needs earlier ones, and the check later ones`,
    );
  return chosen;
}

async function run(
  { readEvents, openStore, excludeOwn = false, epochDays = 7, seed = 1, onProgress }: LearnOptions,
  models: readonly ScoringModel[],
  wanted: (event: LabEvent) => boolean,
): Promise<Replayed> {
  const events = async function* (): AsyncGenerator<LabEvent> {
    for await (const event of numbered(readEvents())) if (wanted(event)) yield event;
  };
  const store = await openStore();
  try {
    return await replay(events(), store, {
      models,
      excludeOwn,
      epochDays,
      seed,
      misses: 0,
      ...(onProgress && { onProgress }),
    });
  } finally {
    await store.close();
  }
}

/** Numbers events without a line: an error of a replay that leaves events out must name the right one. */
async function* numbered(
  events: Iterable<LabEvent> | AsyncIterable<LabEvent>,
): AsyncGenerator<LabEvent & { readonly line: number }> {
  let count = 0;
  for await (const event of events) {
    count++;
    yield { ...event, line: event.line ?? count };
  }
}

function withHalfLives(changes: object, constants: LinkClaimConstants, learnt: readonly HalfLife[]): object {
  const given = 'kinds' in changes && isRecord(changes.kinds) ? changes.kinds : {};
  const kinds = new Map(Object.entries(given));
  for (const { kind, halfLifeDays } of learnt) {
    const own = kinds.get(kind);
    // A kind that is not listed would begin with the default of `otherKinds`, not with the configured one.
    const base = Object.hasOwn(constants.kinds, kind) ? (isRecord(own) ? own : {}) : constants.otherKinds;
    kinds.set(kind, { ...base, halfLifeDays });
  }
  // A map was fitted to the chances that the half-lives of before state.
  const { calibration: _calibration, ...rest } = changes as { readonly calibration?: unknown };
  return { ...rest, kinds: Object.fromEntries(kinds) };
}

function countsOf({ labelled, matched }: Replayed): { labelled: number; matched: number } {
  return { labelled, matched };
}

function areasOf(figures: Areas | undefined): Areas | undefined {
  return figures && { rocAuc: figures.rocAuc, prAuc: figures.prAuc };
}

function adviceOf(difference: Areas): LearntHalfLives['advice'] {
  const areas = [difference.rocAuc, difference.prAuc];
  const better = areas.some(({ low }) => low > 0);
  const worse = areas.some(({ high }) => high < 0);
  if (better === worse) return 'uncertain';
  return better ? 'use' : 'keep';
}
