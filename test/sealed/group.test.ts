import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { SealedError } from '../../src/sealed/errors.ts';
import type { Random } from '../../src/sealed/group/group.ts';
import { loadSodium } from '../../src/sealed/group/sodium.ts';
import * as group from '../../src/sealed/group/voprf.ts';
import { isLong } from '../budget.ts';
import { fromHex, ORDER, refusal, seededRandom, toBigInt, toHex, toLittleEndian } from './group-samples.ts';

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe('the group', () => {
  beforeAll(loadSodium);

  /** A key pair, blinded inputs and their evaluation, all from one seed. */
  function sample(seed: number, size: number) {
    const random: Random = seededRandom(seed);
    const { secretKey, publicKey } = pairOf(random);
    const inputs = Array.from({ length: size }, () => random(20));
    const blinds = inputs.map((input) => group.blind(input, random));
    const blinded = blinds.map((one) => one.blinded);
    return { random, secretKey, publicKey, inputs, blinds, blinded };
  }

  it('unblinds an evaluation to the element under the secret key, with a valid proof', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 4 }), (seed, size) => {
        const { random, secretKey, publicKey, inputs, blinds, blinded } = sample(seed, size);
        const { evaluated, proof } = group.evaluate(secretKey, publicKey, blinded, random);
        expect(evaluated).toEqual(blinded.map((element) => group.multiply(secretKey, element)));
        expect(proof).toHaveLength(64);
        group.verifyProof(publicKey, blinded, { evaluated, proof });
        for (const [at, { blind }] of blinds.entries())
          expect(group.unblind(blind, evaluated[at]!)).toEqual(
            group.multiply(secretKey, group.hashToGroup(inputs[at]!)),
          );
      }),
      { numRuns: 6 },
    );
  });

  it('takes a batch of 32 and refuses none, 33 and lists of different lengths', () => {
    const { random, secretKey, publicKey, blinded } = sample(3, 32);
    const { evaluated, proof } = group.evaluate(secretKey, publicKey, blinded, random);
    group.verifyProof(publicKey, blinded, { evaluated, proof });
    const more = [...blinded, blinded[0]!];
    for (const batch of [[], more]) {
      expect(refusal(() => group.evaluate(secretKey, publicKey, batch, random))).toBe('invalid-batch');
      expect(refusal(() => group.verifyProof(publicKey, batch, { evaluated: batch, proof }))).toBe('invalid-batch');
    }
    const fewer = evaluated.slice(1);
    expect(refusal(() => group.verifyProof(publicKey, blinded, { evaluated: fewer, proof }))).toBe('invalid-batch');
  });

  it('refuses a proof with any flipped bit, and a proof of another length', () => {
    const { random, secretKey, publicKey, blinded } = sample(4, 1);
    const { evaluated, proof } = group.evaluate(secretKey, publicKey, blinded, random);
    // Every bit of a byte, in both halves of the proof.
    for (let bit = 0; bit < 512; bit += isLong ? 1 : 11) {
      const broken = proof.slice();
      broken[bit >> 3]! ^= 1 << (bit & 7);
      expect(
        refusal(() => group.verifyProof(publicKey, blinded, { evaluated, proof: broken })),
        `bit ${bit}`,
      ).toBe('invalid-proof');
    }
    for (const other of [proof.slice(1), new Uint8Array([...proof, 0]), new Uint8Array(0), new Uint8Array(64)])
      expect(refusal(() => group.verifyProof(publicKey, blinded, { evaluated, proof: other }))).toBe('invalid-proof');
  });

  it('refuses the proof of another key, element, order or batch', () => {
    const { random, secretKey, publicKey, blinded } = sample(5, 2);
    const { evaluated, proof } = group.evaluate(secretKey, publicKey, blinded, random);
    const other = pairOf(random);
    const foreign = blinded.map((element) => group.multiply(other.secretKey, element));
    const swapped = [...evaluated].reverse();
    const tries: [Uint8Array, Uint8Array[], readonly Uint8Array[], Uint8Array][] = [
      [other.publicKey, blinded, evaluated, proof],
      [publicKey, blinded, foreign, proof],
      [publicKey, blinded, [evaluated[0]!, foreign[1]!], proof],
      [publicKey, blinded, swapped, proof],
      [publicKey, blinded.slice(1), evaluated.slice(1), proof],
      // A key made for one client: a valid proof, but under a key that the client does not expect.
      [publicKey, blinded, foreign, group.evaluate(other.secretKey, other.publicKey, blinded, random).proof],
      // The prover claims the expected key for another secret.
      [publicKey, blinded, foreign, group.evaluate(other.secretKey, publicKey, blinded, random).proof],
    ];
    for (const [at, [key, batch, made, by]] of tries.entries())
      expect(
        refusal(() => group.verifyProof(key, batch, { evaluated: made, proof: by })),
        String(at),
      ).toBe('invalid-proof');
  });

  it('refuses the identity and every encoding that is not canonical, wherever an element is taken', () => {
    const { random, secretKey, publicKey, blinds, blinded } = sample(6, 1);
    const { evaluated, proof } = group.evaluate(secretKey, publicKey, blinded, random);
    for (const wrong of BAD_ELEMENTS) {
      const calls = [
        () => group.multiply(secretKey, wrong),
        () => group.unblind(blinds[0]!.blind, wrong),
        () => group.evaluate(secretKey, publicKey, [blinded[0]!, wrong], random),
        () => group.evaluate(secretKey, publicKey, [wrong], random),
        () => group.evaluate(secretKey, wrong, blinded, random),
        () => group.verifyProof(wrong, blinded, { evaluated, proof }),
        () => group.verifyProof(publicKey, [wrong], { evaluated, proof }),
        () => group.verifyProof(publicKey, blinded, { evaluated: [wrong], proof }),
      ];
      for (const [at, call] of calls.entries()) expect(refusal(call), `${at} ${toHex(wrong)}`).toBe('invalid-element');
    }
  });

  it('refuses negative elements and elements plus the prime of the field', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const canonical = toBigInt(group.hashToGroup(seededRandom(seed)(20)));
        expect(canonical % 2n).toBe(0n);
        const wrong = [PRIME - canonical, canonical + (1n << 255n), canonical < 19n ? canonical + PRIME : 1n];
        for (const value of wrong)
          expect(refusal(() => group.multiply(toLittleEndian(1n), toLittleEndian(value)))).toBe('invalid-element');
      }),
      { numRuns: 20 },
    );
  });

  it('refuses scalars that are zero, not reduced or of another length', () => {
    const { random, secretKey, publicKey, blinds, blinded } = sample(7, 1);
    const { evaluated } = group.evaluate(secretKey, publicKey, blinded, random);
    const wrongs = [0n, ORDER, ORDER + 1n, (1n << 256n) - 1n, ORDER + toBigInt(secretKey)].map(toLittleEndian);
    for (const wrong of [...wrongs, secretKey.slice(1), new Uint8Array([...secretKey, 0]), new Uint8Array(0)]) {
      const calls = [
        () => group.invertScalar(wrong),
        () => group.publicKeyOf(wrong),
        () => group.multiply(wrong, publicKey),
        () => group.unblind(wrong, evaluated[0]!),
        () => group.evaluate(wrong, publicKey, blinded, random),
      ];
      for (const [at, call] of calls.entries()) expect(refusal(call), `${at} ${toHex(wrong)}`).toBe('invalid-scalar');
    }
    expect(group.publicKeyOf(toLittleEndian(ORDER - 1n))).not.toEqual(group.publicKeyOf(toLittleEndian(1n)));
    expect(blinds[0]!.blind).toHaveLength(32);
  });

  it('inverts scalars as a field does', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const random = seededRandom(seed);
        const [a, element] = [group.randomScalar(random), group.hashToGroup(random(20))];
        const inverse = group.invertScalar(a);
        expect((toBigInt(a) * toBigInt(inverse)) % ORDER).toBe(1n);
        expect(group.multiply(inverse, group.multiply(a, element))).toEqual(element);
      }),
      { numRuns: 10 },
    );
  });

  it('draws a scalar again if the bytes reduce to zero', () => {
    const draws = [new Uint8Array(64), new Uint8Array([...toLittleEndian(ORDER), ...new Uint8Array(32)])];
    const last = new Uint8Array([...toLittleEndian(7n), ...new Uint8Array(32)]);
    const lengths: number[] = [];
    const scalar = group.randomScalar((count) => {
      lengths.push(count);
      return draws.shift() ?? last;
    });
    expect(scalar).toEqual(toLittleEndian(7n));
    expect(lengths).toEqual([64, 64, 64]);
  });

  it('refuses an input of more than 65,535 bytes', () => {
    expect(refusal(() => group.hashToGroup(new Uint8Array(65_536)))).toBe('invalid-input');
    expect(group.hashToGroup(new Uint8Array(65_535))).toHaveLength(32);
  });

  it('changes no argument and throws errors without bytes in the message', () => {
    const { secretKey, publicKey, blinded } = sample(8, 2);
    const before = [secretKey, publicKey, ...blinded].map(toHex);
    const { evaluated, proof } = group.evaluate(secretKey, publicKey, blinded, seededRandom(1));
    group.verifyProof(publicKey, blinded, { evaluated, proof });
    expect([secretKey, publicKey, ...blinded].map(toHex)).toEqual(before);
    const wrong = toLittleEndian(ORDER);
    expect(() => group.publicKeyOf(wrong)).toThrow(SealedError);
    expect(() => group.publicKeyOf(wrong)).toThrow(/^the secret key expected 32 bytes/);
  });
});

