import { describe, expect, it } from 'vitest';
import { LINK_CLAIM_CONSTANTS } from '../../../src/core/scoring/constants.ts';
import { createTrustRules } from '../../../src/core/scoring/standings/rules.ts';
import type { TrustTable } from '../../../src/core/scoring/standings/table.ts';

const EPOCH = 1000;
const sighting = (hash: string, more: object = {}) => ({
  hash,
  kind: 'email',
  reportId: `of ${hash}`,
  reporterId: 'a',
  createdAt: 1,
  upheld: false,
  ...more,
});
const createLedger = (iterations: number) =>
  createTrustRules({ ...LINK_CLAIM_CONSTANTS, trust: { ...LINK_CLAIM_CONSTANTS.trust, iterations } }).createLedger(
    EPOCH,
  );

/** Runs to the end. Returns the table and the number of yields before it. */
function finish(work: Generator<void, TrustTable>): { table: TrustTable; yields: number } {
  for (let yields = 0; ; yields++) {
    const step = work.next();
    if (step.done) return { table: step.value, yields };
  }
}

describe('a trust ledger', () => {
  it('has a report if it counts one of its identifiers', () => {
    const ledger = createLedger(3);
    ledger.add(sighting('x'));
    ledger.add(sighting('weak', { kind: 'ip' }));
    ledger.add(sighting('just before', { createdAt: EPOCH - 1 }));
    ledger.add(sighting('too late', { createdAt: EPOCH }));
    expect(['of x', 'of just before', 'of weak', 'of too late', 'x'].map((id) => ledger.has(id))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('takes a reporter that is not listed for an unverified one that lost no claim', () => {
    const ledger = createLedger(3);
    ledger.add(sighting('x'));
    ledger.add(sighting('y', { reporterId: 'b' }));
    const { table } = finish(ledger.table([{ reporterId: 'b', verified: true, lost: 2 }]));
    expect([...table.reporters.keys()]).toEqual(['a', 'b']);
    expect(table.reporters.get('a')).toMatchObject({ verified: false, lost: 0, claims: 1, established: false });
    expect(table.reporters.get('b')).toMatchObject({ verified: true, lost: 2, claims: 1, established: true });
  });

  it('yields twice for a short list, and again after every 5,000 identifiers of each pass', () => {
    const yieldsOf = (claims: number, iterations: number): number => {
      const ledger = createLedger(iterations);
      for (let at = 0; at < claims; at++) ledger.add(sighting(String(at)));
      return finish(ledger.table([])).yields;
    };
    expect(yieldsOf(0, 3)).toBe(2);
    expect(yieldsOf(3, 3)).toBe(2);
    expect(yieldsOf(20_000, 2)).toBe(8);
  });
});
