import { describe, expect, it } from 'vitest';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../src/core/scoring/constants.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { createTrustRules } from '../../src/core/scoring/standings/rules.ts';
import { build, HASHES } from './arbitraries.ts';

/** Reaches the model as a file would. */
const fromFile = (text: string): LinkClaimConstants => configureLinkClaim(JSON.parse(text));
/** Reliability of one report in per cent: it is not bounded as Points are. */
const reliability = (constants: LinkClaimConstants, kind: string, type = 'fraud'): number =>
  createLinkClaimModel(constants).measure(
    build([{ reporterId: 'a', type, severity: 10, ageDays: 0, shared: [{ kind, hash: HASHES[0]! }] }]),
  ).reliability * 10;

describe('the constants of link × claim', () => {
  it('are the defaults when nothing is changed, and the defaults stay as they are when something is', () => {
    const before = structuredClone(LINK_CLAIM_CONSTANTS);
    expect(configureLinkClaim({})).toEqual(before);
    configureLinkClaim({
      kinds: { email: { weight: 0.1 } },
      trust: { weakKinds: ['ip', 'phone'], established: { days: 1 } },
    });
    expect(LINK_CLAIM_CONSTANTS).toEqual(before);
  });

  it('take one number deep inside and leave its neighbours', () => {
    const changed = configureLinkClaim({
      kinds: { email: { weight: 0.5 } },
      precision: { newKey: 0.2 },
      trust: { established: { days: 30 } },
    });
    expect(changed).toEqual({
      ...LINK_CLAIM_CONSTANTS,
      kinds: { ...LINK_CLAIM_CONSTANTS.kinds, email: { weight: 0.5, halfLifeDays: 400 } },
      precision: { ...LINK_CLAIM_CONSTANTS.precision, newKey: 0.2 },
      trust: { ...LINK_CLAIM_CONSTANTS.trust, established: { ...LINK_CLAIM_CONSTANTS.trust.established, days: 30 } },
    });
    expect(reliability(changed, 'email')).toBeCloseTo(41.5, 9);
  });

  it('take a new kind, which starts from the kinds that are not listed, whatever it is called', () => {
    for (const kind of ['passport', 'constructor', '__proto__', 'toString', 'calibration', 'trust.weakKinds']) {
      const changed = fromFile(`{"kinds":{"${kind}":{"weight":0.9}}}`);
      expect(Object.entries(changed.kinds).find(([name]) => name === kind)![1]).toEqual({
        ...LINK_CLAIM_CONSTANTS.otherKinds,
        weight: 0.9,
      });
      expect(reliability(changed, kind)).toBeCloseTo(66.7, 9);
      expect(reliability(changed, 'unheard_of')).toBeCloseTo(41.5, 9);
    }
    expect(({} as Record<string, unknown>)['weight']).toBeUndefined();
  });

  it('take a weight for an offence type, whatever it is called', () => {
    for (const type of ['spam', 'constructor', '__proto__']) {
      const changed = fromFile(`{"typeWeights":{"${type}":0.5}}`);
      expect(reliability(changed, 'email', type)).toBeCloseTo(40.555, 9);
      expect(reliability(changed, 'email', 'other')).toBeCloseTo(71.11, 9);
    }
  });

  it('take a list of weak kinds and a calibration map whole', () => {
    const calibration = {
      version: 3,
      points: [
        [0, 0.1],
        [1, 0.9],
      ],
      support: [],
      spread: 0,
    };
    const changed = configureLinkClaim({ trust: { weakKinds: ['phone'] }, calibration });
    expect(changed.trust.weakKinds).toEqual(['phone']);
    expect(changed.calibration).toEqual(calibration);
    const rules = createTrustRules(changed);
    expect([rules.isStrong('phone'), rules.isStrong('ip')]).toEqual([false, true]);
    expect(configureLinkClaim({ calibration: null }).calibration).toBeNull();
  });

  it('give what is learnt another name, so that it is not taken for what others learnt, where it matters to learning', () => {
    const name = (changes: unknown): string => createTrustRules(configureLinkClaim(changes)).name;
    expect(name({ trust: { priorClaims: 6 } })).not.toBe(name({}));
    expect(name({ kinds: { email: { weight: 0.9 } } })).not.toBe(name({}));
    expect(name({ severityExponent: 1, openDispute: 0.4 })).toBe(name({}));
  });

  it('are named by their whole path, every one of them', () => {
    const paths = (value: unknown, path: readonly string[] = []): string[][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name]))
        : [[...path]];
    const numbers = paths({ ...LINK_CLAIM_CONSTANTS, typeWeights: { spam: 1 } }).filter(
      (path) => !['calibration', 'weakKinds'].includes(path.at(-1)!),
    );
    expect(numbers.length).toBeGreaterThan(35);
    for (const path of numbers) {
      const changes = [...path].reverse().reduce<unknown>((value, name) => ({ [name]: value }), Number.NaN);
      expect(() => configureLinkClaim(changes), path.join('.')).toThrow(`"${path.join('.')}" expected `);
    }
  });

  it.each<[string, unknown, ErrorConstructor]>([
    ['"constants" expected an object', undefined, TypeError],
    ['"constants" expected an object', null, TypeError],
    ['"constants" expected an object', [], TypeError],
    ['"kind" is not a constant', { kind: {} }, TypeError],
    ['"kinds.email.wieght" is not a constant', { kinds: { email: { wieght: 0.5 } } }, TypeError],
    ['"precision.constructor" is not a constant', { precision: { constructor: 1 } }, TypeError],
    ['"__proto__" is not a constant', JSON.parse('{"__proto__":{"weight":1}}'), TypeError],
    ['"kinds.email" expected an object', { kinds: { email: 0.5 } }, TypeError],
    ['"kinds" expected an object', { kinds: null }, TypeError],
    ['"trust.iterations" expected a number, got string', { trust: { iterations: '3' } }, TypeError],
    ['"crowdFactor" expected a number, got null', { crowdFactor: null }, TypeError],
    ['"crowdFactor" expected a number, got object', { crowdFactor: { is: 0.5 } }, TypeError],
    ['"typeWeights.spam" expected a number, got boolean', { typeWeights: { spam: true } }, TypeError],
    ['"trust.weakKinds" expected a list of kinds', { trust: { weakKinds: 'ip' } }, TypeError],
    ['"trust.weakKinds" expected a list of kinds', { trust: { weakKinds: ['ip', 7] } }, TypeError],
    ['"trust.weakKinds" expected a list of kinds', { trust: { weakKinds: undefined } }, TypeError],
    ['"trust.iterations" expected a whole number, got 2.5', { trust: { iterations: 2.5 } }, RangeError],
    ['"trust.established.days"', { trust: { established: { days: -1 } } }, RangeError],
    ['"trust.preceded"', { trust: { preceded: 1 } }, RangeError],
    ['"precision.least"', { precision: { least: 0.96 } }, RangeError],
    ['"openDispute"', { openDispute: 1.01 }, RangeError],
    ['"kinds.email.weight"', { kinds: { email: { weight: Number.NaN } } }, RangeError],
    ['"kinds.email.halfLifeDays"', { kinds: { email: { halfLifeDays: 0 } } }, RangeError],
    ['"kinds.otherKinds.weight"', { kinds: { otherKinds: { weight: 2 } } }, RangeError],
    ['"otherKinds.weight"', { otherKinds: { weight: 2 } }, RangeError],
    ['"version"', { version: 1 }, RangeError],
    ['"calibration.points"', { calibration: { version: 3, points: [] } }, RangeError],
    ['"calibration.points[0]"', { calibration: { version: 3, points: [7] } }, TypeError],
  ])('refuses with %s', (message, changes, error) => {
    expect(() => configureLinkClaim(changes)).toThrow(error);
    expect(() => configureLinkClaim(changes)).toThrow(message);
  });
});
