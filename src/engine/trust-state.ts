import type { Identifier } from '../domain/identifier.ts';
import type { Standing } from '../scoring/evidence.ts';
import type { TrustRules } from '../scoring/trust.ts';
import { emptyRecord, type ReporterTrust, type TrustTable } from '../scoring/trust-table.ts';
import type { StoredSharing } from '../store/store.ts';

/** A report as standings see it. */
export interface TrustedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  /** Strong ones that are not protected. */
  readonly identifiers: readonly Identifier[];
}

/** A table of one epoch and what was touched since. Each touch goes by the epoch's standings, so their order makes no difference. */
export interface TrustState {
  readonly epochAt: number;
  /** Every reporter as it stands now, touched or not. */
  table(): TrustTable;
  standingOf(reporterId: string): ReporterTrust | undefined;
  /** Makes reporters known that came after the epoch. */
  welcome(reporters: Iterable<{ readonly reporterId: string; readonly verified: boolean }>): void;
  /** A report came (`sign` 1) or went (−1); `sharings` are who else had its identifiers when it came. All reporters in it are known. */
  touchReport(report: TrustedReport, sharings: readonly StoredSharing[], sign: 1 | -1): void;
  /** A claim was lost to a dispute (1), or given back (−1). */
  touchLoss(reporterId: string, sign: 1 | -1): void;
}

export function createTrustState(rules: TrustRules, epoch: TrustTable): TrustState {
  const now = new Map(epoch.reporters);
  const newcomers = new Map<string, ReporterTrust>();
  const atEpoch = (reporterId: string): Standing => epoch.reporters.get(reporterId) ?? newcomers.get(reporterId)!;

  const change = (reporterId: string, changes: (record: ReporterTrust) => Partial<ReporterTrust>): void => {
    const record = now.get(reporterId)!;
    now.set(reporterId, rules.standingOf({ ...record, ...changes(record) }, epoch));
  };

  return {
    epochAt: epoch.epochAt,
    table: () => ({ ...epoch, reporters: now }),
    standingOf: (reporterId) => now.get(reporterId),

    welcome(reporters) {
      for (const reporter of reporters) {
        if (now.has(reporter.reporterId)) continue;
        const standing = rules.standingOf(emptyRecord(reporter), epoch);
        now.set(reporter.reporterId, standing);
        newcomers.set(reporter.reporterId, standing);
      }
    },

    touchReport({ reporterId, createdAt, identifiers }, sharings, sign) {
      const before = sharings.filter(({ kind, firstAt }) => rules.isStrong(kind) && firstAt <= createdAt);
      if (!before.some((sharing) => sharing.reporterId === reporterId)) {
        const preceded = before.some(({ firstAt }) => firstAt < createdAt) ? 1 : 0;
        change(reporterId, (record) => ({
          claims: Math.max(0, record.claims + sign),
          preceded: Math.max(0, record.preceded + sign * preceded),
          firstClaimAt: sign === 1 ? Math.min(record.firstClaimAt ?? Infinity, createdAt) : record.firstClaimAt,
        }));
      }
      const added = identifiers.map(({ kind, hash }) => ({ kind, hash, reporterId }));
      for (const [touched, gained] of rules.corroborationGained(before, added, atEpoch)) {
        if (gained !== 0) change(touched, (record) => ({ corroborated: Math.max(0, record.corroborated + sign * gained) }));
      }
    },

    touchLoss: (reporterId, sign) => change(reporterId, (record) => ({ lost: Math.max(0, record.lost + sign) })),
  };
}
