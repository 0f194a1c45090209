import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawFor } from '../../budget.ts';
import { tableOf, type World, type WorldReport } from '../trust-world.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const claim = (by: number, person: number | string, day = 0): WorldReport => ({ by, day, names: [`email:${person}`] });
const withAlso = ({ verified, reports }: World, also: readonly boolean[], theirs: readonly WorldReport[]): World => ({
  verified: [...verified, ...also],
  reports: [...reports, ...theirs],
});
const precisions = (world: World): number[] =>
  world.verified.map((_, by) => tableOf(world).reporters.get(`k${by}`)!.precision);

/** Ten verified shops with a hundred claims each; `shared` of each are also those of another shop. */
const shopsWith = (shared: number): World => ({
  verified: upTo(10).map(() => true),
  reports: upTo(10).flatMap((shop) =>
    upTo(100).flatMap((n) => {
      const person = 100 * shop + n;
      return [claim(shop, person), ...(n < shared ? [claim((shop + 1 + (n % 9)) % 10, person, 1)] : [])];
    }),
  ),
});

describe('the average with which a reporter is compared', () => {
  it.each([
    ['verified', true],
    ['unverified, each with true early reports', false],
  ])('is not raised by two reporters that confirm each other: %s', (_, verified) => {
    const shops = shopsWith(10);
    const flood = upTo(3000).flatMap((n) => [claim(10, `f${n}`, n % 2), claim(11, `f${n}`, (n + 1) % 2)]);
    const early = [10, 11].flatMap((by) =>
      upTo(3).flatMap((n) => [claim(by, `e${by}${n}`, 2), claim(by - 10, `e${by}${n}`, 9)]),
    );
    const attacked = withAlso(shops, [verified, verified], [...flood, ...early]);
    expect(tableOf(attacked).reporters.get('k10')!.established).toBe(true);
    for (const precision of precisions(attacked).slice(0, 10)) expect(precision).toBeGreaterThan(0.67);
  });

  it('is not lowered or raised by whoever has no claim to confirm, nor by unverified reporters', () => {
    const shops = shopsWith(10);
    const { corroborated } = tableOf(shops).means;
    const also = withAlso(
      shops,
      [true, false],
      upTo(500).map((n) => claim(11, `x${n}`)),
    );
    expect(tableOf(also).means.corroborated).toBeCloseTo(corroborated, 12);
  });

  it('is that of the claims, if a few small reporters are always confirmed', () => {
    // The large one has most of the claims, and the others confirm few of them.
    const reports = upTo(500).map((n) => claim(0, n));
    const small = upTo(6).map((n) => claim(n + 1, n, 1));
    const world = { verified: upTo(7).map(() => true), reports: [...reports, ...small] };
    // By that of the small ones, .25, it would have .03.
    expect(precisions(world)[0]).toBeGreaterThan(0.35);
  });

  it('stays at most the lower median of the others, whatever two reporters say about people of their own', () => {
    const reporting = fc.array(
      fc.record({ by: fc.nat(20), day: fc.constantFrom(0, 1, 5), person: fc.nat(30), phone: fc.nat(30) }),
      { maxLength: 60, size: 'max' },
    );
    const property = fc.property(
      fc.integer({ min: 3, max: 8 }),
      reporting,
      reporting,
      fc.tuple(fc.boolean(), fc.boolean()),
      (count, honest, theirs, verified) => {
        const toReports = (from: number, of: number, some: typeof honest, name: string): WorldReport[] =>
          some.map(({ by, day, person, phone }) => ({
            by: from + (by % of),
            day,
            names: [`email:${name}${person}`, ...(phone < 10 ? [`phone:${name}p${phone}`] : [])],
          }));
        const shops: World = { verified: upTo(count).map(() => true), reports: toReports(0, count, honest, 'h') };
        const attacked = tableOf(withAlso(shops, verified, toReports(count, 2, theirs, 'a')));
        const rates = upTo(count)
          .map((by) => attacked.reporters.get(`k${by}`)!)
          .filter(({ confirmable }) => confirmable > 0)
          .map(({ corroborated, confirmable }) => corroborated / confirmable)
          .sort((a, b) => a - b);
        if (rates.length < 3) return;
        const usual = rates[(rates.length - 1) >> 1]!;
        expect(attacked.means.corroborated).toBeLessThanOrEqual(Math.min(0.25, usual) + 1e-12);
        // So half of them lose nothing at all.
        const full = upTo(count).filter((by) => attacked.reporters.get(`k${by}`)!.corroboration > 1 - 1e-9);
        expect(full.length).toBeGreaterThanOrEqual(Math.ceil(rates.length / 2) - 1);
      },
    );
    fc.assert(property, lawFor(0.2));
  });
});

describe('a reporter of whose claims others confirm a quarter', () => {
  it('loses nothing, also if two verified reporters confirm all claims of most others', () => {
    const copied = upTo(600).flatMap((person) => [claim(10, person, 2), claim(11, person, 3)]);
    for (const precision of precisions(withAlso(shopsWith(40), [true, true], copied)).slice(0, 10))
      expect(precision).toBeCloseTo(0.7, 12);
  });
});

