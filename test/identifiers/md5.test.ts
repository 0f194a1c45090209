import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { md5 } from '../../src/identifiers/md5.ts';

const utf8 = new TextEncoder();

describe('md5', () => {
  // RFC 1321, A.5.
  it.each([
    ['', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['abc', '900150983cd24fb0d6963f7d28e17f72'],
    ['message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    ['1234567890'.repeat(8), '57edf4a22be3c955ac49da2e2107b67a'],
  ])('gives the known answer of %j', (message, digest) => expect(md5(utf8.encode(message))).toBe(digest));

  it('is that of node:crypto for every length around the blocks, and leaves the message alone', () => {
    for (let length = 0; length < 200; length++) {
      const message = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255);
      const copy = message.slice();
      expect(md5(message)).toBe(createHash('md5').update(copy).digest('hex'));
      expect(message).toEqual(copy);
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (message) => md5(message) === createHash('md5').update(message).digest('hex')));
  });
});
