import { OTHER_KIND, toIdentifiers, USUAL_KINDS, type Identifier } from '../core/domain/identifier.ts';
import { refuseUnknown } from '../core/domain/options.ts';
import { findPersonalData } from '../core/domain/personal-data.ts';
import type { Sentence } from '../core/domain/calculation.ts';
import { OTHER_DATA } from '../core/domain/public-record.ts';
import { accept, type Outcome } from '../core/domain/refusal.ts';
import type { Evidence } from '../core/scoring/evidence.ts';
import type { Explanation } from '../core/scoring/explanation.ts';
import { createLinkClaimModel } from '../core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../core/scoring/model.ts';
import { toEnglish, toSentence, toSentences } from './sentences.ts';
import type { QueryResult } from '../core/domain/verdict.ts';
import { withAuthentication, type KnownCaller } from '../core/engine/authenticate.ts';
import type { EngineContext, WithContext } from '../core/engine/context.ts';
import { inTurns } from '../core/domain/lists.ts';
import {
  queryCost,
  query,
  type Unvalidated,
  type QueryDraft,
  type QueryRequest,
  selectFacts,
  requirePast,
  standingsOf,
  toEvidence,
  type SelectedFacts,
} from '../core/engine/query.ts';

/** The model's explanation, with names and counts that only the engine knows. Holds no hash and no report text. */
export interface QueryExplanation extends Explanation {
  /** The moment of the answer (ms, UTC). */
  readonly asOf: number;
  /** Public names, by reporter id. */
  readonly names: Readonly<Record<string, string>>;
  /** Number of reports left out because of an upheld dispute. */
  readonly upheldDisputes: number;
  /** Identifiers left out because they are on the allow-list. An end set after `asOf` is not shown. */
  readonly protected: readonly {
    /** Kinds of the query's identifiers with the protected hash. */
    readonly kinds: readonly string[];
    /** The operator's note, for the operator only. */
    readonly reason?: string;
    /** Planned end of the protection (ms, UTC); null without one, or if it was removed from the list. */
    readonly endsAt: number | null;
  }[];
  /** Number of reports about any person that were deleted after `asOf`. The explanation cannot include them. */
  readonly deletedSince: number;
  /** The whole explanation in English, a sentence each. */
  readonly sentences: readonly string[];
}

/** A query to explain. */
export interface ExplainRequest {
  /** As in a query: 1 to 32 unless configured otherwise. */
  readonly identifiers: readonly Identifier[];
  /** Moment to explain (ms, UTC), not in the future; default: now. */
  readonly asOf?: number;
  /** Leaves out this reporter's own reports. */
  readonly withoutReporterId?: string;
}

/** The answer to a query, with its explanation. */
export interface ExplainedQueryResult extends QueryResult {
  /** Explains the three numbers. */
  readonly explanation: QueryExplanation;
}

/** Answers that say why. */
export interface Explanations {
  /**
   * Explains the answer to a query, now or at a past moment, from the data that is still stored. For the operator only:
   * needs no key, has no request limit and saves no link.
   */
  explain(request: ExplainRequest): Promise<Outcome<QueryExplanation>>;
  /** As `query` of the engine, with an explanation for the reporter: it has no note of the operator. */
  explainQuery(request: QueryRequest): Promise<Outcome<ExplainedQueryResult>>;
}

/** Returns the explanations of an engine. Its model must be the default one, or have `explain`. */
export function createExplanations({ context }: WithContext): Explanations {
  return context.secretCheck.guard<Explanations>({
    explain: (request) => explain(context, request),
    explainQuery: withAuthentication(context, { ...queryCost(context), run: explainQuery }),
  });
}

async function explainQuery(
  context: EngineContext,
  caller: KnownCaller,
  request: Unvalidated<QueryDraft>,
): Promise<Outcome<ExplainedQueryResult>> {
  let explanation: QueryExplanation | undefined;
  const answer = await query(context, caller, request, async (evidence, facts) => {
    explanation = await toExplanation(context, evidence, facts, 'reporter');
    return explanation.verdict;
  });
  return answer.ok ? accept({ ...answer.value, explanation: explanation! }) : answer;
}

async function explain(context: EngineContext, request: ExplainRequest): Promise<Outcome<QueryExplanation>> {
  refuseUnknown(request, ['identifiers', 'asOf', 'withoutReporterId']);
  const { asOf, withoutReporterId } = request;
  if (asOf !== undefined) requirePast(context, asOf);
  const { bounds, emptyHash } = context.settings;
  const valid = toIdentifiers(request.identifiers, bounds.identifiers, emptyHash);
  if (!valid.ok) return valid;
  return context.peppers.withStoredHashes(valid.value, async (concealed) => {
    const facts = await selectFacts(context, concealed.identifiers, asOf, { withoutReporterId });
    // If standings are being recomputed, wait for the new ones. A person reads the answer, so the delay is acceptable.
    if (asOf === undefined) await context.standings?.settled();
    const standings = await standingsOf(context, facts, asOf);
    const evidence = await toEvidence(context, concealed, facts, standings);
    return accept(await toExplanation(context, evidence, facts, 'operator'));
  });
}

