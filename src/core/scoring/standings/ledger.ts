import type { TrustRecord, TrustSums } from '../../domain/trust-record.ts';
import { countPreceded, findClaims, pairsOf, type TrustClaims } from './claims.ts';
import { createConfirmation } from './confirmation.ts';
import { createPairGatherer, type Sighting, type TrustPairs } from './pairs.ts';
import { emptyRecord, type ReporterTrust, type TrustMeans, type TrustTable } from './table.ts';

/** A reporter with its number of lost claims. */
export type KnownReporter = Pick<TrustRecord, 'reporterId' | 'verified' | 'lost'>;

/** Collects the input of a table in little memory: a few numbers per identifier. */
export interface TrustLedger {
  /** Adds a sighting. All sightings of one hash must be adjacent. Ignores weak kinds and reports after the epoch. */
  add(sighting: Sighting): void;
  /** Returns true if a sighting of the report was added. */
  has(reportId: string): boolean;
  /** Returns the table. Yields between slices of work. Call it once. */
  table(reporters: readonly KnownReporter[]): Generator<void, TrustTable>;
}

export interface LedgerRules {
  readonly epochAt: number;
  /** Claims made until this time are mature (ms, UTC). */
  readonly matureAt: number;
  /** Others had time to confirm the claims made until this time (ms, UTC). */
  readonly confirmableAt: number;
  readonly iterations: number;
  /** Least precision of an established reporter whose agreement counts: a word below a new key's confirms nothing. */
  readonly leastSpeaking: number;
  readonly isStrong: (kind: string) => boolean;
  readonly weightOf: (kind: string) => number;
  readonly meansOf: (sums: TrustSums) => TrustMeans;
  readonly standingOf: (record: TrustRecord, means: TrustMeans) => ReporterTrust;
  readonly name: string;
}

/** Pairs between two yields. */
const SLICE = 5_000;

/** A record that is still being counted. */
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
      const preceded = countPreceded(pairs, claims, () => true);
      const records = countRecords(rules, pairs.reporters, known, claims, preceded);
      const judged = records.filter(({ verified, confirmable }) => verified && confirmable > 0);
      let sums: TrustSums = { establishedClaims: sum(judged, 'confirmable'), establishedCorroborated: 0 };
      let means = rules.meansOf(sums);

      // Confirmation depends on who is established, and vice versa. So start with empty records and repeat. Lost claims
      // count from the beginning, so that who has lost some cannot establish those that confirm it.
      let standings: ReporterTrust[] = records.map((record) => rules.standingOf(emptyRecord(record), means));
      for (let pass = 0; pass < rules.iterations; pass++) {
        const before = standings;
        yield* countAgreement(rules, pairs, claims, preceded, before, records);
        const rates = judged.map((record) => record.corroborated / record.confirmable).sort((a, b) => a - b);
        // The lower median without the two highest, so that two that agree cannot raise it above what is usual for the
        // others. Of three or four, the second.
        const usual = rates[Math.max(Number(rates.length > 2), (rates.length - 3) >> 1)] ?? 0;
        const most = usual * sums.establishedClaims;
        sums = { ...sums, establishedCorroborated: Math.min(most, sum(judged, 'corroborated')) };
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

function sum(records: readonly Counted[], field: 'confirmable' | 'corroborated'): number {
  return records.reduce((total, record) => total + record[field], 0);
}

/** Counts the part of the records that does not depend on standings of other reporters. */
function countRecords(
  rules: LedgerRules,
  reporterIds: readonly string[],
  known: readonly KnownReporter[],
  claims: TrustClaims,
  preceded: readonly number[],
): Counted[] {
  const facts = new Map(known.map((reporter) => [reporter.reporterId, reporter]));
  const records = reporterIds.map((reporterId): Counted => {
    return emptyRecord(facts.get(reporterId) ?? { reporterId, verified: false });
  });
  for (const [claim, size] of claims.size.entries()) {
    const record = records[claims.reporter[claim]!]!;
    const copied = preceded[claim]!;
    record.claims += size;
    record.preceded += copied;
    if (isConfirmable(rules, record, claims.firstAt[claim]!)) record.confirmable += size;
    if (claims.firstAt[claim]! > rules.matureAt) continue;
    // Only the first of the joined reports is surely mature.
    record.matureClaims += copied + Number(copied < size);
    record.maturePreceded += copied;
  }
  return records;
}

/** Counts the part that depends on standings of other reporters: confirmations, leads and echoes. */
function* countAgreement(
  rules: LedgerRules,
  pairs: TrustPairs,
  claims: TrustClaims,
  preceded: readonly number[],
  standings: readonly ReporterTrust[],
  records: readonly Counted[],
): Generator<void, void> {
  for (const record of records) record.corroborated = record.led = record.echoed = 0;
  const speaks = standings.map(({ established, precision }) => established && precision >= rules.leastSpeaking);
  const confirmationOf = createConfirmation(pairs, claims, standings, speaks);
  let work = 0;
  for (const [claim, isLost] of claims.lost.entries()) {
    work += pairsOf(claims.pairs, claim).length;
    if (work > SLICE) {
      yield;
      work = 0;
    }
    if (isLost) continue;
    const record = records[claims.reporter[claim]!]!;
    const confirmed = confirmationOf(claim);
    if (isConfirmable(rules, record, claims.firstAt[claim]!)) record.corroborated += confirmed;
    if (preceded[claim] === 0 && claims.firstAt[claim]! <= rules.matureAt) record.led += confirmed;
  }
  const bySpeaking = countPreceded(pairs, claims, (pair) => speaks[pairs.reporter[pair]!]!);
  for (const [claim, copied] of preceded.entries())
    records[claims.reporter[claim]!]!.echoed += copied - bySpeaking[claim]!;
}

/**
 * Returns true if the agreement of others about a claim counts. Young claims of a verified reporter do not: otherwise,
 * who reports first would seem to be wrong. Those of an unverified reporter do: otherwise, it could report invented
 * people until the day of an attack.
 */
function isConfirmable({ confirmableAt }: LedgerRules, { verified }: Counted, firstAt: number): boolean {
  return !verified || firstAt <= confirmableAt;
}
