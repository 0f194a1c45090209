import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../../src/core/scoring/constants.ts';
import { createTrustRules } from '../../../src/core/scoring/standings/rules.ts';
import { emptyRecord, toRecord } from '../../../src/core/scoring/standings/table.ts';

describe('the record of a standing', () => {
  it('is the record from which the standing follows, without the derived values', () => {
    const record = {
      reporterId: 'a',
      verified: true,
      claims: 9,
      preceded: 4,
      lost: 1,
      corroborated: 2.5,
      confirmable: 8,
      led: 0.75,
      echoed: 3,
      matureClaims: 7,
      maturePreceded: 2,
    };
    const rules = createTrustRules(LINK_CLAIM_CONSTANTS);
    expect(toRecord(rules.standingOf(record, { corroborated: 0.5, anyEstablished: true }))).toEqual(record);
  });

  it('has only zeros at first', () => {
    const { reporterId, verified, ...counts } = emptyRecord({ reporterId: 'a', verified: true });
    expect({ reporterId, verified }).toEqual({ reporterId: 'a', verified: true });
    expect(new Set(Object.values(counts))).toEqual(new Set([0]));
  });
});
