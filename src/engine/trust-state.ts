import type { Identifier } from '../domain/identifier.ts';
import type { TrustRules } from '../scoring/trust.ts';
import { emptyRecord, type ReporterTrust, type TrustRecord, type TrustTable } from '../scoring/trust-table.ts';
import type { StoredSharing } from '../store/store.ts';

/** A report as standings see it. */
export interface TrustedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  /** Strong ones that are not protected. */
  readonly identifiers: readonly Identifier[];
}

/** What one report does to its reporter's record: each 0 or 1. */
export type ReportEffect = Readonly<Record<'claims' | 'preceded' | 'echoed', number>>;

/**
 * A table of one epoch and what was touched since: claims, copies and echoes count at once, and so does a dispute. Whether others confirm a claim is asked at the
 * next epoch: nobody had the time yet. Each touch goes by the epoch's standings, so their order makes no difference.
 */
export interface TrustState {
  readonly epochAt: number;
  /** Every known reporter as it stands now, touched or not. */
  table(): TrustTable;
  /** How a reporter stands now; undefined for one that is not known. */
  standingOf(reporterId: string): ReporterTrust | undefined;
  /** Makes reporters known that came after the epoch. */
  welcome(reporters: Iterable<{ readonly reporterId: string; readonly verified: boolean }>): void;
  /** A report came (`sign` 1) or went (−1); `sharings` are who else has its identifiers. All reporters in it are known. */
  touchReport(report: TrustedReport, sharings: readonly StoredSharing[], sign: 1 | -1): void;
  /** What a report adds to its reporter's record, next to what there was before it. All reporters in it are known. */
  effectOf(report: TrustedReport, before: readonly StoredSharing[]): ReportEffect;
  /** Lets an effect count (1), or count no more (−1). */
  apply(reporterId: string, effect: ReportEffect, sign: 1 | -1): void;
  /** How many claims a reporter has lost to disputes by now. */
  setLosses(reporterId: string, lost: number): void;
}

/** Moments whose touches are told apart; a late touch is late by milliseconds. */
const MOMENTS = 1000;

export function createTrustState(rules: TrustRules, epoch: TrustTable): TrustState {
  const { epochAt } = epoch;
  const records = new Map<string, TrustRecord>(epoch.reporters);
  const newcomers = new Map<string, ReporterTrust>();
  const atEpoch = (reporterId: string): ReporterTrust => epoch.reporters.get(reporterId) ?? newcomers.get(reporterId)!;
  const current = { sums: epoch.sums, means: epoch.means };
  /** Who was touched on which hash, by the moment of the report: of the reports of one moment each is held against those that were touched before it. */
  const touchedAt = new Map<number, Set<string>>();
  const touchedOn = (createdAt: number): Set<string> => {
    const on = touchedAt.get(createdAt) ?? new Set();
    touchedAt.set(createdAt, on);
    if (touchedAt.size > MOMENTS)
      for (const oldest of [...touchedAt.keys()].slice(0, MOMENTS / 2)) touchedAt.delete(oldest);
    return on;
  };
  /** Standings that were asked for since the last change: a query asks for those of all its reporters. */
  const known = new Map<string, ReporterTrust>();

  const change = (reporterId: string, changes: (record: TrustRecord) => Partial<TrustRecord>): void => {
    const before = records.get(reporterId)!;
    const after = { ...before, ...changes(before) };
    records.set(reporterId, after);
    const { sums } = current;
    current.sums = {
      ...sums,
      claims: sums.claims + after.claims - before.claims,
      preceded: sums.preceded + after.preceded - before.preceded,
    };
    current.means = rules.meansOf(current.sums);
    // Everybody is held against the means.
    known.clear();
  };

  const standingOf = (reporterId: string): ReporterTrust | undefined => {
    const answered = known.get(reporterId);
    if (answered !== undefined) return answered;
    const record = records.get(reporterId);
    if (record === undefined) return undefined;
    const standing = rules.standingOf(record, current.means);
    known.set(reporterId, standing);
    return standing;
  };

  const effectOf: TrustState['effectOf'] = ({ reporterId, createdAt }, before) => {
    // No new claim: more of the one that there is.
    if (before.some((sharing) => sharing.reporterId === reporterId)) return { claims: 0, preceded: 0, echoed: 0 };
    // What was found wrong by then precedes nothing.
    const earlier = before.filter(({ rightAt }) => rightAt !== null && rightAt < createdAt);
    const preceded = earlier.length > 0 ? 1 : 0;
    return {
      claims: 1,
      preceded,
      echoed: preceded === 1 && !earlier.some((sharing) => atEpoch(sharing.reporterId).established) ? 1 : 0,
    };
  };

  const apply: TrustState['apply'] = (reporterId, effect, sign) => {
    if (effect.claims === 0) return;
    change(reporterId, (record) => ({
      claims: Math.max(0, record.claims + sign),
      preceded: Math.max(0, record.preceded + sign * effect.preceded),
      echoed: Math.max(0, record.echoed + sign * effect.echoed),
    }));
  };

  return {
    epochAt,
    standingOf,
    effectOf,
    apply,
    table: () => ({
      rules: epoch.rules,
      epochAt,
      ...current,
      reporters: new Map([...records.keys()].map((reporterId) => [reporterId, standingOf(reporterId)!])),
    }),

    welcome(reporters) {
      for (const reporter of reporters) {
        if (records.has(reporter.reporterId)) continue;
        const record = emptyRecord(reporter);
        records.set(reporter.reporterId, record);
        newcomers.set(reporter.reporterId, rules.standingOf(record, epoch.means));
      }
    },

    touchReport(report, sharings, sign) {
      const { reporterId, createdAt, identifiers } = report;
      const touched = touchedOn(createdAt);
      const strong = sharings.filter(({ kind }) => rules.isStrong(kind));
      // What a report adds it adds to the ones before it; what it takes with it is what it has in common with all that stay.
      const others =
        sign === -1
          ? strong
          : strong.filter(
              (sharing) =>
                sharing.firstAt < createdAt ||
                (sharing.firstAt === createdAt && touched.has(`${sharing.hash} ${sharing.reporterId}`)),
            );
      for (const { hash } of identifiers) touched.add(`${hash} ${reporterId}`);
      apply(reporterId, effectOf(report, others), sign);
    },

    setLosses: (reporterId, lost) => change(reporterId, () => ({ lost })),
  };
}
