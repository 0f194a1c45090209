import { findClaims, findPreceded, type TrustClaims } from './trust-claims.ts';
import { createConfirmation } from './trust-confirmation.ts';
import { createPairGatherer, type TrustPairs } from './trust-pairs.ts';
import type { TrustRules } from './trust.ts';
import { emptyRecord, type ReporterTrust, type TrustRecord, type TrustSums, type TrustTable } from './trust-table.ts';

/** One identifier of one live report. */
export interface Sighting {
  readonly hash: string;
  readonly kind: string;
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  /** True when a dispute about the report was upheld: it confirms and precedes nobody's, and nobody confirms the claim. */
  readonly upheld: boolean;
}

/** A reporter as it is known before its reports are read. */
export interface KnownReporter {
  readonly reporterId: string;
  readonly verified: boolean;
  /** X: claims lost to upheld disputes; whoever knows the disputes counts them. */
  readonly lost: number;
}

/** Gathers what a table is made of: a few numbers for each identifier, whatever their text. */
export interface TrustLedger {
  /** In the order of their hashes; all sightings of one hash follow each other. Weak kinds and what is later than the epoch are left out here. */
  add(sighting: Sighting): void;
  /** True for a report of which a sighting was taken in. */
  has(reportId: string): boolean;
  /** Yields between slices of work, returns the table. Called once. */
  table(reporters: readonly KnownReporter[]): Generator<void, TrustTable>;
}

export interface LedgerRules {
  readonly epochAt: number;
  /** Milliseconds UTC: a claim made by then is mature. */
  readonly matureAt: number;
  readonly iterations: number;
  readonly isStrong: TrustRules['isStrong'];
  readonly weightOf: (kind: string) => number;
  readonly meansOf: TrustRules['meansOf'];
  readonly standingOf: TrustRules['standingOf'];
  readonly name: string;
}

/** Claims between two yields. */
const SLICE = 20_000;

/** What is counted along the claims, before it is shown to anybody. */
type Counted = { -readonly [Name in keyof TrustRecord]: TrustRecord[Name] };

export function createTrustLedger(rules: LedgerRules): TrustLedger {
  const gatherer = createPairGatherer();
  return {
    add(sighting) {
      if (sighting.createdAt >= rules.epochAt || !rules.isStrong(sighting.kind)) return;
      gatherer.add(sighting, rules.weightOf(sighting.kind));
    },

    has: gatherer.has,

    *table(known) {
      const pairs = gatherer.finish(known.map(({ reporterId }) => reporterId));
      yield;
      const claims = findClaims(pairs);
      yield;
      const preceded = findPreceded(pairs, claims, () => true);
      const records = countClaims(rules, pairs.reporters, known, claims, preceded);
      const sum = (of: (record: Counted, reporter: number) => number): number =>
        records.reduce((total, record, reporter) => total + of(record, reporter), 0);
      let sums: TrustSums = {
        claims: sum((r) => r.claims),
        preceded: sum((r) => r.preceded),
        establishedClaims: 0,
        establishedCorroborated: 0,
      };
      let means = rules.meansOf(sums);

      // Who confirms depends on who is established, and that on who confirms. Before the first pass everybody stands as with an empty record.
      let standings: ReporterTrust[] = records.map((record) => rules.standingOf(emptyRecord(record), means));
      for (let pass = 0; pass < rules.iterations; pass++) {
        const before = standings;
        yield* countAgreement(rules, pairs, claims, preceded, before, records);
        sums = {
          ...sums,
          establishedClaims: sum((record, reporter) => (before[reporter]!.established ? record.confirmable : 0)),
          establishedCorroborated: sum((record, reporter) => (before[reporter]!.established ? record.corroborated : 0)),
        };
        means = rules.meansOf(sums);
        standings = records.map((record) => rules.standingOf(record, means));
      }
      return {
        rules: rules.name,
        epochAt: rules.epochAt,
        sums,
        means,
        reporters: new Map(standings.map((standing) => [standing.reporterId, standing])),
      };
    },
  };
}

/** The part of everybody's record that does not depend on others' standings. */
function countClaims(
  rules: LedgerRules,
  reporterIds: readonly string[],
  known: readonly KnownReporter[],
  claims: TrustClaims,
  preceded: Uint8Array,
): Counted[] {
  const facts = new Map(known.map((reporter) => [reporter.reporterId, reporter]));
  const records = reporterIds.map((reporterId): Counted => {
    const fact = facts.get(reporterId);
    return { ...emptyRecord({ reporterId, verified: fact?.verified ?? false }), lost: fact?.lost ?? 0 };
  });
  for (let claim = 0; claim < claims.count; claim++) {
    const record = records[claims.reporter[claim]!]!;
    record.claims++;
    record.confirmable++;
    record.preceded += preceded[claim]!;
    if (claims.firstAt[claim]! > rules.matureAt) continue;
    record.matureClaims++;
    record.maturePreceded += preceded[claim]!;
  }
  return records;
}

/** The part that does: who is confirmed, who led, who echoed. Sets it in the records. */
function* countAgreement(
  rules: LedgerRules,
  pairs: TrustPairs,
  claims: TrustClaims,
  preceded: Uint8Array,
  standings: readonly ReporterTrust[],
  records: readonly Counted[],
): Generator<void, void> {
  for (const record of records) record.corroborated = record.led = record.echoed = 0;
  const confirmationOf = createConfirmation(pairs, claims, standings);
  for (let claim = 0; claim < claims.count; claim++) {
    if (claim % SLICE === SLICE - 1) yield;
    if (claims.lost[claim] === 1) continue;
    const record = records[claims.reporter[claim]!]!;
    const confirmed = confirmationOf(claim);
    record.corroborated += confirmed;
    if (preceded[claim] === 0 && claims.firstAt[claim]! <= rules.matureAt) record.led += confirmed;
  }
  const byEstablished = findPreceded(pairs, claims, (pair) => standings[pairs.reporter[pair]!]!.established);
  for (let claim = 0; claim < claims.count; claim++)
    records[claims.reporter[claim]!]!.echoed += preceded[claim]! & ~byEstablished[claim]!;
}
