import { createDisputes, type Disputes } from '../operator/disputes.ts';
import type { Identifier } from '../core/domain/identifier.ts';
import type { Reporter } from '../core/domain/reporter.ts';
import type { Verdict } from '../core/domain/verdict.ts';
import type { EngineContext } from '../core/engine/context.ts';
import { createContext, type ServiceOptions } from '../core/engine/create-context.ts';
import type { Effects } from '../core/engine/effects.ts';
import { createReporters, type Reporters } from '../core/engine/reporters.ts';
import { selectFacts, toEvidence, type SelectedFacts } from '../core/engine/query.ts';
import { toExplanation } from '../operator/explain.ts';
import { createSeededRandom } from '../core/engine/seeded-random.ts';
import { createService, type Service } from '../core/engine/service.ts';
import { findStandings } from '../core/engine/standings/state.ts';
import type { Evidence } from '../core/scoring/evidence.ts';
import type { Measure, ScoringModel } from '../core/scoring/model.ts';
import type { ReporterTrust } from '../core/scoring/standings/table.ts';
import type { Store } from '../core/store/store.ts';
import { createDeferredStandings } from './deferred-standings.ts';
import type { KindAge } from './fit-half-lives.ts';
import { indexIdentifiers } from './identifier-index.ts';

/** An engine on one store. The caller sets its clock, and several models answer side by side. One call at a time. */
export interface LabEngine
  extends
    Pick<Service, 'report' | 'remove'>,
    Pick<Reporters, 'createReporter' | 'issueKey'>,
    Pick<Disputes, 'openDispute' | 'decideDispute'> {
  readonly clock: { nowMs: number };
  /** Begins an epoch of the standings. They are computed when an answer or a change needs them. */
  beginEpoch(): void;
  /** Computes and stores the standings of the epoch, unless this is done. */
  settle(): Promise<void>;
  /** Returns the standings of the first model by reporter id; undefined if it has none. Call `settle` before. */
  standings(): Promise<ReadonlyMap<string, ReporterTrust> | undefined>;
  /** Returns the answer of each model, in the order of the models. Creates no link and counts toward no limit. */
  assess(identifiers: readonly Identifier[], withoutReporterId: string | undefined): Promise<Assessment>;
}

export interface Assessment {
  readonly reported: number;
  /** Kinds that matched, without duplicates. */
  readonly kinds: readonly string[];
  /** The youngest match of each kind; kinds as the first model takes them. */
  readonly youngest: readonly KindAge[];
  readonly models: readonly ModelAnswer[];
}

export interface ModelAnswer {
  readonly measure: Measure;
  readonly verdict: Verdict;
  /** Returns the explanation in sentences. Call it only for answers with a match. */
  explain(): Promise<readonly string[]>;
}

const NOTHING: Evidence = { reports: [], standings: new Map() };

/** Limits protect a service from misuse. A replay must not reach them. */
const UNLIMITED = { requests: 1_000_000_000, windowSeconds: 1 };

/** Creates an engine on a store, to which only this engine may write. Rejects with RangeError without a model. */
export async function createLabEngine(store: Store, models: readonly ScoringModel[]): Promise<LabEngine> {
  const [model] = models;
  if (model === undefined) throw new RangeError('"models" expected at least one model, got none');
  const clock = { nowMs: 0 };
  const indexed = await indexIdentifiers(store);
  const effects: Effects = {
    clock: () => clock.nowMs,
    monotonic: () => clock.nowMs,
    random: createSeededRandom('redflag lab'),
    giveTurn: async () => undefined,
    wait: async () => undefined,
    later: () => () => undefined,
  };
  const options: ServiceOptions = {
    store: indexed,
    secret: 'the lab has no secrets, only seeds',
    model,
    trustEpoch: 'on-demand',
    personalData: 'allow',
    limits: { query: UNLIMITED, report: UNLIMITED, delete: UNLIMITED, viewer: UNLIMITED },
    budgets: { identifiers: { verified: UNLIMITED.requests, new: UNLIMITED.requests } },
    bounds: { identifiers: 1000 },
  };
  const base = createContext(options, effects);
  const { keepers, forAll, beginEpoch, settle } = createDeferredStandings(
    { effects, notify: base.notify, store: indexed },
    models,
  );
  const contexts = models.map((one, at): EngineContext => ({ ...base, model: one, standings: keepers[at] }));
  const writing: EngineContext = { ...base, standings: forAll };
  const { report, remove } = createService(writing);
  const { createReporter, issueKey } = createReporters(writing);
  const { openDispute, decideDispute } = createDisputes({ context: writing });
  const settled =
    <Request, Value>(write: (request: Request) => Promise<Value>) =>
    async (request: Request): Promise<Value> => {
      await settle();
      return write(request);
    };

  const answer = (context: EngineContext, evidence: Evidence, facts: SelectedFacts): ModelAnswer => ({
    measure: context.model.measure(evidence),
    verdict: context.model.score(evidence),
    explain: async () => (await toExplanation(context, evidence, facts, 'operator')).sentences,
  });

  return {
    clock,
    report,
    createReporter,
    issueKey,
    remove: settled(remove),
    openDispute: settled(openDispute),
    decideDispute: settled(decideDispute),
    beginEpoch,
    settle,
    standings: async () => (await keepers[0]?.table())?.reporters,

    async assess(identifiers, withoutReporterId) {
      const facts = await selectFacts(base, identifiers, undefined, { withoutReporterId });
      const { matches, reporterIds } = facts;
      if (matches.length === 0)
        return {
          reported: 0,
          kinds: [],
          youngest: [],
          models: contexts.map((context) => answer(context, NOTHING, facts)),
        };
      await settle();
      const ids = [...reporterIds];
      let reporters: readonly Reporter[] | undefined;
      const answers: ModelAnswer[] = [];
      let youngest: readonly KindAge[] | undefined;
      for (const context of contexts) {
        const { model, standings } = context;
        const known = standings
          ? await findStandings(indexed, await standings.current(), ids)
          : // All models without standings share one read.
            new Map(
              (reporters ??= await indexed.findReporters(ids)).map((one) => [one.reporterId, model.standingOf(one)]),
            );
        const evidence = await toEvidence(context, { identifiers, sent: new Map() }, facts, known);
        youngest ??= youngestOf(evidence);
        answers.push(answer(context, evidence, facts));
      }
      return {
        reported: new Set(matches.map(({ reportId }) => reportId)).size,
        kinds: [...new Set(matches.map(({ kind }) => kind))],
        youngest: youngest ?? [],
        models: answers,
      };
    },
  };
}

function youngestOf({ reports }: Evidence): KindAge[] {
  const ages = new Map<string, number>();
  for (const { ageDays, shared } of reports)
    for (const { kind } of shared) ages.set(kind, Math.min(ages.get(kind) ?? Infinity, ageDays));
  return [...ages].map(([kind, ageDays]) => ({ kind, ageDays }));
}
