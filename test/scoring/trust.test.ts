import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawFor } from '../budget.ts';
import { trustByDefinition, type OracleStanding } from './trust-oracle.ts';
import { tableOf, worlds, type World } from './trust-world.ts';

/** Throws unless every number is the same to 1e-9. */
function expectNear(world: World): void {
  const [table, wanted] = [tableOf(world), trustByDefinition(world)];
  const near = (label: string, got: unknown, want: number | boolean): void => {
    const same = typeof want === 'number' ? Math.abs((got as number) - want) <= 1e-9 : got === want;
    if (!same) throw new Error(`${label}: ${String(got)}, by definition ${String(want)}`);
  };
  near('mean corroborated', table.means.corroborated, wanted.means.corroborated);
  expect(table.reporters.size).toBe(wanted.reporters.size);
  for (const [reporterId, standing] of wanted.reporters) {
    for (const name of Object.keys(standing) as (keyof OracleStanding)[])
      near(`${reporterId} ${name}`, table.reporters.get(reporterId)![name], standing[name]);
  }
}

describe('the trust table', () => {
  it('is what its definitions say, in any small world', () => {
    fc.assert(fc.property(worlds, expectNear), lawFor(0.2));
  });

  it('meets every case in these worlds: strangers that establish themselves, echoes, losses', () => {
    const met = fc.sample(worlds, { numRuns: 600, seed: 7 }).flatMap((world) => [...tableOf(world).reporters.values()]);
    for (const [label, happens] of Object.entries({
      earned: met.filter((one) => one.established && !one.verified),
      echoing: met.filter((one) => one.echoed > 0 && one.preceded > one.echoed),
      lost: met.filter((one) => one.lost > 0),
      doubted: met.filter((one) => one.corroboration < 0.9),
      young: met.filter((one) => one.matureClaims < one.claims),
      'mature but not confirmable': met.filter((one) => one.confirmable < one.matureClaims),
    }))
      expect(happens.length, label).toBeGreaterThan(5);
  });
});

const standing = (world: World, by: number) => tableOf(world).reporters.get(`k${by}`)!;
/** One identifier each, on one day. */
const claimsOn = (by: number, day: number, hashes: Iterable<number>) =>
  [...hashes].map((hash) => ({ by, day, names: [`email:${hash}`] }));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('a standing worked out by hand', () => {
  it('of nobody’s report: .7 for a verified reporter, .1 for a stranger', () => {
    const world: World = { verified: [true, false], reports: [] };
    expect(standing(world, 0)).toMatchObject({ precision: 0.7, established: true, claims: 0 });
    expect(standing(world, 1)).toMatchObject({ precision: 0.1, established: false, claims: 0 });
  });

  it('of one claim that nobody confirms', () => {
    const world: World = { verified: [true, false], reports: [...claimsOn(0, 0, [1]), ...claimsOn(1, 0, [2])] };
    // The average is that of the only verified reporter: 0.
    expect(standing(world, 0).precision).toBeCloseTo(0.7, 12);
    // 1/(1 + .5), two thirds, of the way from .1 to .7.
    expect(standing(world, 1).precision).toBeCloseTo(0.5, 12);
  });

  it('of two verified reporters that agree', () => {
    const world: World = { verified: [true, true], reports: [...claimsOn(0, 0, [1]), ...claimsOn(1, 1, [1])] };
    // A is .679, and c̄ is .25, the most.
    for (const by of [0, 1]) {
      expect(standing(world, by).corroborated).toBeCloseTo(0.679, 12);
      expect(standing(world, by)).toMatchObject({ precision: 0.7, corroboration: 1 });
      expect(standing(world, by)).toMatchObject({ claims: 1, preceded: by, originality: 1, echoed: 0 });
    }
  });

  it('of a stranger that says what a stranger, and what a verified reporter had said', () => {
    const world: World = {
      verified: [false, false, true, false],
      reports: [...claimsOn(0, 0, [1]), ...claimsOn(1, 1, [1]), ...claimsOn(2, 0, [2]), ...claimsOn(3, 1, [2])],
    };
    // Two thirds of the way from .1 to .7.
    expect(standing(world, 0).precision).toBeCloseTo(0.5, 12);
    // .1 · (1 − 1 + .1)/(1 + .1) = .009, and .03 is the least.
    expect(standing(world, 1).precision).toBeCloseTo(0.03, 12);
    expect(standing(world, 3)).toMatchObject({ preceded: 1, echoed: 0 });
    expect(standing(world, 3).precision).toBeCloseTo(0.1, 12);
  });

  it('of a claim lost to a dispute', () => {
    const world: World = {
      verified: [true],
      lost: [1],
      reports: [{ by: 0, day: 0, names: ['email:1'], upheld: true }],
    };
    // 1 − 3 · 1/(1 + 5) = .5 of what it was.
    expect(standing(world, 0)).toMatchObject({ lost: 1, disputes: 0.5 });
    expect(standing(world, 0).precision).toBeCloseTo(0.35, 12);
    expect(standing({ ...world, lost: [100] }, 0)).toMatchObject({
      lost: 100,
      disputes: 0.05,
      precision: expect.closeTo(0.7 * 0.05, 12) as number,
    });
  });

  it('of a stranger with three confirmed claims of 45 days: established, and not with two, nor with a day less', () => {
    const world = (claims: number, day: number): World => ({
      verified: [false, true],
      // The last one is an old claim of the verified reporter, so that there is somebody to compare with.
      reports: [...claimsOn(0, day, upTo(claims)), ...claimsOn(1, day + 1, upTo(claims)), ...claimsOn(1, 0, [1000])],
    });
    // Day 55 is 45 days before the epoch. 3 · .97 · .7 = 2.037 at first. Two claims are 2/(2 + .5) of the way to .7.
    expect(standing(world(3, 55), 0)).toMatchObject({ established: true, matureClaims: 3, originality: 1 });
    expect(standing(world(3, 55), 0).precision).toBeCloseTo(0.7, 12);
    expect(standing(world(2, 55), 0)).toMatchObject({ established: false, matureClaims: 2 });
    expect(standing(world(2, 55), 0).precision).toBeCloseTo(0.1 + 0.8 * 0.6, 12);
    expect(standing(world(3, 56), 0)).toMatchObject({ established: false, matureClaims: 0, precision: 0.1 });
  });
});

