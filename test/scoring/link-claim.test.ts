import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalibration } from '../../src/core/scoring/calibration.ts';
import type { CalibrationMap } from '../../src/core/scoring/calibration-map.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import type { Evidence, EvidenceReport, Standing } from '../../src/core/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { ExplainingModel } from '../../src/core/scoring/model.ts';
import {
  LAW_RUNS,
  build,
  calibrationMaps,
  draft,
  drafts,
  ESTABLISHED,
  HASHES,
  linkClaimModels,
  NEW_KEY,
  shuffled,
  VERIFIED,
  type Draft,
} from './arbitraries.ts';

const model = createLinkClaimModel();
/** P and R as the vectors give them, 0 to 1. */
const scoreUnrounded = (given: Evidence) => {
  const { points, reliability } = model.measure(given);
  return { points: points / 100, reliability: reliability / 10 };
};

interface Case {
  reporters: number;
  standing: Standing;
  severity: number;
  kinds: string[];
  ageDays?: number;
  copies?: number;
}

function evidence({ reporters, standing, severity, kinds, ageDays = 0, copies = 1 }: Case): Evidence {
  const reports: EvidenceReport[] = [];
  for (let k = 0; k < reporters; k++) {
    for (let c = 0; c < copies; c++) {
      reports.push({
        reportId: `${k}.${c}`,
        reporterId: `k${k}`,
        type: 'fraud',
        severity,
        ageDays,
        shared: kinds.map((kind) => ({ kind, hash: kind })),
      });
    }
  }
  return { reports, standings: new Map(reports.map((r) => [r.reporterId, standing])) };
}

// The published vectors of the model: unrounded P and R, then the three numbers as a reply shows them.
const VECTORS: [string, Case, number, number, string][] = [
  [
    '1 verified, severity 6, email, today',
    { reporters: 1, standing: VERIFIED, severity: 6, kinds: ['email'] },
    0.24365,
    0.7111,
    '24-1-7.1',
  ],
  [
    '1 verified, severity 10, email+phone+ip, today',
    { reporters: 1, standing: VERIFIED, severity: 10, kinds: ['email', 'phone', 'ip'] },
    0.292192,
    0.724897,
    '29-1-7.2',
  ],
  [
    'the same, sent 5 times by the same reporter',
    { reporters: 1, standing: VERIFIED, severity: 10, kinds: ['email', 'phone', 'ip'], copies: 5 },
    0.292192,
    0.724897,
    '29-5-7.2',
  ],
  [
    '2 verified, severity 6, email, today',
    { reporters: 2, standing: VERIFIED, severity: 6, kinds: ['email'] },
    0.514301,
    0.850932252,
    '51-2-8.5',
  ],
  [
    '2 verified, severity 10, email, today',
    { reporters: 2, standing: VERIFIED, severity: 10, kinds: ['email'] },
    0.802656,
    0.850932252,
    '80-2-8.5',
  ],
  [
    '1 new key, severity 10, email, today',
    { reporters: 1, standing: NEW_KEY, severity: 10, kinds: ['email'] },
    0.085693,
    0.1724130778,
    '9-1-1.7',
  ],
  [
    '5 new keys, severity 10, email, today',
    { reporters: 5, standing: NEW_KEY, severity: 10, kinds: ['email'] },
    0.0943002109,
    0.179120327,
    '9-5-1.8',
  ],
  [
    '1 unverified with a record, severity 10, email, today',
    { reporters: 1, standing: ESTABLISHED, severity: 10, kinds: ['email'] },
    0.276873,
    0.2836852037,
    '28-1-2.8',
  ],
  [
    '10 unverified with a record, severity 10, email, today',
    { reporters: 10, standing: ESTABLISHED, severity: 10, kinds: ['email'] },
    0.2786832295,
    0.2840014496,
    '28-10-2.8',
  ],
  [
    '1 verified, severity 8, ip only, today',
    { reporters: 1, standing: VERIFIED, severity: 8, kinds: ['ip'] },
    0.028056,
    0.163,
    '3-1-1.6',
  ],
  [
    '10 verified, severity 8, ip only, today',
    { reporters: 10, standing: VERIFIED, severity: 8, kinds: ['ip'] },
    0.098691,
    0.189946415,
    '10-10-1.9',
  ],
  [
    '1 verified, severity 6, email, 800 days old',
    { reporters: 1, standing: VERIFIED, severity: 6, kinds: ['email'], ageDays: 800 },
    0.08995,
    0.40555,
    '9-1-4.1',
  ],
  [
    '4 verified, severity 10, domain, 800 days old',
    { reporters: 4, standing: VERIFIED, severity: 10, kinds: ['domain'], ageDays: 800 },
    0.316284,
    0.6455210732,
    '32-4-6.5',
  ],
  [
    '8 verified, severity 10, domain, 800 days old',
    { reporters: 8, standing: VERIFIED, severity: 10, kinds: ['domain'], ageDays: 800 },
    0.756967,
    0.9086064894,
    '76-8-9.1',
  ],
];

