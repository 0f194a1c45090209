import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OFFENCE_TYPES } from '../../src/core/domain/report.ts';
import {
  MARK,
  MAX_CHARACTERS,
  ScenarioError,
  parseFragment,
  toEvents,
  toFragment,
  type Scenario,
} from '../../src/service/playground/scenario.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { SCENARIO_NAMES } from '../../src/lab/simulate/world-options.ts';
import { CUSTOMERS } from '../../src/service/playground/person.ts';
import {
  ARRIVAL,
  MAX_SEED,
  SECTION_IDS,
  formatPlace,
  parsePlace,
  type Place,
} from '../../src/service/playground/place.ts';
import {
  MAX_DAYS,
  MODEL_WORDS,
  SLIDERS,
  comparedModels,
  defaultOf,
  toConstants,
} from '../../src/service/playground/what-if.ts';
import { hasLoneSurrogate } from '../../src/core/identifiers/normalise.ts';
import { LINK_CLAIM_CONSTANTS } from '../../src/scoring.ts';
import { anyCharacter } from '../any-character.ts';

it('has the hash of each identifier of the example', () => {
  for (const [, value, hash] of CUSTOMERS.flatMap(({ identifiers }) => identifiers))
    expect(hashIdentifierSync(value)).toBe(hash);
});

describe('a place in the address', () => {
  const place: fc.Arbitrary<Place> = fc.record({
    at: fc.constantFrom(...SECTION_IDS),
    open: fc.uniqueArray(fc.constantFrom('model', 'r1', 'r12', 'r10001')),
    customer: fc.nat(CUSTOMERS.length - 1),
    changes: fc.constantFrom({}, { 'precision.newKey': 0.4, 'kinds.email.halfLifeDays': 10 }),
    daysFromNow: fc.nat(MAX_DAYS),
    world: fc.record({ scenario: fc.constantFrom(...SCENARIO_NAMES), seed: fc.nat(MAX_SEED) }),
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(place, (given) => {
        expect(parsePlace(formatPlace(given))).toEqual(given);
      }),
    );
    expect(formatPlace(ARRIVAL)).toBe('');
    expect(parsePlace('')).toEqual(ARRIVAL);
  });

  it('has only known values, whatever the address has', () => {
    const hostile =
      '#ask?open=<img>.model.__proto__&customer=9&days=-1&precision.newKey=7&constructor=1&world=x&seed=1e9';
    expect(parsePlace(hostile)).toEqual({ ...ARRIVAL, open: ['model'] });
    expect(parsePlace('#ask?precision.newKey=&severityExponent=NaN')).toEqual(ARRIVAL);
    for (const other of ['#s1.W10', '#constructor', '#Ask', '#ask/', '#?open=model'])
      expect(parsePlace(other)).toBeUndefined();
    fc.assert(
      fc.property(fc.constantFrom(...SECTION_IDS), fc.webQueryParameters(), (at, query) => {
        const read = parsePlace(`#${at}?${query}`)!;
        expect(parsePlace(formatPlace(read))).toEqual(read);
      }),
    );
  });
});

const HASH = 'ab'.repeat(20);
const identifier = fc.record({ kind: fc.constantFrom('email', 'phone', 'x_1'), hash: fc.constant(HASH) });
const text = (maxLength: number) =>
  fc.string({ unit: anyCharacter, minLength: 1, maxLength }).filter((s) => !hasLoneSurrogate(s));
const scenario: fc.Arbitrary<Scenario> = fc
  .uniqueArray(text(20), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.record({
      person: fc.array(fc.oneof(identifier, fc.record({ kind: fc.constant('email'), value: text(30) })), {
        maxLength: 3,
      }),
      reporters: fc.constant(names.map((name, at) => ({ name, verified: at % 2 === 0 }))),
      reports: fc
        .array(
          fc.record({
            reporter: fc.nat(names.length - 1),
            type: fc.constantFrom(...OFFENCE_TYPES),
            severity: fc.integer({ min: 1, max: 10 }),
            text: text(60),
            minutesAgo: fc.nat(100_000),
            identifiers: fc.array(identifier, { minLength: 1, maxLength: 2 }),
          }),
          { maxLength: 4 },
        )
        .map((reports) => reports.sort((a, b) => b.minutesAgo - a.minutesAgo)),
      changes: fc.constantFrom({}, { 'precision.newKey': 0.4, 'kinds.email.halfLifeDays': 10 }),
      daysFromNow: fc.nat(1460),
    }),
  );
