import { requireBoolean, requireFunction } from '../core/domain/options.ts';
import { unwrap, type Refusal } from '../core/domain/refusal.ts';
import type { ScoringModel } from '../core/scoring/model.ts';
import type { Store } from '../core/store/store.ts';
import {
  LabEventError,
  type DisputeEvent,
  type LabEvent,
  type QueryEvent,
  type RemoveEvent,
  type ReportEvent,
} from './event.ts';
import { createLabEngine } from './lab-engine.ts';
import { DAY_MS, startOfDay } from '../core/domain/day.ts';
import { atLeast, optional, requireFinite, requireList, validateOptions } from './options.ts';
import { createReservoir, type Reservoir } from './reservoir.ts';
import type { Judged, Replayed, ReplayOptions } from './replayed.ts';
import { toReporterStandings } from './reporter-standings.ts';
import { createWorst } from './worst.ts';

const PROGRESS_EVENTS = 1000;

/** Of equal weights, the first in the alphabet. */
function strongestOf(kinds: readonly string[], model: ScoringModel | undefined): string | undefined {
  const weightOf = (kind: string): number => model?.weightOfKind(kind) ?? 0;
  return [...kinds].sort((a, b) => weightOf(b) - weightOf(a) || (a < b ? -1 : 1))[0];
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
    samplesMost: optional(atLeast(1)),
    misses: optional(atLeast(0)),
    seed: optional(atLeast(0)),
    onJudged: optional(requireFunction),
    onQuery: optional(requireFunction),
    onProgress: optional(requireFunction),
  });
  const {
    models,
    excludeOwn = false,
    epochDays = 7,
    epochsFrom = -Infinity,
    samplesMost = 100_000,
    misses = 5,
    seed = 1,
  } = options;
  const { onJudged, onQuery, onProgress } = options;

  const engine = await createLabEngine(store, models);
  const keys = new Map<string, { readonly reporterId: string; readonly apiKey: string }>();
  /** Reports by the id of their event. */
  const filed = new Map<
    string,
    { readonly reportId: string; readonly deletionCode: string; readonly apiKey: string; removed: boolean }
  >();
  /** Event ids of the reports with an open dispute. */
  const disputed = new Set<string>();
  const samples: Reservoir<Judged> = createReservoir(samplesMost, seed);
  const unlabelled = new Map<string, Reservoir<readonly number[]>>();
  const worst = models.map(() => createWorst(misses));
  const counts = { events: 0, reports: 0, removed: 0, disputes: 0, queries: 0, labelled: 0, matched: 0 };
  const times: { from: number | null; to: number | null; nextEpochAt: number } = {
    from: null,
    to: null,
    nextEpochAt: startOfDay(epochsFrom),
  };
  const here = { line: 0 };

  const refuse = (problem: string, refusal?: Refusal): never => {
    throw new LabEventError(here.line, problem, refusal);
  };

  const reporterNamed = async (given: string, verified = false) => {
    // Normalise as the engine does: two spellings are one reporter.
    const name = given.trim().normalize('NFC');
    const known = keys.get(name);
    if (known) return known;
    const created = await engine.createReporter({ name, verified });
    const { reporterId } = created.ok ? created.value : refuse('the name of the reporter was refused', created.refusal);
    const key = { reporterId, apiKey: unwrap(await engine.issueKey({ reporterId })).apiKey };
    keys.set(name, key);
    return key;
  };

  const report = async (event: ReportEvent): Promise<void> => {
    if (filed.has(event.id)) refuse('an earlier report has this id');
    const { apiKey } = await reporterNamed(event.reporter);
    // Each report needs a different text: the engine would treat two equal reports as a retry.
    const { type, severity, identifiers } = event;
    const receipt = await engine.report({ apiKey, type, severity, identifiers, text: `Report ${counts.events}` });
    if (!receipt.ok) return refuse('the report was refused', receipt.refusal);
    const { reportId, deletionCode } = receipt.value;
    filed.set(event.id, { reportId, deletionCode, apiKey, removed: false });
    counts.reports++;
  };

  const remove = async ({ id }: RemoveEvent): Promise<void> => {
    const report = filed.get(id);
    if (report === undefined || report.removed) return refuse('it removes a report that does not exist');
    unwrap(await engine.remove(report));
    report.removed = true;
    counts.removed++;
  };

  const dispute = async ({ id, upheld }: DisputeEvent): Promise<void> => {
    const { reportId } = filed.get(id) ?? refuse('it disputes a report that does not exist');
    if (!disputed.has(id)) {
      const opened = await engine.openDispute({ reportId, reason: 'lab', by: 'lab' });
      if (!opened.ok) refuse('the dispute was refused', opened.refusal);
      disputed.add(id);
      counts.disputes++;
    } else if (upheld === undefined) refuse('a dispute about this report is already open');
    if (upheld === undefined) return;
    unwrap(await engine.decideDispute({ reportId, upheld, by: 'lab' }));
    disputed.delete(id);
  };

  const query = async ({ at, reporter, identifiers, label, group }: QueryEvent): Promise<void> => {
    if (at < startOfDay(epochsFrom)) refuse('it is a query before the first day with standings');
    counts.queries++;
    const without = excludeOwn && reporter !== undefined ? keys.get(reporter)?.reporterId : undefined;
    const { reported, kinds, youngest, models: answers } = await engine.assess(identifiers, without);
    onQuery?.({
      number: counts.queries,
      line: here.line,
      at,
      group,
      reported,
      answers: answers.map(({ measure: { chance }, verdict }) => ({ chance, verdict })),
    });
    if (label === undefined) {
      if (group === undefined) return;
      const points = unlabelled.get(group) ?? createReservoir<readonly number[]>(samplesMost, seed);
      points.offer(answers.map(({ measure }) => measure.points));
      unlabelled.set(group, points);
      return;
    }
    counts.labelled++;
    const judged: Judged = {
      at,
      label,
      group,
      reported,
      kinds,
      strongest: strongestOf(kinds, models[0]),
      youngest,
      answers: answers.map(({ measure: { points: score, chance }, verdict: { points } }) => ({
        score,
        chance,
        points,
      })),
    };
    samples.offer(judged);
    onJudged?.(judged);
    if (reported === 0) return;
    counts.matched++;
    for (const [model, { measure, verdict, explain }] of answers.entries()) {
      const error = Math.abs(label - (measure.chance ?? Math.min(1, measure.points / 100)));
      const list = worst[model];
      if (list?.wants(label, error))
        list.add(error, { at: new Date(at).toISOString(), label, ...verdict, sentences: await explain() });
    }
  };

  for await (const event of events) {
    counts.events++;
    here.line = event.line ?? counts.events;
    if (times.to !== null && event.at < times.to) refuse('it is earlier than the previous event');
    times.from ??= event.at;
    times.to = event.at;
    engine.clock.nowMs = event.at;
    if (event.at >= times.nextEpochAt) {
      engine.beginEpoch();
      times.nextEpochAt = startOfDay(event.at) + epochDays * DAY_MS;
    }
    switch (event.do) {
      case 'reporter':
        if (keys.has(event.name)) refuse('an earlier reporter has this name');
        await reporterNamed(event.name, event.verified);
        break;
      case 'report':
        await report(event);
        break;
      case 'remove':
        await remove(event);
        break;
      case 'dispute':
        await dispute(event);
        break;
      case 'query':
        await query(event);
        break;
    }
    if (counts.events % PROGRESS_EVENTS === 0) onProgress?.(counts.events);
  }
  await engine.settle();
  const standings = await engine.standings();
  return {
    ...counts,
    ...(standings && { standings: toReporterStandings(keys, standings) }),
    from: times.from,
    to: times.to,
    reporters: keys.size,
    samples: samples.items,
    misses: worst.map((list) => list.list()),
    unlabelled: new Map(
      [...unlabelled].map(([group, { items }]) => [
        group,
        models.map((_, model) => items.flatMap((points) => points[model] ?? [])),
      ]),
    ),
  };
}