describe('link × claim: vectors', () => {
  it.each(VECTORS)('%s', (_, given, points, reliability, shown) => {
    const unrounded = scoreUnrounded(evidence(given));
    expect(unrounded.points).toBeCloseTo(points, 6);
    expect(unrounded.reliability).toBeCloseTo(reliability, 6);
    const verdict = model.score(evidence(given));
    expect(`${verdict.points}-${verdict.reported}-${verdict.reliability.toFixed(1)}`).toBe(shown);
  });

  it('answers three zeros without a report', () => {
    expect(model.score({ reports: [], standings: new Map() })).toEqual({ points: 0, reported: 0, reliability: 0 });
  });

  it('takes a reporter it knows nothing of for a new key', () => {
    const given = evidence({ reporters: 1, standing: NEW_KEY, severity: 10, kinds: ['email'] });
    expect(scoreUnrounded({ ...given, standings: new Map() })).toEqual(scoreUnrounded(given));
  });
});

const RUNS = LAW_RUNS;
/** What the order of a sum, times the steepest map, can do to the last digits. */
const EPSILON = 1e-9;
/** Before rounding, 0 to 1: Points, Reliability as the voices add up to it, and as the map has it. */
const numbers = (of: ExplainingModel, given: readonly Draft[]) => {
  const { points, reliability, uncalibrated } = of.explain(build(given)).exact;
  return { points: points / 100, reliability: reliability / 10, uncalibrated: uncalibrated / 10 };
};
type Numbers = ReturnType<typeof numbers>;
const NAMES = ['points', 'reliability', 'uncalibrated'] as const;
const noneLower = (before: Numbers, after: Numbers): void => {
  for (const name of NAMES)
    if (!(after[name] >= before[name] - EPSILON))
      throw new Error(`${name} falls from ${before[name]} to ${after[name]}`);
};
const at = <T>(things: readonly T[], pick: number): number => pick % things.length;
const changed = (given: readonly Draft[], pick: number, change: (one: Draft) => Partial<Draft>): Draft[] =>
  given.map((one, n) => (n === at(given, pick) ? { ...one, ...change(one) } : one));

