import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../src/hash/chain.ts';
import type { Hasher } from '../../src/hash/hasher.ts';
import { chainVectors } from '../vectors/chain.ts';

const utf8 = new TextEncoder();

/** The chain by node:crypto: the outside oracle. */
export function chainByNodeCrypto(value: Uint8Array, prefix: Uint8Array, rounds: number): string {
  let current = value;
  let hex = '';
  for (let round = 0; round < rounds; round++) {
    hex = createHash('sha1').update(prefix).update(current).digest('hex');
    current = utf8.encode(hex);
  }
  return hex;
}

/** Bytes that differ from position to position and from seed to seed. */
export function patterned(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 17 + (at >>> 3)) & 255);
}

/** The chain of one value through the port. */
export function chainOf(hasher: Hasher, value: Uint8Array, prefix: Uint8Array, rounds: number): string {
  const digests = new Uint32Array(5);
  hasher.digest(prefix, value, digests, 0);
  hasher.advance(digests, prefix, rounds - 1);
  return toHex(digests, 0);
}

/** What every implementation of the port keeps. `create` gives a fresh hasher. */
export function describeHasher(name: Hasher['name'], create: () => Hasher): void {
  describe(`hasher ${name}`, () => {
    const hasher = create();
    const hashText = (value: string, prefix: string, rounds: number): string =>
      chainOf(hasher, utf8.encode(value), utf8.encode(prefix), rounds);

    it('says its name', () => {
      expect(hasher.name).toBe(name);
    });

    // Messages and digests of FIPS 180-4's examples and NIST's secure hashing examples.
    it.each([
      ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
      ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
      ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
      [
        'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
        'a49b2446a02c645bf419f995b67091253a04a259',
      ],
      ['a'.repeat(1_000_000), '34aa973cd4c4daa4f61eeb2bdbad27316534016f'],
    ])('computes SHA-1 as one round without a prefix (known answer %#)', (message, digest) => {
      expect(hashText(message, '', 1)).toBe(digest);
    });

    it.each(chainVectors.cases)('gives the known answers of $normalised', ({ normalised, digest, after }) => {
      expect(hashText(normalised, chainVectors.prefix, chainVectors.iterations)).toBe(digest);
      expect(Object.keys(after).length).toBeGreaterThan(0);
      for (const [rounds, value] of Object.entries(after)) {
        expect(hashText(normalised, chainVectors.prefix, Number(rounds)), `after ${rounds}`).toBe(value);
      }
    });

    it.each(chainVectors.otherParameters)('gives the known answer for prefix $prefix and $iterations rounds', (known) => {
      expect(hashText(known.input, known.prefix, known.iterations)).toBe(known.digest);
    });

    it('agrees with node:crypto for every value length from 0 to 300', () => {
      for (let length = 0; length <= 300; length++) {
        const value = patterned(length, length);
        const prefix = patterned(length % 81, length + 1);
        for (const rounds of [1, 2, 3]) {
          const expected = chainByNodeCrypto(value, prefix, rounds);
          expect(chainOf(hasher, value, prefix, rounds), `${length} bytes, ${rounds} rounds`).toBe(expected);
        }
      }
    });

    it('agrees with node:crypto for every prefix length from 0 to 200', () => {
      for (let length = 0; length <= 200; length++) {
        const prefix = patterned(length, length);
        const value = patterned(23, length);
        expect(chainOf(hasher, value, prefix, 4), `prefix of ${length} bytes`).toBe(chainByNodeCrypto(value, prefix, 4));
      }
    });

    it('agrees with node:crypto on random values, prefixes and rounds', () => {
      const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
      fc.assert(
        fc.property(bytes(300), bytes(80), fc.integer({ min: 1, max: 12 }), (value, prefix, rounds) => {
          expect(chainOf(hasher, value, prefix, rounds)).toBe(chainByNodeCrypto(value, prefix, rounds));
        }),
        { numRuns: 300 },
      );
    });

    it.each([4095, 4096, 4097, 8192, 100_000])('takes a value and a prefix of %i bytes', (length) => {
      const long = patterned(length, 5);
      const short = patterned(7, 6);
      expect(chainOf(hasher, long, short, 3)).toBe(chainByNodeCrypto(long, short, 3));
      expect(chainOf(hasher, short, long, 3)).toBe(chainByNodeCrypto(short, long, 3));
    });

    it.each([499, 500, 501, 502, 1000, 1001, 1002])('counts the rounds right at %i', (rounds) => {
      const value = patterned(9, rounds);
      const prefix = patterned(13, rounds);
      expect(chainOf(hasher, value, prefix, rounds)).toBe(chainByNodeCrypto(value, prefix, rounds));
    });

    it('continues a chain where another call stopped', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 80 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), (value, first, more) => {
          const prefix = utf8.encode('service-');
          const half = chainOf(hasher, value, prefix, first);
          expect(chainOf(hasher, utf8.encode(half), prefix, more)).toBe(chainOf(hasher, value, prefix, first + more));
        }),
      );
    });

    it('reads its arguments and leaves them as they are, views into larger buffers too', () => {
      const whole = patterned(100, 1);
      const before = whole.slice();
      const value = whole.subarray(10, 60);
      const prefix = whole.subarray(61, 69);
      expect(chainOf(hasher, value, prefix, 5)).toBe(chainByNodeCrypto(before.slice(10, 60), before.slice(61, 69), 5));
      expect(whole).toEqual(before);
    });

    it('answers the same whatever was hashed before, and beside another instance', () => {
      const other = create();
      const prefix = utf8.encode('service-');
      const long = utf8.encode('sixteen-bytes-or-more-');
      const expected = chainByNodeCrypto(patterned(20, 1), prefix, 7);
      for (const [value, before] of [[patterned(300, 2), long], [patterned(0, 3), prefix], [patterned(64, 4), new Uint8Array()]] as const) {
        chainOf(hasher, value, before, 3);
        chainOf(other, value, long, 2);
        expect(chainOf(hasher, patterned(20, 1), prefix, 7)).toBe(expected);
      }
    });

    it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s rounds', (rounds) => {
      expect(() => hasher.advance(new Uint32Array(5), new Uint8Array(1), rounds)).toThrow(
        new RangeError(`"rounds" expected an integer of at least 0, got ${rounds}`),
      );
    });
  });
}
