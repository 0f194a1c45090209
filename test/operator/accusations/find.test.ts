import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/core/domain/day.ts';
import { ACCUSATION_KINDS, type AccusationKind } from '../../../src/operator/accusations/find.ts';
import { budget } from '../../budget.ts';
import { accuse, at, claimsOf, DAY_AT, persons, search, type Searched, type Told } from './gathering.ts';

const kindsOf = (reports: readonly Told[], searched?: Searched): AccusationKind[] =>
  search(reports, searched).map(({ kind }) => kind);

/** A reporter who was at work in the silent days. */
const awake = (by: string): Told[] => accuse(by, at(-20), [`${by} old`]);

describe('silent reporters who accuse together', () => {
  const two = [...accuse('a', at(0, 1), ['p']), ...accuse('b', at(0, 2), ['p'])];

  it('are noticed if they are new, or silent for 30 days before the week', () => {
    expect(search(two)).toEqual([
      { kind: 'silent-together', dayAt: DAY_AT, reporterIds: ['a', 'b'], reports: 2, reportId: two[0]!.id },
    ]);
    expect(kindsOf([...two, ...accuse('a', at(-37), ['old'])])).toEqual(['silent-together']);
    expect(kindsOf([...two, ...accuse('a', at(-36), ['old'])])).toEqual([]);
    expect(kindsOf([...two, ...accuse('a', at(-7), ['old'])])).toEqual([]);
    // Reports of the week itself do not wake a reporter: a key may file some true reports first.
    expect(kindsOf([...two, ...accuse('a', at(-6), ['old'])])).toEqual(['silent-together']);
  });

  it('are noticed on the day that completes their number, if both accuse within seven days', () => {
    const later = (day: number): Told[] => [...accuse('a', at(day), ['p']), ...accuse('b', at(0), ['p'])];
    expect(kindsOf(later(-6))).toEqual(['silent-together']);
    expect(kindsOf(later(-7))).toEqual([]);
    expect(kindsOf([...accuse('a', at(-2), ['p']), ...accuse('b', at(-1), ['p'])])).toEqual([]);
    expect(
      kindsOf([...accuse('a', at(-2), ['p']), ...accuse('b', at(-1), ['p']), ...accuse('c', at(0), ['p'])]),
    ).toEqual([]);
    const lateReport = later(-6)[1]!;
    expect(search(later(-6))[0]).toMatchObject({ reportId: lateReport.id });
  });

  it('are not noticed alone, or if a verified reporter has reported the person', () => {
    expect(kindsOf(two.slice(1))).toEqual([]);
    expect(kindsOf(two, { verified: ['a'] })).toEqual([]);
    const third = accuse('v', at(-400), ['p']);
    expect(kindsOf([...two, ...third], { verified: ['v'] })).toEqual([]);
    // But an upheld report confirms nothing, and is no accusation.
    expect(kindsOf([...two, { ...third[0]!, upheld: true }], { verified: ['v'] })).toEqual(['silent-together']);
    expect(kindsOf([two[0]!, { ...two[1]!, upheld: true }])).toEqual([]);
  });

  it('are one finding, whatever the number of common identifiers', () => {
    const reports = two.map((report) => ({ ...report, about: ['p1', 'p2', 'p3'] }));
    expect(search(reports)).toEqual([
      { kind: 'silent-together', dayAt: DAY_AT, reporterIds: ['a', 'b'], reports: 2, reportId: two[0]!.id },
    ]);
  });
});

