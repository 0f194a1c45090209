import { accept, type Outcome } from '../core/domain/refusal.ts';
import type { PublicReport } from '../core/domain/report.ts';
import type { Verdict } from '../core/domain/verdict.ts';
import type { EngineContext } from '../core/engine/context.ts';
import { findFacts, scoreEvidence, standingsOf, toEvidence, type Facts } from '../core/engine/evidence.ts';
import { toExplanation } from './explain.ts';
import { inTurns } from '../core/engine/in-turns.ts';
import { toHistory, toVoices, type PastScore, type RecordVoice } from './record-parts.ts';
import { findLinked, viewInTurn, type Linked, type ViewRequest } from '../core/engine/view.ts';

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
 * For how long a record that is too long to explain is shown again. Its score takes a second of work with 100,000
 * reports.
 */
const KEPT_MS = 60_000;

/**
 * Returns the function from a link to its record: its reports, and the score of the identifiers that have reports. The
 * score is that of now. If more than 500 identifiers of reports match and the same reports are shown, it may be a
 * minute old. Refuses as a view does. The score is computed in the turns of views, because everybody may ask.
 */
export function createRecord(context: EngineContext): (request: ViewRequest) => Promise<Outcome<PublicRecord>> {
  // A view returns the same list while it has the same reports, and forgets it if one is erased.
  const kept = new WeakMap<readonly PublicReport[], PublicRecord>();
  const find = async (linked: Linked): Promise<Outcome<PublicRecord>> => {
    const reports = await viewInTurn(context, linked);
    if (!reports.ok) return reports;
    const known = kept.get(reports.value);
    const ageMs = known ? context.clock() - known.asOf : -1;
    if (known && ageMs >= 0 && ageMs < KEPT_MS) return accept(known);
    const record = await toRecord(context, linked, reports.value);
    if (record.sentences.length === 0) kept.set(reports.value, record);
    return accept(record);
  };
  return async (request) => {
    const linked = await findLinked(context, request);
    if (!linked.ok) return linked;
    const { linkHash, asked } = linked.value;
    return context.views.inTurn(`record ${linkHash} ${asked}`, () => find(linked.value));
  };
}

async function toRecord(
  context: EngineContext,
  { linkHash, identifiers }: Linked,
  reports: readonly PublicReport[],
): Promise<PublicRecord> {
  const facts = await findFacts(context, identifiers, undefined);
  const standings = await standingsOf(context, facts, undefined);
  const evidence = await toEvidence(context, { identifiers, sent: new Map() }, facts, standings);
  const isShort = facts.matches.length <= EXPLAINED_MOST;
  const explained = isShort ? await toExplanation(context, evidence, facts, 'reporter') : undefined;
  const verdict = explained?.verdict ?? (await scoreEvidence(context, evidence));
  return {
    ...verdict,
    link: context.linkTo(linkHash),
    asOf: facts.atMs,
    changedAt: await findChange(context, facts, reports),
    kinds: await findKinds(context, facts),
    reporters: facts.reporterIds.size,
    disputed: reports.flatMap(({ reportId }) => (facts.disputed.has(reportId) ? [reportId] : [])),
    upheldDisputes: facts.upheld.size,
    reports,
    contacts: await findContacts(context, facts.reporterIds, reports),
    sentences: explained?.sentences ?? [],
    voices: explained ? await toVoices(context, evidence, explained) : [],
    history: explained ? await toHistory(context, evidence, facts, verdict.points) : [],
  };
}

/** Returns the latest moment of the shown reports, and of the disputes about reports that match. */
async function findChange(
  { giveTurn }: EngineContext,
  { matches, upheld, disputes }: Facts,
  reports: readonly PublicReport[],
): Promise<number> {
  let changedAt = 0;
  const note = (at: number | null): void => {
    if (at !== null && at > changedAt) changedAt = at;
  };
  const noteDisputes = (reportId: string): void => {
    for (const { openedAt, answeredAt, decidedAt } of disputes.get(reportId) ?? [])
      [openedAt, answeredAt, decidedAt].forEach(note);
  };
  for (const { createdAt } of reports) note(createdAt);
  for (const reportId of upheld) noteDisputes(reportId);
  await inTurns(matches, giveTurn, ({ reportId }) => noteDisputes(reportId));
  return changedAt;
}

/** Returns the kinds of the identifiers that match, each once, sorted. */
async function findKinds({ giveTurn }: EngineContext, { matches }: Facts): Promise<string[]> {
  const kinds = new Set<string>();
  await inTurns(matches, giveTurn, ({ kind }) => kinds.add(kind));
  return [...kinds].sort();
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