describe('an identifier of its own in all reports of a reporter', () => {
  const invented = (by: number, chained: boolean, count = 300): WorldReport[] =>
    upTo(count).map((n) => ({ by, day: 2, names: [`email:i${n}`, ...(chained ? ['domain:own'] : [])] }));

  it.each([true, false])('does not hide that others confirm none of them: verified %s', (verified) => {
    const [plain, chained] = [false, true].map((joined) =>
      tableOf(withAlso(shopsWith(40), [verified], invented(10, joined))).reporters.get('k10')!,
    );
    expect(chained).toMatchObject({ claims: 300, confirmable: 300, corroborated: 0 });
    expect(chained!.precision).toBeCloseTo(plain!.precision, 2);
  });

  it('confirms no more than itself if another reporter names it', () => {
    const world = withAlso(shopsWith(40), [true], [...invented(10, true), { by: 0, day: 3, names: ['domain:own'] }]);
    expect(tableOf(world).reporters.get('k10')!.corroborated).toBeLessThan(1);
  });

  it('keeps what others confirm of its reports, each once', () => {
    const copies = upTo(20).map((n) => ({ by: 10, day: 3, names: [`email:${n}`, 'domain:own'] }));
    const joined = tableOf(withAlso(shopsWith(40), [true], copies)).reporters.get('k10')!;
    const apart = tableOf(
      withAlso(
        shopsWith(40),
        [true],
        upTo(20).map((n) => claim(10, n, 3)),
      ),
    ).reporters.get('k10')!;
    expect(joined.corroborated).toBeCloseTo(apart.corroborated, 9);
    expect(joined).toMatchObject({ claims: 20, preceded: 20, confirmable: 20 });
  });

  it('makes one mature claim: an old report does not make younger ones old', () => {
    const reports = [{ by: 0, day: 0, names: ['email:x', 'domain:own'] }];
    const fresh = upTo(5).map((n) => ({ by: 0, day: 98, names: [`email:y${n}`, 'domain:own'] }));
    expect(tableOf({ verified: [false], reports: [...reports, ...fresh] }).reporters.get('k0')).toMatchObject({
      claims: 6,
      matureClaims: 1,
    });
  });

  it('counts a person once, whose reports name one identifier of each kind', () => {
    const names = ['email:a', 'phone:b', 'domain:c', 'name:d', 'address:e', 'device:f'];
    const reports = upTo(9).map((day) => ({ by: 0, day, names }));
    expect(tableOf({ verified: [true], reports }).reporters.get('k0')).toMatchObject({ claims: 1, confirmable: 1 });
  });

  it('is preceded only in what another reporter named before', () => {
    const reports = upTo(40).map((n) => ({ by: 1, day: n + 1, names: [`email:${n}`, 'domain:provider'] }));
    const first = { by: 0, day: 0, names: ['domain:provider'] };
    const of = (before: readonly WorldReport[]) =>
      tableOf({ verified: [false, false, true], reports: [...before, ...reports, claim(2, 'x')] }).reporters.get('k1');
    expect(of([first])).toMatchObject({ claims: 40, preceded: 1, echoed: 1 });
    expect(of([first])!.precision).toBeGreaterThan(0.9 * of([])!.precision);
    // A copy stays one, whatever else is named with it.
    const copies = reports.map(({ names, ...report }, n) => ({
      ...report,
      names: [...names, `name:a${n}`, `name:b${n}`],
    }));
    const earlier = upTo(40).map((n) => claim(0, n));
    expect(tableOf({ verified: [false, false], reports: [...earlier, ...copies] }).reporters.get('k1')).toMatchObject({
      claims: 40,
      preceded: 40,
      echoed: 40,
    });
  });
});

describe('a reporter that lost twenty claims', () => {
  it.each([
    [10, 0.04],
    [30, 0.35],
  ])('regains little by 500 inventions and %d copies where agreement is rare', (copies, most) => {
    const own = [...upTo(500).map((n) => claim(10, `i${n}`)), ...upTo(copies).map((n) => claim(10, 7 + n, 3))];
    const world: World = { ...withAlso(shopsWith(2), [true], own), lost: [...upTo(10).map(() => 0), 20] };
    expect(precisions(world)[10]).toBeLessThan(most);
  });

  it.each([3, 5, 20])('regains nothing by two keys that repeat its inventions (%d lost)', (lost) => {
    const own = upTo(160).map((n) => claim(10, `i${n}`, 5));
    const keys = upTo(160).flatMap((n) => [claim(11, `i${n}`, n % 2 ? 1 : 9), claim(12, `i${n}`, n % 2 ? 9 : 1)]);
    const losing = (reports: readonly WorldReport[]): World => ({
      ...withAlso(shopsWith(10), [true, false, false], reports),
      lost: [...upTo(10).map(() => 0), lost, 0, 0],
    });
    expect(precisions(losing([...own, ...keys]))[10]).toBeCloseTo(precisions(losing(own))[10]!, 2);
    for (const key of ['k11', 'k12'])
      expect(tableOf(losing([...own, ...keys])).reporters.get(key)!.established).toBe(false);
  });
});
