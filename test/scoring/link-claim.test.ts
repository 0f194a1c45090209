import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../src/scoring/constants.ts';
import type { Evidence, EvidenceReport, Standing } from '../../src/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/scoring/link-claim.ts';

const model = createLinkClaimModel();
/** P and R as the vectors give them, 0 to 1. */
const scoreUnrounded = (given: Evidence) => {
  const { points, reliability } = model.measure(given);
  return { points: points / 100, reliability: reliability / 10 };
};
const ESTABLISHED: Standing = { precision: 0.7, established: true };
const NEW_KEY: Standing = { precision: 0.2, established: false };

interface Case { reporters: number; standing: Standing; severity: number; kinds: string[]; ageDays?: number; copies?: number }

function evidence({ reporters, standing, severity, kinds, ageDays = 0, copies = 1 }: Case): Evidence {
  const reports: EvidenceReport[] = [];
  for (let k = 0; k < reporters; k++) {
    for (let c = 0; c < copies; c++) {
      reports.push({ reportId: `${k}.${c}`, reporterId: `k${k}`, type: 'fraud', severity, ageDays, shared: kinds.map((kind) => ({ kind, hash: kind })) });
    }
  }
  return { reports, standings: new Map(reports.map((r) => [r.reporterId, standing])) };
}

// The published vectors of the model: unrounded P and R, then the three numbers as a reply shows them.
const VECTORS: [string, Case, number, number, string][] = [
  ['1 established, severity 6, email, today', { reporters: 1, standing: ESTABLISHED, severity: 6, kinds: ['email'] }, 0.515107, 0.665, '52-1-6.7'],
  ['1 established, severity 10, email+phone+ip, today', { reporters: 1, standing: ESTABLISHED, severity: 10, kinds: ['email', 'phone', 'ip'] }, 0.69475, 0.69475, '69-1-6.9'],
  ['the same, sent 5 times by the same reporter', { reporters: 1, standing: ESTABLISHED, severity: 10, kinds: ['email', 'phone', 'ip'], copies: 5 }, 0.69475, 0.69475, '69-5-6.9'],
  ['2 established, severity 6, email, today', { reporters: 2, standing: ESTABLISHED, severity: 6, kinds: ['email'] }, 0.750914, 0.8645, '75-2-8.6'],
  ['1 new key, severity 10, email, today', { reporters: 1, standing: NEW_KEY, severity: 10, kinds: ['email'] }, 0.19, 0.19, '19-1-1.9'],
  ['5 new keys, severity 10, email, today', { reporters: 5, standing: NEW_KEY, severity: 10, kinds: ['email'] }, 0.324364, 0.324364, '32-5-3.2'],
  ['1 established, severity 8, ip only, today', { reporters: 1, standing: ESTABLISHED, severity: 8, kinds: ['ip'] }, 0.156525, 0.175, '16-1-1.8'],
  ['10 established, severity 8, ip only, today', { reporters: 10, standing: ESTABLISHED, severity: 8, kinds: ['ip'] }, 0.249987, 0.249999, '25-10-2.5'],
  ['1 established, severity 6, email, 730 days old', { reporters: 1, standing: ESTABLISHED, severity: 6, kinds: ['email'], ageDays: 730 }, 0.321942, 0.415625, '32-1-4.2'],
];

describe('link × claim: vectors', () => {
  it.each(VECTORS)('%s', (_, given, points, reliability, shown) => {
    const unrounded = scoreUnrounded(evidence(given));
    expect(unrounded.points).toBeCloseTo(points, 6);
    expect(unrounded.reliability).toBeCloseTo(reliability, 6);
    const verdict = model.score(evidence(given));
    expect(`${verdict.points}-${verdict.reported}-${verdict.reliability.toFixed(1)}`).toBe(shown);
  });

  it('answers three zeros without a report', () => {
    expect(model.score({ reports: [], standings: new Map() })).toEqual({ points: 0, reported: 0, reliability: 0 });
  });

  it('takes a reporter it knows nothing of for a new key', () => {
    const given = evidence({ reporters: 1, standing: NEW_KEY, severity: 10, kinds: ['email'] });
    expect(scoreUnrounded({ ...given, standings: new Map() })).toEqual(scoreUnrounded(given));
  });
});

const STANDINGS: Standing[] = [ESTABLISHED, NEW_KEY, { precision: 0.95, established: true }, { precision: 0.03, established: false }];
const kinds = fc.constantFrom('email', 'phone', 'domain', 'ip', 'passport', 'constructor', '__proto__');
const reportArbitrary = fc.record({
  reporterId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  severity: fc.integer({ min: 1, max: 10 }),
  ageDays: fc.double({ min: 0, max: 4000, noNaN: true }),
  shared: fc.uniqueArray(fc.record({ kind: kinds, hash: fc.constantFrom('1', '2', '3', '4') }), { minLength: 1, maxLength: 4, selector: (s) => s.hash }),
});
const build = (drafts: readonly Omit<EvidenceReport, 'reportId' | 'type'>[]): Evidence => ({
  reports: drafts.map((draft, n) => ({ ...draft, reportId: String(n), type: 'fraud' })),
  standings: new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((r, n) => [r, STANDINGS[n % STANDINGS.length]!])),
});
const reports = fc.array(reportArbitrary, { minLength: 1, maxLength: 12 });
const RUNS = { numRuns: 4000 };
const EPSILON = 1e-12;

