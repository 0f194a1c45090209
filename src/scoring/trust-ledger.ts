import type { TrustRules } from './trust.ts';
import { emptyRecord, type ReporterTrust, type TrustSums, type TrustTable } from './trust-table.ts';

/** One identifier of one live report. */
export interface Sighting {
  readonly hash: string;
  readonly kind: string;
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  /** True when a dispute about the report was upheld: the claim is lost, and confirms nobody's. */
  readonly upheld: boolean;
}

/** Gathers what a table is made of: a few numbers for each identifier, whatever their text. */
export interface TrustLedger {
  /** In the order of their hashes; all sightings of one hash follow each other. Weak kinds and what is later than the epoch are left out here. */
  add(sighting: Sighting): void;
  /** Yields between slices of work, returns the table. `lostBefore` counts upheld disputes about reports that are not there any more. */
  table(reporters: readonly { readonly reporterId: string; readonly verified: boolean; readonly lostBefore: number }[]): Generator<void, TrustTable>;
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

/** Numbers things by their text, from 0. */
function createNumbering() {
  const numbers = new Map<string, number>();
  return {
    numbers,
    of(text: string): number {
      let number = numbers.get(text);
      if (number === undefined) numbers.set(text, (number = numbers.size));
      return number;
    },
  };
}

export function createTrustLedger(rules: LedgerRules): TrustLedger {
  const reporters = createNumbering();
  const reports = createNumbering();
  // By report number.
  const reporterOf: number[] = [];
  const createdAt: number[] = [];
  const upheld: boolean[] = [];
  const parent: number[] = [];
  // By number of pair: one reporter on one hash. The pairs of a hash follow each other.
  // When it first had the hash, and when first in a report that was not upheld as wrong (Infinity: never).
  const pairs = { hash: [] as number[], reporter: [] as number[], report: [] as number[], weight: [] as number[], firstAt: [] as number[], confirmsFrom: [] as number[] };
  const confirms = (pair: number): boolean => pairs.confirmsFrom[pair]! < Infinity;
  const firstPairOfHash: number[] = [];
  const last: { hash: string | undefined; pairOf: Map<number, number> } = { hash: undefined, pairOf: new Map() };

  const rootOf = (report: number): number => {
    let root = report;
    while (parent[root] !== root) root = parent[root]!;
    for (let at = report; parent[at] !== root;) {
      const next = parent[at]!;
      parent[at] = root;
      at = next;
    }
    return root;
  };

  return {
    add(sighting) {
      if (sighting.createdAt >= rules.epochAt || !rules.isStrong(sighting.kind)) return;
      const report = reports.of(sighting.reportId);
      const reporter = reporters.of(sighting.reporterId);
      if (report === parent.length) {
        parent.push(report);
        reporterOf.push(reporter);
        createdAt.push(sighting.createdAt);
        upheld.push(sighting.upheld);
      }
      if (sighting.hash !== last.hash) {
        last.hash = sighting.hash;
        last.pairOf.clear();
        firstPairOfHash.push(pairs.hash.length);
      }
      const weight = rules.weightOf(sighting.kind);
      const confirmsFrom = sighting.upheld ? Infinity : sighting.createdAt;
      const pair = last.pairOf.get(reporter);
      if (pair === undefined) {
        last.pairOf.set(reporter, pairs.hash.length);
        pairs.hash.push(firstPairOfHash.length - 1);
        pairs.reporter.push(reporter);
        pairs.report.push(report);
        pairs.weight.push(weight);
        pairs.firstAt.push(sighting.createdAt);
        pairs.confirmsFrom.push(confirmsFrom);
        return;
      }
      // One reporter, one identifier: one claim.
      const [a, b] = [rootOf(pairs.report[pair]!), rootOf(report)];
      parent[Math.max(a, b)] = Math.min(a, b);
      pairs.weight[pair] = Math.max(pairs.weight[pair]!, weight);
      pairs.firstAt[pair] = Math.min(pairs.firstAt[pair]!, sighting.createdAt);
      pairs.confirmsFrom[pair] = Math.min(pairs.confirmsFrom[pair]!, confirmsFrom);
    },

    *table(known) {
      for (const { reporterId } of known) reporters.of(reporterId);
      const facts = new Map(known.map((reporter) => [reporter.reporterId, reporter]));
      const count = reporters.numbers.size;
      const ids = [...reporters.numbers.keys()];
      firstPairOfHash.push(pairs.hash.length);

      // Claims, numbered by their roots, each with its pairs.
      const claimOf = new Int32Array(parent.length).fill(-1);
      const roots: number[] = [];
      for (let report = 0; report < parent.length; report++) {
        const root = rootOf(report);
        if (claimOf[root] === -1) {
          claimOf[root] = roots.length;
          roots.push(root);
        }
        claimOf[report] = claimOf[root]!;
      }
      const claimFirstAt = new Float64Array(roots.length).fill(Infinity);
      const claimLost = new Uint8Array(roots.length);
      for (let report = 0; report < parent.length; report++) {
        const claim = claimOf[report]!;
        claimFirstAt[claim] = Math.min(claimFirstAt[claim]!, createdAt[report]!);
        if (upheld[report]) claimLost[claim] = 1;
      }
      yield;
      const claimPreceded = precededBy(() => true, claimOf, roots.length);
      const { start: claimPairs, items: pairsByClaim } = groupBy(pairs.report.map((report) => claimOf[report]!), roots.length);
      yield;

      const records = ids.map((reporterId) => {
        const fact = facts.get(reporterId);
        return { ...emptyRecord({ reporterId, verified: fact?.verified ?? false }), lost: fact?.lostBefore ?? 0 };
      });
      roots.forEach((root, claim) => {
        const record = records[reporterOf[root]!]!;
        record.claims++;
        record.confirmable++;
        record.preceded += claimPreceded[claim]!;
        record.lost += claimLost[claim]!;
        if (claimFirstAt[claim]! > rules.matureAt) return;
        record.matureClaims++;
        record.maturePreceded += claimPreceded[claim]!;
      });
      const sum = (of: (record: (typeof records)[number], reporter: number) => number): number => records.reduce((total, record, reporter) => total + of(record, reporter), 0);
      let sums: TrustSums = { claims: sum((r) => r.claims), preceded: sum((r) => r.preceded), establishedClaims: 0, establishedCorroborated: 0 };
      let means = rules.meansOf(sums);

      // Before the first pass everybody stands as with an empty record.
      let standings: ReporterTrust[] = records.map((record) => rules.standingOf(emptyRecord(record), means));
      const best = new Float64Array(count);
      for (let pass = 0; pass < rules.iterations; pass++) {
        const inTable = standings;
        const speaking = speakersOf(inTable);
        const corroborated = new Float64Array(count);
        const led = new Float64Array(count);
        for (let claim = 0; claim < roots.length; claim++) {
          if (claim % SLICE === SLICE - 1) yield;
          if (claimLost[claim] === 1) continue;
          const confirmed = confirmation(claim);
          corroborated[reporterOf[roots[claim]!]!]! += confirmed;
          if (claimPreceded[claim] === 0 && claimFirstAt[claim]! <= rules.matureAt) led[reporterOf[roots[claim]!]!]! += confirmed;
        }
        records.forEach((record, reporter) => {
          record.corroborated = corroborated[reporter]!;
          record.led = led[reporter]!;
        });
        const establishedClaims = sum((record, reporter) => (inTable[reporter]!.established ? record.confirmable : 0));
        const establishedCorroborated = sum((record, reporter) => (inTable[reporter]!.established ? record.corroborated : 0));
        sums = { ...sums, establishedClaims, establishedCorroborated };
        means = rules.meansOf(sums);
        const byEstablished = precededBy((pair) => inTable[pairs.reporter[pair]!]!.established, claimOf, roots.length);
        for (const record of records) record.echoed = 0;
        roots.forEach((root, claim) => (records[reporterOf[root]!]!.echoed += claimPreceded[claim]! & ~byEstablished[claim]!));
        standings = records.map((record) => rules.standingOf(record, means));

        /** 1 − Π (1 − W · min(1, p)) over the established others that have an identifier of the claim. */
        function confirmation(claim: number): number {
          const own = reporterOf[roots[claim]!]!;
          const met: number[] = [];
          for (let at = claimPairs[claim]!; at < claimPairs[claim + 1]!; at++) {
            const pair = pairsByClaim[at]!;
            const hash = pairs.hash[pair]!;
            for (let s = speaking.start[hash]!; s < speaking.start[hash + 1]!; s++) {
              const theirs = speaking.items[s]!;
              const other = pairs.reporter[theirs]!;
              if (other === own) continue;
              if (best[other] === 0) met.push(other);
              best[other] = Math.max(best[other]!, Math.min(pairs.weight[pair]!, pairs.weight[theirs]!));
            }
          }
          let unconfirmed = 1;
          for (const other of met.length > 1 ? met.sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1)) : met) {
            unconfirmed *= 1 - best[other]! * Math.min(1, inTable[other]!.precision);
            best[other] = 0;
          }
          return 1 - unconfirmed;
        }
      }
      return { rules: rules.name, epochAt: rules.epochAt, sums, means, reporters: new Map(standings.map((standing) => [standing.reporterId, standing])) };
    },
  };

  /** 1 for each claim that another reporter had one identifier of before it had, by a pair that counts. What was upheld as wrong precedes nothing. */
  function precededBy(counts: (pair: number) => boolean, claimOf: Int32Array, claims: number): Uint8Array {
    const preceded = new Uint8Array(claims);
    for (let hash = 0; hash + 1 < firstPairOfHash.length; hash++) {
      let first = Infinity;
      let second = Infinity;
      let firstPair = -1;
      for (let pair = firstPairOfHash[hash]!; pair < firstPairOfHash[hash + 1]!; pair++) {
        const at = counts(pair) ? pairs.confirmsFrom[pair]! : Infinity;
        if (at < first) {
          second = first;
          first = at;
          firstPair = pair;
        } else second = Math.min(second, at);
      }
      for (let pair = firstPairOfHash[hash]!; pair < firstPairOfHash[hash + 1]!; pair++) {
        if ((pair === firstPair ? second : first) < pairs.firstAt[pair]!) preceded[claimOf[pairs.report[pair]!]!] = 1;
      }
    }
    return preceded;
  }

  /** The pairs of established reporters that confirm, by hash: most keys of an attack are in none. */
  function speakersOf(standings: readonly ReporterTrust[]): { start: number[]; items: number[] } {
    const start: number[] = [];
    const items: number[] = [];
    for (let hash = 0; hash + 1 < firstPairOfHash.length; hash++) {
      start.push(items.length);
      for (let pair = firstPairOfHash[hash]!; pair < firstPairOfHash[hash + 1]!; pair++) {
        if (confirms(pair) && standings[pairs.reporter[pair]!]!.established) items.push(pair);
      }
    }
    start.push(items.length);
    return { start, items };
  }
}

/** Positions by group: those of group g are `items[start[g] … start[g + 1]]`, in their order. */
function groupBy(groups: readonly number[], count: number): { start: Int32Array; items: Int32Array } {
  const start = new Int32Array(count + 1);
  for (const group of groups) start[group + 1]!++;
  for (let group = 0; group < count; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const items = new Int32Array(groups.length);
  groups.forEach((group, at) => (items[next[group]!++] = at));
  return { start, items };
}
