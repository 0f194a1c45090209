import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dispute } from '../../src/core/domain/dispute.ts';
import { countLosses } from '../../src/core/engine/standings/state.ts';
import type { StoredIdentifier } from '../../src/core/store/records.ts';
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

/** Counts connected reports by visiting each one’s neighbours. */
function countGroups(reports: readonly (readonly number[])[]): number {
  const seen = new Set<number>();
  let groups = 0;
  for (const from of reports.keys()) {
    if (seen.has(from)) continue;
    groups++;
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      for (const [other, hashes] of reports.entries())
        if (hashes.some((hash) => reports[at]!.includes(hash))) waiting.push(other);
    }
  }
  return groups;
}

describe('lost claims', () => {
  it('are the groups of wrong reports that share identifiers, directly or through others', async () => {
    const report = fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 10 }), async (reports) => {
        const stored = reports.flatMap((hashes, n): StoredIdentifier[] =>
          hashes.map((hash, position) => ({
            hash: `hash ${hash}`,
            kind: 'email',
            reporterId: 'a shop',
            createdAt: n,
            reportId: `report ${n}`,
            position,
            disputed: true,
          })),
        );
        const store = { findIdentifiers: async () => stored } as Partial<Store> as Store;
        const disputes = reports.map((_, n) => dispute(`report ${n}`));
        const lost = await countLosses(store, disputes, Infinity, () => true);
        expect(lost.get('a shop')).toBe(countGroups(reports));
      }),
      lawFor(0.1),
    );
  });
});
