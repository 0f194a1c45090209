import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainHasher } from '../../src/core/hash/plain.ts';
import { chainByNodeCrypto, chainOf, chainsOf } from '../contract/hasher.ts';
import { freshHasher } from './fresh.ts';

describe('10,000 random inputs', () => {
  it('every path agrees with the plain definition and with node:crypto', () => {
    const plain = createPlainHasher();
    const hashers = (['scalar', 'simd', 'wide'] as const).map(freshHasher);
    const prefixes = fc.oneof(
      fc.constantFrom('service-', 'fraudrecord-', 'fraudhosting-').map((text) => new TextEncoder().encode(text)),
      fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => new TextEncoder().encode(text)),
      // Up to 15 bytes, the kernels are unrolled.
      fc.uint8Array({ maxLength: 15 }),
      fc.uint8Array({ maxLength: 140 }),
    );
    const values = fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 13 });
    let inputs = 0;
    fc.assert(
      fc.property(values, prefixes, fc.integer({ min: 1, max: 20 }), (list, prefix, rounds) => {
        inputs += list.length;
        const expected = list.map((value) => chainByNodeCrypto(value, prefix, rounds));
        expect(list.map((value) => chainOf(plain, value, prefix, rounds))).toEqual(expected);
        for (const hasher of hashers) expect(chainsOf(hasher, list, prefix, rounds), hasher.name).toEqual(expected);
      }),
      { numRuns: 10_000 },
    );
    expect(inputs).toBeGreaterThanOrEqual(10_000);
  });
});
