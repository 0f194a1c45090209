import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dispute } from '../../src/core/domain/dispute.ts';
import { countLosses } from '../../src/core/engine/standings/losses.ts';
import { emptyRecord } from '../../src/core/scoring/standings/table.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { Store } from '../../src/core/store/store.ts';
import { lawFor } from '../budget.ts';

const dispute = (reportId: string): Dispute => ({
  reportId,
  reporterId: 'a shop',
  openedAt: 1,
  decidedAt: 2,
  openedBy: 'Ada',
  decidedBy: 'Ada',
  reason: 'no',
  upheld: true,
  merged: false,
  answer: null,
  answeredAt: null,
});

interface Wrong {
  readonly kinds: readonly string[];
  readonly hashes: readonly number[];
}

/** The groups of connected reports, found by visiting each one’s neighbours. */
function groupsOf(reports: readonly Wrong[]): Wrong[][] {
  const seen = new Set<number>();
  const groups: Wrong[][] = [];
  for (const from of reports.keys()) {
    if (seen.has(from)) continue;
    const group: Wrong[] = [];
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      group.push(reports[at]!);
      for (const [other, { hashes }] of reports.entries())
        if (hashes.some((hash) => reports[at]!.hashes.includes(hash))) waiting.push(other);
    }
    groups.push(group);
  }
  return groups;
}

const KINDS = ['email', 'phone', 'ip', 'invented', 'another'];

const strongOf = ({ hashes, kinds }: Wrong): number[] => hashes.filter((_, at) => kinds[at] !== 'ip');

/** The most different identifiers of one kind in a group. */
function mostOf(group: readonly Wrong[]): number {
  const named = group.flatMap(({ hashes, kinds }) => hashes.map((hash, at) => ({ hash, kind: kinds[at]! })));
  return Math.max(
    ...[['email'], ['phone'], ['invented', 'another']].map(
      (some) => new Set(named.flatMap(({ hash, kind }) => (some.includes(kind) ? [hash] : []))).size,
    ),
  );
}

/** What wrong reports cost their reporter. */
async function costOf(reports: readonly Wrong[]): Promise<number> {
  const stored = reports.flatMap(({ hashes, kinds }, n) =>
    hashes.map((hash, at) => ({ reportId: `report ${n}`, hash: `hash ${hash}`, kind: kinds[at]! })),
  );
  const store = { findNamed: async () => stored, findProtections: async () => [] } as Partial<Store> as Store;
  // The newest first, as a store lists them.
  const disputes = reports.map((_, n) => dispute(`report ${n}`)).reverse();
  const rules = createLinkClaimModel().trust!;
  return (await countLosses({ store, rules }, disputes, Infinity, 0)).get('a shop') ?? 0;
}

const JUNK = 99;
const VICTIMS = Array.from({ length: 20 }, (_, n) => n);
const emails = (...hashes: readonly number[]): Wrong => ({ hashes, kinds: hashes.map(() => 'email') });

describe('lost claims', () => {
  it('are, of linked wrong reports, those that add one, and at least as many as identifiers of one kind', async () => {
    const report = fc
      .uniqueArray(fc.nat(12), { minLength: 1, maxLength: 3 })
      .chain((hashes) =>
        fc.record({
          hashes: fc.constant(hashes),
          kinds: fc.array(fc.constantFrom(...KINDS), { minLength: 3, maxLength: 3 }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 10 }), async (reports) => {
        const expected = groupsOf(reports).map((group) => {
          const inOrder = reports.filter((one) => group.includes(one));
          const adding = inOrder.filter((one, n) => {
            const before = inOrder.slice(0, n).flatMap((earlier) => strongOf(earlier));
            return strongOf(one).some((hash) => !before.includes(hash));
          });
          return Math.max(adding.length, Math.min(group.length, Math.max(1, mostOf(group))));
        });
        expect(await costOf(reports)).toBe(expected.reduce((sum, cost) => sum + cost, 0));
      }),
      lawFor(0.1),
    );
  });

  it.each([
    ['an identifier of the reporter in all of them', VICTIMS.map((victim) => emails(victim, JUNK)), 20],
    ['a report about all of them', [...VICTIMS.map((victim) => emails(victim)), emails(...VICTIMS)], 20],
    ['each one’s report about all before', VICTIMS.map((victim) => emails(...VICTIMS.slice(0, victim + 1))), 20],
    [
      'four kinds in turn',
      VICTIMS.map((victim) => {
        return { hashes: [victim, JUNK], kinds: [['email', 'phone', 'domain', 'passport'][victim % 4]!, 'ip'] };
      }),
      20,
    ],
    [
      'another kind for each',
      VICTIMS.map((victim) => ({ hashes: [victim, JUNK], kinds: [`kind ${victim}`, 'ip'] })),
      20,
    ],
  ] as const)('of twenty people are not fewer through %s', async (_, reports, cost) => {
    expect(await costOf(reports)).toBe(cost);
  });

  it('weigh less beside confirmed claims, and beside twenty unconfirmed ones at most', () => {
    const { standingOf } = createLinkClaimModel().trust!;
    const means = { preceded: 0.3, corroborated: 0.25, anyEstablished: true };
    const disputesOf = (claims: number, confirmed: number) => {
      const record = { ...emptyRecord({ reporterId: 'a', verified: true }), lost: 5 };
      return standingOf({ ...record, claims, confirmable: confirmed, corroborated: confirmed / 4 }, means).disputes;
    };
    expect(disputesOf(20, 0)).toBeCloseTo(1 - 15 / 25);
    expect(disputesOf(2_000, 0)).toBeCloseTo(1 - 15 / 25);
    expect(disputesOf(100, 50)).toBeCloseTo(1 - 15 / 75);
    expect(disputesOf(100, 100)).toBeCloseTo(1 - 15 / 105);
  });

  it('are one for one person, however many reports of it were wrong', async () => {
    const person = { hashes: [1, 2, 3], kinds: ['email', 'phone', 'domain'] };
    const network = { hashes: [1, 4], kinds: ['email', 'ip'] };
    expect(await costOf([person, emails(1), network, { ...network, hashes: [1, 5] }, person])).toBe(1);
  });
});
