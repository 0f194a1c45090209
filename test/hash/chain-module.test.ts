import fc from 'fast-check';
import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { packAsHex } from '../../scripts/pack-module.mjs';
import { unpack } from '../../src/core/hash/chain-module.ts';

const packed = (bytes: Uint8Array): Uint8Array => Uint8Array.from(Buffer.from(packAsHex(bytes) as string, 'hex'));
const random = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

/** Bytes that repeat earlier ones, near and far, as the kernels do. */
const repetitive = fc
  .array(fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.tuple(fc.nat(2000), fc.nat(600))), { maxLength: 12 })
  .map((parts) => {
    const bytes: number[] = [];
    for (const part of parts)
      if (part instanceof Uint8Array) bytes.push(...part);
      else for (let left = part[1]; left > 0; left--) bytes.push(bytes.at(-1 - part[0]) ?? left & 255);
    return Uint8Array.from(bytes);
  });

it('unpacks what the build packs', () => {
  fc.assert(
    fc.property(repetitive, (bytes) => {
      expect(unpack(packed(bytes))).toEqual(bytes);
    }),
  );
});

it.each([
  ['nothing', new Uint8Array()],
  ['one byte alone', new Uint8Array(1)],
  ['a run of zeros', new Uint8Array(600)],
  ['the largest module', random(65_535)],
  ['literals only', random(255)],
  ['more literals than one copy counts', random(600)],
  ['a copy after as many literals as it counts', Uint8Array.from([...random(255), 7, 7, 7, 7, 7, 7, 7, 7, 7])],
])('unpacks %s', (_, bytes) => {
  expect(unpack(packed(bytes))).toEqual(bytes);
});

it('packs a repetition into four bytes', () => {
  const part = random(200);
  expect(packed(Uint8Array.from([...part, ...part]))).toHaveLength(4 + 200 + 4);
});