describe('reporters who always accuse together', () => {
  const common = (count: number): Told[] =>
    ['a', 'b'].flatMap((by, n) => persons('c', count).flatMap((person, k) => accuse(by, at(-50 + k, n), [person])));
  const today = [...accuse('a', at(0, 1), ['p']), ...accuse('b', at(0, 2), ['p'])];
  const busy = [...awake('a'), ...awake('b')];

  it('are noticed from three common claims on, if these are four fifths of the claims of both', () => {
    expect(search([...common(3), ...today])).toContainEqual({
      kind: 'always-together',
      dayAt: DAY_AT,
      reporterIds: ['a', 'b'],
      reports: 2,
      reportId: today[0]!.id,
    });
    expect(kindsOf([...common(2), ...today, ...busy])).toEqual([]);
    // Four common claims of five each.
    expect(kindsOf([...common(4), ...today, ...busy])).toEqual(['always-together']);
    // Three of four.
    expect(kindsOf([...common(3), ...today, ...busy])).toEqual([]);
    expect(kindsOf([...common(4), ...today, ...busy], { claims: { a: 7 } })).toEqual([]);
  });

  it('are one finding for each person, also if one of the two accused long before', () => {
    const long = ['p', 'q'].flatMap((person, n) => accuse('a', at(-40, n), [person]));
    const now = ['p', 'q'].flatMap((person, n) => accuse('b', at(0, n), [person]));
    const found = search([...common(20), ...long, ...now, ...busy]).filter(({ kind }) => kind === 'always-together');
    expect(found.map(({ reportId, reports }) => [reportId, reports])).toEqual(now.map(({ id }) => [id, 2]));
  });

  it('are not noticed without a new common claim, or if a verified reporter reported the person', () => {
    expect(kindsOf(common(5))).toEqual([]);
    expect(kindsOf([...common(5), ...today.slice(1), ...busy])).toEqual([]);
    const verified = { verified: ['v'] };
    expect(kindsOf([...common(5), ...today, ...busy, ...accuse('v', at(0), ['p'])], verified)).toEqual([]);
  });
});

describe('a burst against a person', () => {
  const burst = (count: number): Told[] =>
    persons('r', count).flatMap((by, n) => [...awake(by), ...accuse(by, at(0, n), ['p'])]);

  it('is five unverified reporters on one day', () => {
    expect(kindsOf(burst(4))).toEqual([]);
    expect(search(burst(6))).toEqual([
      {
        kind: 'accusation-burst',
        dayAt: DAY_AT,
        reporterIds: persons('r', 6),
        reports: 6,
        reportId: burst(1).at(-1)!.id,
      },
    ]);
    expect(kindsOf(burst(5), { verified: ['r0'] })).toEqual([]);
    expect(kindsOf(burst(6), { verified: ['r0'] })).toEqual(['accusation-burst']);
  });

  it('counts a reporter once, on the day of its first report of the person', () => {
    const repeated = persons('r', 6).flatMap((by) => [...accuse(by, at(-1), ['p']), ...accuse(by, at(0), ['p'])]);
    expect(kindsOf(repeated)).toEqual([]);
  });

  it('is searched on each of several days', () => {
    const days = { fromAt: DAY_AT - 2 * DAY_MS, untilAt: DAY_AT + DAY_MS };
    const reports = [-3, -2, 0].flatMap((day) =>
      persons(`r${day} `, 5).flatMap((by) => accuse(by, at(day), [`p${day}`])),
    );
    const found = search(reports, { days }).filter(({ kind }) => kind === 'accusation-burst');
    expect(found.map(({ dayAt }) => dayAt)).toEqual([DAY_AT - 2 * DAY_MS, DAY_AT]);
  });
});

