import { isCode, type Identifier } from '../core/domain/identifier.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { QueryResult } from '../core/domain/verdict.ts';
import type { EngineContext } from '../core/engine/context.ts';
import { scoreEvidence, type SelectedFacts, query, queryCost } from '../core/engine/query.ts';
import { inTurns } from '../core/domain/lists.ts';
import { reportCost } from '../core/engine/report.ts';
import { toExplanation, type QueryExplanation } from './explain.ts';

/** The answer to a look-up of a person at a reporter. */
export interface LookUpResult extends QueryResult {
  /** Who made the reports that match, most reports first. */
  readonly organisations: readonly ReportingOrganisation[];
  /** The report that adds most. Undefined without a report, and if so many match that none is explained. */
  readonly strongest?: StrongestReport | undefined;
  /** The explanation in English, a sentence each. Empty if so many reports match that it is not made. */
  readonly sentences: readonly string[];
}

/** An organisation with reports that match. */
export interface ReportingOrganisation {
  /** Public name. */
  readonly name: string;
  /** Number of its reports that match. */
  readonly reports: number;
  /** True for the reporter that asks. */
  readonly isOwn: boolean;
}

/** What the strongest report says, without its text. */
export interface StrongestReport {
  /** Public name of its reporter. */
  readonly reporter: string;
  /** True for the reporter that asks. */
  readonly isOwn: boolean;
  /** Offence type. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** Whole days since the report. */
  readonly ageDays: number;
  /** Kinds of the identifiers that match, under their public names, each once. */
  readonly kinds: readonly string[];
  /** True while a dispute about it is open. */
  readonly disputed: boolean;
}

/** A reporter and the identifiers that it asks about or reports. */
export interface CountedRequest {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** 1 to 32 unless configured otherwise. */
  readonly identifiers: readonly Identifier[];
}

/** An explanation is made in one turn of the event loop, so its length is bounded. */
const MAX_EXPLAINED_REPORTS = 500;

/** Scores identifiers for a reporter without a key, and says who reported and why. */
export async function lookUp(
  context: EngineContext,
  { reporterId, identifiers }: CountedRequest,
): Promise<Outcome<LookUpResult>> {
  let found: Omit<LookUpResult, keyof QueryResult> = { organisations: [], sentences: [] };
  const answer = await query(context, { reporterId }, { identifiers }, async (evidence, facts) => {
    const isShort = facts.matches.length <= MAX_EXPLAINED_REPORTS;
    const explained = isShort ? await toExplanation(context, evidence, facts, 'reporter') : undefined;
    found = {
      organisations: await findOrganisations(context, facts, reporterId),
      strongest: explained && toStrongest(explained, reporterId),
      sentences: explained?.sentences ?? [],
    };
    return explained?.verdict ?? scoreEvidence(context, evidence);
  });
  return answer.ok ? accept({ ...answer.value, ...found }) : answer;
}

/**
 * Runs what a person at a reporter does without a key, and counts its identifiers against the reporter's budget and,
 * of a look-up, in its usage, as an operation with a key does. Counts nothing if it fails, is refused, or `isFree`.
 * Refuses with `unknown-reporter`, `suspended-key` or `limited`.
 */
export async function counting<T>(
  context: EngineContext,
  { reporterId, identifiers }: CountedRequest,
  isLookUp: boolean,
  run: () => Promise<Outcome<T>>,
  isFree: (value: T) => boolean = () => false,
): Promise<Outcome<T>> {
  const { store, limits, usage, effects } = context;
  const [reporter] = isCode(reporterId) ? await store.findReporters([reporterId]) : [];
  if (!reporter) return refuse({ reason: 'unknown-reporter' });
  if (reporter.suspended) return refuse({ reason: 'suspended-key' });
  const { budget, lookedUp } = (isLookUp ? queryCost(context) : reportCost(context)).costOf({ identifiers });
  const spent = await limits.spend(reporter, limits.budgetOf(reporter), budget);
  if (!spent.ok) return spent;
  const atMs = effects.clock();
  const used = { key: { keyId: '', lastUsedAt: atMs }, reporter };
  usage.used(used, lookedUp, atMs);
  let isCounted = false;
  try {
    const outcome = await run();
    isCounted = outcome.ok && !isFree(outcome.value);
    return outcome;
  } finally {
    if (!isCounted) {
      store.giveBack(reporterId, budget);
      usage.unused(used, lookedUp);
    }
  }
}

async function findOrganisations(
  { store, effects }: EngineContext,
  { matches, reporterIds }: SelectedFacts,
  ownId: string,
): Promise<ReportingOrganisation[]> {
  const reports = new Map<string, Set<string>>([...reporterIds].map((reporterId) => [reporterId, new Set()]));
  await inTurns(matches, effects.giveTurn, ({ reporterId, reportId }) => reports.get(reporterId)?.add(reportId));
  const reporters = await store.findReporters([...reporterIds]);
  const names = new Map(reporters.map(({ reporterId, name }) => [reporterId, name]));
  return [...reports]
    .map(([reporterId, own]) => ({
      name: names.get(reporterId) ?? 'A reporter',
      reports: own.size,
      isOwn: reporterId === ownId,
    }))
    .sort((a, b) => b.reports - a.reports || (a.name < b.name ? -1 : 1));
}

function toStrongest({ voices, names }: QueryExplanation, ownId: string): StrongestReport | undefined {
  const [voice] = voices;
  const report = voice?.reports.find(({ shareOfPoints }) => shareOfPoints > 0) ?? voice?.reports[0];
  if (!voice || !report) return undefined;
  const { type, severity, ageDays, disputed, matches } = report;
  return {
    reporter: names[voice.reporterId] ?? 'A reporter',
    isOwn: voice.reporterId === ownId,
    type,
    severity,
    ageDays: Math.floor(ageDays),
    kinds: [...new Set(matches.map(({ kind }) => kind))],
    disputed,
  };
}
