import { DAY_MS } from '../core/domain/day.ts';
import { disputeStateAt } from '../core/domain/dispute.ts';
import type { Evidence, EvidenceReport } from '../core/scoring/evidence.ts';
import type { PastScore, RecordVoice } from '../core/domain/public-record.ts';
import type { SelectedFacts, Scorer } from '../core/engine/query.ts';
import type { QueryExplanation } from './explain.ts';

/** Moments at which a record's history has a score. Each costs a score of all matching reports. */
const MAX_MOMENTS = 24;
/** Voices whose losses are computed. Each costs two scores of all matching reports. */
const MAX_VOICES = 12;
/** Reports that are scored in one turn of the event loop: one or two milliseconds of work. */
const REPORTS_AT_ONCE = 2_000;

/**
 * Returns the score at past moments, from the day of the oldest matching report up to now. Empty if that is less than
 * two days ago, because ages are whole days. Takes the reports and standings of now, so it needs no store: a report
 * that was deleted or found wrong since then is in no moment. Disputes are as they were.
 */
export async function toHistory(
  { model, effects }: Scorer,
  evidence: Evidence,
  facts: SelectedFacts,
  points: number,
): Promise<PastScore[]> {
  const { atMs, disputes } = facts;
  const createdAt = new Map(facts.matches.map((match) => [match.reportId, Math.min(match.createdAt, atMs)]));
  const first = Math.min(...createdAt.values());
  const days = Math.floor((atMs - first) / DAY_MS);
  if (!(days >= 2)) return [];
  const steps = Math.min(MAX_MOMENTS - 1, days);
  const rest = createRests(effects.giveTurn);
  const history: PastScore[] = [];
  for (let step = 0; step < steps; step++) {
    const at = Math.round(first + ((atMs - first) * step) / steps);
    const reports = evidence.reports.flatMap((report): EvidenceReport[] => {
      const made = createdAt.get(report.reportId) ?? atMs;
      if (made > at) return [];
      const disputed = disputeStateAt(disputes.get(report.reportId) ?? [], at) === 'open';
      return [{ ...report, disputed, ageDays: Math.floor((at - made) / DAY_MS) }];
    });
    await rest(reports.length);
    const then = model.score({ reports, standings: evidence.standings });
    history.push({ at, points: then.points, reported: then.reported });
  }
  return [...history, { at: atMs, points, reported: evidence.reports.length }];
}

/**
 * Returns what the organisations add to the points, and what they would add without disputes and age. The model is
 * asked again with changed reports, so this needs no knowledge of its formula.
 */
export async function toVoices(
  { model, effects }: Scorer,
  evidence: Evidence,
  { voices, exact, verdict, names }: QueryExplanation,
): Promise<RecordVoice[]> {
  const { reports, standings } = evidence;
  const rest = createRests(effects.giveTurn);
  const measure = async (changed: readonly EvidenceReport[]): Promise<number> => {
    await rest(reports.length);
    return Math.min(100, model.measure({ reports: changed, standings }).points);
  };
  // The points are rounded, at least 1 and at most 100. The parts are of the exact points.
  const toShare = (part: number): number =>
    exact.points > 0 ? (part / exact.points) * verdict.points : verdict.points / voices.length;
  // Losses add to the rounded points, so that each sum rounds to the score that it would be.
  const now = verdict.points;
  const drawn: RecordVoice[] = [];
  for (const { reporterId, points, reports: own } of voices.slice(0, MAX_VOICES)) {
    const change = (from: readonly EvidenceReport[], to: Partial<EvidenceReport>): EvidenceReport[] =>
      from.map((report) => (report.reporterId === reporterId ? { ...report, ...to } : report));
    const isDisputed = own.some(({ disputed }) => disputed);
    const isOld = own.some(({ ageDays }) => ageDays > 0);
    const undisputed = isDisputed ? change(reports, { disputed: false }) : reports;
    const withoutDisputes = isDisputed ? Math.max(now, await measure(undisputed)) : now;
    const fresh = isOld ? await measure(change(undisputed, { ageDays: 0 })) : withoutDisputes;
    drawn.push({
      name: names[reporterId] ?? 'A reporter',
      reported: own.length,
      added: toShare(points.part),
      disputed: withoutDisputes - now,
      faded: Math.max(0, fresh - withoutDisputes),
    });
  }
  return drawn;
}

/** Returns a function to call before some reports are scored. Lets other work run where many were scored. */
function createRests(giveTurn: () => Promise<void>): (reports: number) => Promise<void> {
  let scored = 0;
  return async (reports) => {
    if (scored > 0 && scored + reports > REPORTS_AT_ONCE) {
      await giveTurn();
      scored = 0;
    }
    scored += reports;
  };
}
