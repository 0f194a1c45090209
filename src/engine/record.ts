import { accept, type Outcome } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { EngineContext } from './context.ts';
import { findFacts, scoreEvidence, standingsOf, toEvidence, type Facts } from './evidence.ts';
import { toExplanation } from './explain.ts';
import { toHistory, toVoices, type PastScore, type RecordVoice } from './record-parts.ts';
import { findLinked, viewLinked, type ViewRequest } from './view.ts';

/** A public contact of an organisation. */
export interface ReporterContact {
  /** Public name. */
  readonly reporter: string;
  /** An email address, an address that begins with `https:` or `mailto:`, or a phone number. */
  readonly contact: string;
}

/** What a person sees behind a link. */
export interface PublicRecord extends Verdict {
  /** Public address of this record, as queries return it. */
  readonly link: string;
  /** The moment of the score (ms, UTC). */
  readonly asOf: number;
  /**
   * When the record last changed (ms, UTC): the latest moment at which a shown report was made, or at which a dispute
   * about a matching report was opened, answered or decided. A deletion does not move it, and may set it back: nothing
   * stays of a deleted report under these identifiers.
   */
  readonly changedAt: number;
  /** Kinds of the identifiers that match, each once, sorted. */
  readonly kinds: readonly string[];
  /** Number of organisations whose reports count. */
  readonly reporters: number;
  /** Ids of shown reports about which a dispute is open. */
  readonly disputed: readonly string[];
  /** Number of reports that the operator found wrong. They do not count and are not shown. */
  readonly upheldDisputes: number;
  /** The newest reports first, as {@link Service.view} returns them. */
  readonly reports: readonly PublicReport[];
  /** How a person reaches the organisations of these reports. Those without a contact are left out. Sorted by name. */
  readonly contacts: readonly ReporterContact[];
  /** Explains the score. Empty if more than 500 identifiers of reports match. */
  readonly sentences: readonly string[];
  /**
   * What organisations add to the points, largest part first: at most 12. All parts, with those of further
   * organisations, add up to `points`. Empty if `sentences` is empty.
   */
  readonly voices: readonly RecordVoice[];
  /**
   * How the points moved: at most 24 moments from the oldest report up to now, at equal distances. Empty if the oldest
   * report is less than two days old, or if `sentences` is empty.
   */
  readonly history: readonly PastScore[];
}

/** An explanation is made in one turn of the event loop, so its length is bounded. */
const EXPLAINED_MOST = 500;

/**
 * Returns the record behind a link: its reports, and the score as of now of the identifiers that have reports. Refuses
 * as a view does. The score is computed in the turns of views, because everybody may ask.
 */
export async function record(context: EngineContext, request: ViewRequest): Promise<Outcome<PublicRecord>> {
  const linked = await findLinked(context, request);
  if (!linked.ok) return linked;
  const reports = await viewLinked(context, linked.value);
  if (!reports.ok) return reports;
  const { identifiers } = linked.value;
  return context.views.inTurn(async () => {
    const facts = await findFacts(context, identifiers, undefined);
    const standings = await standingsOf(context, facts, undefined);
    const evidence = await toEvidence(context, { identifiers, sent: new Map() }, facts, standings);
    const isShort = facts.matches.length <= EXPLAINED_MOST;
    const explained = isShort ? await toExplanation(context, evidence, facts, 'reporter') : undefined;
    const verdict = explained?.verdict ?? (await scoreEvidence(context, evidence));
    return accept({
      ...verdict,
      link: context.linkTo(linked.value.linkHash),
      asOf: facts.atMs,
      changedAt: findChange(facts, reports.value),
      kinds: [...new Set(facts.matches.map(({ kind }) => kind))].sort(),
      reporters: facts.reporterIds.size,
      disputed: reports.value.flatMap(({ reportId }) => (facts.disputed.has(reportId) ? [reportId] : [])),
      upheldDisputes: facts.upheld.size,
      reports: reports.value,
      contacts: await findContacts(context, facts.reporterIds, reports.value),
      sentences: explained?.sentences ?? [],
      voices: explained ? await toVoices(context, evidence, explained) : [],
      history: explained ? await toHistory(context, evidence, facts, verdict.points) : [],
    });
  });
}

/** Returns the latest moment of the shown reports, and of the disputes about reports that match. */
function findChange({ matches, upheld, disputes }: Facts, reports: readonly PublicReport[]): number {
  let changedAt = 0;
  const note = (at: number | null): void => {
    if (at !== null && at > changedAt) changedAt = at;
  };
  for (const { createdAt } of reports) note(createdAt);
  for (const reportId of new Set([...matches.map((match) => match.reportId), ...upheld]))
    for (const { openedAt, answeredAt, decidedAt } of disputes.get(reportId) ?? [])
      [openedAt, answeredAt, decidedAt].forEach(note);
  return changedAt;
}

/** Returns the contacts of the reporters of these reports, among the reporters with these ids. */
async function findContacts(
  { store }: EngineContext,
  reporterIds: ReadonlySet<string>,
  reports: readonly PublicReport[],
): Promise<ReporterContact[]> {
  const shown = new Set(reports.map(({ reporter }) => reporter));
  const reporters = await store.findReporters([...reporterIds]);
  return reporters
    .flatMap(({ name, contact }) => (contact === null || !shown.has(name) ? [] : [{ reporter: name, contact }]))
    .sort((a, b) => (a.reporter < b.reporter ? -1 : 1));
}
