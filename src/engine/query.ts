import type { Identifier } from '../domain/identifier.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { authenticate } from './authenticate.ts';
import type { EngineContext } from './context.ts';
import { findFacts, toEvidence } from './evidence.ts';
import { proveMoment, reportersOf, toExplanation, type QueryExplanation } from './explain.ts';
import { proveIdentifiers } from './identifiers.ts';
import type { Concealed } from './peppers.ts';
import { standingsOf } from './standings.ts';

export interface QueryRequest {
  readonly apiKey: string;
  readonly identifiers: readonly Identifier[];
  /**
   * Milliseconds UTC, not later than now: answers as it would have been answered then, from what is still stored. Reads the whole store.
   * The very bytes of that time's answer when that day's standings had been learnt by then and nothing was deleted since they were; only the order
   * of two things of one millisecond, and an allow-list's planned end that somebody has put earlier, are not known any more.
   */
  readonly asOf?: number;
  /** True adds the explanation to the answer. */
  readonly explain?: boolean;
}

export interface ExplainedQueryResult extends QueryResult {
  /** Where the three numbers come from; there when it was asked for. */
  readonly explanation?: QueryExplanation;
}

/** Scores a set of identifiers (spec 4.4). A set that matches nothing leaves no trace in the store. */
export async function query(context: EngineContext, request: QueryRequest): Promise<Outcome<ExplainedQueryResult>> {
  const asOf = proveMoment(context, request.asOf);
  const reporter = await authenticate(context, request.apiKey, 'query');
  if (!reporter.ok) return reporter;
  const proved = proveIdentifiers(context, request.identifiers);
  if (!proved.ok) return proved;

  // Of what was sent: the same set has the same link under any pepper.
  const linkHash = context.secrets.linkHash(proved.value);
  return context.peppers.conceal(proved.value, (concealed) =>
    score(context, { concealed, linkHash, asOf, explain: request.explain === true, reader: reporter.value.reporterId }),
  );
}

interface ProvedQuery {
  readonly concealed: Concealed;
  readonly linkHash: string;
  readonly asOf: number | undefined;
  readonly explain: boolean;
  /** Who asks. */
  readonly reader: string;
}

async function score(
  context: EngineContext,
  { concealed, linkHash, asOf, explain, reader }: ProvedQuery,
): Promise<Outcome<ExplainedQueryResult>> {
  const { identifiers } = concealed;
  const link = context.linkTo(linkHash);
  const now = context.clock();
  // An explanation and an answer of an earlier moment are told by all that is stored.
  const facts = await findFacts(
    context,
    identifiers,
    asOf ?? now,
    asOf === undefined && !explain ? { reader } : undefined,
  );
  if (facts.matches.length === 0 && !explain) return accept({ points: 0, reported: 0, reliability: 0, link });

  const evidence = toEvidence(context, concealed, facts, await standingsOf(context, reportersOf(facts), asOf));
  if (facts.matches.length > 0 && asOf === undefined) {
    // Only what matched: a hash of somebody whom nobody reported is not kept.
    const matched = new Set(facts.matches.map(({ hash }) => hash));
    const kept = { linkHash, identifiers: identifiers.filter(({ hash }) => matched.has(hash)), createdAt: now };
    // A disk that takes no writes is no reason to keep from anybody what can be read. The link leads nowhere then until the set is asked again, as that of a set without a match does.
    await context.store.putLink(kept, context.bounds.linksPerIdentifier).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
    });
  }
  if (!explain) return accept({ ...context.model.score(evidence), link });
  const explanation = await toExplanation(context, evidence, facts, 'reporter');
  return accept({ ...explanation.verdict, link, explanation });
}
