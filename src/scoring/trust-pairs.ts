import type { Sighting } from './trust-ledger.ts';

/** Sightings as numbers, whatever their text. A pair is one reporter on one hash; the pairs of a hash follow each other. */
export interface TrustPairs {
  /** Ids by number. */
  readonly reporters: readonly string[];
  /** By report number. */
  readonly reports: {
    readonly reporter: readonly number[];
    readonly createdAt: readonly number[];
    readonly upheld: readonly boolean[];
    /** The first report of the claim that it is in: reports of one reporter that share a hash, or share one with a report that does, are one claim. */
    readonly root: Int32Array;
  };
  /** By pair number. */
  readonly hash: readonly number[];
  readonly reporter: readonly number[];
  /** Its first report. */
  readonly report: readonly number[];
  /** Of the kind that says most. */
  readonly weight: readonly number[];
  /** When the reporter first had the hash. */
  readonly firstAt: readonly number[];
  /** When first in a report that was not upheld as wrong; Infinity: never. */
  readonly confirmsFrom: readonly number[];
  /** By hash number, and one more: where its pairs begin. */
  readonly firstOfHash: readonly number[];
}

export interface PairGatherer {
  /** All sightings of one hash follow each other. */
  add(sighting: Sighting, weight: number): void;
  has(reportId: string): boolean;
  /** Everything that was added; reporters that were in no sighting come last. Called once. */
  finish(otherReporters: readonly string[]): TrustPairs;
}

export function createPairGatherer(): PairGatherer {
  const reporters = createNumbering();
  const reports = createNumbering();
  const reporterOf: number[] = [];
  const createdAt: number[] = [];
  const upheld: boolean[] = [];
  const parent: number[] = [];
  const pairs = {
    hash: [] as number[],
    reporter: [] as number[],
    report: [] as number[],
    weight: [] as number[],
    firstAt: [] as number[],
    confirmsFrom: [] as number[],
  };
  const firstOfHash: number[] = [];
  const last: { hash: string | undefined; pairOf: Map<number, number> } = { hash: undefined, pairOf: new Map() };

  const rootOf = (report: number): number => {
    let root = report;
    while (parent[root] !== root) root = parent[root]!;
    // Whoever comes this way again has one step.
    for (let at = report; parent[at] !== root;) {
      const next = parent[at]!;
      parent[at] = root;
      at = next;
    }
    return root;
  };

  return {
    add(sighting, weight) {
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
        firstOfHash.push(pairs.hash.length);
      }
      const confirmsFrom = sighting.upheld ? Infinity : sighting.createdAt;
      const pair = last.pairOf.get(reporter);
      if (pair === undefined) {
        last.pairOf.set(reporter, pairs.hash.length);
        pairs.hash.push(firstOfHash.length - 1);
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

    has: (reportId) => reports.numbers.has(reportId),

    finish(otherReporters) {
      for (const reporterId of otherReporters) reporters.of(reporterId);
      firstOfHash.push(pairs.hash.length);
      const root = Int32Array.from(parent, (_, report) => rootOf(report));
      return {
        reporters: [...reporters.numbers.keys()],
        reports: { reporter: reporterOf, createdAt, upheld, root },
        ...pairs,
        firstOfHash,
      };
    },
  };
}

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
