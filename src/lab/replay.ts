import { requireBoolean, requireFunction } from '../core/domain/options.ts';
import { unwrap, type Refusal } from '../core/domain/refusal.ts';
import type { Store } from '../core/store/store.ts';
import {
  LabEventError,
  type DisputeEvent,
  type LabEvent,
  type QueryEvent,
  type RemoveEvent,
  type ReportEvent,
} from './event.ts';
import { createLabEngine, type Assessment, type LabEngine } from './lab-engine.ts';
import { DAY_MS, startOfDay } from '../core/domain/day.ts';
import { atLeast, optional, requireFinite, requireList, validateOptions } from './options.ts';
import { createReservoir, type Reservoir } from './reservoir.ts';
import type { Judged, Replayed, ReplayOptions } from './replayed.ts';
import { toReporterStandings } from './reporter-standings.ts';
import { createWorst, type Worst } from './worst.ts';

const PROGRESS_EVENTS = 1000;

interface Key {
  readonly reporterId: string;
  readonly apiKey: string;
}

/** A report that was filed. */
interface Filed {
  readonly reportId: string;
  readonly deletionCode: string;
  readonly apiKey: string;
  removed: boolean;
}

/**
 * Replays events on a real engine over `store`, which should be empty. Collects the answers to all labelled queries.
 * Rejects with {@link LabEventError} for an event that is refused or contradicts earlier ones, and with TypeError or
 * RangeError for an invalid option.
 */
export async function replay(
  events: Iterable<LabEvent> | AsyncIterable<LabEvent>,
  store: Store,
  options: ReplayOptions,
): Promise<Replayed> {
  validateOptions('options', options, {
    models: requireList,
    excludeOwn: optional(requireBoolean),
    epochDays: optional(atLeast(1)),
    epochsFrom: optional(requireFinite),
    maxSamples: optional(atLeast(1)),
    misses: optional(atLeast(0)),
    seed: optional(atLeast(0)),
    onJudged: optional(requireFunction),
    onProgress: optional(requireFunction),
  });
  const run = new Replay(await createLabEngine(store, options.models), options);
  for await (const event of events) await run.take(event);
  return run.finish();
}

/** Gives one event after the other to an engine. */
class Replay {
  readonly #engine: LabEngine;
  readonly #options: ReplayOptions;
  readonly #answers: Answers;
  readonly #keys = new Map<string, Key>();
  /** Reports by the id of their event. */
  readonly #filed = new Map<string, Filed>();
  /** Event ids of the reports with an open dispute. */
  readonly #disputed = new Set<string>();
  readonly #counts = { events: 0, reports: 0, removed: 0, disputes: 0, queries: 0 };
  #from: number | null = null;
  #to: number | null = null;
  readonly #firstEpochAt: number;
  #nextEpochAt: number;
  /** Of the event that runs. */
  #line = 0;

  constructor(engine: LabEngine, options: ReplayOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#answers = new Answers(options);
    this.#firstEpochAt = this.#nextEpochAt = startOfDay(options.epochsFrom ?? -Infinity);
  }

