import { Buffer } from 'node:buffer';
import * as nodeCrypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nativeSha256, PORTABLE_SHA256, SHA256 } from '../../src/core/crypto/crypto.ts';
import { anyCharacter } from '../any-character.ts';

const IMPLEMENTATIONS = [
  ['in JavaScript', PORTABLE_SHA256],
  ['of node:crypto', nativeSha256(nodeCrypto, Buffer)],
  ['of node:crypto without `hash`', nativeSha256({ ...nodeCrypto, hash: undefined }, Buffer)],
  ['chosen here', SHA256],
] as const;

describe.each(IMPLEMENTATIONS)('SHA-256 %s', (_, { digest, keyed }) => {
  // FIPS 180-4, and RFC 4231: cases 2, 3 and 6.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['é', '4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c'],
  ])('has the known digest of %j', (text, expected) => {
    expect(digest(text)).toBe(expected);
  });

  it.each([
    [
      'a text under a key of a few bytes',
      'Jefe',
      'what do ya want for nothing?',
      'utf8',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    [
      'bytes',
      new Uint8Array(20).fill(0xaa),
      'dd'.repeat(50),
      'hex',
      '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    ],
    [
      'a text under a key that is longer than a block',
      new Uint8Array(131).fill(0xaa),
      'Test Using Larger Than Block-Size Key - Hash Key First',
      undefined,
      '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    ],
  ] as const)('has the known HMAC of %s', (_name, key, message, encoding, expected) => {
    expect(keyed(key)(message, encoding)).toBe(expected);
  });

  it('has the same HMAC of a message after a longer one', () => {
    const hash = keyed('a key of some bytes');
    const short = hash('é');
    for (const length of [300, 1024, 1025, 5000]) {
      const long = hash('€'.repeat(length));
      expect(hash('é')).toBe(short);
      expect(hash('€'.repeat(length))).toBe(long);
      expect(keyed('a key of some bytes')('€'.repeat(length))).toBe(long);
    }
  });

  it('keeps its key when the caller changes the bytes', () => {
    const key = new Uint8Array(16).fill(7);
    const hash = keyed(key);
    const before = hash('a message');
    key.fill(0);
    expect(hash('a message')).toBe(before);
  });
});

it('node:crypto and JavaScript return the same for any text, bytes and key', () => {
  const native = nativeSha256(nodeCrypto, Buffer);
  const key = fc.uint8Array({ minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(
      key,
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }),
      (k, text, bytes) => {
        const hex = Buffer.from(bytes).toString('hex');
        expect(native.digest(text)).toBe(PORTABLE_SHA256.digest(text));
        const [ours, theirs] = [native.keyed(k), PORTABLE_SHA256.keyed(k)];
        for (const message of [text, text.repeat(9), text]) expect(ours(message)).toBe(theirs(message));
        expect(native.keyed(k)(hex, 'hex')).toBe(PORTABLE_SHA256.keyed(k)(hex, 'hex'));
      },
    ),
  );
});