describe('link × claim: laws, with disputed reports, with and without a calibration map', () => {
  it('the order of reports is irrelevant, to the last bit', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, fc.infiniteStream(fc.nat()), (of, given, order) => {
        expect(numbers(of, shuffled(given, order))).toEqual(numbers(of, given));
      }),
      RUNS,
    );
  });

  it('reports that are added one at a time have the verdict of all at once, also in between', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, (of, given) => {
        const { reports, standings } = build(given);
        const tally = of.begin!(standings);
        expect(tally.score()).toEqual({ points: 0, reported: 0, reliability: 0 });
        for (const [at, one] of reports.entries()) {
          tally.add(one);
          expect(tally.score()).toEqual(of.score({ reports: reports.slice(0, at + 1), standings }));
        }
      }),
      RUNS,
    );
  });

  it('a new report by anybody never lowers Points or Reliability', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, draft, (of, given, extra) =>
        noneLower(numbers(of, given), numbers(of, [...given, extra])),
      ),
      RUNS,
    );
  });

  it('an exact duplicate by the same reporter changes neither', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, fc.nat(), (of, given, pick) => {
        expect(numbers(of, [...given, given[at(given, pick)]!])).toEqual(numbers(of, given));
      }),
      RUNS,
    );
  });

  it('an equal report by an independent reporter of the same trust raises more than a duplicate', () => {
    fc.assert(
      fc.property(draft, (one) => {
        const reports = [
          { ...one, reporterId: 'a', reportId: '0' },
          { ...one, reporterId: 'x', reportId: '1' },
        ];
        const standings = new Map([
          ['a', VERIFIED],
          ['x', VERIFIED],
        ]);
        expect(scoreUnrounded({ reports, standings }).points).toBeGreaterThan(
          scoreUnrounded({ reports: reports.slice(0, 1), standings }).points,
        );
      }),
      RUNS,
    );
  });

  it('a later moment never raises', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, fc.double({ min: 0, max: 4000, noNaN: true }), (of, given, laterDays) => {
        noneLower(
          numbers(
            of,
            given.map((one) => ({ ...one, ageDays: one.ageDays + laterDays })),
          ),
          numbers(of, given),
        );
      }),
      RUNS,
    );
  });

  it('a graver report never lowers Points and leaves Reliability as it is', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, fc.nat(), (of, given, pick) => {
        const [before, after] = [
          numbers(of, given),
          numbers(
            of,
            changed(given, pick, ({ severity }) => ({ severity: Math.min(10, severity + 1) })),
          ),
        ];
        noneLower(before, after);
        expect(after.reliability).toBe(before.reliability);
      }),
      RUNS,
    );
  });

  it('a dispute never raises, leaves the report counted, and undone leaves nothing behind', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, fc.nat(), (of, given, pick) => {
        const disputed = changed(given, pick, () => ({ disputed: true }));
        noneLower(
          numbers(of, disputed),
          numbers(
            of,
            changed(given, pick, () => ({ disputed: false })),
          ),
        );
        expect(of.score(build(disputed)).reported).toBe(given.length);
        expect(
          numbers(
            of,
            changed(disputed, pick, () => ({ disputed: given[at(given, pick)]!.disputed ?? false })),
          ),
        ).toEqual(numbers(of, given));
      }),
      RUNS,
    );
  });

  it('a dispute about an only report halves its strength', () => {
    fc.assert(
      fc.property(draft, (one) => {
        const [open, none] = [true, false].map((disputed) => model.explain(build([{ ...one, disputed }])).voices[0]!);
        for (const sum of ['points', 'reliability'] as const) {
          expect(open![sum].strength).toBeCloseTo(none![sum].strength / 2, 12);
          expect(open![sum].part).toBeLessThanOrEqual(none![sum].part);
        }
      }),
      RUNS,
    );
  });

  it('0 ≤ Points ≤ Reliability ≤ 1 before the map, the map stays within, and a verdict is zero in all three or in none', () => {
    fc.assert(
      fc.property(linkClaimModels, drafts, (of, given) => {
        const { points, reliability, uncalibrated } = numbers(of, given);
        const bounded =
          points >= 0 && points <= uncalibrated + EPSILON && uncalibrated <= 1 && reliability >= 0 && reliability <= 1;
        const verdict = of.score(build(given));
        const shown =
          Number.isInteger(verdict.points) &&
          verdict.points >= 1 &&
          verdict.points <= 100 &&
          verdict.reliability >= 1 &&
          verdict.reliability <= 10 &&
          verdict.reliability === Number(verdict.reliability.toFixed(1)) &&
          verdict.reported === given.length;
        expect({ bounded, shown }, JSON.stringify({ points, reliability, uncalibrated, verdict })).toEqual({
          bounded: true,
          shown: true,
        });
      }),
      RUNS,
    );
  });

  it('an ip alone never exceeds its weight, in Reliability above the least value', () => {
    fc.assert(
      fc.property(drafts, (given) => {
        const ipOnly = given.map((one) => ({ ...one, shared: [{ kind: 'ip', hash: HASHES[0]! }] }));
        const { weight } = LINK_CLAIM_CONSTANTS.kinds['ip']!;
        expect(numbers(model, ipOnly).points).toBeLessThanOrEqual(weight);
        expect(numbers(model, ipOnly).reliability).toBeLessThanOrEqual(0.1 + 0.9 * weight);
      }),
      RUNS,
    );
  });

  it('a map changes Reliability as it says, lifts no bound on unverified voices, and touches Points never', () => {
    fc.assert(
      fc.property(calibrationMaps, drafts, (calibration, given) => {
        const of = createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, calibration });
        const plain = numbers(model, given);
        const evidence = build(given);
        const { standings } = evidence;
        const map = createCalibration(calibration);
        const hasVerified = given.some(({ reporterId }) => standings.get(reporterId)!.verified);
        const ofVerified = evidence.reports.filter(({ reporterId }) => standings.get(reporterId)!.verified);
        const verified = model.measure({ ...evidence, reports: ofVerified }).reliability / 10;
        const most = Math.max(LINK_CLAIM_CONSTANTS.unverifiedMost, hasVerified ? map(Math.min(1, verified)) : 0);
        const reliability = Math.min(map(plain.reliability), most);
        expect(numbers(of, given)).toEqual({ ...plain, reliability: expect.closeTo(reliability, 9) as number });
        expect(of.measure({ reports: [], standings: new Map() }).reliability).toBe(0);
      }),
      RUNS,
    );
  });

  it('verified and unverified voices say together at most the root of the sum of their squares', () => {
    // Verified reporters also slow the fading of what others report.
    const of = createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, slowFadingFrom: 1e6 });
    fc.assert(
      fc.property(drafts, (given) => {
        const evidence = build(given);
        const { standings } = evidence;
        const exactOf = (verified: boolean) =>
          of.explain({
            ...evidence,
            reports: evidence.reports.filter(({ reporterId }) => standings.get(reporterId)!.verified === verified),
          }).exact;
        const [all, ...groups] = [of.explain(evidence).exact, exactOf(true), exactOf(false)];
        const together = (what: (exact: typeof all) => number): number => Math.hypot(...groups.map(what));
        expect(all.points).toBeLessThanOrEqual(together(({ points }) => points) + EPSILON);
        // Without the least value of 1.0.
        const strength = ({ uncalibrated }: typeof all): number => Math.max(0, uncalibrated - 1);
        expect(strength(all)).toBeLessThanOrEqual(together(strength) + EPSILON);
      }),
      RUNS,
    );
  });

  it('unverified voices do not make a weak match of a verified one strong, with and without a map', () => {
    const verified: Draft = {
      reporterId: 'v',
      type: 'fraud',
      severity: 10,
      ageDays: 90,
      shared: [{ kind: 'ip', hash: HASHES[0]! }],
    };
    const crowd = Array.from({ length: 10 }, (_, n): Draft => ({
      ...verified,
      reporterId: `u${n}`,
      ageDays: 0,
      shared: [{ kind: 'email', hash: HASHES[1]! }],
    }));
    const standings = new Map<string, Standing>([
      ['v', { precision: 0.95, established: true, verified: true }],
      ...crowd.map(({ reporterId }) => [reporterId, { precision: 0.95, established: true, verified: false }] as const),
    ]);
    const evidence = { ...build([verified, ...crowd]), standings };
    expect(createLinkClaimModel().score(evidence).reliability).toBeLessThan(3);
    const calibration: CalibrationMap = {
      version: 3,
      points: [
        [0.15, 0.1],
        [0.25, 0.9],
      ],
      support: [],
      spread: 0,
    };
    expect(createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, calibration }).score(evidence).reliability).toBe(2.9);
  });

  it('unverified voices stay together under their bound, whatever their records and number', () => {
    fc.assert(
      fc.property(
        linkClaimModels,
        drafts,
        fc.array(fc.double({ min: 0.03, max: 0.95, noNaN: true })),
        (of, given, p) => {
          const evidence = build(given);
          const crowd = p.map((_, n) => `crowd${n}`);
          const { voices, reach } = of.explain({
            reports: [
              ...evidence.reports,
              ...crowd.map((reporterId) => ({
                ...evidence.reports[0]!,
                severity: 10,
                reportId: reporterId,
                reporterId,
              })),
            ],
            standings: new Map([
              ...evidence.standings,
              ...crowd.map((id, n): [string, Standing] => [id, { ...ESTABLISHED, precision: p[n]! }]),
            ]),
          });
          const unverified = voices.filter(({ standing }) => !standing.verified);
          const most = LINK_CLAIM_CONSTANTS.unverifiedMost;
          const partOf = (sum: 'points' | 'reliability'): number =>
            unverified.reduce((total, { [sum]: { part } }) => total + part, 0);
          expect(partOf('points')).toBeLessThanOrEqual(100 * reach * most + 1e-9);
          expect(partOf('reliability')).toBeLessThanOrEqual(1 + reach * (10 * most - 1) + 1e-9);
        },
      ),
      RUNS,
    );
  });

  it('any number of new keys stays under a fixed bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), (count) => {
        // B(√(1 − Π (1 − .1² ρ^j)), .29) for ρ = .2 converges below .0974.
        expect(
          scoreUnrounded(
            evidence({ reporters: count, standing: NEW_KEY, severity: 10, kinds: ['email', 'phone', 'domain'] }),
          ).points,
        ).toBeLessThan(0.0974);
      }),
      { numRuns: 50 },
    );
  });

  it('one verified reporter alone stays under its bound of Points, and a second one lifts the bound', () => {
    fc.assert(
      fc.property(draft, (one) => {
        const reports = [
          { ...one, severity: 10, reporterId: 'a', reportId: '0' },
          { ...one, severity: 10, reporterId: 'x', reportId: '1' },
        ];
        const most: Standing = { ...VERIFIED, precision: 0.95 };
        const standings = new Map([
          ['a', most],
          ['x', most],
        ]);
        const [alone, both] = [reports.slice(0, 1), reports].map((some) => model.explain({ reports: some, standings }));
        expect(alone!.exact.points).toBeLessThanOrEqual(100 * alone!.reach * LINK_CLAIM_CONSTANTS.aloneMost + 1e-9);
        expect(both!.voices[0]!.points.bound).toBeGreaterThanOrEqual(alone!.voices[0]!.points.bound);
        // S = V · √(1 − (1 − v²)·(1 − a²)), where neither v nor a is below what the voice adds alone.
        const share = alone!.exact.points / (100 * alone!.reach);
        expect(both!.exact.points).toBeGreaterThanOrEqual(alone!.exact.points * Math.sqrt(2 - share ** 2) - 1e-9);
        expect(alone!.voices[0]!.reliability.bound).toBe(1);
      }),
      RUNS,
    );
  });
});

