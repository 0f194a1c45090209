import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/stores/journal/format.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Present from Node 20.15 and 22.2 on. */
const zlibCrc32 = (zlib as { crc32?: (data: Uint8Array, seed?: number) => number }).crc32;

describe('crc32', () => {
  it.each([
    ['', 0],
    ['a', 0xe8b7be43],
    // The check value of the CRC catalogue for CRC-32/ISO-HDLC.
    ['123456789', 0xcbf43926],
    ['The quick brown fox jumps over the lazy dog', 0x414fa339],
  ])('knows %j', (text, expected) => {
    expect(crc32(ascii(text))).toBe(expected);
  });

  it('goes on from a seed, wherever the bytes are parted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (a, b) => {
        expect(crc32(b, crc32(a))).toBe(crc32(Uint8Array.of(...a, ...b)));
      }),
    );
  });

  it('reads a view, not its buffer', () => {
    expect(crc32(ascii('xx123456789xx').subarray(2, 11))).toBe(0xcbf43926);
  });

  it.skipIf(zlibCrc32 === undefined)('equals zlib', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(0xffffffff), (bytes, seed) => {
        expect(crc32(bytes, seed)).toBe(zlibCrc32!(bytes, seed));
      }),
    );
  });
});
