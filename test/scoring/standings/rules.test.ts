import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../../src/scoring/constants.ts';
import { createTrustRules } from '../../../src/scoring/standings/rules.ts';
import { emptyRecord } from '../../../src/scoring/standings/table.ts';

// o = (N − F + 5) / (N + 5), because no claim is preceded on average.
const MEANS = { preceded: 0, corroborated: 1 };
const EARNED = { claims: 5, confirmable: 5, matureClaims: 5, maturePreceded: 5, led: 0.5 };

describe('an unverified reporter is established', () => {
  it.each<[string, object, boolean]>([
    ['with the least originality, .5, and the least lead, .5', {}, true],
    ['not with less of a lead', { led: 0.499 }, false],
    ['with more of a lead', { led: 0.501 }, true],
    // (6 − 6 + 5) / (6 + 5)
    ['not with less originality', { matureClaims: 6, maturePreceded: 6 }, false],
    ['with more originality', { maturePreceded: 4 }, true],
    ['with three mature claims', { matureClaims: 3, maturePreceded: 3 }, true],
    ['not with two', { matureClaims: 2, maturePreceded: 2 }, false],
  ])('%s', (_, change, established) => {
    const record = { ...emptyRecord({ reporterId: 'a', verified: false }), ...EARNED, ...change };
    expect(createTrustRules(LINK_CLAIM_CONSTANTS).standingOf(record, MEANS).established).toBe(established);
  });
});