describe('link × claim: an identifier fades more slowly if many verified reporters reported it', () => {
  const many = (reporters: number, ageDays: number, standing = VERIFIED): Evidence =>
    evidence({ reporters, standing, severity: 8, kinds: ['email', 'phone'], ageDays });
  const slowings = (given: Evidence) => model.explain(given).identifiers.map(({ slowing }) => slowing);
  const decays = (given: Evidence) =>
    model.explain(given).voices.map(({ reports }) => reports[0]!.matches.map(({ decay }) => decay));

  it('by n/4 from four reporters on', () => {
    for (const [reporters, slowing] of [
      [1, 1],
      [4, 1],
      [5, 1.25],
      [8, 2],
      [12, 3],
    ] as const) {
      expect(slowings(many(reporters, 0))).toEqual([slowing, slowing]);
      for (const [email, phone] of decays(many(reporters, 400))) {
        expect(email).toBeCloseTo(2 ** (-1 / slowing), 12);
        expect(phone).toBeCloseTo(2 ** (-400 / 240 / slowing), 12);
      }
    }
  });

  it('not for reporters that the operator has not verified', () => {
    expect(slowings(many(20, 100, ESTABLISHED))).toEqual([1, 1]);
  });

  it('for all voices, also those that are not verified', () => {
    const { reports, standings } = many(8, 400);
    const extra = evidence({ reporters: 1, standing: NEW_KEY, severity: 8, kinds: ['email'], ageDays: 400 });
    const given = {
      reports: [...reports, ...extra.reports.map((one) => ({ ...one, reportId: 'x', reporterId: 'x' }))],
      standings: new Map([...standings, ['x', NEW_KEY]]),
    };
    const voice = model.explain(given).voices.find(({ reporterId }) => reporterId === 'x');
    expect(voice!.reports[0]!.matches[0]!.decay).toBeCloseTo(2 ** -0.5, 12);
  });

  it('and no other identifier does, such as the email of one customer whose ip many share', () => {
    const own = evidence({ reporters: 1, standing: VERIFIED, severity: 8, kinds: ['email', 'ip'], ageDays: 1000 });
    const others = evidence({ reporters: 12, standing: VERIFIED, severity: 8, kinds: ['ip'] });
    const given = {
      reports: [...own.reports.map((one) => ({ ...one, reportId: 'x', reporterId: 'x' })), ...others.reports],
      standings: new Map([...others.standings, ['x', VERIFIED]]),
    };
    expect(model.explain(given).identifiers).toMatchObject([
      { kind: 'ip', slowing: 13 / 4 },
      { kind: 'email', slowing: 1 },
    ]);
  });

  it('and a reporter counts once, however often it reports', () => {
    expect(slowings(evidence({ reporters: 6, standing: VERIFIED, severity: 8, kinds: ['email'], copies: 5 }))).toEqual([
      1.5,
    ]);
  });

  it('also if that makes another report of a reporter its strongest', () => {
    const { reports, standings } = many(40, 0);
    const two = (others: typeof reports): Evidence => ({
      reports: [
        ...others,
        { ...reports[0]!, reportId: 'grave', severity: 10, ageDays: 1000 },
        { ...reports[0]!, reportId: 'mild', severity: 3, ageDays: 0 },
      ],
      standings,
    });
    const strongest = (given: Evidence) =>
      model
        .explain(given)
        .voices.find(({ reporterId }) => reporterId === 'k0')!
        .reports.find(({ shareOfPoints }) => shareOfPoints > 0)!.reportId;
    expect(strongest(two([]))).toBe('mild');
    const many39 = two(reports.slice(1));
    expect(strongest(many39)).toBe('grave');
    expect(model.score(many39)).toEqual(model.explain(many39).verdict);
  });

  it('also if a reporter has more reports than are compared with each other', () => {
    const kinds = Array.from({ length: 9 }, (_, at) => `kind_${at}`);
    const subsets = Array.from({ length: 500 }, (_, n) => kinds.filter((_kind, at) => (n + 1) & (1 << at)));
    const reports = subsets.map((some, n): EvidenceReport => ({
      reportId: String(n).padStart(3, '0'),
      reporterId: 'k0',
      type: 'fraud',
      severity: 1 + (n % 10),
      ageDays: (n * 37) % 900,
      shared: some.map((kind) => ({ kind, hash: kind })),
    }));
    const given = { reports, standings: new Map([['k0', VERIFIED]]) };
    expect(model.score(given)).toEqual(model.explain(given).verdict);
  });
});

