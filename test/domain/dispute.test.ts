import { describe, expect, it } from 'vitest';
import { disputeStateAt, type Dispute } from '../../src/core/domain/dispute.ts';

/** A dispute that opened at `openedAt`. It is open unless a decision follows. */
const dispute = (openedAt: number, decidedAt: number | null = null, upheld: boolean | null = null): Dispute => ({
  reportId: '0123456789abcdef',
  reporterId: 'fedcba9876543210',
  openedAt,
  decidedAt,
  openedBy: 'Ada',
  decidedBy: decidedAt === null ? null : 'Grace',
  reason: 'Wrong person.',
  upheld,
  merged: false,
  answer: null,
  answeredAt: null,
});

describe('the state of a report', () => {
  it.each([
    ['without a dispute', [], 500, 'none'],
    ['before the dispute opens', [dispute(100)], 99, 'none'],
    ['from the moment in which it opens', [dispute(100)], 100, 'open'],
    ['long after, without a decision', [dispute(100)], 10_000, 'open'],
    ['until the decision', [dispute(100, 200, true)], 199, 'open'],
    ['from the moment in which it is upheld', [dispute(100, 200, true)], 200, 'upheld'],
    ['from the moment in which it is rejected', [dispute(100, 200, false)], 200, 'rejected'],
    ['after it was upheld', [dispute(100, 200, true)], 201, 'upheld'],
    ['after it was rejected', [dispute(100, 200, false)], 201, 'rejected'],
  ] as const)('%s', (_, disputes, atMs, state) => {
    expect(disputeStateAt(disputes, atMs)).toBe(state);
  });

  it('stays upheld while a further dispute is open, and follows its decision', () => {
    const upheld = dispute(100, 200, true);
    for (const [further, atMs, state] of [
      [dispute(300), 299, 'upheld'],
      [dispute(300), 300, 'upheld'],
      [dispute(300, 400, false), 399, 'upheld'],
      [dispute(300, 400, false), 400, 'rejected'],
      [dispute(300, 400, true), 400, 'upheld'],
    ] as const)
      for (const both of [
        [upheld, further],
        [further, upheld],
      ])
        expect(disputeStateAt(both, atMs)).toBe(state);
    expect(disputeStateAt([dispute(100, 200, false), dispute(300)], 300)).toBe('open');
    expect(disputeStateAt([upheld, dispute(300, 400, false), dispute(500)], 500)).toBe('open');
  });

  it('is the state of the newest dispute, in any order of the list', () => {
    const [first, second] = [dispute(100, 200, false), dispute(300, 400, true)];
    for (const [atMs, state] of [
      [99, 'none'],
      [150, 'open'],
      [299, 'rejected'],
      [300, 'open'],
      [400, 'upheld'],
    ] as const) {
      expect(disputeStateAt([first, second], atMs)).toBe(state);
      expect(disputeStateAt([second, first], atMs)).toBe(state);
    }
  });
});
