import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/crypto/crypto.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('fresh bytes', () => {
  it('are as many as asked for, never twice the same, and look random', () => {
    const random = createRandom();
    const ones = { count: 0 };
    const seen = new Set<string>();
    for (let draw = 0; draw < 20_000; draw++) {
      const bytes = random(8);
      expect(bytes).toHaveLength(8);
      seen.add(hex(bytes));
      for (const byte of bytes) ones.count += byte & 1;
    }
    expect(seen.size).toBe(20_000);
    // 160,000 fair bits: 80,000 ± 1,600 is eight standard deviations.
    expect(Math.abs(ones.count - 80_000)).toBeLessThan(1_600);
  });

  it.each([0, 1, 16, 1_000, 1_023, 1_024, 1_025, 5_000])('come in any number: %d', (byteCount) => {
    const random = createRandom();
    random(100);
    const [first, second] = [random(byteCount), random(byteCount)];
    expect([first.length, second.length]).toEqual([byteCount, byteCount]);
    if (byteCount > 15) expect(hex(first)).not.toBe(hex(second));
    // All of them are drawn: the end is not left at zero.
    if (byteCount > 15) expect(first.subarray(-16).some((byte) => byte !== 0)).toBe(true);
  });

  it('belong to the caller, who may change them', () => {
    const random = createRandom();
    const bytes = random(16);
    const before = hex(bytes);
    random(16).fill(0);
    expect(hex(bytes)).toBe(before);
  });
});
