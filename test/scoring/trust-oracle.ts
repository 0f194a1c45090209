import { DAY, EPOCH, reporterName, type World } from './trust-world.ts';

/**
 * A second, slow computation of the trust table from its definitions, with its own numbers. It shares no code with the
 * tested one.
 */

const WEIGHTS: Record<string, number> = { email: 0.97, phone: 0.7, domain: 0.95 };
const weightOf = (kind: string): number => (Object.hasOwn(WEIGHTS, kind) ? WEIGHTS[kind]! : 0.5);

interface Claim {
  readonly by: number;
  /** Report numbers. */
  readonly reports: ReadonlySet<number>;
  readonly hashes: ReadonlySet<string>;
  /** Of each kind, the hashes that each report names first. */
  readonly kinds: readonly (readonly (readonly string[])[])[];
  /** As how many claims it counts. */
  readonly size: number;
}

export interface OracleStanding {
  claims: number;
  preceded: number;
  lost: number;
  corroborated: number;
  confirmable: number;
  led: number;
  echoed: number;
  matureClaims: number;
  maturePreceded: number;
  originality: number;
  corroboration: number;
  disputes: number;
  precision: number;
  established: boolean;
}

export function trustByDefinition(world: World): {
  readonly means: { corroborated: number; anyEstablished: boolean };
  readonly reporters: ReadonlyMap<string, OracleStanding>;
} {
  // What counts: reports before the epoch, and of them the strong identifiers.
  const seen = world.reports.map((report) => ({
    by: report.by,
    at: report.day * DAY,
    upheld: report.upheld === true,
    strong: new Set(report.names.filter((name) => !name.startsWith('ip:'))),
    hashes: new Set(report.names.filter((name) => !name.startsWith('ip:')).map((name) => name.split(':')[1]!)),
  }));
  const counted = [...seen.keys()].filter((n) => seen[n]!.at < EPOCH && seen[n]!.hashes.size > 0);

  const claims: Claim[] = [];
  const placed = new Set<number>();
  for (const start of counted) {
    if (placed.has(start)) continue;
    const reports = new Set([start]);
    for (let grown = true; grown;) {
      grown = false;
      for (const n of counted) {
        if (reports.has(n) || seen[n]!.by !== seen[start]!.by) continue;
        if ([...reports].some((m) => [...seen[m]!.hashes].some((hash) => seen[n]!.hashes.has(hash)))) {
          reports.add(n);
          grown = true;
        }
      }
    }
    for (const n of reports) placed.add(n);
    const hashes = new Set([...reports].flatMap((n) => [...seen[n]!.hashes]));
    // A hash counts under the strongest kind under which these reports have it. All kinds without a weight of their own
    // are one.
    const kindOf = (hash: string): number =>
      Math.max(
        ...[...reports].flatMap((n) =>
          [...seen[n]!.strong].filter((name) => name.endsWith(`:${hash}`)).map((name) => weightOf(name.split(':')[0]!)),
        ),
      );
    const inOrder = [...reports].sort((a, b) => seen[a]!.at - seen[b]!.at || a - b);
    const firstBy = (hash: string): number => inOrder.find((n) => seen[n]!.hashes.has(hash))!;
    const kinds = [...new Set([...hashes].map(kindOf))].map((kind) => {
      const ofKind = [...hashes].filter((hash) => kindOf(hash) === kind);
      return inOrder.map((n) => ofKind.filter((hash) => firstBy(hash) === n)).filter((named) => named.length > 0);
    });
    const size = Math.max(...kinds.map((ofKind) => ofKind.length));
    claims.push({ by: seen[start]!.by, reports, hashes, kinds, size });
  }

  const has = (by: number, hash: string, upheldToo: boolean): number[] =>
    counted.filter((n) => seen[n]!.by === by && seen[n]!.hashes.has(hash) && (upheldToo || !seen[n]!.upheld));
  const first = (reports: number[]): number => Math.min(Infinity, ...reports.map((n) => seen[n]!.at));
  const weight = (by: number, hash: string): number =>
    Math.max(
      ...has(by, hash, true).flatMap((n) =>
        [...seen[n]!.strong].filter((name) => name.endsWith(`:${hash}`)).map((name) => weightOf(name.split(':')[0]!)),
      ),
    );
  const everybody = [...world.verified.keys()];
  /**
   * Returns as how many claims others reported it earlier, in reports not found wrong: its reports that name such an
   * identifier of one kind first.
   */
  const precededBy = (claim: Claim, others: (by: number) => boolean): number => {
    const earlier = [...claim.hashes].filter((hash) =>
      everybody.some(
        (by) => by !== claim.by && others(by) && first(has(by, hash, false)) < first(has(claim.by, hash, true)),
      ),
    );
    const ofKinds = claim.kinds.map(
      (ofKind) => ofKind.filter((named) => named.some((hash) => earlier.includes(hash))).length,
    );
    return Math.max(...ofKinds);
  };
  const isLost = (claim: Claim): boolean => [...claim.reports].some((n) => seen[n]!.upheld);
  const isMature = (claim: Claim): boolean => EPOCH - first([...claim.reports]) >= 45 * DAY;
  const isConfirmable = (claim: Claim): boolean =>
    !world.verified[claim.by]! || EPOCH - first([...claim.reports]) >= 90 * DAY;
  const of = (by: number, which: (claim: Claim) => boolean = () => true): Claim[] =>
    claims.filter((claim) => claim.by === by && which(claim));

  const sizeOf = (some: readonly Claim[]): number => some.reduce((sum, { size }) => sum + size, 0);
  const preceded = (claim: Claim): number => precededBy(claim, () => true);
  const countPreceded = (some: readonly Claim[]): number => some.reduce((sum, claim) => sum + preceded(claim), 0);
  const originality = (n: number, f: number): number => Math.min(1, Math.max(0, n - f + 3.5) / ((n + 5) * 0.7));
  const stand = (
    by: number,
    n: number,
    f: number,
    x: number,
    a: number,
    confirmableN: number,
    l: number,
    e: number,
    matureN: number,
    matureF: number,
    meanCorroborated: number,
    anyEstablished: boolean,
  ): OracleStanding => {
    const verified = world.verified[by]!;
    const o = verified ? 1 : originality(n, f);
    const disputes = Math.max(0.05, 1 - (3 * x) / (Math.min(n, 20 + 4 * a) + 5));
    const c = Math.min(1, (a + 3) / (confirmableN * meanCorroborated + 3)) ** 2;
    const established = verified || (matureN >= 3 && l >= 0.5 && originality(matureN, matureF) >= 0.5);
    const own = anyEstablished ? Math.max(0, matureN - matureF) : 0;
    const grown = own / (own + 0.5);
    const ownWords = grown + ((1 - grown) * (n - e + 0.1)) / (n + 0.1);
    const unverified = (0.1 + grown * Math.max(0, 0.7 * c * o - 0.1)) * ownWords;
    const p = (established ? 0.7 * c * o : unverified) * disputes;
    return {
      claims: n,
      preceded: f,
      lost: x,
      corroborated: a,
      confirmable: confirmableN,
      led: l,
      echoed: e,
      matureClaims: matureN,
      maturePreceded: matureF,
      originality: o,
      corroboration: c,
      disputes,
      precision: Math.min(0.95, Math.max(0.03, p)),
      established,
    };
  };

  let meanCorroborated = 0;
  let anyEstablished = false;
  let table = everybody.map((by) => stand(by, 0, 0, world.lost?.[by] ?? 0, 0, 0, 0, 0, 0, 0, meanCorroborated, false));
  for (let pass = 0; pass < 3; pass++) {
    const before = table;
    const speaks = (by: number): boolean => before[by]!.established && before[by]!.precision >= 0.1;
    const confirmationBy = (claim: Claim, hashes: Iterable<string>): number => {
      let unconfirmed = 1;
      for (const by of everybody) {
        if (by === claim.by || !speaks(by)) continue;
        const shared = [...hashes]
          .filter((hash) => has(by, hash, false).length > 0)
          .map((hash) => Math.min(weight(claim.by, hash), weight(by, hash)));
        unconfirmed *= 1 - Math.max(0, ...shared) * before[by]!.precision;
      }
      return 1 - unconfirmed;
    };
    const confirmation = (claim: Claim): number => {
      const each = Math.max(
        ...claim.kinds.map((ofKind) => ofKind.reduce((sum, named) => sum + confirmationBy(claim, named), 0)),
      );
      const once = confirmationBy(claim, claim.hashes);
      return claim.reports.size === 1 ? once : Math.max(once, each);
    };
    const a = everybody.map((by) =>
      of(by, (claim) => isConfirmable(claim) && !isLost(claim)).reduce((sum, claim) => sum + confirmation(claim), 0),
    );
    const judged = everybody.filter((by) => world.verified[by]! && of(by, isConfirmable).length > 0);
    const confirmableOf = (by: number): number => sizeOf(of(by, isConfirmable));
    anyEstablished = judged.length > 0;
    // The lower median without the two highest, and at most the mean over claims.
    const rates = judged.map((by) => a[by]! / confirmableOf(by)).sort((one, other) => one - other);
    const fewer = rates.slice(0, Math.max(1, rates.length - 2));
    const usual = rates.length === 3 || rates.length === 4 ? rates[1]! : fewer[Math.ceil(fewer.length / 2) - 1]!;
    const all = judged.reduce((sum, by) => sum + confirmableOf(by), 0);
    meanCorroborated = anyEstablished ? Math.min(0.25, usual, judged.reduce((sum, by) => sum + a[by]!, 0) / all) : 0;
    table = everybody.map((by) =>
      stand(
        by,
        sizeOf(of(by)),
        countPreceded(of(by)),
        world.lost?.[by] ?? 0,
        a[by]!,
        sizeOf(of(by, isConfirmable)),
        of(by, (claim) => !isLost(claim) && isMature(claim) && preceded(claim) === 0).reduce(
          (sum, claim) => sum + confirmation(claim),
          0,
        ),
        of(by).reduce((sum, claim) => sum + preceded(claim) - precededBy(claim, speaks), 0),
        of(by, (claim) => isMature(claim) && preceded(claim) < claim.size).length + countPreceded(of(by, isMature)),
        countPreceded(of(by, isMature)),
        meanCorroborated,
        anyEstablished,
      ),
    );
  }
  return {
    means: { corroborated: meanCorroborated, anyEstablished },
    reporters: new Map(table.map((standing, by) => [reporterName(by), standing])),
  };
}
