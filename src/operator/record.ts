import { accept, type Outcome } from '../core/domain/refusal.ts';
import type { PublicReport } from '../core/domain/report.ts';
import type { Reporter } from '../core/domain/reporter.ts';
import { inFairOrder } from '../core/domain/fair-order.ts';
import type { ExplainedVoice } from '../core/scoring/explanation.ts';
import type { PublicRecord, ReporterContact } from '../core/domain/public-record.ts';
import { begin } from '../core/engine/authenticate.ts';
import type { EngineContext, WithContext } from '../core/engine/context.ts';
import type { Service } from '../core/engine/service.ts';
import { createReadCase } from './person-cases.ts';
import { requestDispute } from './request-dispute.ts';
import { selectFacts, scoreEvidence, standingsOf, toEvidence, type SelectedFacts } from '../core/engine/query.ts';
import { createPublicKinds, toExplanation, toPublicSentences } from './explain.ts';
import { inTurns } from '../core/domain/lists.ts';
import { toHistory, toVoices } from './record-parts.ts';
import { findVisibleLink, viewInTurn, type VisibleLink, type ViewRequest } from '../core/engine/view.ts';

/** A service with what people do behind a link. */
export type PublicService = Service & Required<Pick<Service, 'record' | 'requestDispute' | 'readCase'>>;

/**
 * Returns the service of an engine with the record behind each link and requests for disputes: what `createPages`
 * needs for its pages of them.
 */
export function withRecords<Base extends Service & WithContext>(engine: Base): Base & PublicService {
  const { context } = engine;
  const findRecord = createRecord(context);
  const readCase = createReadCase(context);
  return {
    ...engine,
    async record(request) {
      await begin(context, request);
      return findRecord(request);
    },
    async requestDispute(request) {
      await begin(context, request);
      return requestDispute(context, request);
    },
    async readCase(request) {
      await begin(context, request);
      return readCase(request);
    },
  };
}

/** Reports in a page. A thousand long ones would take a megabyte, and a tenth of a second. The JSON has all. */
const MAX_SHOWN_REPORTS = 50;

/** An explanation is made in one turn of the event loop, so its length is bounded. */
const MAX_EXPLAINED_REPORTS = 500;

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
function createRecord(context: EngineContext): (request: ViewRequest) => Promise<Outcome<PublicRecord>> {
  // A view returns the same list while it has the same reports, and forgets it if one is erased.
  const kept = new WeakMap<readonly PublicReport[], PublicRecord>();
  const find = async (linked: VisibleLink): Promise<Outcome<PublicRecord>> => {
    const reports = await viewInTurn(context, linked);
    if (!reports.ok) return reports;
    const known = kept.get(reports.value);
    const ageMs = known ? context.effects.clock() - known.asOf : -1;
    if (known && ageMs >= 0 && ageMs < KEPT_MS) return accept(known);
    const record = await toRecord(context, linked, reports.value);
    if (record.sentences.length === 0) kept.set(reports.value, record);
    return accept(record);
  };
  return async (request) => {
    const linked = await findVisibleLink(context, request);
    if (!linked.ok) return linked;
    const { linkHash, identifiersKey, owner } = linked.value;
    return context.views.inTurn(`record ${linkHash} ${identifiersKey}`, () => find(linked.value), owner);
  };
}

async function toRecord(
  context: EngineContext,
  { linkHash, identifiers }: VisibleLink,
  reports: readonly PublicReport[],
): Promise<PublicRecord> {
  const facts = await selectFacts(context, identifiers, undefined);
  const standings = await standingsOf(context, facts, undefined);
  const evidence = await toEvidence(context, { identifiers, sent: new Map() }, facts, standings);
  const isShort = facts.matches.length <= MAX_EXPLAINED_REPORTS;
  const explained = isShort ? await toExplanation(context, evidence, facts, 'reporter') : undefined;
  const reporters = await context.store.findReporters([...facts.reporterIds]);
  const verdict = explained?.verdict ?? (await scoreEvidence(context, evidence));
  return {
    ...verdict,
    link: context.linkStart + linkHash,
    asOf: facts.atMs,
    changedAt: await findChange(context, facts, reports),
    kinds: await findKinds(context, facts),
    reporters: facts.reporterIds.size,
    disputed: reports.flatMap(({ reportId }) => (facts.disputed.has(reportId) ? [reportId] : [])),
    upheldDisputes: facts.upheld.size,
    reports,
    ...(await toShown(context, facts, reports, { reporters, voices: explained?.voices ?? [] })),
    contacts: toContacts(reporters, reports),
    sentences: explained?.sentences ?? [],
    calculation: explained ? toPublicSentences(explained) : [],
    voices: explained ? await toVoices(context, evidence, explained) : [],
    history: explained ? await toHistory(context, evidence, facts, verdict.points) : [],
  };
}