describe('unusually many accusations', () => {
  const past = (by: string, perDay: number): Told[] =>
    persons('', 56).flatMap((_, day) => accuse(by, at(-1 - day), persons(`${by} ${day} `, perDay)));

  it('are of a verified reporter too, and count only persons of no other reporter', () => {
    const many = accuse('v', at(0), persons('p', 10));
    expect(search(many, { verified: ['v'] })).toEqual([
      { kind: 'unusual-accusations', dayAt: DAY_AT, reporterIds: ['v'], reports: 10, reportId: many[0]!.id },
    ]);
    const confirmed = accuse('w', at(-100), persons('p', 10));
    expect(kindsOf([...many, ...confirmed], { verified: ['v', 'w'] })).toEqual([]);
    // A report about a known person may name another one, too.
    const half = many.map((report, n) => ({ ...report, about: [...report.about, `q${n}`] }));
    expect(kindsOf([...half, ...confirmed], { verified: ['v', 'w'] })).toEqual(['unusual-accusations']);
  });

  it('are not silenced by a new key that reported their identifiers before', () => {
    const named = { ...accuse('u', at(-1), ['x0'])[0]!, about: persons('x', 10) };
    const many = accuse('v', at(0), persons('p', 10)).map((report, n) => ({
      ...report,
      about: [...report.about, `x${n}`],
    }));
    expect(kindsOf([named, ...many], { verified: ['v'] })).toEqual(['unusual-accusations']);
    expect(kindsOf([{ ...named, about: persons('p', 10) }, ...many], { verified: ['v'] })).toEqual([
      'unusual-accusations',
    ]);
  });

  it('are not usual because the reporter reported one person very often before', () => {
    const own = persons('o', 50).map((id) => ({ ...accuse('v', at(-1), ['own'])[0]!, id }));
    expect(kindsOf([...own, ...accuse('v', at(0), persons('p', 20))], { verified: ['v'] })).toEqual([
      'unusual-accusations',
    ]);
  });

  it('are not silenced by a new key that repeats each of them', () => {
    const many = accuse('v', at(0), persons('p', 10));
    const repeated = accuse('u', at(0, 13), persons('p', 10));
    const found = search([...many, ...repeated], { verified: ['v'] });
    expect(found).toContainEqual(expect.objectContaining({ kind: 'unusual-accusations', reporterIds: ['v'] }));
    // An established reporter confirms them, on the same day, too.
    expect(kindsOf([...many, ...repeated], { verified: ['v', 'u'] })).toEqual([]);
    // Without the key's own day, it is one that always repeats the same.
    const before = persons('q', 4).flatMap((person, n) => [
      ...accuse('v', at(-20 + n, 9), [person]),
      ...accuse('u', at(-20 + n, 10), [person]),
    ]);
    const today = [...accuse('v', at(0, 9), ['p1']), ...accuse('u', at(0, 10), ['p1'])];
    const verified = { verified: ['v', 'w'] };
    expect(kindsOf([...before, ...today], verified)).toEqual(['always-together']);
    expect(kindsOf([...before, ...today, ...accuse('w', at(0, 11), ['p1'])], verified)).toEqual([]);
    expect(kindsOf([...before, ...today], { verified: ['v', 'u'] })).toEqual([]);
  });

  it('are far more than the reporter had on its days before', () => {
    expect(kindsOf([...past('v', 10), ...accuse('v', at(0), persons('p', 15))], { verified: ['v'] })).toEqual([]);
    expect(kindsOf([...past('v', 10), ...accuse('v', at(0), persons('p', 60))], { verified: ['v'] })).toEqual([
      'unusual-accusations',
    ]);
  });

  it('are also reports that share an identifier which the reporter, or another one, has reported before', () => {
    const before = [...accuse('v', at(-100), ['own']), ...accuse('w', at(-100), ['known'])];
    const many = persons('p', 10).flatMap((person) => accuse('v', at(0), [person]));
    const joined = many.map((report, n) => ({ ...report, about: [...report.about, n % 2 ? 'own' : 'known'] }));
    expect(search([...before, ...joined], { verified: ['v', 'w'] })).toMatchObject([
      { kind: 'unusual-accusations', reporterIds: ['v'], reports: 10 },
    ]);
  });

  it('are not repeats of what the reporter has reported before', () => {
    const before = accuse('v', at(-100), persons('p', 10));
    expect(kindsOf([...before, ...accuse('v', at(0), persons('p', 10))], { verified: ['v'] })).toEqual([]);
  });
});