export async function toExplanation(
  context: EngineContext,
  evidence: Evidence,
  facts: SelectedFacts,
  reader: 'operator' | 'reporter',
): Promise<QueryExplanation> {
  const { model, store } = context;
  const forOperator = reader === 'operator';
  const nameOfKind = forOperator ? (kind: string) => kind : await createPublicKinds(context, facts);
  const explanation = renameKinds(explainEvidence(model, evidence), nameOfKind);
  const reporters = await store.findReporters([...facts.reporterIds]);
  const names = new Map(reporters.map(({ reporterId, name }) => [reporterId, name]));
  const deletedSince = facts.asOf === undefined ? 0 : await store.countRemovedAfter(facts.asOf);
  const protections = facts.protections.map((protection) => {
    const asked = facts.identifiers.filter(({ hash }) => hash === protection.hash);
    return { ...protection, kinds: [...new Set(asked.map(({ kind }) => nameOfKind(kind)))] };
  });
  const upheld = facts.upheld.size;
  const byName = Object.fromEntries([...names].sort(([a], [b]) => (a < b ? -1 : 1)));
  const sentences = [
    ...toVoiceSentences(explanation, byName).map(toEnglish),
    ...protections.map(({ kinds, reason }) => {
      const said = toEnglish(toAllowed(kinds));
      return forOperator ? `${said.slice(0, -1)}: ${reason.replace(/\.$/, '')}.` : said;
    }),
    ...toFoundWrong(upheld).map(toEnglish),
  ];
  if (deletedSince > 0)
    sentences.push(
      `${countReports(deletedSince)} deleted after this moment and ${deletedSince === 1 ? 'is' : 'are'} not in the ` +
        'answer. This number includes reports about other persons.',
    );
  return {
    ...explanation,
    asOf: facts.atMs,
    names: byName,
    upheldDisputes: upheld,
    protected: protections.map(({ kinds, reason, endsAt, endedBy }) => ({
      kinds,
      ...(forOperator ? { reason } : {}),
      endsAt: endedBy === null ? endsAt : null,
    })),
    deletedSince,
    sentences,
  };
}

/** Returns the sentences of an explanation for any language, without notes of the operator. */
export function toPublicSentences(explanation: QueryExplanation): Sentence[] {
  return [
    ...toVoiceSentences(explanation, explanation.names),
    ...explanation.protected.map(({ kinds }) => toAllowed(kinds)),
    ...toFoundWrong(explanation.upheldDisputes),
  ];
}

function toVoiceSentences(explanation: Explanation, names: QueryExplanation['names']): Sentence[] {
  return toSentences(explanation, (reporterId) => names[reporterId] ?? 'A reporter');
}

function toAllowed(kinds: readonly string[]): Sentence {
  return toSentence('allowed', { list: kinds.map((kind) => ({ kind })) });
}

function toFoundWrong(n: number): Sentence[] {
  return n === 0 ? [] : [toSentence('foundWrong', { n })];
}

/** Digits of a name in which no phone or card number is hidden between letters. */
const MAX_DIGITS = 3;

/**
 * Returns the public name of each kind. A reporter chooses the names of its fields, and may write a person's data into
 * them. So only these are named: kinds that the model knows, and those that two verified reporters of the record use
 * and in which no personal data is found.
 */
export async function createPublicKinds(
  { model, store, effects }: EngineContext,
  { matches }: SelectedFacts,
): Promise<(kind: string) => string> {
  const named = new Set<string>(model.kinds ?? USUAL_KINDS);
  const usersOf = new Map<string, Set<string>>();
  await inTurns(matches, effects.giveTurn, ({ kind, reporterId }) => {
    if (named.has(kind)) return;
    const users = usersOf.get(kind) ?? new Set();
    usersOf.set(kind, users.add(reporterId));
  });
  const shared = [...usersOf].filter(([kind, users]) => users.size > 1 && isHarmless(kind));
  const users = new Set(shared.flatMap(([, some]) => [...some]));
  const reporters = users.size === 0 ? [] : await store.findReporters([...users]);
  const trusted = new Set(reporters.filter((one) => one.verified && !one.suspended).map((one) => one.reporterId));
  for (const [kind, some] of shared) if ([...some].filter((one) => trusted.has(one)).length > 1) named.add(kind);
  return (kind) => (named.has(kind) ? kind : OTHER_DATA);
}

function isHarmless(kind: string): boolean {
  if (kind === OTHER_KIND || kind.replace(/[^0-9]/g, '').length > MAX_DIGITS) return false;
  return findPersonalData(kind.replace(/[_-]/g, ' ')).length === 0;
}

/** Returns the explanation with other names of kinds. */
function renameKinds(explanation: Explanation, nameOf: (kind: string) => string): Explanation {
  const renamed = <T extends { readonly kind: string }>(one: T): T => ({ ...one, kind: nameOf(one.kind) });
  return {
    ...explanation,
    identifiers: explanation.identifiers.map(renamed),
    voices: explanation.voices.map((voice) => ({
      ...voice,
      reports: voice.reports.map((report) => ({ ...report, matches: report.matches.map(renamed) })),
    })),
  };
}

/** The default model of an engine cannot explain; the same with its explanation can. */
function explainEvidence(model: ScoringModel, evidence: Evidence): Explanation {
  if (model.explain) return model.explain(evidence);
  const explaining = createLinkClaimModel();
  if (model.name !== explaining.name) throw new TypeError('"model" expected a model with explain()');
  return explaining.explain(evidence);
}

function countReports(count: number): string {
  return count === 1 ? '1 report was' : `${count} reports were`;
}
