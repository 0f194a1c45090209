import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../src/core/hash/chain.ts';
import type { Hasher } from '../../src/core/hash/hasher.ts';
import { chainVectors } from '../vectors/chain.ts';
import { longMessages, monteCarloDigests, monteCarloSeed, shortMessages } from '../vectors/nist.ts';

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

/** The chains of several values through the port, by one call of `advance`. */
export function chainsOf(hasher: Hasher, values: readonly Uint8Array[], prefix: Uint8Array, rounds: number): string[] {
  const digests = new Uint32Array(5 * values.length);
  values.forEach((value, index) => hasher.digest(prefix, value, digests, 5 * index));
  hasher.advance(digests, prefix, rounds - 1);
  return values.map((_, index) => toHex(digests, 5 * index));
}

/** The chain of one value through the port. */
export function chainOf(hasher: Hasher, value: Uint8Array, prefix: Uint8Array, rounds: number): string {
  return chainsOf(hasher, [value], prefix, rounds)[0]!;
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

    it.each(chainVectors.otherParameters)(
      'gives the known answer for prefix $prefix and $iterations rounds',
      (known) => {
        expect(hashText(known.input, known.prefix, known.iterations)).toBe(known.digest);
        const five = Array.from({ length: 5 }, () => utf8.encode(known.input));
        expect(chainsOf(hasher, five, utf8.encode(known.prefix), known.iterations)).toEqual(
          five.map(() => known.digest),
        );
      },
    );

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
        expect(chainOf(hasher, value, prefix, 4), `prefix of ${length} bytes`).toBe(
          chainByNodeCrypto(value, prefix, 4),
        );
      }
    });

    it('agrees with node:crypto on random values, prefixes and rounds', () => {
      const values = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 9 });
      const texts = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => utf8.encode(text));
      const prefixes = fc.oneof(fc.uint8Array({ maxLength: 80 }), texts);
      fc.assert(
        fc.property(values, prefixes, fc.integer({ min: 1, max: 12 }), (list, prefix, rounds) => {
          expect(chainsOf(hasher, list, prefix, rounds)).toEqual(
            list.map((value) => chainByNodeCrypto(value, prefix, rounds)),
          );
        }),
        { numRuns: 80 },
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
        fc.property(
          fc.uint8Array({ maxLength: 80 }),
          fc.integer({ min: 1, max: 40 }),
          fc.integer({ min: 1, max: 40 }),
          (value, first, more) => {
            const prefix = utf8.encode('service-');
            const half = chainOf(hasher, value, prefix, first);
            expect(chainOf(hasher, utf8.encode(half), prefix, more)).toBe(chainOf(hasher, value, prefix, first + more));
          },
        ),
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
      for (const [value, before] of [
        [patterned(300, 2), long],
        [patterned(0, 3), prefix],
        [patterned(64, 4), new Uint8Array()],
      ] as const) {
        chainOf(hasher, value, before, 3);
        chainOf(other, value, long, 2);
        expect(chainOf(hasher, patterned(20, 1), prefix, 7)).toBe(expected);
      }
    });

    it('answers the same when it was warmed up, before its first value or in the middle of one', () => {
      for (const prefix of [
        ...['service-', 'shop+', 'fraudhosting-'].map((text) => utf8.encode(text)),
        patterned(40, 7),
      ]) {
        const warm = create();
        warm.warmUp(1);
        const digest = new Uint32Array(5);
        warm.digest(prefix, patterned(20, 1), digest, 0);
        for (let chains = 1; chains <= 9; chains++) warm.warmUp(chains);
        warm.advance(digest, prefix, 6);
        expect(toHex(digest, 0)).toBe(chainByNodeCrypto(patterned(20, 1), prefix, 7));

        const late = create();
        late.digest(prefix, patterned(20, 1), digest, 0);
        late.warmUp(4);
        late.advance(digest, prefix, 6);
        expect(toHex(digest, 0)).toBe(chainByNodeCrypto(patterned(20, 1), prefix, 7));
      }
    });

    it("gives the digests of NIST's messages, short and long", () => {
      expect([shortMessages.length, longMessages.length]).toEqual([65, 64]);
      for (const { message, digest } of [...shortMessages, ...longMessages]) {
        expect(chainOf(hasher, message, new Uint8Array(), 1), `${message.length} bytes`).toBe(digest);
        const half = message.length >>> 1;
        expect(
          chainOf(hasher, message.subarray(half), message.subarray(0, half), 1),
          `${message.length} bytes in two halves`,
        ).toBe(digest);
      }
    });

    it("gives the hundred checkpoints of NIST's Monte Carlo test", () => {
      expect(monteCarloDigests).toHaveLength(100);
      const digest = new Uint32Array(5);
      let seed = Buffer.from(monteCarloSeed, 'hex');
      for (const checkpoint of monteCarloDigests) {
        // Each message is the last three digests; at the start all three are the seed.
        const message = Buffer.concat([seed, seed, seed]);
        for (let i = 0; i < 1000; i++) {
          hasher.digest(new Uint8Array(), message, digest, 0);
          message.copyWithin(0, 20);
          for (let k = 0; k < 5; k++) message.writeUInt32BE(digest[k]!, 40 + 4 * k);
        }
        expect(toHex(digest, 0)).toBe(checkpoint);
        seed = Buffer.from(message.subarray(40));
      }
    });

    const together = (values: readonly Uint8Array[], prefix: Uint8Array, rounds: number): string[] =>
      chainsOf(hasher, values, prefix, rounds);

    it('advances four different chains in every order', () => {
      const prefix = utf8.encode('service-');
      const values = [0, 18, 64, 300].map((length) => patterned(length, length));
      const expected = values.map((value) => chainByNodeCrypto(value, prefix, 40));
      const orders = (items: readonly number[]): number[][] =>
        items.length === 0
          ? [[]]
          : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
      expect(orders([0, 1, 2, 3])).toHaveLength(24);
      for (const order of orders([0, 1, 2, 3])) {
        expect(
          together(
            order.map((index) => values[index]!),
            prefix,
            40,
          ),
        ).toEqual(order.map((index) => expected[index]!));
      }
    });

    it('advances any number of chains, with any prefix, as one by one', () => {
      const values = Array.from({ length: 21 }, (_, index) => patterned(index * 7, index));
      for (const length of [...Array(20).keys(), 31, 55, 56, 63, 64, 72, 80, 130]) {
        const prefix = patterned(length, length);
        const expected = values.map((value) => chainByNodeCrypto(value, prefix, 5));
        for (let chains = 0; chains <= values.length; chains++) {
          expect(together(values.slice(0, chains), prefix, 5), `${chains} chains, prefix of ${length} bytes`).toEqual(
            expected.slice(0, chains),
          );
        }
      }
    });

    it('counts the rounds of chains that go together', () => {
      const values = Array.from({ length: 8 }, (_, index) => patterned(index, 3));
      for (const rounds of [1, 2, 500, 501, 502, 1001]) {
        for (const prefix of ['service-', 'fraudhosting-']) {
          const bytes = utf8.encode(prefix);
          expect(together(values, bytes, rounds), `${rounds} rounds, ${prefix}`).toEqual(
            values.map((value) => chainByNodeCrypto(value, bytes, rounds)),
          );
        }
      }
    });

    it('says how many are worth a call: at least one, never more than wait, and all of them in the end', () => {
      for (let chains = 1; chains <= 40; chains++) {
        let waiting = chains;
        while (waiting > 0) {
          const pass = hasher.nextPass(waiting);
          expect(Number.isInteger(pass) && pass >= 1 && pass <= waiting, `${pass} of ${waiting}`).toBe(true);
          waiting -= pass;
        }
      }
    });

    it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s rounds', (rounds) => {
      expect(() => hasher.advance(new Uint32Array(5), new Uint8Array(1), rounds)).toThrow(
        new RangeError(`"rounds" expected a whole number of at least 0, got ${rounds}`),
      );
    });
  });
}
