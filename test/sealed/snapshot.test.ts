import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checksum, requireChecksum } from '../../src/sealed/byte-hashes.ts';
import { createRowKeys, ROW_BYTES } from '../../src/sealed/rows.ts';
import { findTag, lookUp, requireRows } from '../../src/sealed/snapshot.ts';
import { refusal, toHex } from './group-samples.ts';
import { bookOf, buildSnapshot, contentOf, elementOf, publish, saltOf, sealRow } from './row-samples.ts';

const SALT = saltOf(3);
const book = bookOf(400);
const bytes = publish(SALT, book);
const rows = Array.from({ length: bytes.length / ROW_BYTES }, (_, n) =>
  bytes.slice(n * ROW_BYTES, (n + 1) * ROW_BYTES),
);

describe('a snapshot', () => {
  it('gives each identifier its rows in order, and no row to an identifier that has none', () => {
    expect(bytes.length / ROW_BYTES).toBe(1000);
    for (const [identifier, written] of book)
      expect(lookUp(bytes, createRowKeys(SALT, elementOf(identifier)))).toEqual(written);
    for (let absent = 400; absent < 500; absent++)
      expect(lookUp(bytes, createRowKeys(SALT, elementOf(absent)))).toEqual([]);
    expect(lookUp(new Uint8Array(0), createRowKeys(SALT, elementOf(0)))).toEqual([]);
  });

  it('gives nothing to another publication', () => {
    for (const identifier of book.keys())
      expect(lookUp(bytes, createRowKeys(saltOf(4), elementOf(identifier)))).toEqual([]);
  });

  it('stops at the first index that is missing', () => {
    const keys = createRowKeys(SALT, elementOf(1));
    const gap = buildSnapshot([0, 1, 3].map((at) => sealRow(keys, at, contentOf(at))));
    expect(lookUp(gap, keys)).toEqual([contentOf(0), contentOf(1)]);
  });

  it('finds each row that it has, and only those', () => {
    for (const [at, row] of rows.entries()) expect(findTag(bytes, row)).toBe(at * ROW_BYTES);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (tag) => {
        const linear = rows.findIndex((row) => toHex(row.slice(0, 8)) === toHex(tag));
        expect(findTag(bytes, tag)).toBe(linear === -1 ? -1 : linear * ROW_BYTES);
      }),
    );
  });

  it('is refused if a row is cut, moved, repeated or of another length', () => {
    requireRows(bytes);
    expect(refusal(() => requireRows(bytes.slice(1)))).toBe('wrong-snapshot');
    const swapped = bytes.slice();
    swapped.set(rows[5]!, 6 * ROW_BYTES);
    swapped.set(rows[6]!, 5 * ROW_BYTES);
    expect(refusal(() => requireRows(swapped))).toBe('wrong-snapshot');
    swapped.set(rows[6]!, 6 * ROW_BYTES);
    expect(refusal(() => requireRows(swapped))).toBe('wrong-snapshot');
  });

  it('has another checksum if any byte differs', () => {
    const stated = checksum(bytes);
    requireChecksum(bytes, stated);
    for (let at = 0; at < bytes.length; at += 97) {
      const broken = bytes.slice();
      broken[at]! ^= 1 << (at % 8);
      expect(refusal(() => requireChecksum(broken, stated))).toBe('wrong-snapshot');
    }
    expect(refusal(() => requireChecksum(bytes.slice(ROW_BYTES), stated))).toBe('wrong-snapshot');
  });
});