function pairOf(random: Random) {
  const secretKey = group.randomScalar(random);
  return { secretKey, publicKey: group.publicKeyOf(secretKey) };
}

/** The prime of the field, 2^255 - 19. */
const PRIME = (1n << 255n) - 19n;

/** The encodings that a decoder must refuse (RFC 9496, appendix A.2), the identity and other lengths. */
const BAD_ELEMENTS: readonly Uint8Array[] = [
  // The identity.
  '0000000000000000000000000000000000000000000000000000000000000000',
  // Field elements that are not canonical.
  '00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'f3ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  // Negative field elements.
  '0100000000000000000000000000000000000000000000000000000000000000',
  '01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'ed57ffd8c914fb201471d1c3d245ce3c746fcbe63a3679d51b6a516ebebe0e20',
  'c34c4e1826e5d403b78e246e88aa051c36ccf0aafebffe137d148a2bf9104562',
  // No square root.
  '26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371',
  '4eac077a713c57b4f4397629a4145982c661f48044dd3f96427d40b147d9742f',
  // Negative x · y.
  '3eb858e78f5a7254d8c9731174a94f76755fd3941c0ac93735c07ba14579630e',
  'a45fdc55c76448c049a1ab33f17023edfb2be3581e9c7aade8a6125215e04220',
  // s = -1, which makes y zero.
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  // Other lengths.
  '',
  '00',
  'e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d',
  'e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d7600',
].map(fromHex);
