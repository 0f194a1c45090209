import type { StoredSharing } from '../../store/records.ts';
import type { ReportEffect, StandingsState, TouchingReport } from './state.ts';
import { findSharings, onlyCounting, type Touching } from './touch.ts';

/** The reports of one day. Their effects depend on the order of the report times, not on the order of reading. */
export interface Today {
  has(reportId: string): boolean;
  /** Adds a report. Ignores a known report and a report of an earlier day. */
  add(report: TouchingReport): Promise<void>;
  /** Undoes the effect of a deleted report. Ignores an unknown report. */
  remove(reportId: string): Promise<void>;
  /** Recomputes effects in which an unread report of the day counted. Such a report may have been deleted since. */
  settle(): Promise<void>;
}

/** Maximum number of effects recomputed per removal or late report. The next epoch corrects the rest. */
const SETTLED_AT_ONCE = 50;

interface Counted {
  readonly report: TouchingReport;
  readonly hashes: readonly string[];
  effect: ReportEffect;
}

export function createToday(touching: Touching, state: StandingsState): Today {
  const counted = new Map<string, Counted>();
  const byHash = new Map<string, Set<string>>();
  const unsure = new Set<string>();

  const on = (hashes: readonly string[]): Counted[] => {
    const ids = new Set(hashes.flatMap((hash) => [...(byHash.get(hash) ?? [])]));
    return [...ids].flatMap((reportId) => counted.get(reportId) ?? []);
  };

  const effectOf = async (report: TouchingReport): Promise<ReportEffect> => {
    if (report.identifiers.length === 0) return { claims: 0, preceded: 0, echoed: 0 };
    const sharings = await findSharings(touching.store, state, report);
    // If a reporter has two reports of the same millisecond, the one with the lower id counts as first.
    const tied = new Set(
      on(report.identifiers.map(({ hash }) => hash))
        .filter((other) => isTied(other.report, report))
        .flatMap(({ hashes }) => hashes),
    );
    const before = sharings.filter(
      ({ kind, hash, reporterId, firstAt }) =>
        touching.rules.isStrong(kind) &&
        (firstAt < report.createdAt ||
          (firstAt === report.createdAt && reporterId === report.reporterId && tied.has(hash))),
    );
    const isKnown = ({ hash, reporterId, firstAt }: StoredSharing): boolean =>
      firstAt < state.epochAt ||
      on([hash]).some((other) => other.report.reporterId === reporterId && other.report.createdAt === firstAt);
    if (before.every(isKnown)) unsure.delete(report.reportId);
    else unsure.add(report.reportId);
    return state.effectOf(report, before);
  };

  const recompute = async (one: Counted): Promise<void> => {
    const effect = await effectOf(one.report);
    // The report and its effect were removed meanwhile.
    if (counted.get(one.report.reportId) !== one) return;
    state.apply(one.report.reporterId, one.effect, -1);
    state.apply(one.report.reporterId, effect, 1);
    one.effect = effect;
  };

  /** Recomputes the effects of later reports after a report was added or removed. */
  const settleAfter = async (report: TouchingReport, hashes: readonly string[]): Promise<void> => {
    const later = on(hashes)
      .filter((other) => isBefore(report, other.report))
      .slice(0, SETTLED_AT_ONCE);
    for (const other of later) await recompute(other);
  };

  return {
    has: (reportId) => counted.has(reportId),

    async add(given) {
      if (given.createdAt < state.epochAt || counted.has(given.reportId)) return;
      const report = await onlyCounting(touching, state, given);
      const effect = await effectOf(report);
      // A concurrent call may have added the report.
      if (counted.has(report.reportId)) return;
      const hashes = report.identifiers.map(({ hash }) => hash);
      counted.set(report.reportId, { report, hashes, effect });
      for (const hash of hashes) byHash.set(hash, (byHash.get(hash) ?? new Set()).add(report.reportId));
      state.apply(report.reporterId, effect, 1);
      await settleAfter(report, hashes);
    },

    async remove(reportId) {
      const removed = counted.get(reportId);
      if (removed === undefined) return;
      counted.delete(reportId);
      unsure.delete(reportId);
      for (const hash of removed.hashes) {
        const others = byHash.get(hash);
        others?.delete(reportId);
        if (others?.size === 0) byHash.delete(hash);
      }
      state.apply(removed.report.reporterId, removed.effect, -1);
      await settleAfter(removed.report, removed.hashes);
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

function isBefore(a: TouchingReport, b: TouchingReport): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.reportId < b.reportId);
}

function isTied(a: TouchingReport, b: TouchingReport): boolean {
  return a.reporterId === b.reporterId && a.createdAt === b.createdAt && a.reportId < b.reportId;
}
