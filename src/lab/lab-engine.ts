import { createAdministration, type Administration } from '../admin/administration.ts';
import { createDisputes, type Disputes } from '../admin/disputes.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { EngineContext } from '../engine/context.ts';
import { createContext } from '../engine/create-context.ts';
import { findFacts, standingsOf, toEvidence } from '../engine/evidence.ts';
import { toExplanation } from '../engine/explain.ts';
import { createSeededRandom } from '../engine/seeded-random.ts';
import { createService, type Service } from '../engine/service.ts';
import { createStandingsKeeper, type StandingsKeeper } from '../engine/standings/keeper.ts';
import type { Evidence } from '../scoring/evidence.ts';
import type { Measure, ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';

/** An engine on one store. The caller sets its clock, and several models answer side by side. */
export interface LabEngine extends Service, Administration, Disputes {
  readonly clock: { nowMs: number };
  recompute(): Promise<void>;
  /** Returns the answer of each model, in the order of the models. Creates no link and counts toward no limit. */
  assess(identifiers: readonly Identifier[], withoutReporterId: string | undefined): Promise<Assessment>;
}

export interface Assessment {
  readonly reported: number;
  /** Kinds that matched, without duplicates. */
  readonly kinds: readonly string[];
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

/** Creates an engine on a store. Throws RangeError without a model. */
export function createLabEngine(store: Store, models: readonly ScoringModel[]): LabEngine {
  const [model] = models;
  if (model === undefined) throw new RangeError('"models" expected at least one model, got none');
  const clock = { nowMs: 0 };
  const base = createContext({
    store,
    secret: 'the lab has no secrets, only seeds',
    linkTo: (hash) => hash,
    clock: () => clock.nowMs,
    random: createSeededRandom('redflag lab'),
    model,
    trustEpoch: 'on-demand',
    giveTurn: async () => undefined,
    wait: async () => undefined,
    limits: { query: UNLIMITED, report: UNLIMITED, delete: UNLIMITED, viewer: UNLIMITED },
    bounds: { identifiers: 1000 },
  });
  const contexts = models.map((one): EngineContext => {
    const standings = one.trust && createStandingsKeeper({ ...base, rules: one.trust, epoch: 'on-demand' });
    return { ...base, model: one, standings };
  });
  const keepers = contexts.flatMap(({ standings }) => standings ?? []);
  const writing: EngineContext = { ...base, standings: notifyAll(keepers) };

  return {
    ...createService(writing),
    ...createAdministration(writing),
    ...createDisputes(writing),
    clock,
    async recompute() {
      for (const keeper of keepers) await keeper.recompute();
    },

    async assess(identifiers, withoutReporterId) {
      const facts = await findFacts(base, identifiers, clock.nowMs, { withoutReporterId });
      const { matches } = facts;
      const answers: ModelAnswer[] = [];
      for (const context of contexts) {
        const evidence =
          matches.length === 0
            ? NOTHING
            : await toEvidence(
                context,
                { identifiers, sent: new Map() },
                facts,
                await standingsOf(context, facts, undefined),
              );
        answers.push({
          measure: context.model.measure(evidence),
          verdict: context.model.score(evidence),
          explain: async () => (await toExplanation(context, evidence, facts, 'operator')).sentences,
        });
      }
      return {
        reported: new Set(matches.map(({ reportId }) => reportId)).size,
        kinds: [...new Set(matches.map(({ kind }) => kind))],
        models: answers,
      };
    },
  };
}

/** Returns a keeper that forwards each stored change to the keepers of all models; undefined without keepers. */
function notifyAll(keepers: readonly StandingsKeeper[]): StandingsKeeper | undefined {
  const [first] = keepers;
  if (!first) return undefined;
  const each = async (notify: (keeper: StandingsKeeper) => Promise<void>): Promise<void> => {
    for (const keeper of keepers) await notify(keeper);
  };
  return {
    ...first,
    reported: (report) => each((keeper) => keeper.reported(report)),
    resent: (reportId) => each((keeper) => keeper.resent(reportId)),
    removed: (report) => each((keeper) => keeper.removed(report)),
    disputed: (reportId) => each((keeper) => keeper.disputed(reportId)),
  };
}
