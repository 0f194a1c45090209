import type { Standing } from './evidence.ts';

/** What is known of one reporter: its record, what follows from it, and the standing that follows from that. */
export interface ReporterTrust extends Standing, TrustRecord {
  /** o, 0 to 1: how many of its claims nobody else had made before, as others' claims go. */
  readonly originality: number;
  /** c: how far others agree with it, 1 for the average; at most `corroborationMost`. */
  readonly corroboration: number;
  /** x, 0 to 1: what upheld disputes leave of it. */
  readonly disputes: number;
}

/** What a reporter did so far. A claim is all that it says of one person: its reports that share a strong identifier. */
export interface TrustRecord {
  readonly reporterId: string;
  /** True for an operator's word: it stands for originality and for a record. */
  readonly verified: boolean;
  /** N. */
  readonly claims: number;
  /** F: claims that another reporter had made before. */
  readonly preceded: number;
  /** X: claims lost to an upheld dispute. */
  readonly lost: number;
  /** A: the sum of the chances that others confirm a claim, over the claims that had the time for it: those of days before the epoch. */
  readonly corroborated: number;
  /** How many claims those are. */
  readonly confirmable: number;
  /** L: the part of A that comes from mature claims that nobody had made before: others came to them later, by themselves. */
  readonly led: number;
  /** E: claims that others had made before, none of whom was established. */
  readonly echoed: number;
  /** N and F of the claims that were made so long before the epoch that they can establish it. */
  readonly matureClaims: number;
  readonly maturePreceded: number;
}

/** Sums over all reporters, and over those that are established. */
export interface TrustSums {
  readonly claims: number;
  readonly preceded: number;
  readonly establishedClaims: number;
  readonly establishedCorroborated: number;
}

/** What is ordinary, which a record is held against. */
export interface TrustMeans {
  /** f̄: share of claims that others had made before. */
  readonly preceded: number;
  /** c̄: share of established reporters' claims that others confirm. */
  readonly corroborated: number;
}

/** The standings of all reporters at one moment: a pure function of what was stored until then. */
export interface TrustTable {
  /** Name of the rules that made it (`TrustRules.name`). */
  readonly rules: string;
  /** Milliseconds UTC: reports before it are in. */
  readonly epochAt: number;
  readonly sums: TrustSums;
  readonly means: TrustMeans;
  /** By reporter id. */
  readonly reporters: ReadonlyMap<string, ReporterTrust>;
}

/** The record of a reporter that has reported nothing. */
export function emptyRecord(reporter: { readonly reporterId: string; readonly verified: boolean }): TrustRecord {
  return {
    reporterId: reporter.reporterId,
    verified: reporter.verified,
    claims: 0,
    preceded: 0,
    lost: 0,
    corroborated: 0,
    confirmable: 0,
    led: 0,
    echoed: 0,
    matureClaims: 0,
    maturePreceded: 0,
  };
}
