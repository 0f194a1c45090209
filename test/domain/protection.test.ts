import { describe, expect, it } from 'vitest';
import { protectsAt, protectsNow } from '../../src/core/domain/protection.ts';

const PROTECTION = { hash: 'a'.repeat(40), reason: 'Payment provider.', addedBy: 'Ada', addedAt: 100, endedBy: null };

describe('an entry of the allow-list', () => {
  it.each([
    ['does not apply before it is added', null, 99, false],
    ['applies from the moment in which it is added', null, 100, true],
    ['applies for good without an end', null, Number.MAX_SAFE_INTEGER, true],
    ['does not apply before it is added, although its end is later', 200, 99, false],
    ['applies until its end', 200, 199, true],
    ['does not apply from its end on', 200, 200, false],
    ['does not apply after its end', 200, 201, false],
    ['never applies if it ends when it is added', 100, 100, false],
  ])('%s', (_, endsAt, atMs, applies) => {
    expect(protectsAt({ ...PROTECTION, endsAt }, atMs)).toBe(applies);
  });

  it.each([
    ['applies now although it was added by a later clock', null, null, 99, true],
    ['applies now until its planned end', 200, null, 199, true],
    ['does not apply now from its planned end on', 200, null, 200, false],
    ['does not apply now once it was removed, although a later clock set the end', 200, 'Bob', 199, false],
  ])('%s', (_, endsAt, endedBy, nowMs, applies) => {
    expect(protectsNow({ ...PROTECTION, endsAt, endedBy }, nowMs)).toBe(applies);
  });
});