describe('link × claim: what a model states and orders', () => {
  it('has the standings of reporters without a record: .7 verified, .1 for a new key', () => {
    const { standingOf } = createLinkClaimModel();
    expect(standingOf({ verified: true })).toEqual({ precision: 0.7, established: true, verified: true });
    expect(standingOf({ verified: false })).toEqual({ precision: 0.1, established: false, verified: false });
  });

  it('has the version as its name, and a suffix if a constant differs from the defaults', () => {
    const nameWith = (change: object): string => createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, ...change }).name;
    expect(createLinkClaimModel().name).toBe('link-claim/7');
    expect(nameWith({})).toBe('link-claim/7');
    expect(nameWith({ crowdFactor: 0.4 })).toMatch(/^link-claim\/7\+[0-9a-f]{8}$/);
    expect(nameWith({ crowdFactor: 0.4 })).not.toBe(nameWith({ crowdFactor: 0.2 }));
  });

  it('takes a severity that is not whole', () => {
    // V · B(.7 · .25, .3)
    const given = evidence({ reporters: 1, standing: VERIFIED, severity: 2.5, kinds: ['email'] });
    expect(createLinkClaimModel().measure(given)).toEqual({
      points: expect.closeTo(13.7748, 4) as number,
      reliability: expect.closeTo(7.111, 10) as number,
      chance: expect.closeTo(0.7111, 10) as number,
    });
  });

  it('has nothing to add up if only kinds without weight match, and shows the least verdict', () => {
    const weightless = createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, kinds: { ip: { weight: 0, halfLifeDays: 1 } } });
    const given = evidence({ reporters: 2, standing: ESTABLISHED, severity: 10, kinds: ['ip'] });
    expect(weightless.measure(given)).toEqual({ points: 0, reliability: 1, chance: 0.1 });
    expect(weightless.score(given)).toEqual({ points: 1, reported: 2, reliability: 1 });
    expect(weightless.explain(given).voices.map(({ points }) => points.part)).toEqual([0, 0]);
  });

  it('sorts equally strong voices: verified ones first, then by id, whatever the order of reports', () => {
    const standings = new Map(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((reporterId, at): [string, Standing] => [
        reporterId,
        { precision: 0.5, established: at < 4, verified: at % 2 === 1 },
      ]),
    );
    for (const order of ['abcdef', 'fedcba', 'cafebd', 'debacf']) {
      const reports = [...order].map((reporterId, at): EvidenceReport => ({
        reportId: String(at),
        reporterId,
        type: 'fraud',
        severity: 8,
        ageDays: 0,
        shared: [{ kind: 'email', hash: 'e' }],
      }));
      const { voices } = createLinkClaimModel().explain({ reports, standings });
      expect(voices.map(({ reporterId }) => reporterId).join('')).toBe('bdface');
      // Each unverified voice after the first counts .2 of the one before it.
      expect(voices.map(({ points }) => points.discount)).toEqual([1, 1, 1, 1, 0.2, expect.closeTo(0.04, 12)]);
    }
  });
});