const pack = (value: unknown): string => MARK + Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a scenario in a link', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        expect(parseFragment(toFragment(given))).toEqual(given);
      }),
    );
  });

  it('is refused as a whole if any value is not valid, without repeating it', () => {
    const report = [0, 'fraud', 5, 'text', 10, [['email', HASH]]];
    const good = [[['email', HASH]], [['Shop', 1]], [report], {}, 0];
    expect(parseFragment(pack(good)).reports).toHaveLength(1);
    const change = (at: number, value: unknown) => good.map((old, index) => (index === at ? value : old));
    const inReport = (at: number, value: unknown) =>
      change(2, [report.map((old, index) => (index === at ? value : old))]);
    for (const wrong of [
      null,
      {},
      [...good, 1],
      change(0, [['Email', HASH]]),
      change(0, [['email', HASH.toUpperCase()]]),
      change(0, [['email', HASH, 'a value for another hash']]),
      change(0, [['email', null, '']]),
      change(1, [['Shop', 2]]),
      change(1, [
        ['Shop', 1],
        ['Shop', 0],
      ]),
      inReport(0, 1),
      inReport(1, 'constructor'),
      inReport(2, 11),
      inReport(2, '5'),
      inReport(3, 'x'.repeat(2001)),
      inReport(3, '\ud800'),
      inReport(4, -1),
      inReport(5, []),
      change(3, { 'precision.newKey': 7 }),
      change(3, { __proto__x: 1 }),
      change(3, { toString: 1 }),
      change(4, 1.5),
    ])
      expect(() => parseFragment(pack(wrong)), JSON.stringify(wrong)).toThrow(ScenarioError);
    expect(() => parseFragment(pack(change(1, [['<b>', 3]])))).toThrow(/^The link is not valid: [a-z ]+\.$/);
  });

  it('is refused for any other text', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        for (const fragment of [other, MARK + other, pack(other)])
          expect(() => parseFragment(fragment)).toThrow(ScenarioError);
      }),
    );
    expect(() => parseFragment(MARK + 'A'.repeat(MAX_CHARACTERS + 1))).toThrow('too long');
  });

  it('has a bound when it is written', () => {
    const report = {
      reporter: 0,
      type: 'fraud',
      severity: 5,
      minutesAgo: 1,
      identifiers: [{ kind: 'ip', hash: HASH }],
    };
    const reports = Array.from({ length: 10 }, () => ({ ...report, text: 'é'.repeat(1000) }));
    const long = { person: [], reporters: [{ name: 'Shop', verified: true }], reports, changes: {}, daysFromNow: 0 };
    expect(() => toFragment(long)).toThrow('Export the database file instead');
  });

  it('has the longest text that a service takes, by characters and not by units', () => {
    const identifiers = [{ kind: 'ip', hash: HASH }];
    const text = '😀'.repeat(1900);
    const report = { reporter: 0, type: 'fraud', severity: 5, text, minutesAgo: 1, identifiers };
    const reporters = [{ name: 'Shop', verified: true }];
    const given = { person: [], reporters, reports: [report], changes: {}, daysFromNow: 0 };
    expect(parseFragment(toFragment(given))).toEqual(given);
  });

  it('is played in order of time and ends now', () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const times = toEvents(given, 1e12).map(({ at }) => at);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(Math.max(...times)).toBeLessThanOrEqual(1e12);
      }),
    );
  });
});

describe('the sliders', () => {
  it.each(SLIDERS.map((slider) => [slider.path, slider] as const))(
    '%s is a constant, and its ends are valid',
    (path, slider) => {
      const usual = defaultOf(path);
      expect(usual).toBeGreaterThanOrEqual(slider.min);
      expect(usual).toBeLessThanOrEqual(slider.max);
      // The slider can show the default exactly.
      expect((usual - slider.min) / slider.step).toBeCloseTo(Math.round((usual - slider.min) / slider.step), 6);
      for (const value of [slider.min, slider.max]) expect(() => toConstants({ [path]: value })).not.toThrow();
    },
  );

  it('change nothing by default', () => expect(toConstants({})).toEqual(LINK_CLAIM_CONSTANTS));
});

it('compares with the default model only if a constant is changed', () => {
  const others = ['one-voice', 'report-count', 'severity-sum'];
  expect(comparedModels({})).toEqual(['link-claim', ...others]);
  expect(comparedModels({ 'precision.newKey': 0.5 })).toEqual(['link-claim', 'default', ...others]);
  expect(new Set(Object.values(MODEL_WORDS)).size).toBe(5);
});