describe('a search', () => {
  const reportsAbout = (among: number) =>
    fc.array(
      fc.record({
        by: fc.constantFrom(...persons('r', 8)),
        day: fc.oneof(fc.constant(0), fc.integer({ min: -70, max: 0 })),
        minute: fc.nat(1438),
        about: fc.uniqueArray(fc.constantFrom(...persons('p', among)), { minLength: 1, maxLength: 3 }),
        upheld: fc.constantFrom(false, false, false, true),
      }),
      { maxLength: 80, size: 'max' },
    );
  /** In some cases, one busy reporter has an echo, which repeats each of its reports and files no others. */
  const told: fc.Arbitrary<readonly Told[]> = fc
    .tuple(fc.constantFrom(4, 12, 40, 1_000).chain(reportsAbout), fc.boolean())
    .map(([all, hasEcho]) => {
      const own = hasEcho ? all.map((one) => ({ ...one, by: one.by < 'r5' ? 'r0' : one.by })) : all;
      const heard = hasEcho ? own.filter(({ by }) => by === 'r0') : [];
      const echoes = heard.map((one) => ({ ...one, by: 'r1', minute: one.minute + 1 }));
      return [...own, ...echoes].map(({ by, day, minute, about, upheld }, n) => {
        return { id: `${1000 + n}`, by, at: DAY_AT + day * DAY_MS + minute * 60_000, about, upheld };
      });
    });
  const verified = fc.subarray(persons('r', 8), { maxLength: 3 });

  it('finds every kind among the reports of these laws', () => {
    const found = fc.sample(told, { numRuns: 500, seed: 7 }).flatMap((reports) => search(reports));
    for (const kind of ACCUSATION_KINDS)
      expect(found.filter((finding) => finding.kind === kind).length, kind).toBeGreaterThan(5);
  });

  it('does not depend on the order of the reports', () => {
    const shuffled = told.chain((reports) =>
      fc.tuple(fc.constant(reports), fc.shuffledSubarray([...reports], { minLength: reports.length })),
    );
    fc.assert(
      fc.property(shuffled, verified, ([reports, others], ofOperator) => {
        const searched = { verified: ofOperator };
        expect(search(others, searched)).toEqual(search(reports, searched));
      }),
      { numRuns: budget(24) },
    );
  });

  it('finds nothing without accusations on the day, and nothing about later days', () => {
    fc.assert(
      fc.property(told, verified, (reports, ofOperator) => {
        const searched = { verified: ofOperator };
        expect(
          search(
            reports.filter((report) => report.at < DAY_AT),
            searched,
          ),
        ).toEqual([]);
        const later = reports.map((report) => ({ ...report, id: `later ${report.id}`, at: report.at + 71 * DAY_MS }));
        const claims = claimsOf(reports);
        expect(search([...reports, ...later], { ...searched, claims })).toEqual(search(reports, searched));
      }),
      { numRuns: budget(8) },
    );
  });

  it('loses a finding with the reports of its day, and names only who reported', () => {
    fc.assert(
      fc.property(told, verified, (reports, ofOperator) => {
        for (const finding of search(reports, { verified: ofOperator })) {
          const first = reports.find(({ id }) => id === finding.reportId)!;
          expect(first.at).toBeGreaterThanOrEqual(DAY_AT);
          expect(finding.reporterIds).toContain(first.by);
          expect(finding.reports).toBeGreaterThanOrEqual(finding.reporterIds.length);
          const without = reports.filter((report) => report.at < DAY_AT || !finding.reporterIds.includes(report.by));
          const same = search(without, { verified: ofOperator }).filter(
            ({ kind, reporterIds }) =>
              kind === finding.kind && reporterIds.some((id) => finding.reporterIds.includes(id)),
          );
          // Who stays may still be noticed with others: never for a report of the accusers on the day.
          expect(same.every(({ reportId }) => without.some(({ id }) => id === reportId))).toBe(true);
          expect(same.map(({ reportId }) => reportId)).not.toContain(finding.reportId);
        }
      }),
      { numRuns: budget(12) },
    );
  });
});