describe('claims that others had no time to confirm', () => {
  const agreed: World = {
    verified: [true, true, true, false],
    reports: [0, 1, 2, 3].flatMap((by) => claimsOn(by, 0, upTo(5))),
  };
  /** The standing of a reporter that also has twenty claims of its own. */
  const withOwn = (by: number, day: number) =>
    standing(
      {
        ...agreed,
        reports: [
          ...agreed.reports,
          ...claimsOn(
            by,
            day,
            upTo(20).map((person) => 1000 + person),
          ),
        ],
      },
      by,
    );

  it('do not lower the corroboration of a verified reporter, until they are 90 days old', () => {
    expect(standing(agreed, 0)).toMatchObject({ claims: 5, confirmable: 5, corroboration: 1 });
    // Day 11 is 89 days before the epoch.
    for (const day of [11, 55, 99])
      expect(withOwn(0, day)).toMatchObject({ claims: 25, confirmable: 5, corroboration: 1, precision: 0.7 });
    expect(withOwn(0, 10)).toMatchObject({ claims: 25, confirmable: 25 });
    expect(withOwn(0, 10).corroboration).toBeLessThan(0.75);
  });

  it('lower that of an unverified reporter from the first day, established or not', () => {
    expect(standing(agreed, 3)).toMatchObject({ claims: 5, confirmable: 5, corroboration: 1, established: true });
    for (const day of [10, 11, 55, 99]) {
      expect(withOwn(3, day)).toMatchObject({ claims: 25, confirmable: 25, established: true });
      expect(withOwn(3, day).corroboration).toBeLessThan(0.75);
    }
    const newKey = standing({ verified: [true, false], reports: claimsOn(1, 99, upTo(20)) }, 1);
    // c̄ is 0, because the verified reporter has no claim.
    expect(newKey).toMatchObject({ confirmable: 20, corroboration: 1, established: false });
  });
});

