import { createAdministration, type Administration } from '../admin/administration.ts';
import { createDisputes, type Disputes } from '../admin/disputes.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { EngineContext } from '../engine/context.ts';
import { createContext } from '../engine/create-context.ts';
import { findFacts, toEvidence } from '../engine/evidence.ts';
import { reportersOf, toExplanation } from '../engine/explain.ts';
import { createSeededRandom } from '../engine/seeded-random.ts';
import { createService, type Service } from '../engine/service.ts';
import { standingsOf } from '../engine/standings.ts';
import { createTrustKeeper, type TrustKeeper } from '../engine/trust-keeper.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { Evidence } from '../scoring/evidence.ts';
import type { Measure, ScoringModel } from '../scoring/model.ts';
import type { Store } from '../store/store.ts';

/** The real engine on one store, under a clock that is set by hand, with one or more models that answer side by side. */
export interface LabEngine extends Service, Administration, Disputes {
  readonly clock: { nowMs: number };
  /** Every model learns its standings anew. */
  recompute(): Promise<void>;
  /** What each model says of a set of identifiers, in the order of the models; nobody's limits and no link. */
  assess(identifiers: readonly Identifier[], withoutReporterId: string | undefined): Promise<Assessment>;
}

export interface Assessment {
  readonly reported: number;
  /** Kinds that matched, each once. */
  readonly kinds: readonly string[];
  readonly models: readonly ModelAnswer[];
}

export interface ModelAnswer {
  readonly measure: Measure;
  readonly verdict: Verdict;
  /** The explanation in sentences. */
  explain(): Promise<readonly string[]>;
}

const NOTHING: Evidence = { reports: [], standings: new Map() };

/** No run is stopped by a limit that is there against misuse. */
const UNLIMITED = { requests: 1_000_000_000, windowSeconds: 1 };

export function createLabEngine(store: Store, models: readonly ScoringModel[]): LabEngine {
  const clock = { nowMs: 0 };
  const base = createContext({
    store,
    secret: 'the lab has no secrets, only seeds',
    linkTo: (hash) => hash,
    clock: () => clock.nowMs,
    random: createSeededRandom('redflag lab'),
    model: models[0]!,
    trustEpoch: 'on-demand',
    giveTurn: async () => undefined,
    limits: { query: UNLIMITED, report: UNLIMITED, delete: UNLIMITED, viewer: UNLIMITED },
    bounds: { identifiers: 1000 },
  });
  const keepers = models.map(
    ({ trust }) =>
      trust &&
      createTrustKeeper({ store, rules: trust, clock: base.clock, giveTurn: base.giveTurn, epoch: 'on-demand' }),
  );
  const contexts = models.map((model, at): EngineContext => ({ ...base, model, trust: keepers[at] }));
  // Whatever is stored once is told to all.
  const writing: EngineContext = { ...base, trust: tellAll(keepers.filter((keeper) => keeper !== undefined)) };

  return {
    ...createService(writing),
    ...createAdministration(writing),
    ...createDisputes(writing),
    clock,
    async recompute() {
      for (const keeper of keepers) await keeper?.recompute();
    },

    async assess(identifiers, withoutReporterId) {
      const found = await findFacts(base, identifiers, clock.nowMs);
      const matches =
        withoutReporterId === undefined
          ? found.matches
          : found.matches.filter(({ reporterId }) => reporterId !== withoutReporterId);
      const facts = { ...found, matches };
      const answers: ModelAnswer[] = [];
      for (const context of contexts) {
        if (matches.length === 0) {
          answers.push({
            measure: context.model.measure(NOTHING),
            verdict: context.model.score(NOTHING),
            explain: async () => ['No report matches.'],
          });
          continue;
        }
        const evidence = toEvidence(
          context,
          { identifiers, sent: new Map() },
          facts,
          await standingsOf(context, reportersOf(facts), undefined),
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

function tellAll(keepers: readonly TrustKeeper[]): TrustKeeper | undefined {
  const [first, ...others] = keepers;
  if (first === undefined || others.length === 0) return first;
  const tell =
    <Method extends 'reported' | 'removed' | 'disputed'>(method: Method) =>
    async (...args: Parameters<TrustKeeper[Method]>): Promise<void> => {
      for (const keeper of keepers) await (keeper[method] as (...args: unknown[]) => Promise<void>)(...args);
    };
  return { ...first, reported: tell('reported'), removed: tell('removed'), disputed: tell('disputed') };
}