describe('link × claim: laws', () => {
  it('the order of reports is irrelevant, to the last bit', () => {
    fc.assert(fc.property(reports, fc.infiniteStream(fc.nat()), (drafts, keys) => {
      const shuffled = drafts.map((d) => ({ d, at: keys.next().value as number })).sort((x, y) => x.at - y.at).map(({ d }) => d);
      expect(scoreUnrounded(build(shuffled))).toEqual(scoreUnrounded(build(drafts)));
    }), RUNS);
  });

  it('a new report by anybody never lowers Points or Reliability', () => {
    fc.assert(fc.property(reports, reportArbitrary, (drafts, extra) => {
      const before = scoreUnrounded(build(drafts));
      const after = scoreUnrounded(build([...drafts, extra]));
      expect(after.points).toBeGreaterThanOrEqual(before.points - EPSILON);
      expect(after.reliability).toBeGreaterThanOrEqual(before.reliability - EPSILON);
    }), RUNS);
  });

  it('an exact duplicate by the same reporter changes neither', () => {
    fc.assert(fc.property(reports, fc.nat(), (drafts, pick) => {
      expect(scoreUnrounded(build([...drafts, drafts[pick % drafts.length]!]))).toEqual(scoreUnrounded(build(drafts)));
    }), RUNS);
  });

  it('an equal report by an independent reporter of the same trust raises more than a duplicate', () => {
    fc.assert(fc.property(reportArbitrary, (draft) => {
      const one = build([{ ...draft, reporterId: 'a' }]);
      const two = { ...build([{ ...draft, reporterId: 'a' }, { ...draft, reporterId: 'x' }]), standings: new Map([['a', ESTABLISHED], ['x', ESTABLISHED]]) };
      expect(scoreUnrounded(two).points).toBeGreaterThan(scoreUnrounded(one).points);
    }), RUNS);
  });

  it('a later moment never raises', () => {
    fc.assert(fc.property(reports, fc.double({ min: 0, max: 4000, noNaN: true }), (drafts, laterDays) => {
      const now = scoreUnrounded(build(drafts));
      const later = scoreUnrounded(build(drafts.map((d) => ({ ...d, ageDays: d.ageDays + laterDays }))));
      expect(later.points).toBeLessThanOrEqual(now.points + EPSILON);
      expect(later.reliability).toBeLessThanOrEqual(now.reliability + EPSILON);
    }), RUNS);
  });

  it('a graver report never lowers', () => {
    fc.assert(fc.property(reports, fc.nat(), (drafts, pick) => {
      const at = pick % drafts.length;
      const graver = drafts.map((d, n) => (n === at ? { ...d, severity: Math.min(10, d.severity + 1) } : d));
      expect(scoreUnrounded(build(graver)).points).toBeGreaterThanOrEqual(scoreUnrounded(build(drafts)).points - EPSILON);
      expect(scoreUnrounded(build(graver)).reliability).toBe(scoreUnrounded(build(drafts)).reliability);
    }), RUNS);
  });

  it('0 ≤ Points ≤ Reliability ≤ 1, and a verdict is zero in all three or in none', () => {
    fc.assert(fc.property(reports, (drafts) => {
      const { points, reliability } = scoreUnrounded(build(drafts));
      expect(points).toBeGreaterThanOrEqual(0);
      expect(points).toBeLessThanOrEqual(reliability + EPSILON);
      expect(reliability).toBeLessThanOrEqual(1);
      const verdict = model.score(build(drafts));
      expect(Number.isInteger(verdict.points) && verdict.points >= 1 && verdict.points <= 100).toBe(true);
      expect(verdict.reliability >= 1 && verdict.reliability <= 10 && verdict.reliability === Number(verdict.reliability.toFixed(1))).toBe(true);
      expect(verdict.reported).toBe(drafts.length);
    }), RUNS);
  });

  it('an ip alone never exceeds its weight', () => {
    fc.assert(fc.property(reports, (drafts) => {
      const ipOnly = drafts.map((d) => ({ ...d, shared: [{ kind: 'ip', hash: '1' }] }));
      expect(scoreUnrounded(build(ipOnly)).reliability).toBeLessThanOrEqual(LINK_CLAIM_CONSTANTS.kinds['ip']!.weight);
    }), RUNS);
  });

  it('any number of new keys stays under a fixed bound', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 3000 }), (count) => {
      // 1 − Π (1 − .2 ρ^j) for ρ = .5 converges below .35.
      expect(scoreUnrounded(evidence({ reporters: count, standing: NEW_KEY, severity: 10, kinds: ['email', 'phone', 'domain'] })).points).toBeLessThan(0.35);
    }), { numRuns: 50 });
  });
});

describe('constants', () => {
  it.each([
    ['email.weight', { kinds: { email: { weight: 1, halfLifeDays: 1, floor: 0 } } }],
    ['otherKinds.floor', { otherKinds: { weight: 0.5, halfLifeDays: 1, floor: -0.1 } }],
    ['precision.newKey', { precision: { ...LINK_CLAIM_CONSTANTS.precision, newKey: Number.NaN } }],
    ['crowdFactor', { crowdFactor: 1 }],
    ['typeWeights.spam', { typeWeights: { spam: 1.5 } }],
  ])('refuses %s outside its range', (label, change) => {
    expect(() => createLinkClaimModel({ ...LINK_CLAIM_CONSTANTS, ...change })).toThrow(`"${label}"`);
  });

  it('weighs by offence type when told to', () => {
    const half = { ...LINK_CLAIM_CONSTANTS, typeWeights: { fraud: 0.5 } };
    const given = evidence({ reporters: 1, standing: ESTABLISHED, severity: 10, kinds: ['email'] });
    expect(createLinkClaimModel(half).measure(given).points).toBeCloseTo(33.25, 10);
  });
});
