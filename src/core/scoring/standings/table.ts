import type { TrustRecord, TrustSums } from '../../domain/trust-record.ts';
import type { Standing } from '../evidence.ts';

/** A reporter's record and the standing that follows from it. */
export interface ReporterTrust extends Standing, TrustRecord {
  /** o, 0 to 1: originality, from the share of claims that the reporter made first. */
  readonly originality: number;
  /** c, 0 to 1: agreement of other reporters. 1 is the average or more. */
  readonly corroboration: number;
  /** x, 0 to 1: factor for claims lost to disputes. */
  readonly disputes: number;
}

/** Averages with which a record is compared. */
export interface TrustMeans {
  /** c̄: share of the claims of verified reporters that others confirm. */
  readonly corroborated: number;
  /**
   * True if a verified reporter has a confirmable claim, in spite of the name. Without one, there is no reliable record
   * to compare.
   */
  readonly anyEstablished: boolean;
}

/** The standings of all reporters at one moment. A pure function of the data stored until then. */
export interface TrustTable {
  /** Name of the rules that computed it (`TrustRules.name`). */
  readonly rules: string;
  /** The table covers all reports before this time (ms, UTC). */
  readonly epochAt: number;
  /** Sums of the records, from which `means` follows. */
  readonly sums: TrustSums;
  /** The same all day. */
  readonly means: TrustMeans;
  /** By reporter id. */
  readonly reporters: ReadonlyMap<string, ReporterTrust>;
}

export function emptyRecord({
  reporterId,
  verified,
  lost = 0,
}: Pick<TrustRecord, 'reporterId' | 'verified'> & { readonly lost?: number }): TrustRecord {
  return {
    reporterId,
    verified,
    claims: 0,
    preceded: 0,
    lost,
    corroborated: 0,
    confirmable: 0,
    led: 0,
    echoed: 0,
    matureClaims: 0,
    maturePreceded: 0,
  };
}

/** Returns the record of a standing, without the derived values. */
export function toRecord({
  originality: _originality,
  corroboration: _corroboration,
  disputes: _disputes,
  precision: _precision,
  established: _established,
  ...record
}: ReporterTrust): TrustRecord {
  return record;
}