/** Returns the latest moment of the shown reports, and of the disputes about reports that match. */
async function findChange(
  { effects }: EngineContext,
  { matches, upheld, disputes }: SelectedFacts,
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
  await inTurns(matches, effects.giveTurn, ({ reportId }) => noteDisputes(reportId));
  return changedAt;
}

/** Returns the kinds of the identifiers that match, under their public names, each once, sorted. */
async function findKinds(context: EngineContext, facts: SelectedFacts): Promise<string[]> {
  const nameOf = await createPublicKinds(context, facts);
  const kinds = new Set<string>();
  await inTurns(facts.matches, context.effects.giveTurn, ({ kind }) => kinds.add(nameOf(kind)));
  return [...kinds].sort();
}

/** Returns what a page shows of these reports, and how many matching ones of whom it leaves out. */
async function toShown(
  { effects }: EngineContext,
  { matches }: SelectedFacts,
  reports: readonly PublicReport[],
  {
    reporters,
    voices,
  }: { readonly reporters: readonly Reporter[]; readonly voices: readonly Pick<ExplainedVoice, 'reports'>[] },
): Promise<Pick<PublicRecord, 'shown' | 'leftOut'>> {
  const states = new Map(reporters.map((reporter) => [reporter.reporterId, reporter]));
  const reporterOf = new Map<string, string>();
  await inTurns(matches, effects.giveTurn, ({ reportId, reporterId }) => reporterOf.set(reportId, reporterId));
  const placed = reports.map((report) => ({ ...report, reporterId: reporterOf.get(report.reportId) ?? '' }));
  const placeOf = toPlaces(reports, voices);
  const addsNothing = ({ report }: { readonly report: PublicReport }): number => Number(!placeOf.has(report.reportId));
  const kept = inFairOrder(placed, (reporterId) => states.get(reporterId))
    .sort((a, b) => addsNothing(a) - addsNothing(b))
    .slice(0, MAX_SHOWN_REPORTS);
  const ids = new Set(kept.map(({ report }) => report.reportId));
  const leftOut = new Map<string, number>();
  for (const [reportId, reporterId] of reporterOf)
    if (!ids.has(reportId)) leftOut.set(reporterId, (leftOut.get(reporterId) ?? 0) + 1);
  return {
    shown: reports
      .filter(({ reportId }) => ids.has(reportId))
      .sort((a, b) => (placeOf.get(a.reportId) ?? voices.length) - (placeOf.get(b.reportId) ?? voices.length)),
    leftOut: [...leftOut]
      .map(([reporterId, count]) => ({ reporter: states.get(reporterId)?.name ?? 'A reporter', reports: count }))
      .sort((a, b) => b.reports - a.reports || (a.reporter < b.reporter ? -1 : 1)),
  };
}

/** Returns the place of each report that adds to the points: of each voice the strongest, of equal ones the newest. */
function toPlaces(
  reports: readonly PublicReport[],
  voices: readonly Pick<ExplainedVoice, 'reports'>[],
): ReadonlyMap<string, number> {
  const newest = reports.map(({ reportId }) => reportId);
  return new Map(
    voices.flatMap(({ reports: own }, place) => {
      const speaking = new Set(own.flatMap(({ reportId, shareOfPoints }) => (shareOfPoints > 0 ? reportId : [])));
      const first = newest.find((reportId) => speaking.has(reportId));
      return first === undefined ? [] : [[first, place] as const];
    }),
  );
}

/** Returns the contacts of those of the reporters that made these reports. */
function toContacts(reporters: readonly Reporter[], reports: readonly PublicReport[]): ReporterContact[] {
  const shown = new Set(reports.map(({ reporter }) => reporter));
  return reporters
    .flatMap(({ name, contact }) => (contact === null || !shown.has(name) ? [] : [{ reporter: name, contact }]))
    .sort((a, b) => (a.reporter < b.reporter ? -1 : 1));
}
