import { describe, expect, it } from 'vitest';
import { fingerprint, LINK_CLAIM_CONSTANTS, validateConstants } from '../../src/core/scoring/constants.ts';
import { createOneVoiceModel } from '../../src/lab/comparisons.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';

const { trust } = LINK_CLAIM_CONSTANTS;
/** Constants as a caller without types could give them. */
const withChange = (change: object) => ({ ...LINK_CLAIM_CONSTANTS, ...change });
const withTrust = (change: object) => withChange({ trust: { ...trust, ...change } });

describe('the validation of constants', () => {
  it.each<[string, ErrorConstructor, object]>([
    ['"crowdFactor" expected a number from 0 to 0.999, got string', TypeError, withChange({ crowdFactor: '0.5' })],
    ['"openDispute" expected a number from 0 to 1, got undefined', TypeError, withChange({ openDispute: undefined })],
    ['"crowdFactor" expected a number from 0 to 0.999, got 1', RangeError, withChange({ crowdFactor: 1 })],
    ['"openDispute" expected a number from 0 to 1, got Infinity', RangeError, withChange({ openDispute: Infinity })],
    ['"version" expected 7, got 5', RangeError, withChange({ version: 5 })],
    ['"trust.preceded" expected a number from 0 to 0.999, got 1', RangeError, withTrust({ preceded: 1 })],
    [
      '"trust.corroboratedMost" expected a number from 0 to 0.999, got 1.5',
      RangeError,
      withTrust({ corroboratedMost: 1.5 }),
    ],
  ])('refuses with: %s', (message, error, constants) => {
    const given = constants as typeof LINK_CLAIM_CONSTANTS;
    for (const create of [validateConstants, createLinkClaimModel, createOneVoiceModel])
      expect(() => create(given)).toThrow(new error(message));
  });

  it('accepts the bounds', () => {
    const bounds = [
      withChange({ crowdFactor: 0.999 }),
      withChange({ openDispute: 0 }),
      withTrust({ preceded: 0.999 }),
      withTrust({ corroboratedMost: 0 }),
    ];
    for (const constants of bounds) expect(() => validateConstants(constants)).not.toThrow();
  });
});

describe('a fingerprint', () => {
  // The first three are published vectors of 32-bit FNV-1a.
  it.each([
    ['', '811c9dc5'],
    ['a', 'e40c292c'],
    ['foobar', 'bf9cf968'],
    ['x1654', '0025b3ed'],
  ])('of "%s" is %s: always eight characters', (text, expected) => {
    expect(fingerprint(text)).toBe(expected);
  });
});
