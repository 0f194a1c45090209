import * as crypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HASHES, nativeHashes, PORTABLE_HASHES } from '../../src/sealed/byte-hashes.ts';
import { fromHex, toHex } from './group-samples.ts';

const IMPLEMENTATIONS = {
  portable: PORTABLE_HASHES,
  native: nativeHashes(crypto),
  'native, without the one-shot hash': nativeHashes({ createHash: crypto.createHash, createHmac: crypto.createHmac }),
};

describe('the hashes of bytes', () => {
  // FIPS 180-2, appendix B.1 and C.1.
  it.each(Object.entries(IMPLEMENTATIONS))('%s: the known answers of "abc"', (_, hashes) => {
    const abc = fromHex('616263');
    expect(toHex(hashes.sha256(abc))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(toHex(hashes.sha512(abc))).toBe(
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    );
  });

  it('all implementations return the same for any bytes, also for a view, as plain arrays', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const view = new Uint8Array([1, 2, 3, ...bytes]).subarray(3);
        for (const hashes of Object.values(IMPLEMENTATIONS)) {
          expect(hashes.sha256(view)).toEqual(PORTABLE_HASHES.sha256(bytes));
          expect(hashes.sha512(view)).toEqual(PORTABLE_HASHES.sha512(bytes));
          expect(hashes.sha512(view).constructor).toBe(Uint8Array);
          for (const length of [0, 2, 14, 64])
            expect(hashes.sha512(view, length)).toEqual(PORTABLE_HASHES.sha512(bytes).slice(0, length));
        }
      }),
    );
    expect(HASHES.sha512(fromHex('00'))).toEqual(PORTABLE_HASHES.sha512(fromHex('00')));
  });
});
