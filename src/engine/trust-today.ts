import type { StoredSharing } from '../store/store.ts';
import { sharingsOf } from './trust-at.ts';
import type { ReportEffect, TrustedReport, TrustState } from './trust-state.ts';
import { teachingOf, type Touching } from './trust-touch.ts';

/** The reports of a day, in the order in which they were made, whatever the order in which a process hears of them. */
export interface Today {
  has(reportId: string): boolean;
  /** False for one that it has, and for one of an earlier day. */
  add(report: TrustedReport): Promise<boolean>;
  /** False for one that it has not. */
  remove(reportId: string): Promise<boolean>;
  /** Looks again at what was held against a report of the day that nobody had told of; it may be gone by now. */
  settle(): Promise<void>;
}

/** A removal or a latecomer changes what later reports of the same person did; past so many that is left to the next epoch. */
const SETTLED_AT_ONCE = 50;

interface Counted {
  readonly report: TrustedReport;
  readonly hashes: readonly string[];
  effect: ReportEffect;
}

export function createToday(touching: Touching, state: TrustState): Today {
  const counted = new Map<string, Counted>();
  const byHash = new Map<string, Set<string>>();
  const unsure = new Set<string>();

  const on = (hashes: readonly string[]) =>
    [...new Set(hashes.flatMap((hash) => [...(byHash.get(hash) ?? [])]))].map((reportId) => counted.get(reportId)!);

  const effectOf = async (report: TrustedReport): Promise<ReportEffect> => {
    if (report.identifiers.length === 0) return { claims: 0, preceded: 0, echoed: 0 };
    const sharings = await sharingsOf(touching.store, state, report);
    // Of two that a reporter made in one moment the one of the lower id was first.
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

  const lookAgain = async (one: Counted): Promise<void> => {
    const effect = await effectOf(one.report);
    // Gone meanwhile, and what it did with it.
    if (counted.get(one.report.reportId) !== one) return;
    state.apply(one.report.reporterId, one.effect, -1);
    state.apply(one.report.reporterId, effect, 1);
    one.effect = effect;
  };

  /** What those that came after a report do, now that it is there, or not there any more. */
  const settleAfter = async (report: TrustedReport, hashes: readonly string[]): Promise<void> => {
    const later = on(hashes)
      .filter((other) => isBefore(report, other.report))
      .slice(0, SETTLED_AT_ONCE);
    for (const other of later) await lookAgain(other);
  };

  return {
    has: (reportId) => counted.has(reportId),

    async add(given) {
      if (given.createdAt < state.epochAt || counted.has(given.reportId)) return false;
      const report = await teachingOf(touching, state, given);
      const effect = await effectOf(report);
      // Another call may have been faster.
      if (counted.has(report.reportId)) return false;
      const hashes = report.identifiers.map(({ hash }) => hash);
      counted.set(report.reportId, { report, hashes, effect });
      for (const hash of hashes) byHash.set(hash, (byHash.get(hash) ?? new Set()).add(report.reportId));
      state.apply(report.reporterId, effect, 1);
      await settleAfter(report, hashes);
      return true;
    },

    async remove(reportId) {
      const gone = counted.get(reportId);
      if (gone === undefined) return false;
      counted.delete(reportId);
      unsure.delete(reportId);
      for (const hash of gone.hashes) {
        const others = byHash.get(hash)!;
        others.delete(reportId);
        if (others.size === 0) byHash.delete(hash);
      }
      state.apply(gone.report.reporterId, gone.effect, -1);
      await settleAfter(gone.report, gone.hashes);
      return true;
    },

    async settle() {
      for (const reportId of [...unsure].slice(0, SETTLED_AT_ONCE)) {
        const one = counted.get(reportId);
        if (one) await lookAgain(one);
        else unsure.delete(reportId);
      }
    },
  };
}

function isBefore(a: TrustedReport, b: TrustedReport): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.reportId < b.reportId);
}

function isTied(a: TrustedReport, b: TrustedReport): boolean {
  return a.reporterId === b.reporterId && a.createdAt === b.createdAt && a.reportId < b.reportId;
}
