/** One identifier in one live report. */
export interface Sighting {
  /** 40 lowercase hex characters. */
  readonly hash: string;
  /** Kind under which the report has the hash. */
  readonly kind: string;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Time of the report (ms, UTC). */
  readonly createdAt: number;
  /** True if a dispute about the report was upheld. Such a report cannot confirm, precede or be confirmed. */
  readonly upheld: boolean;
}

/**
 * Sightings as arrays of numbers. A pair is one reporter with one hash that this reporter reported. The pairs of a hash
 * are adjacent.
 */
export interface TrustPairs {
  /** Reporter ids, by reporter number. */
  readonly reporters: readonly string[];
  /** By report number. */
  readonly reports: {
    readonly reporter: readonly number[];
    readonly createdAt: readonly number[];
    readonly upheld: readonly boolean[];
    /**
     * First report of the same claim. Reports of one reporter are one claim if they share a hash, directly or through
     * other reports.
     */
    readonly root: readonly number[];
  };
  /** By pair number. */
  readonly hash: readonly number[];
  readonly reporter: readonly number[];
  /** First report of the pair. */
  readonly report: readonly number[];
  /** Weight of the strongest kind under which the reporter reported the hash. */
  readonly weight: readonly number[];
  /** Time of the reporter's first report of the hash (ms, UTC). */
  readonly firstAt: readonly number[];
  /** Time of the first such report that is not known to be wrong (ms, UTC); Infinity if there is none. */
  readonly confirmsFrom: readonly number[];
  /** Number of the first pair, by hash number. An extra entry marks the end. */
  readonly firstOfHash: readonly number[];
}

export interface PairGatherer {
  /** Adds a sighting. All sightings of one hash must be adjacent. */
  add(sighting: Sighting, weight: number): void;
  has(reportId: string): boolean;
  /** Returns all pairs. Reporters without a sighting come last. Call it once. */
  finish(otherReporters: readonly string[]): TrustPairs;
}

export function createPairGatherer(): PairGatherer {
  const reporters = new Map<string, number>();
  const numbers = new Map<string, number>();
  const reports = { reporter: [] as number[], createdAt: [] as number[], upheld: [] as boolean[] };
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
  let lastHash: string | undefined;
  /** Pair number of the last hash, by reporter number. */
  const pairOf = new Map<number, number>();

  return {
    add(sighting, weight) {
      const report = numberOf(numbers, sighting.reportId);
      const reporter = numberOf(reporters, sighting.reporterId);
      if (report === parent.length) {
        parent.push(report);
        reports.reporter.push(reporter);
        reports.createdAt.push(sighting.createdAt);
        reports.upheld.push(sighting.upheld);
      }
      if (sighting.hash !== lastHash) {
        lastHash = sighting.hash;
        pairOf.clear();
        firstOfHash.push(pairs.hash.length);
      }
      const confirmsFrom = sighting.upheld ? Infinity : sighting.createdAt;
      const pair = pairOf.get(reporter);
      if (pair === undefined) {
        pairOf.set(reporter, pairs.hash.length);
        pairs.hash.push(firstOfHash.length - 1);
        pairs.reporter.push(reporter);
        pairs.report.push(report);
        pairs.weight.push(weight);
        pairs.firstAt.push(sighting.createdAt);
        pairs.confirmsFrom.push(confirmsFrom);
        return;
      }
      // If a reporter reports a hash again, both reports belong to one claim.
      join(parent, pairs.report[pair]!, report);
      pairs.weight[pair] = Math.max(pairs.weight[pair]!, weight);
      if (sighting.createdAt < pairs.firstAt[pair]!) pairs.report[pair] = report;
      pairs.firstAt[pair] = Math.min(pairs.firstAt[pair]!, sighting.createdAt);
      pairs.confirmsFrom[pair] = Math.min(pairs.confirmsFrom[pair]!, confirmsFrom);
    },

    has: (reportId) => numbers.has(reportId),

    finish(otherReporters) {
      for (const reporterId of otherReporters) numberOf(reporters, reporterId);
      firstOfHash.push(pairs.hash.length);
      return {
        reporters: [...reporters.keys()],
        reports: { ...reports, root: parent.map((_, report) => rootOf(parent, report)) },
        ...pairs,
        firstOfHash,
      };
    },
  };
}

/** Makes two sets of reports one. `parent` leads from each report to the first one of its set. */
export function join(parent: number[], one: number, other: number): void {
  const [a, b] = [rootOf(parent, one), rootOf(parent, other)];
  parent[Math.max(a, b)] = Math.min(a, b);
}

/** Returns the first report of the set. */
export function rootOf(parent: number[], report: number): number {
  let root = report;
  while (parent[root] !== root) root = parent[root]!;
  // Path compression, so that the next lookup takes one step.
  for (let at = report; parent[at] !== root;) {
    const next = parent[at]!;
    parent[at] = root;
    at = next;
  }
  return root;
}

/** Returns the number of a text: the next one, if it has none. */
function numberOf(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}