  async take(event: LabEvent): Promise<void> {
    const { epochDays = 7, onProgress } = this.#options;
    const counts = this.#counts;
    counts.events++;
    this.#line = event.line ?? counts.events;
    if (this.#to !== null && event.at < this.#to) this.#refuse('it is earlier than the previous event');
    this.#from ??= event.at;
    this.#to = event.at;
    this.#engine.clock.nowMs = event.at;
    if (event.at >= this.#nextEpochAt) {
      this.#engine.beginEpoch();
      this.#nextEpochAt = startOfDay(event.at) + epochDays * DAY_MS;
    }
    switch (event.do) {
      case 'reporter':
        if (this.#keys.has(event.name)) this.#refuse('an earlier reporter has this name');
        await this.#reporterNamed(event.name, event.verified);
        break;
      case 'report':
        await this.#report(event);
        break;
      case 'remove':
        await this.#remove(event);
        break;
      case 'dispute':
        await this.#dispute(event);
        break;
      case 'query':
        await this.#query(event);
        break;
    }
    if (counts.events % PROGRESS_EVENTS === 0) onProgress?.(counts.events);
  }

  async finish(): Promise<Replayed> {
    await this.#engine.settle();
    const standings = await this.#engine.standings();
    return {
      ...this.#counts,
      ...this.#answers.counts,
      ...(standings && { standings: toReporterStandings(this.#keys, standings) }),
      from: this.#from,
      to: this.#to,
      reporters: this.#keys.size,
      ...this.#answers.kept(),
    };
  }

  #refuse(problem: string, refusal?: Refusal): never {
    throw new LabEventError(this.#line, problem, refusal);
  }

  async #reporterNamed(given: string, verified = false): Promise<Key> {
    // Normalise as the engine does: two spellings are one reporter.
    const name = given.trim().normalize('NFC');
    const known = this.#keys.get(name);
    if (known) return known;
    const created = await this.#engine.createReporter({ name, verified });
    if (!created.ok) return this.#refuse('the name of the reporter was refused', created.refusal);
    const { reporterId } = created.value;
    const key = { reporterId, apiKey: unwrap(await this.#engine.issueKey({ reporterId })).apiKey };
    this.#keys.set(name, key);
    return key;
  }

  async #report({ id, reporter, type, severity, identifiers }: ReportEvent): Promise<void> {
    if (this.#filed.has(id)) this.#refuse('an earlier report has this id');
    const { apiKey } = await this.#reporterNamed(reporter);
    // Each report needs a different text: the engine would treat two equal reports as a retry.
    const text = `Report ${this.#counts.events}`;
    const receipt = await this.#engine.report({ apiKey, type, severity, identifiers, text });
    if (!receipt.ok) return this.#refuse('the report was refused', receipt.refusal);
    const { reportId, deletionCode } = receipt.value;
    this.#filed.set(id, { reportId, deletionCode, apiKey, removed: false });
    this.#counts.reports++;
  }

  async #remove({ id }: RemoveEvent): Promise<void> {
    const report = this.#filed.get(id);
    if (report === undefined || report.removed) return this.#refuse('it removes a report that does not exist');
    unwrap(await this.#engine.remove(report));
    report.removed = true;
    this.#counts.removed++;
  }

  async #dispute({ id, upheld }: DisputeEvent): Promise<void> {
    const { reportId } = this.#filed.get(id) ?? this.#refuse('it disputes a report that does not exist');
    if (!this.#disputed.has(id)) {
      const opened = await this.#engine.openDispute({ reportId, reason: 'lab', by: 'lab' });
      if (!opened.ok) this.#refuse('the dispute was refused', opened.refusal);
      this.#disputed.add(id);
      this.#counts.disputes++;
    } else if (upheld === undefined) this.#refuse('a dispute about this report is already open');
    if (upheld === undefined) return;
    unwrap(await this.#engine.decideDispute({ reportId, upheld, by: 'lab' }));
    this.#disputed.delete(id);
  }

  async #query(event: QueryEvent): Promise<void> {
    const { excludeOwn = false } = this.#options;
    const { at, reporter, identifiers } = event;
    if (at < this.#firstEpochAt) this.#refuse('it is a query before the first day with standings');
    this.#counts.queries++;
    const without = excludeOwn && reporter !== undefined ? this.#keys.get(reporter)?.reporterId : undefined;
    await this.#answers.add(event, await this.#engine.assess(identifiers, without));
  }
}

/** Collects the answers to the queries of a replay. */
class Answers {
  readonly counts = { labelled: 0, matched: 0 };
  readonly #options: ReplayOptions;
  readonly #samples: Reservoir<Judged>;
  /** The points of all models, by group. */
  readonly #unlabelled = new Map<string, Reservoir<readonly number[]>>();
  /** By model. */
  readonly #worst: readonly Worst[];

  constructor(options: ReplayOptions) {
    const { models, misses = 5 } = options;
    this.#options = options;
    this.#samples = this.#createReservoir();
    this.#worst = models.map(() => createWorst(misses));
  }

  async add({ at, label, group }: QueryEvent, answer: Assessment): Promise<void> {
    const { reported, kinds, youngest, models: answers } = answer;
    if (label === undefined) {
      if (group === undefined) return;
      const points = this.#unlabelled.get(group) ?? this.#createReservoir<readonly number[]>();
      points.offer(answers.map(({ measure }) => measure.points));
      this.#unlabelled.set(group, points);
      return;
    }
    this.counts.labelled++;
    const judged: Judged = {
      at,
      label,
      group,
      reported,
      kinds,
      youngest,
      answers: answers.map(({ measure: { points: score, chance }, verdict: { points } }) => ({
        score,
        chance,
        points,
      })),
    };
    this.#samples.offer(judged);
    this.#options.onJudged?.(judged);
    if (reported === 0) return;
    this.counts.matched++;
    for (const [model, { measure, verdict, explain }] of answers.entries()) {
      const error = Math.abs(label - (measure.chance ?? Math.min(1, measure.points / 100)));
      const list = this.#worst[model];
      if (list?.wants(label, error))
        list.add(error, { at: new Date(at).toISOString(), label, ...verdict, sentences: await explain() });
    }
  }

  kept(): Pick<Replayed, 'samples' | 'misses' | 'unlabelled'> {
    return {
      samples: this.#samples.items,
      misses: this.#worst.map((list) => list.list()),
      unlabelled: new Map(
        [...this.#unlabelled].map(([group, { items }]) => [
          group,
          this.#options.models.map((_, model) => items.flatMap((points) => points[model] ?? [])),
        ]),
      ),
    };
  }

  #createReservoir<T>(): Reservoir<T> {
    const { maxSamples = 100_000, seed = 1 } = this.#options;
    return createReservoir(maxSamples, seed);
  }
}
