import type { TrustRules } from '../scoring/trust.ts';
import type { TrustTable } from '../scoring/trust-table.ts';
import type { Store, StoredTrust } from '../store/store.ts';
import { isProtected, touch } from './trust-at.ts';
import type { TrustedReport, TrustState } from './trust-state.ts';

export interface Touching {
  readonly store: Store;
  readonly rules: TrustRules;
}

/** Lets a report count in a state (1), or count no more (−1). */
export async function touchReport(
  touching: Touching,
  state: TrustState,
  report: TrustedReport,
  sign: 1 | -1,
): Promise<void> {
  await touch(touching.store, state, await teachingOf(touching, state, report), sign);
}

/** A report with what it teaches by: its strong identifiers, without those that the allow-list kept out of a state. */
export async function teachingOf(
  { store, rules }: Touching,
  state: TrustState,
  report: TrustedReport,
): Promise<TrustedReport> {
  const strong = report.identifiers.filter(({ kind }) => rules.isStrong(kind));
  const protections = await store.findProtections(strong.map(({ hash }) => hash));
  return {
    ...report,
    identifiers: strong.filter(
      ({ hash }) =>
        !isProtected(
          protections.filter((protection) => protection.hash === hash),
          report.createdAt,
          state.epochAt,
        ),
    ),
  };
}

export function toStored({ rules, epochAt, sums, reporters }: TrustTable, learntAt: number): StoredTrust {
  return {
    rules,
    epochAt,
    learntAt,
    sums,
    records: [...reporters.values()].map(
      ({
        reporterId,
        verified,
        claims,
        preceded,
        lost,
        corroborated,
        confirmable,
        led,
        echoed,
        matureClaims,
        maturePreceded,
      }) => ({
        reporterId,
        verified,
        claims,
        preceded,
        lost,
        corroborated,
        confirmable,
        led,
        echoed,
        matureClaims,
        maturePreceded,
      }),
    ),
  };
}

export function fromStored(rules: TrustRules, { epochAt, sums, records }: StoredTrust): TrustTable {
  const means = rules.meansOf(sums);
  return {
    rules: rules.name,
    epochAt,
    sums,
    means,
    reporters: new Map(records.map((record) => [record.reporterId, rules.standingOf(record, means)])),
  };
}
