import type { HashHistory, StoredSharing } from '../../core/store/records.ts';
import {
  findSharings,
  onlyCounting,
  type StandingsSource,
  type ReportEffect,
  type StandingsState,
  type ReportFacts,
} from '../../core/engine/standings/state.ts';
import { groupBy } from '../../core/domain/lists.ts';
import { isBefore } from '../../core/engine/standings/past.ts';

/** The reports of one day. Their effects depend on the order of the report times, not on the order of reading. */
export interface Today {
  has(reportId: string): boolean;
  /** Adds a report. Ignores a known report and a report of an earlier day. */
  add(report: ReportFacts, known?: HashHistory): Promise<void>;
  /** Adds a report with a known effect. Pass only identifiers that count. */
  addKnown(report: ReportFacts, effect: ReportEffect): Promise<void>;
  /** Undoes the effect of a deleted report. Ignores an unknown report. */
  remove(reportId: string): Promise<void>;
  /**
   * Recomputes once the effects in which these reports count, after disputes about them changed. A dispute may have an
   * earlier time than reports that were counted before it was known, because clocks differ.
   */
  disputed(reportIds: readonly string[]): Promise<void>;
  /** Recomputes effects in which an unread report of the day counted. Such a report may have been deleted since. */
  settle(): Promise<void>;
}

/** Maximum number of effects recomputed per removal, late report or dispute. The next epoch corrects the rest. */
const SETTLED_AT_ONCE = 50;

type DatedId = Pick<ReportFacts, 'createdAt' | 'reportId'>;

interface CountedReport {
  readonly report: ReportFacts;
  readonly hashes: readonly string[];
  effect: ReportEffect;
}

export function createToday(source: StandingsSource, state: StandingsState): Today {
  const counted = new Map<string, CountedReport>();
  /** The reports of each hash in the order of time. A hash may have very many, so they are found by binary search. */
  const byHash = new Map<string, CountedReport[]>();
  const unsure = new Set<string>();

  /** Returns the reports of a hash that one reporter made in one millisecond. */
  const atMoment = (hash: string, reporterId: string, createdAt: number): CountedReport[] => {
    const reports = byHash.get(hash) ?? [];
    const found: CountedReport[] = [];
    for (let at = placeOf(reports, { createdAt, reportId: '' }); ; at++) {
      const one = reports[at];
      if (one?.report.createdAt !== createdAt) return found;
      if (one.report.reporterId === reporterId) found.push(one);
    }
  };

  const effectOf = async (report: ReportFacts, known?: HashHistory): Promise<ReportEffect> => {
    if (report.identifiers.length === 0) return { claims: 0, preceded: 0, echoed: 0 };
    const { reporterId, createdAt, reportId } = report;
    const sharings = await findSharings(source.store, state, report, known);
    // If a reporter has two reports of the same millisecond, the one with the lower id counts as first.
    const tied = new Set<string>();
    for (const { hash } of report.identifiers)
      for (const other of atMoment(hash, reporterId, createdAt))
        if (other.report.reportId < reportId) for (const shared of other.hashes) tied.add(shared);
    const before = sharings.filter(
      (sharing) =>
        source.rules.isStrong(sharing.kind) &&
        (sharing.firstAt < createdAt ||
          (sharing.firstAt === createdAt && sharing.reporterId === reporterId && tied.has(sharing.hash))),
    );
    const isKnown = (sharing: StoredSharing): boolean =>
      sharing.firstAt < state.epochAt || atMoment(sharing.hash, sharing.reporterId, sharing.firstAt).length > 0;
    if (before.every(isKnown)) unsure.delete(reportId);
    else unsure.add(reportId);
    return state.effectOf(report, before);
  };

  const recompute = async (one: CountedReport): Promise<void> => {
    const effect = await effectOf(one.report);
    // The report and its effect were removed meanwhile.
    if (counted.get(one.report.reportId) !== one) return;
    state.apply(one.report.reporterId, one.effect, -1);
    state.apply(one.report.reporterId, effect, 1);
    one.effect = effect;
  };

  /** Returns later reports whose effects change if a report was added, removed or disputed. */
  const laterThan = (report: DatedId, hashes: readonly string[]): CountedReport[] => {
    const later = new Set<CountedReport>();
    for (const hash of hashes) {
      const reports = byHash.get(hash) ?? [];
      const from = placeOf(reports, report);
      for (const other of reports.slice(from, from + SETTLED_AT_ONCE + 1))
        if (other.report.reportId !== report.reportId) later.add(other);
    }
    return [...later].sort((a, b) => (isBefore(a.report, b.report) ? -1 : 1)).slice(0, SETTLED_AT_ONCE);
  };

  const settleAfter = async (report: DatedId, hashes: readonly string[]): Promise<void> => {
    for (const other of laterThan(report, hashes)) await recompute(other);
  };

  const insert = async (report: ReportFacts, effect: ReportEffect): Promise<void> => {
    // A concurrent call may have added the report.
    if (counted.has(report.reportId)) return;
    const hashes = [...new Set(report.identifiers.map(({ hash }) => hash))];
    const one = { report, hashes, effect };
    counted.set(report.reportId, one);
    for (const hash of hashes) {
      const reports = byHash.get(hash);
      if (reports === undefined) byHash.set(hash, [one]);
      else reports.splice(placeOf(reports, report), 0, one);
    }
    state.apply(report.reporterId, effect, 1);
    await settleAfter(report, hashes);
  };

  return {
    has: (reportId) => counted.has(reportId),

    async add(given, known) {
      if (given.createdAt < state.epochAt || counted.has(given.reportId)) return;
      const report = await onlyCounting(source, state, given, known);
      await insert(report, await effectOf(report, known));
    },

    addKnown: insert,

    async remove(reportId) {
      const removed = counted.get(reportId);
      if (removed === undefined) return;
      counted.delete(reportId);
      unsure.delete(reportId);
      for (const hash of removed.hashes) {
        const reports = byHash.get(hash) ?? [];
        reports.splice(placeOf(reports, removed.report), 1);
        if (reports.length === 0) byHash.delete(hash);
      }
      state.apply(removed.report.reporterId, removed.effect, -1);
      await settleAfter(removed.report, removed.hashes);
    },

    async disputed(reportIds) {
      const stored = groupBy(await source.store.findIdentifiers(reportIds), ({ reportId }) => reportId);
      const later = new Set<CountedReport>();
      for (const identifiers of stored.values()) {
        const hashes = new Set(identifiers.map(({ hash }) => hash));
        for (const other of laterThan(identifiers[0]!, [...hashes])) later.add(other);
      }
      for (const other of later) await recompute(other);
    },

    async settle() {
      for (const reportId of [...unsure].slice(0, SETTLED_AT_ONCE)) {
        const one = counted.get(reportId);
        if (one) await recompute(one);
        else unsure.delete(reportId);
      }
    },
  };
}

/** Returns the place of a report, or where it belongs, in a list in the order of time. */
function placeOf(reports: readonly CountedReport[], report: DatedId): number {
  let low = 0;
  let high = reports.length;
  // Almost every report is the newest.
  const last = reports[high - 1];
  if (last === undefined || isBefore(last.report, report)) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = reports[middle];
    if (one !== undefined && isBefore(one.report, report)) low = middle + 1;
    else high = middle;
  }
  return low;
}
