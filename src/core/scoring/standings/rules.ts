import { DAY_MS } from '../../domain/day.ts';
import type { TrustRecord, TrustSums } from '../../domain/trust-record.ts';
import { fingerprint, kindConstants, type LinkClaimConstants } from '../constants.ts';
import { createTrustLedger, type TrustLedger } from './ledger.ts';
import type { ReporterTrust, TrustMeans } from './table.ts';

/** Rules that compute standings. They are pure functions: the engine reads the store and keeps the table. */
export interface TrustRules {
  /** Changes with the constants, so a table of other constants is not reused. */
  readonly name: string;
  /** Returns true for a kind that can distinguish a copy from an independent report. */
  isStrong(kind: string): boolean;
  /** The kinds with constants of their own. */
  readonly kinds: LinkClaimConstants['kinds'];
  /** All kinds that are not strong. Standings ignore them. */
  readonly weakKinds: readonly string[];
  /** Returns a ledger, which computes the table of an epoch from identifiers. `epochAt` is in ms, UTC. */
  createLedger(epochAt: number): TrustLedger;
  /** Returns the means over all reporters, from the sums of their records. */
  meansOf(sums: TrustSums): TrustMeans;
  /** Returns the standing that follows from a record and the means of all records. */
  standingOf(record: TrustRecord, means: TrustMeans): ReporterTrust;
}

/**
 * Returns the rules of the link × claim model. The letters are the fields of {@link TrustRecord}: N claims, F preceded,
 * E echoed, X lost, A corroborated, N' confirmable, L led.
 *
 * - `o = min(1, (N − F + n0·(1 − f)) / ((N + n0)·(1 − f)))`, originality; 1 for a verified reporter;
 * - `c = min(1, (A + 3) / (N'·c̄ + 3))²`, corroboration, where `A = Σ claims (1 − Π over the other established (1 −
 *   W·p))`. The square ranked better in simulated worlds (decision 83);
 * - `x = max(.05, 1 − 3·X / (min(N, 20 + 4·A) + n0))`, disputes: a reporter cannot make up for them by claims that it
 *   invents;
 * - established: verified, or three claims of at least 45 days with an `o` of at least .5 and L ≥ .5. L counts claims
 *   that established reporters confirmed later. To reach .5, an attacker must report true cases first;
 * - `g = G/(G + .5)`, where G is N − F of the mature claims: how far an unverified reporter has grown from a new key;
 *   0 while no established reporter has a confirmable claim;
 * - `e = g + (1 − g) · (N − E + .1)/(N + .1)`: an echo of other new keys says little, until the reporter has grown;
 * - `p = .70 · c · o · x` if established, else `(.10 + g · max(0, .70 · c · o − .10)) · e · x`, within .03 and .95.
 *
 * The numbers are the default constants, c̄ is `corroborated` of the {@link TrustMeans}, f is .3, and n0 is 5.
 */
export function createTrustRules(constants: LinkClaimConstants): TrustRules {
  const { precision, trust } = constants;
  const weak = new Set(trust.weakKinds);
  const weightOf = (kind: string): number => kindConstants(constants, kind).weight;
  const isStrong = (kind: string): boolean => !weak.has(kind);

  const own = 1 - trust.preceded;
  const originalityOf = (claims: number, preceded: number): number =>
    Math.min(1, Math.max(0, claims - preceded + trust.priorClaims * own) / ((claims + trust.priorClaims) * own));

  const standingOf: TrustRules['standingOf'] = (record, means) => {
    const { claims, preceded, lost, corroborated, confirmable, led, verified, echoed, matureClaims, maturePreceded } =
      record;
    const originality = verified ? 1 : originalityOf(claims, preceded);
    const beside = Math.min(claims, trust.unconfirmedClaims + trust.confirmedClaims * corroborated);
    const disputes = Math.max(trust.disputesLeast, 1 - (trust.disputeCost * lost) / (beside + trust.priorClaims));
    // At most 1: agreement above the average can be bought with copies.
    const agreement =
      (corroborated + trust.priorCorroborated) / (confirmable * means.corroborated + trust.priorCorroborated);
    const corroboration = Math.min(1, agreement) ** 2;
    const { established: needs, growth } = trust;
    const established =
      verified ||
      (matureClaims >= needs.claims &&
        led >= needs.led &&
        originalityOf(matureClaims, maturePreceded) >= needs.originality);
    const ownMature = means.anyEstablished ? Math.max(0, matureClaims - maturePreceded) : 0;
    const grown = ownMature / (ownMature + growth.claims);
    const most = precision.established * corroboration * originality;
    const notEchoed = (Math.max(0, claims - echoed) + trust.priorOfNewKey) / (claims + trust.priorOfNewKey);
    const unbounded = established
      ? most
      : (precision.newKey + grown * Math.max(0, most - precision.newKey)) * (grown + (1 - grown) * notEchoed);
    return {
      ...record,
      originality,
      corroboration,
      disputes,
      precision: Math.min(precision.most, Math.max(precision.least, unbounded * disputes)),
      established,
    };
  };

  const meansOf: TrustRules['meansOf'] = ({ establishedClaims: claims, establishedCorroborated: corroborated }) => ({
    corroborated: Math.min(trust.corroboratedMost, corroborated / (claims || 1)),
    anyEstablished: claims > 0,
  });

  const numbers = JSON.stringify([constants.kinds, constants.otherKinds, precision, trust]);
  const rules: TrustRules = {
    name: `link-claim/${constants.version} ${fingerprint(numbers)}`,
    isStrong,
    kinds: constants.kinds,
    weakKinds: trust.weakKinds,
    meansOf,
    standingOf,
    createLedger: (epochAt) =>
      createTrustLedger({
        ...rules,
        epochAt,
        matureAt: epochAt - trust.established.days * DAY_MS,
        confirmableAt: epochAt - trust.confirmableDays * DAY_MS,
        iterations: trust.iterations,
        leastSpeaking: precision.newKey,
        weightOf,
      }),
  };
  return rules;
}
