import { unwrap, type Refusal } from '../domain/refusal.ts';
import type { ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';
import type { DisputeEvent, LabEvent, QueryEvent, RemoveEvent, ReportEvent } from './event.ts';
import { LabEventError } from './event-error.ts';
import { createLabEngine } from './lab-engine.ts';
import { createReservoir, type Reservoir } from './reservoir.ts';
import type { Miss } from './result.ts';
import { createWorst } from './worst.ts';

export interface ReplayOptions {
  /** At least one; they answer side by side. */
  readonly models: readonly ScoringModel[];
  /** Leaves the asking reporter's own reports out of its queries. */
  readonly excludeOwn?: boolean;
  /** Days between two times that standings are learnt anew; 7 unless given. In between each report touches them. */
  readonly epochDays?: number;
  /** Judged queries that are kept, drawn evenly from all; 100,000 unless given. */
  readonly samplesMost?: number;
  /** Worst misses kept of each model and label; 5 unless given. */
  readonly misses?: number;
  /** Of what is drawn. */
  readonly seed?: number;
  /** Called after so many events, with how many there were. */
  readonly onProgress?: (events: number) => void;
}

/** A judged query and what each model said, in their order. */
export interface Judged {
  readonly label: 0 | 1;
  readonly group: string | undefined;
  readonly reported: number;
  readonly kinds: readonly string[];
  readonly answers: readonly { readonly score: number; readonly chance: number | undefined; readonly points: number }[];
}

export interface Replayed {
  readonly events: number;
  /** Milliseconds UTC of the first and the last event; null without any. */
  readonly from: number | null;
  readonly to: number | null;
  readonly reporters: number;
  readonly reports: number;
  readonly removed: number;
  readonly disputes: number;
  readonly queries: number;
  /** Labelled queries, those among them that match a report, and those kept in `samples`. */
  readonly labelled: number;
  readonly matched: number;
  readonly samples: readonly Judged[];
  /** Points of the queries of each group without a label, at most `samplesMost` drawn evenly: by group, for each model. */
  readonly unlabelled: ReadonlyMap<string, readonly (readonly number[])[]>;
  /** Of each model. */
  readonly misses: readonly (readonly Miss[])[];
}

const DAY_MS = 86_400_000;
const PROGRESS_EVENTS = 1000;

/** Lives through events on a real engine over `store`, which should be empty, and keeps what every labelled query was answered. Rejects with {@link LabEventError}. */
export async function replay(
  events: Iterable<LabEvent> | AsyncIterable<LabEvent>,
  store: Store,
  options: ReplayOptions,
): Promise<Replayed> {
  const {
    models,
    excludeOwn = false,
    epochDays = 7,
    samplesMost = 100_000,
    misses = 5,
    seed = 1,
    onProgress,
  } = options;
  const engine = createLabEngine(store, models);
  const keys = new Map<string, { readonly reporterId: string; readonly apiKey: string }>();
  /** Where each report is: its id, its code and whose it is. */
  const filed = new Map<
    string,
    { readonly reportId: string; readonly deletionCode: string; readonly apiKey: string; removed: boolean }
  >();
  /** The reports, by their names, about which a dispute is open. */
  const disputed = new Set<string>();
  const samples: Reservoir<Judged> = createReservoir(samplesMost, seed);
  const unlabelled = new Map<string, Reservoir<readonly number[]>>();
  const worst = models.map(() => createWorst(misses));
  const counts = { events: 0, reports: 0, removed: 0, disputes: 0, queries: 0, labelled: 0, matched: 0 };
  const times: { from: number | null; to: number | null; nextEpochAt: number } = {
    from: null,
    to: null,
    nextEpochAt: -Infinity,
  };

  const here = { line: 0 };

  const wrong = (problem: string, refusal?: Refusal): never => {
    throw new LabEventError(here.line, problem, refusal);
  };

  const reporterNamed = async (given: string, verified = false) => {
    // As the engine spells it: two spellings are one reporter.
    const name = given.trim().normalize('NFC');
    const known = keys.get(name);
    if (known) return known;
    const created = await engine.createReporter({ name, verified });
    const { reporterId } = created.ok ? created.value : wrong('the name of the reporter was refused', created.refusal);
    const key = { reporterId, apiKey: unwrap(await engine.issueKey({ reporterId })).apiKey };
    keys.set(name, key);
    return key;
  };

  const report = async (event: ReportEvent): Promise<void> => {
    if (filed.has(event.id)) wrong('a report with this id came before');
    const { apiKey } = await reporterNamed(event.reporter);
    // Its own text: two events are two reports, not one that was sent again.
    const { type, severity, identifiers } = event;
    const receipt = await engine.report({ apiKey, type, severity, identifiers, text: `Report ${counts.events}` });
    if (!receipt.ok) return wrong('the report was refused', receipt.refusal);
    filed.set(event.id, {
      reportId: receipt.value.reportId,
      deletionCode: receipt.value.deletionCode,
      apiKey,
      removed: false,
    });
    counts.reports++;
  };

  const remove = async ({ id }: RemoveEvent): Promise<void> => {
    const report = filed.get(id);
    if (report === undefined || report.removed) return wrong('it removes a report that is not there');
    unwrap(await engine.remove(report));
    report.removed = true;
    counts.removed++;
  };

  const dispute = async ({ id, upheld }: DisputeEvent): Promise<void> => {
    const { reportId } = filed.get(id) ?? wrong('it disputes a report that is not there');
    if (!disputed.has(id)) {
      const opened = await engine.openDispute({ reportId, reason: 'lab', by: 'lab' });
      if (!opened.ok) wrong('the dispute was refused', opened.refusal);
      disputed.add(id);
      counts.disputes++;
    } else if (upheld === undefined) wrong('a dispute about this report is open already');
    if (upheld === undefined) return;
    unwrap(await engine.decideDispute({ reportId, upheld, by: 'lab' }));
    disputed.delete(id);
  };

  const query = async ({ at, reporter, identifiers, label, group }: QueryEvent): Promise<void> => {
    counts.queries++;
    const without = excludeOwn && reporter !== undefined ? keys.get(reporter)?.reporterId : undefined;
    const { reported, kinds, models: answers } = await engine.assess(identifiers, without);
    if (label === undefined) {
      if (group === undefined) return;
      const points = unlabelled.get(group) ?? createReservoir<readonly number[]>(samplesMost, seed);
      points.offer(answers.map(({ measure }) => measure.points));
      unlabelled.set(group, points);
      return;
    }
    counts.labelled++;
    if (reported > 0) counts.matched++;
    samples.offer({
      label,
      group,
      reported,
      kinds,
      answers: answers.map(({ measure, verdict }) => ({
        score: measure.points,
        chance: measure.chance,
        points: verdict.points,
      })),
    });
    for (const [model, { measure, verdict, explain }] of answers.entries()) {
      if (reported === 0) continue;
      const error = Math.abs(label - (measure.chance ?? Math.min(1, measure.points / 100)));
      if (worst[model]!.wants(label, error))
        worst[model]!.add(error, { at: new Date(at).toISOString(), label, ...verdict, sentences: await explain() });
    }
  };

  for await (const event of events) {
    counts.events++;
    here.line = event.line ?? counts.events;
    if (times.to !== null && event.at < times.to) wrong('it happened before the event in front of it');
    times.from ??= event.at;
    times.to = event.at;
    engine.clock.nowMs = event.at;
    if (event.at >= times.nextEpochAt) {
      await engine.recompute();
      times.nextEpochAt = (Math.floor(event.at / DAY_MS) + epochDays) * DAY_MS;
    }
    switch (event.do) {
      case 'reporter':
        if (keys.has(event.name)) wrong('a reporter of this name came before');
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
  return {
    ...counts,
    from: times.from,
    to: times.to,
    reporters: keys.size,
    samples: samples.items,
    misses: worst.map((list) => list.list()),
    unlabelled: new Map(
      [...unlabelled].map(([group, { items }]) => [
        group,
        models.map((_, model) => items.map((points) => points[model]!)),
      ]),
    ),
  };
}