describe('what a standing does not depend on', () => {
  it('the order in which reporters are listed, to the last bit', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const [one, other] = [
          tableOf(world),
          tableOf(world, { hashes: (all) => all, sightings: (all) => all, reporters: (all) => all.reverse() }),
        ];
        expect(other.means).toEqual(one.means);
        for (const [reporterId, is] of one.reporters) expect(other.reporters.get(reporterId)).toEqual(is);
      }),
      { numRuns: 500 },
    );
  });

  it('the order of hashes and of the reports of one hash: counts exactly, chances but for the order of a sum', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const [one, other] = [
          tableOf(world),
          tableOf(world, {
            hashes: (all) => all.reverse(),
            // Those of one reporter at one moment keep their order, as in a store.
            sightings: (all) =>
              all.sort((a, b) =>
                a.reporterId < b.reporterId ? 1 : a.reporterId > b.reporterId ? -1 : b.createdAt - a.createdAt,
              ),
            reporters: (all) => all,
          }),
        ];
        for (const [reporterId, is] of one.reporters) {
          const { corroborated, corroboration, precision, led, ...exact } = is;
          const also = other.reporters.get(reporterId)!;
          expect(also).toMatchObject(exact);
          for (const [a, b] of [
            [led, also.led],
            [corroborated, also.corroborated],
            [corroboration, also.corroboration],
            [precision, also.precision],
          ] as const)
            expect(b).toBeCloseTo(a, 12);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('addresses that anybody may share, and what came after the epoch began', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const count = world.verified.length;
        const more = upTo(count).flatMap((by) => [
          { by, day: 1, names: ['ip:1', 'ip:2'] },
          { by, day: 100, names: ['email:1', 'email:2'] },
        ]);
        const noisy: World = {
          ...world,
          reports: [...world.reports.map((one) => ({ ...one, names: [...one.names, 'ip:1'] })), ...more],
        };
        expect([...tableOf(noisy).reporters]).toEqual([...tableOf(world).reporters]);
      }),
      { numRuns: 500 },
    );
  });

  it('a claim found wrong: it precedes and confirms nobody’s, also when its reporter repeats it later', () => {
    const alone: World = { verified: [true, true], reports: claimsOn(1, 5, [1]) };
    const wrong = { by: 0, day: 0, names: ['email:1'], upheld: true };
    expect(standing({ ...alone, reports: [...alone.reports, wrong] }, 1)).toMatchObject({
      preceded: 0,
      corroborated: 0,
    });
    const repeated: World = { ...alone, reports: [...alone.reports, wrong, { by: 0, day: 9, names: ['email:1'] }] };
    expect(standing(repeated, 1).preceded).toBe(0);
    expect(standing(repeated, 1).corroborated).toBeGreaterThan(0);
    expect(standing(repeated, 0)).toMatchObject({ claims: 1, corroborated: 0 });
  });
});

