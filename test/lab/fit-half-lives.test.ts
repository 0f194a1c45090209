import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitHalfLives, type AgedQuery, type HalfLife } from '../../src/lab/fit-half-lives.ts';
import { createRandom } from '../../src/lab/random.ts';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/core/scoring/constants.ts';
import { shuffled } from './samples.ts';

interface Fading {
  readonly kind?: string;
  readonly halfLife?: number;
  readonly fresh?: number;
  readonly old?: number;
  readonly mostDays?: number;
}

/** Queries by one kind, at ages up to `mostDays`, whose rate falls from `fresh` to `old` and halves in `halfLife`. */
function fading(seed: number, count: number, options: Fading = {}): AgedQuery[] {
  const { kind = 'email', halfLife = 60, fresh = 0.9, old = 0.1, mostDays = 6 * halfLife } = options;
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    // 150 different ages at most, for speed.
    const ageDays = (Math.floor(random() * 150) * mostDays) / 150;
    const rate = old + (fresh - old) * 2 ** (-ageDays / halfLife);
    return { label: random() < rate ? 1 : 0, youngest: [{ kind, ageDays }] };
  });
}

const of = (found: readonly HalfLife[], kind: string): HalfLife => found.find((one) => one.kind === kind)!;
const same = (count: number, label: 0 | 1, ...kinds: string[]): AgedQuery[] =>
  Array.from({ length: count }, (_, at) => ({ label, youngest: kinds.map((kind) => ({ kind, ageDays: at })) }));

describe('half-lives of made-up queries', () => {
  it.each([
    ['shorter than the default', 'email', 60],
    ['much shorter', 'email', 20],
    ['longer', 'ip', 150],
    ['much longer', 'ip', 400],
    ['of a kind that is not listed', 'passport', 100],
  ])('are found within their interval: %s', (_, kind, halfLife) => {
    const fits = Array.from({ length: 20 }, (__, seed) =>
      of(fitHalfLives(fading(seed, 3000, { kind, halfLife })), kind),
    );
    // 95 % of the intervals should have the truth; 16 of 20 or fewer would happen once in 60 times.
    expect(
      fits.filter(({ lowDays, highDays }) => lowDays! <= halfLife && halfLife <= highDays!).length,
    ).toBeGreaterThan(16);
    for (const { halfLifeDays } of fits) expect(Math.abs(Math.log2(halfLifeDays / halfLife))).toBeLessThan(0.7);
  });

  it('have a wide interval around the default if the queries say nothing', () => {
    const fits = Array.from({ length: 20 }, (_, seed) =>
      of(fitHalfLives(fading(seed, 150, { fresh: 0.5, old: 0.5 })), 'email'),
    );
    expect(fits.filter(({ lowDays, highDays }) => lowDays! < 365 && 365 < highDays!).length).toBeGreaterThan(16);
    for (const { lowDays, highDays } of fits) expect(highDays! / lowDays!).toBeGreaterThan(10);
  });

  it('are the default if older matches are frauds more often', () => {
    const found = fitHalfLives(
      fading(2, 2000).map(({ label, youngest }) => ({ label: label === 1 ? 0 : 1, youngest })),
    );
    expect(of(found, 'email')).toMatchObject({ beforeDays: 400, halfLifeDays: 400, learnt: true });
  });

  it('begin with the given constants', () => {
    const constants = configureLinkClaim({ kinds: { email: { halfLifeDays: 64 } }, otherKinds: { halfLifeDays: 7 } });
    const found = fitHalfLives([...fading(3, 50), ...fading(3, 50, { kind: 'iban' })], constants);
    expect(of(found, 'email')).toMatchObject({ beforeDays: 64, halfLifeDays: 64 });
    expect(of(found, 'iban')).toMatchObject({ beforeDays: 7, halfLifeDays: 7 });
  });
});

describe('kinds without enough queries', () => {
  const kept = (kind: string, queries: number, ones: number) => {
    const beforeDays = LINK_CLAIM_CONSTANTS.kinds[kind]!.halfLifeDays;
    return {
      kind,
      beforeDays,
      halfLifeDays: beforeDays,
      lowDays: undefined,
      highDays: undefined,
      queries,
      ones,
      learnt: false,
    };
  };

  it('keep their half-life without any query, in order of kind', () => {
    expect(fitHalfLives([])).toEqual(['domain', 'email', 'ip', 'phone'].map((kind) => kept(kind, 0, 0)));
  });

  it('keep it below 100 queries, and with one label', () => {
    const fast = (count: number) => of(fitHalfLives(fading(1, count, { halfLife: 10 })), 'email');
    expect(fast(99)).toMatchObject({ learnt: false, lowDays: undefined, halfLifeDays: 400 });
    expect(fast(100).learnt).toBe(true);
    expect(fast(100).halfLifeDays).toBeLessThan(100);
    expect(of(fitHalfLives(same(300, 1, 'ip')), 'ip')).toEqual(kept('ip', 300, 300));
    expect(of(fitHalfLives(same(300, 0, 'ip')), 'ip')).toEqual(kept('ip', 300, 0));
  });

  it('are told about by the queries in which no other kind has a higher weight', () => {
    const queries = [
      ...same(3, 1, 'email', 'ip'),
      ...same(4, 0, 'phone', 'domain', 'ip'),
      ...same(5, 1, 'ip'),
      ...same(6, 0, 'domain'),
      ...same(7, 1, 'constructor', 'ip'),
      ...same(8, 0),
    ];
    // Two kinds of one weight: both are told about.
    const constants = configureLinkClaim({ kinds: { phone: { weight: 0.8 }, domain: { weight: 0.8 } } });
    expect(fitHalfLives(queries, constants).map(({ kind, queries: count, ones }) => [kind, count, ones])).toEqual([
      ['constructor', 7, 7],
      ['domain', 10, 0],
      ['email', 3, 3],
      ['ip', 5, 5],
      ['phone', 4, 0],
    ]);
  });
});