describe('constants', () => {
  it.each([
    ['kinds.email.weight', { kinds: { email: { weight: 1, halfLifeDays: 1 } } }],
    ['otherKinds.halfLifeDays', { otherKinds: { weight: 0.5, halfLifeDays: 0 } }],
    ['slowFadingFrom', { slowFadingFrom: 0.5 }],
    ['precision.newKey', { precision: { ...LINK_CLAIM_CONSTANTS.precision, newKey: Number.NaN } }],
    ['crowdFactor', { crowdFactor: 1 }],
    ['unverifiedMost', { unverifiedMost: 0.1 }],
    ['aloneMost', { aloneMost: 0.01 }],
    ['aloneMost', { aloneMost: 1.1 }],
    ['typeWeights.spam', { typeWeights: { spam: 1.5 } }],
  ])('refuses %s outside its range', (label, change) => {
    expect(() => createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, ...change })).toThrow(`"${label}"`);
  });

  it.each([0.11, 0.5, 1])('bounds unverified voices in both numbers for a bound of %f', (unverifiedMost) => {
    const bounded = createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, unverifiedMost });
    const { points, reliability } = bounded.measure(
      evidence({
        reporters: 10,
        standing: { ...ESTABLISHED, precision: 0.95 },
        severity: 10,
        kinds: ['email', 'domain'],
      }),
    );
    for (const share of [points / 100, reliability / 10]) {
      expect(share).toBeLessThanOrEqual(unverifiedMost);
      expect(share).toBeGreaterThan(0.9 * Math.min(0.95, unverifiedMost));
    }
  });

  it('weighs by offence type when told to', () => {
    const half = { ...LINK_CLAIM_CONSTANTS, typeWeights: { fraud: 0.5 } };
    const given = evidence({ reporters: 1, standing: VERIFIED, severity: 10, kinds: ['email'] });
    expect(createLinkClaimModel(half).measure(given).reliability).toBeCloseTo(4.0555, 10);
  });
});