describe('whatever is reported', () => {
  it('a precision and its factors stay within their bounds', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        for (const is of tableOf(world).reporters.values()) {
          const mayGrow = is.established || is.matureClaims > is.maturePreceded;
          expect(is.precision >= 0.03 && is.precision <= (mayGrow ? 0.7 : 0.1), JSON.stringify(is)).toBe(true);
          expect(
            is.originality >= 0 &&
              is.originality <= 1 &&
              is.corroboration > 0 &&
              is.corroboration <= 1 &&
              is.disputes >= 0.05 &&
              is.disputes <= 1,
          ).toBe(true);
          expect(
            is.preceded <= is.claims &&
              is.echoed <= is.preceded &&
              is.maturePreceded <= is.matureClaims &&
              is.matureClaims <= is.claims &&
              is.corroborated <= is.claims,
          ).toBe(true);
          expect(is.established || !is.verified).toBe(true);
        }
      }),
      lawFor(0.2),
    );
  });

  it('one more dispute upheld never raises its reporter', () => {
    fc.assert(
      fc.property(worlds, fc.nat(5), (world, pick) => {
        const by = pick % world.verified.length;
        const lost = world.verified.map((_, n) => (world.lost?.[n] ?? 0) + (n === by ? 1 : 0));
        // Held against the same means: only its own factor moves in the first pass, and agreement follows.
        expect(standing({ ...world, lost }, by).disputes).toBeLessThanOrEqual(standing(world, by).disputes);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('who would win trust cheaply', () => {
  const honest: World = {
    verified: [true, true, false],
    reports: [...claimsOn(0, 0, upTo(60)), ...claimsOn(1, 1, upTo(15)), ...claimsOn(2, 0, upTo(4))],
  };
  /** The honest world and more keys after it, which are numbers 3 and up. */
  const attacked = (keys: number, reports: World['reports']): World => ({
    verified: [...honest.verified, ...upTo(keys).map(() => false)],
    reports: [...honest.reports, ...reports],
  });
  const ofKeys = (world: World) => upTo(world.verified.length - 3).map((key) => standing(world, key + 3));

  it('a hundred keys that say one thing: each but the first near the least, none established', () => {
    const keys = ofKeys(
      attacked(
        100,
        upTo(100).flatMap((key) => claimsOn(key + 3, 10 + key / 1000, [1000])),
      ),
    );
    expect(keys.every(({ established }) => !established)).toBe(true);
    // The first one grows with its only claim, which is mature.
    expect(keys[0]!.precision).toBeLessThan(0.45);
    for (const { precision } of keys.slice(1)) expect(precision).toBeCloseTo(0.03, 6);
  });

  it('a ring that confirms itself on invented people, taking turns at the first word', () => {
    const ring = attacked(
      10,
      upTo(40).flatMap((person) =>
        upTo(10).flatMap((key) => claimsOn(((key + person) % 10) + 3, 1 + key, [1000 + person])),
      ),
    );
    for (const is of ofKeys(ring)) {
      expect(is).toMatchObject({ claims: 40, corroborated: 0, echoed: 36, established: false });
      // It made four claims first, so g = 4/(4 + .5). No reporter confirms these claims: .7 · c · o is below .1.
      // So the precision does not grow. The echoes lower it.
      expect(is.precision).toBeCloseTo(0.1 * (8 / 9 + (1 / 9) * (4.1 / 40.1)), 12);
    }
    expect(standing(ring, 0).precision).toBeCloseTo(standing(honest, 0).precision, 12);
  });

  it('a key that copies the honest: never established, whatever it copies and however long ago', () => {
    const copier = attacked(1, claimsOn(3, 2, upTo(20)));
    expect(standing(copier, 3)).toMatchObject({ matureClaims: 20, preceded: 20, established: false });
    expect(standing(copier, 3).corroborated).toBeGreaterThan(1);
  });

  it('a key that made people up and copied the honest: never established, for nobody came to its own claims later', () => {
    const seasoned: World = {
      verified: [true, false],
      reports: [...claimsOn(0, 0, [1, 2]), ...claimsOn(1, 5, [10, 11, 12, 13, 14]), ...claimsOn(1, 6, [1, 2])],
    };
    expect(standing(seasoned, 1)).toMatchObject({ established: false, led: 0 });
    expect(standing(seasoned, 1).corroborated).toBeGreaterThan(1);
    // One of its people whom the verified reporter meets later makes the difference.
    expect(standing({ ...seasoned, reports: [...seasoned.reports, ...claimsOn(0, 20, [10])] }, 1)).toMatchObject({
      established: true,
    });
  });

  it('a key that makes people up and waits: its precision falls with the number of its inventions', () => {
    const inventing = (people: number): number => {
      const { means, reporters } = tableOf(
        attacked(
          1,
          claimsOn(
            3,
            0,
            upTo(people).map((person) => 1000 + person),
          ),
        ),
      );
      const { precision } = reporters.get('k3')!;
      const most = 0.7 * (3 / (people * means.corroborated + 3)) ** 2;
      expect(precision).toBeCloseTo(0.1 + (people / (people + 0.5)) * Math.max(0, most - 0.1), 12);
      return precision;
    };
    const [one, ten, forty] = [1, 10, 40].map(inventing) as [number, number, number];
    expect(one).toBeLessThan(0.45);
    expect(ten).toBeLessThan(one);
    expect(forty).toBeCloseTo(0.1, 12);
  });

  it('a stranger that earned its standing and then copies: it loses it', () => {
    expect(standing(honest, 2).established).toBe(true);
    const copying: World = { ...honest, reports: [...honest.reports, ...claimsOn(2, 30, upTo(60).slice(5))] };
    expect(standing(copying, 2)).toMatchObject({ established: false, maturePreceded: 55 });
    // o = (4 + 5 · .7)/(64 · .7) = .1674: 4/(4 + .5) of the way from .1 to .7 · o.
    expect(standing(copying, 2).precision).toBeCloseTo(0.1 + (8 / 9) * (7.5 / 64 - 0.1), 12);
    // Young copies teach nothing yet: sixty days say who somebody is.
    expect(
      standing({ ...honest, reports: [...honest.reports, ...claimsOn(2, 99, upTo(60).slice(5))] }, 2).established,
    ).toBe(true);
  });
});
