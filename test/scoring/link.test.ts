import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS, type KindConstants } from '../../src/core/scoring/constants.ts';
import type { EvidenceReport, SharedIdentifier } from '../../src/core/scoring/evidence.ts';
import {
  addReach,
  createLinkTable,
  decayOf,
  linkOf,
  reachOf,
  type LinkTable,
  type Reach,
} from '../../src/core/scoring/link-claim.ts';

const PHONE: KindConstants = { weight: 0.8, halfLifeDays: 100 };
/** d · .8 for PHONE, where d = 2^(−age/100). */
const FADED: [ageDays: number, expected: number][] = [
  [0, 0.8],
  [100, 0.4],
  [150, 0.8 * 2 ** -1.5],
  [200, 0.2],
  [2.5, 0.8 * 2 ** -0.025],
  [4000, 0.8 * 2 ** -40],
  [4001, 0.8 * 2 ** -40.01],
  [1e6, 0],
];

const report = (shared: readonly SharedIdentifier[], ageDays = 0): EvidenceReport => ({
  reportId: '1',
  reporterId: 'a',
  type: 'fraud',
  severity: 6,
  ageDays,
  shared,
});

function reachBy(reports: readonly EvidenceReport[], table: LinkTable): number {
  const reach: Reach = new Map();
  for (const one of reports) addReach(reach, one, table);
  return reachOf(reach);
}

describe('the weight of a match', () => {
  it('falls by half in each half-life, and does not fall before the report', () => {
    expect([-50, 0, 100, 200, Infinity].map((ageDays) => decayOf(PHONE, ageDays))).toEqual([1, 1, 0.5, 0.25, 0]);
  });

  it('is the same at the first lookup and at every later one', () => {
    const table = createLinkTable({ ...LINK_CLAIM_CONSTANTS, kinds: { phone: PHONE } });
    for (const time of ['first', 'second'])
      for (const [ageDays, expected] of FADED)
        expect(table.fadedWeightOf('phone', ageDays), `${time}, ${ageDays} days`).toBeCloseTo(expected, 12);
  });

  it('is that of other kinds for a kind that is not listed', () => {
    const table = createLinkTable(LINK_CLAIM_CONSTANTS);
    expect(['email', 'ip', 'passport', 'constructor'].map(table.weightOf)).toEqual([0.97, 0.1, 0.5, 0.5]);
    expect(table.fadedWeightOf('passport', 365)).toBeCloseTo(0.25, 12);
  });

  it('is computed once for a whole day up to 4000, and kept for no other age, so memory stays bounded', () => {
    let computed = 0;
    const counted: KindConstants = {
      ...PHONE,
      get halfLifeDays() {
        computed++;
        return PHONE.halfLifeDays;
      },
    };
    const table = createLinkTable({ ...LINK_CLAIM_CONSTANTS, kinds: { phone: counted } });
    const timesComputed = (ageDays: number): number => {
      computed = 0;
      for (let lookup = 0; lookup < 3; lookup++) table.fadedWeightOf('phone', ageDays);
      return computed;
    };
    expect([0, 1, 3999, 4000].map(timesComputed)).toEqual([1, 1, 1, 1]);
    expect([-1, 0.5, 4000.5, 4001].map(timesComputed)).toEqual([3, 3, 3, 3]);
  });
});

describe('the link of a report and the reach of all reports', () => {
  const table = createLinkTable(LINK_CLAIM_CONSTANTS);
  const [email, phone, ip] = ['email', 'phone', 'ip'].map((kind) => ({ kind, hash: kind })) as [
    SharedIdentifier,
    SharedIdentifier,
    SharedIdentifier,
  ];

  it('are chances that at least one identifier is the person’s', () => {
    expect(linkOf(report([]), table)).toBe(0);
    expect(linkOf(report([phone, email]), table)).toBeCloseTo(1 - 0.3 * 0.03, 12);
    expect(linkOf(report([phone], 240), table)).toBeCloseTo(0.35, 12);
    // The reach does not fade.
    expect(reachBy([report([phone], 240), report([phone, ip])], table)).toBeCloseTo(1 - 0.3 * 0.9, 12);
  });

  it('count an identifier once, with its strongest kind, whichever report comes first', () => {
    const [weak, strong] = [report([{ kind: 'ip', hash: 'x' }]), report([{ kind: 'email', hash: 'x' }])];
    for (const reports of [
      [weak, strong],
      [strong, weak],
    ])
      expect(reachBy(reports, table)).toBeCloseTo(0.97, 12);
  });

  it('are the same to the last bit in any order of identifiers', () => {
    const weights = { a: 0.05, b: 0.19, c: 0.03, d: 0.07 };
    const kinds = Object.fromEntries(
      Object.entries(weights).map(([kind, weight]) => [kind, { weight, halfLifeDays: 1 }]),
    );
    const weak = createLinkTable({ ...LINK_CLAIM_CONSTANTS, kinds });
    // The chances are multiplied from the smallest. The opposite order differs in the last bit.
    const expected = 1 - (1 - 0.03) * (1 - 0.05) * (1 - 0.07) * (1 - 0.19);
    expect(1 - (1 - 0.19) * (1 - 0.07) * (1 - 0.05) * (1 - 0.03)).not.toBe(expected);
    for (const order of ['abcd', 'bdac', 'cabd', 'dbac', 'dcba', 'cadb']) {
      const one = report([...order].map((kind) => ({ kind, hash: kind })));
      expect([linkOf(one, weak), reachBy([one], weak)], order).toEqual([expected, expected]);
    }
  });
});