const anyQuery: fc.Arbitrary<AgedQuery> = fc.record({
  label: fc.constantFrom(0 as const, 1 as const),
  youngest: fc
    .dictionary(fc.constantFrom('email', 'ip', 'passport'), fc.nat(3000), { maxKeys: 3 })
    .map((ages) => Object.entries(ages).map(([kind, ageDays]) => ({ kind, ageDays }))),
});
const manyQueries = fc.array(anyQuery, { minLength: 100, maxLength: 400 });

describe('laws of the fit', () => {
  it('the order of the queries does not matter', () => {
    fc.assert(
      fc.property(manyQueries, fc.nat(), (queries, seed) => {
        expect(fitHalfLives(shuffled(queries, seed))).toEqual(fitHalfLives(queries));
      }),
      { numRuns: 20 },
    );
  });

  it('a fitted half-life is in its interval, at most 32 times from the one before, and a valid constant', () => {
    fc.assert(
      fc.property(manyQueries, fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (queries, halfLifeDays) => {
        const constants = configureLinkClaim({ otherKinds: { halfLifeDays } });
        for (const found of fitHalfLives(queries, constants)) {
          const { kind, beforeDays, halfLifeDays: days, lowDays, highDays, learnt } = found;
          expect(() => configureLinkClaim({ kinds: { [kind]: { halfLifeDays: days } } })).not.toThrow();
          if (!learnt) {
            expect(days).toBe(beforeDays);
            continue;
          }
          expect(lowDays).toBeLessThanOrEqual(days);
          expect(highDays).toBeGreaterThanOrEqual(days);
          // Half a percent for three digits.
          expect(Math.abs(Math.log2(days / beforeDays))).toBeLessThan(5.01);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('queries without a kind do not change it', () => {
    fc.assert(
      fc.property(manyQueries, manyQueries, (queries, others) => {
        const without = others.filter(({ youngest }) => youngest.every(({ kind }) => kind !== 'email'));
        expect(of(fitHalfLives([...queries, ...without]), 'email')).toEqual(of(fitHalfLives(queries), 'email'));
      }),
      { numRuns: 20 },
    );
  });

  it('twice the ages and twice the half-life before give twice the half-life', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const queries = fading(seed, 400);
        const slower = queries.map(({ label, youngest }) => ({
          label,
          youngest: youngest.map(({ kind, ageDays }) => ({ kind, ageDays: 2 * ageDays })),
        }));
        const [one, two] = [
          of(fitHalfLives(queries), 'email'),
          of(fitHalfLives(slower, configureLinkClaim({ kinds: { email: { halfLifeDays: 800 } } })), 'email'),
        ];
        expect(two.halfLifeDays / one.halfLifeDays).toBeCloseTo(2, 1);
        expect(two.highDays! / one.highDays!).toBeCloseTo(2, 1);
      }),
      { numRuns: 20 },
    );
  });
});

describe('invalid queries', () => {
  const refused = (...queries: unknown[]): (() => unknown) => {
    return () => fitHalfLives(queries as AgedQuery[]);
  };

  it('are refused with their place', () => {
    expect(() => fitHalfLives({} as AgedQuery[])).toThrow('"queries" expected a list, got object');
    expect(refused(null)).toThrow('"queries[0]" expected an object, got null');
    expect(refused(...same(1, 1), { label: 2, youngest: [] })).toThrow('"queries[1].label" expected the number 0 or 1');
    expect(refused({ label: 1 })).toThrow('"queries[0].youngest" expected a list, got undefined');
    expect(refused({ label: 1, youngest: [5] })).toThrow('"queries[0].youngest" expected an object, got number');
    expect(refused({ label: 1, youngest: [{ kind: 5 }] })).toThrow('"queries[0].kind" expected a string, got number');
    const aged = (ageDays: number) => refused({ label: 1, youngest: [{ kind: 'ip', ageDays }] });
    expect(aged(Number.NaN)).toThrow('"queries[0].ageDays" expected a finite number');
    expect(aged(-1)).toThrow('"queries[0].ageDays" expected a number of at least 0, got -1');
    expect(() => fitHalfLives([], { ...LINK_CLAIM_CONSTANTS, crowdFactor: 2 })).toThrow('"crowdFactor"');
  });
});
