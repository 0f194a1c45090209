import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../../src/core/scoring/constants.ts';
import { createTrustRules } from '../../../src/core/scoring/standings/rules.ts';
import { emptyRecord } from '../../../src/core/scoring/standings/table.ts';

// o = (N − F + 5 · .7) / ((N + 5) · .7), because three tenths of all claims are usually preceded.
const MEANS = { corroborated: 1, anyEstablished: true };
const EARNED = { claims: 5, confirmable: 5, matureClaims: 5, maturePreceded: 5, led: 0.5 };

describe('an unverified reporter is established', () => {
  it.each<[string, object, boolean]>([
    ['with the least originality, .5, and the least lead, .5', {}, true],
    ['not with less of a lead', { led: 0.499 }, false],
    ['with more of a lead', { led: 0.501 }, true],
    // 3.5 / (11 · .7)
    ['not with less originality', { matureClaims: 6, maturePreceded: 6 }, false],
    ['with more originality', { maturePreceded: 4 }, true],
    ['with three mature claims', { matureClaims: 3, maturePreceded: 3 }, true],
    ['not with two', { matureClaims: 2, maturePreceded: 2 }, false],
  ])('%s', (_, change, established) => {
    const record = { ...emptyRecord({ reporterId: 'a', verified: false }), ...EARNED, ...change };
    expect(createTrustRules(LINK_CLAIM_CONSTANTS).standingOf(record, MEANS).established).toBe(established);
  });
});

describe('an unverified reporter without leads', () => {
  const precisionOf = (change: object, means = MEANS): number => {
    const record = { ...emptyRecord({ reporterId: 'a', verified: false }), ...change };
    return createTrustRules(LINK_CLAIM_CONSTANTS).standingOf(record, means).precision;
  };

  it.each<[string, object, number]>([
    ['begins as a new key', {}, 0.1],
    ['stays a new key until its claims are mature', { claims: 2 }, 0.1],
    [
      'grows two thirds of the way to an established one with a mature claim of its own that others confirm',
      { claims: 1, confirmable: 1, corroborated: 1, matureClaims: 1 },
      0.5,
    ],
    // c = (3 / (1 + 3))²: two thirds of the way from .1 to .7 · 9/16.
    [
      'grows less if others do not confirm it',
      { claims: 1, confirmable: 1, matureClaims: 1 },
      0.1 + (2 / 3) * (0.7 * (9 / 16) - 0.1),
    ],
    // c = (3 / (9 + 3))², and .7 · c is less than .1.
    ['does not grow with many claims that others do not confirm', { claims: 9, confirmable: 9, matureClaims: 9 }, 0.1],
    [
      'does not grow with claims that others made first',
      { claims: 3, confirmable: 3, corroborated: 3, preceded: 3, matureClaims: 3, maturePreceded: 3 },
      0.1,
    ],
    ['loses half with an echo among two claims', { claims: 2, preceded: 1, echoed: 1 }, 0.1 * (1.1 / 2.1)],
    // g = 2/3 and o = 4.5/4.9: the echo counts a third of that.
    [
      'loses less with an echo when it has grown',
      { claims: 2, confirmable: 2, corroborated: 2, preceded: 1, echoed: 1, matureClaims: 1 },
      (0.1 + (2 / 3) * (0.7 * (4.5 / 4.9) - 0.1)) * (2 / 3 + (1 / 3) * (1.1 / 2.1)),
    ],
  ])('%s', (_, change, precision) => {
    expect(precisionOf(change)).toBeCloseTo(precision, 12);
  });

  it('stays a new key if no reporter of the service is established', () => {
    const change = { claims: 1, confirmable: 1, corroborated: 1, matureClaims: 1 };
    expect(precisionOf(change, { ...MEANS, anyEstablished: false })).toBeCloseTo(0.1, 12);
  });
});
