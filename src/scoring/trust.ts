import { kindConstants, type LinkClaimConstants } from './constants.ts';
import { fingerprint } from './fingerprint.ts';
import { createTrustLedger, type TrustLedger } from './trust-ledger.ts';
import type { ReporterTrust, TrustMeans, TrustRecord, TrustSums } from './trust-table.ts';

/** How standings are learnt. Pure; the engine reads the facts and keeps the table. */
export interface TrustRules {
  /** Changes with the constants, so that a table that others made is not taken for this one's. */
  readonly name: string;
  /** True for a kind that tells a copy from an independent report. */
  isStrong(kind: string): boolean;
  /** All other kinds: nothing is learnt from them. */
  readonly weakKinds: readonly string[];
  /** Takes identifiers in and makes the table of a moment. */
  createLedger(epochAt: number): TrustLedger;
  meansOf(sums: TrustSums): TrustMeans;
  /** The standing of a record, held against what is ordinary. */
  standingOf(record: TrustRecord, means: TrustMeans): ReporterTrust;
}

const DAY_MS = 86_400_000;

/**
 * The link × claim model's rules. Of a reporter with N claims, F of them made by others before, E of those only by others who are not established, X lost to
 * disputes, and A of its N' claims of earlier days confirmed:
 *
 * - `o = min(1, (N − F + n0·(1 − f̄)) / ((N + n0)·(1 − f̄)))`, originality; 1 for a verified reporter;
 * - `c = min(1.36, (A + 3) / (N'·c̄ + 3))`, corroboration, where `A = Σ claims (1 − Π over the other established (1 − W·min(1, p)))`;
 * - `x = max(.05, 1 − 3·X / (N + n0))`, disputes;
 * - established: verified, or with three claims of at least 45 days, an `o` of those of at least .5, and L ≥ .5: of A, what comes from those of them that nobody
 *   had made before. Others, who are established, came to them later; nobody can arrange that but by reporting the guilty first;
 * - `p = .70 · c · √o · x` when established, else `.20 · (N − E + .1)/(N + .1) · x`, within .03 and .95.
 *
 * The numbers are those of the default constants; f̄ and c̄ are what is ordinary ({@link TrustMeans}), n0 is 5.
 */
export function createTrustRules(constants: LinkClaimConstants): TrustRules {
  const { precision, trust } = constants;
  const weak = new Set(trust.weakKinds);
  const weightOf = (kind: string): number => kindConstants(constants, kind).weight;
  const isStrong = (kind: string): boolean => !weak.has(kind);

  const originalityOf = (claims: number, preceded: number, means: TrustMeans): number =>
    Math.min(
      1,
      Math.max(0, claims - preceded + trust.priorClaims * (1 - means.preceded)) /
        ((claims + trust.priorClaims) * (1 - means.preceded)),
    );

  const standingOf: TrustRules['standingOf'] = (record, means) => {
    const { claims, preceded, lost, corroborated, confirmable, led, verified, echoed, matureClaims, maturePreceded } =
      record;
    const originality = verified ? 1 : originalityOf(claims, preceded, means);
    const disputes = Math.max(trust.disputesLeast, 1 - (trust.disputeCost * lost) / (claims + trust.priorClaims));
    const agreement =
      (corroborated + trust.priorCorroborated) / (confirmable * means.corroborated + trust.priorCorroborated);
    const corroboration = Math.min(trust.corroborationMost, agreement ** trust.corroborationExponent);
    const factor = corroboration * originality ** trust.originalityExponent * disputes;
    const { established: needs } = trust;
    const established =
      verified ||
      (matureClaims >= needs.claims &&
        led >= needs.led &&
        originalityOf(matureClaims, maturePreceded, means) >= needs.originality);
    const learnt = established
      ? precision.established * factor
      : precision.newKey *
        ((Math.max(0, claims - echoed) + trust.priorOfNewKey) / (claims + trust.priorOfNewKey)) *
        disputes;
    // Field by field: the same bytes whatever else the record came with.
    return {
      reporterId: record.reporterId,
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
      originality,
      corroboration,
      disputes,
      precision: Math.min(precision.most, Math.max(precision.least, learnt)),
      established,
    };
  };

  const meansOf: TrustRules['meansOf'] = (sums) => {
    const { meanPreceded: f, meanCorroborated: c } = trust;
    return {
      preceded: Math.min(f.most, (sums.preceded + f.events) / (sums.claims + f.claims)),
      corroborated: Math.max(c.least, (sums.establishedCorroborated + c.events) / (sums.establishedClaims + c.claims)),
    };
  };

  const rules: TrustRules = {
    name: `link-claim/${constants.version} ${fingerprint(JSON.stringify([constants.kinds, constants.otherKinds, precision, trust]))}`,
    isStrong,
    weakKinds: trust.weakKinds,
    meansOf,
    standingOf,
    createLedger: (epochAt) =>
      createTrustLedger({
        epochAt,
        matureAt: epochAt - trust.established.days * DAY_MS,
        iterations: trust.iterations,
        isStrong,
        weightOf,
        meansOf,
        standingOf,
        name: rules.name,
      }),
  };
  return rules;
}
