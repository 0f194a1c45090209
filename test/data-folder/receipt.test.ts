import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataFolderError } from '../../src/service/data-folder/errors.ts';
import { verifyReceipt, writeReceipt } from '../../src/service/data-folder/receipt.ts';

const SECRET = '5'.repeat(64);
const HASH = 'a1'.repeat(20);
const FACTS = {
  hashes: [HASH, 'b2'.repeat(20)],
  erasedAt: '2026-01-02T03:04:05.678Z',
  by: 'Ada “the second”',
  reports: 2,
  links: 0,
  protections: 1,
};

describe('a receipt', () => {
  it('says what was erased, and is signed with the key of the secret', () => {
    const receipt = verifyReceipt(writeReceipt(SECRET, FACTS));
    expect(receipt).toMatchObject(FACTS);
    expect(verifyReceipt(writeReceipt(SECRET, { ...FACTS, reports: 3 })).publicKey).toBe(receipt.publicKey);
    expect(verifyReceipt(writeReceipt('6'.repeat(64), FACTS)).publicKey).not.toBe(receipt.publicKey);
    expect(writeReceipt(SECRET, FACTS)).not.toContain(SECRET);
  });

  it('is the same in another layout, and no other when anything in it is changed', () => {
    const text = writeReceipt(SECRET, FACTS);
    const parsed = JSON.parse(text) as Record<string, unknown>;
    expect(verifyReceipt(JSON.stringify(Object.fromEntries(Object.entries(parsed).reverse())))).toMatchObject(FACTS);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.nat(6), (at, bit) => {
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
        // White space between the fields is none of it.
        const same = ((): boolean => {
          try {
            return JSON.stringify(JSON.parse(changed)) === JSON.stringify(parsed);
          } catch {
            return false;
          }
        })();
        if (!same) expect(() => verifyReceipt(changed)).toThrow(DataFolderError);
      }),
      { numRuns: 300 },
    );
    for (const changes of [{ reports: 3 }, { hashes: [HASH] }, { more: 1 }, { by: undefined }])
      expect(() => verifyReceipt(JSON.stringify({ ...parsed, ...changes }))).toThrow(DataFolderError);
    expect(() => verifyReceipt('[]')).toThrow('the file is not a receipt of redflag erase');
    expect(() => verifyReceipt(`secret words`)).toThrow('the file is not a receipt of redflag erase');
  });
});
