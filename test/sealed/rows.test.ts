import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowKeys, packContent, ROW_BYTES, unpackContent, type RowContent } from '../../src/sealed/rows.ts';
import { toHex } from './group-samples.ts';
import { contentOf, elementOf, rowContents, saltOf, sealRow } from './row-samples.ts';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('a row', () => {
  it('opens to what was closed, for any content, index and salt', () => {
    fc.assert(
      fc.property(bytes32, bytes32, u32, rowContents, (salt, element, index, content) => {
        const row = sealRow(createRowKeys(salt, element), index, content);
        expect(row).toHaveLength(ROW_BYTES);
        expect(unpackContent(createRowKeys(salt, element).open(index, row))).toEqual(content);
        expect(row.slice(0, 8)).toEqual(createRowKeys(salt, element).tag(index));
      }),
    );
  });

  it('has the bytes of the definition', () => {
    fc.assert(
      fc.property(bytes32, bytes32, u32, (salt, element, index) => {
        const content: RowContent = {
          report: new Uint8Array([1, 2, 3, 4, 5, 6]),
          reporter: 0x0708,
          severity: 10,
          kind: 0b10011,
          type: 0b110101,
          disputed: true,
          days: 0x0a0b,
          standing: { precision: 9.5 / 16, established: true, verified: false },
        };
        const plain = `010203040506${'0708'}${'a9eb'}0a0b26`;
        const number = Buffer.alloc(4);
        number.writeUInt32BE(index);
        const hash = createHash('sha512').update('redflag sealed row').update(salt).update(number).update(element);
        const key = hash.digest('hex');
        const closed = (BigInt(`0x${plain}`) ^ BigInt(`0x${key.slice(16, 42)}`)).toString(16).padStart(26, '0');
        expect(toHex(sealRow(createRowKeys(salt, element), index, content))).toBe(key.slice(0, 16) + closed);
      }),
    );
  });

  it.each<[keyof RowContent, unknown]>([
    ['reporter', 65_536],
    ['reporter', -1],
    ['severity', 0],
    ['severity', 11],
    ['kind', 32],
    ['type', 64],
    ['days', 65_536],
    ['days', 1.5],
    ['report', new Uint8Array(5)],
  ])('is not made with %s %s', (name, value) => {
    const content = { ...contentOf(1), [name]: value };
    expect(() => packContent(content)).toThrow(RangeError);
  });

  it('has no keys for a salt or element out of range', () => {
    expect(() => createRowKeys(new Uint8Array(31), elementOf(1))).toThrow('"salt" expected 32 bytes, got 31');
    expect(() => createRowKeys(saltOf(1), new Uint8Array(31))).toThrow('"element" expected 32 bytes, got 31');
  });
});
