import type { Identifier } from '../domain/identifier.ts';
import { accept, type Outcome } from '../domain/refusal.ts';
import type { Evidence } from '../scoring/evidence.ts';
import type { Explanation } from '../scoring/explanation.ts';
import { explainInWords } from '../scoring/sentences.ts';
import type { EngineContext } from './context.ts';
import { findFacts, toEvidence, type Facts } from './evidence.ts';
import { proveIdentifiers } from './identifiers.ts';
import { standingsOf } from './standings.ts';

/** An explanation with what only the engine knows. Holds no hash and no text of a report. */
export interface QueryExplanation extends Explanation {
  /** Milliseconds UTC: the moment that was asked about. */
  readonly asOf: number;
  /** Public names, by reporter id. */
  readonly names: Readonly<Record<string, string>>;
  /** Reports left out because the operator found them wrong. */
  readonly upheldDisputes: number;
  /** Identifiers left out because they are on the allow-list. An end that somebody set later is not told: at that moment nobody knew of it. */
  readonly protected: readonly {
    readonly kinds: readonly string[];
    /** The operator's note; only the operator is shown it. */
    readonly reason?: string;
    readonly endsAt: number | null;
  }[];
  /** Reports of anybody that were deleted since the moment: they are erased, so what they said then is not in the answer. */
  readonly deletedSince: number;
  /** The same in sentences. */
  readonly sentences: readonly string[];
}

export interface ExplainRequest {
  readonly identifiers: readonly Identifier[];
  /** Milliseconds UTC, not later than now; now unless given. */
  readonly asOf?: number;
  /** Leaves one reporter's own reports out. */
  readonly withoutReporterId?: string;
}

/** Explains what a query would answer, now or at an earlier moment, from what is still stored. For the operator: it takes no key and leaves no link. */
export async function explain(context: EngineContext, request: ExplainRequest): Promise<Outcome<QueryExplanation>> {
  const asOf = proveMoment(context, request.asOf);
  const proved = proveIdentifiers(context, request.identifiers);
  if (!proved.ok) return proved;
  return context.peppers.conceal(proved.value, async (concealed) => {
    const found = await findFacts(context, concealed.identifiers, asOf ?? context.clock());
    const facts =
      request.withoutReporterId === undefined
        ? found
        : { ...found, matches: found.matches.filter(({ reporterId }) => reporterId !== request.withoutReporterId) };
    // Somebody reads this: it does not say what a table says that is being replaced.
    if (asOf === undefined) await context.trust?.settled();
    const standings = await standingsOf(context, reportersOf(facts), asOf);
    return accept(await toExplanation(context, toEvidence(context, concealed, facts, standings), facts, 'operator'));
  });
}

/** Throws TypeError or RangeError for what is no moment of the past. */
export function proveMoment(context: EngineContext, asOf: number | undefined): number | undefined {
  if (asOf === undefined) return undefined;
  if (!Number.isSafeInteger(asOf)) throw new TypeError(`"asOf" expected whole milliseconds, got ${String(asOf)}`);
  if (asOf > context.clock()) throw new RangeError('"asOf" expected a moment that has been, got a later one');
  return asOf;
}

export function reportersOf({ matches }: Facts): string[] {
  return [...new Set(matches.map(({ reporterId }) => reporterId))];
}

export async function toExplanation(
  context: EngineContext,
  evidence: Evidence,
  facts: Facts,
  reader: 'operator' | 'reporter',
): Promise<QueryExplanation> {
  const explanation = context.model.explain(evidence);
  const reporters = await context.store.findReporters(reportersOf(facts));
  const names = new Map(reporters.map(({ reporterId, name }) => [reporterId, name]));
  const deletedSince = await context.store.countRemovedAfter(facts.atMs);
  const { upheld, protections } = facts;
  return {
    ...explanation,
    asOf: facts.atMs,
    names: Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1))),
    upheldDisputes: upheld,
    protected: protections.map(({ kinds, reason, endsAt, endedBy }) => ({
      kinds,
      ...(reader === 'operator' ? { reason } : {}),
      endsAt: endedBy === null ? endsAt : null,
    })),
    deletedSince,
    sentences: [
      ...explainInWords(explanation, (reporterId) => names.get(reporterId) ?? 'A reporter'),
      ...protections.map(
        ({ kinds, reason }) =>
          `An identifier (${kinds.join(', ')}) is on the allow-list and was left out${reader === 'operator' ? `: ${reason.replace(/\.$/, '')}` : ''}.`,
      ),
      ...(upheld === 0
        ? []
        : [
            `${upheld === 1 ? '1 report was' : `${upheld} reports were`} left out because the operator found ${upheld === 1 ? 'it' : 'them'} wrong.`,
          ]),
      ...(deletedSince === 0
        ? []
        : [
            `${deletedSince === 1 ? '1 report was' : `${deletedSince} reports were`} deleted since this moment and ${deletedSince === 1 ? 'is' : 'are'} not in the answer, wherever ${deletedSince === 1 ? 'it' : 'they'} belonged.`,
          ]),
    ],
  };
}
