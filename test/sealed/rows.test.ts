import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowKeys, packContent, ROW_BYTES, unpackContent, type RowContent } from '../../src/sealed/rows.ts';
import { toHex } from './group-samples.ts';
import { contentOf, elementOf, rowContents, sealRow } from './row-samples.ts';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const elements = fc.uint8Array({ minLength: 32, maxLength: 32 });

/** SHA-512 of a label, two numbers, the element and more, in hex. */
function reference(label: string, numbers: readonly number[], element: Uint8Array, more = ''): string {
  const hash = createHash('sha512').update(label);
  for (const value of numbers) hash.update(Buffer.from(value.toString(16).padStart(8, '0'), 'hex'));
  return hash.update(element).update(Buffer.from(more, 'hex')).digest('hex');
}

describe('a row', () => {
  it('opens to what was closed, for any content, index and epoch', () => {
    fc.assert(
      fc.property(u32, elements, u32, rowContents, (epoch, element, index, content) => {
        const row = sealRow(createRowKeys(epoch, element), index, content);
        expect(row).toHaveLength(ROW_BYTES);
        expect(unpackContent(createRowKeys(epoch, element).open(index, row)!)).toEqual(content);
        expect(row.slice(0, 8)).toEqual(createRowKeys(epoch, element).tag(index));
      }),
    );
  });

  it('does not change when it is opened, also as a Buffer, whose slices are views', () => {
    const keys = createRowKeys(1, elementOf(1));
    const row = Buffer.from(sealRow(keys, 0, contentOf(1)));
    for (let time = 0; time < 2; time++) expect(unpackContent(keys.open(0, row)!)).toEqual(contentOf(1));
  });

  it('has the bytes of the definition', () => {
    fc.assert(
      fc.property(u32, elements, u32, (epoch, element, index) => {
        const content: RowContent = {
          report: new Uint8Array([1, 2, 3, 4, 5, 6]),
          reporter: 0x0708,
          severity: 10,
          kind: 0b10011,
          type: 0b110101,
          disputed: true,
          days: 0x0a0b,
        };
        const plain = `010203040506${'0708'}${'a9eb'}0a0b`;
        const iv = reference('redflag sealed iv', [epoch, index], element, plain).slice(0, 12);
        const pad = reference('redflag sealed pad', [epoch, index], element, iv).slice(0, 24);
        const closed = (BigInt(`0x${plain}`) ^ BigInt(`0x${pad}`)).toString(16).padStart(24, '0');
        const from = 16 * (index % 8);
        const tag = reference('redflag sealed tags', [epoch, Math.floor(index / 8)], element).slice(from, from + 16);
        expect(toHex(sealRow(createRowKeys(epoch, element), index, content))).toBe(tag + iv + closed);
      }),
    );
  });

  it('never changes its bytes between versions of the package', () => {
    const keys = createRowKeys(7, elementOf(1));
    expect([0, 1].map((index) => toHex(sealRow(keys, index, contentOf(index))))).toEqual([
      'b76d30a7d3e79272ceac716d03ae904ea6743c08bd7be78d5c69',
      '9b4398e40376ac4f8fd34d1d3ddbbb733ce5470c9df9a12a29cd',
    ]);
  });

  it('has a tag that has nothing in common with those of the other rows of its identifier', () => {
    const tags = Array.from({ length: 2000 }, (_, index) => createRowKeys(1, elementOf(1)).tag(index));
    expect(new Set(tags.map((tag) => toHex(tag))).size).toBe(2000);
    for (let bit = 0; bit < 64; bit++) {
      const equal = tags.filter(
        (tag, at) => at > 0 && ((tag[bit >> 3]! ^ tags[at - 1]![bit >> 3]!) >> (bit & 7)) % 2 === 0,
      );
      // 1,999 fair coins are within 6 standard deviations of their mean.
      expect(Math.abs(equal.length - 1999 / 2)).toBeLessThan(6 * (Math.sqrt(1999) / 2));
    }
  });

  it('has the same tag in any order of asking', () => {
    const indexes = Array.from({ length: 50 }, (_, at) => (at * 37) % 50);
    const keys = createRowKeys(1, elementOf(1));
    for (const index of indexes) expect(keys.tag(index)).toEqual(createRowKeys(1, elementOf(1)).tag(index));
  });

  it('has other bytes for each epoch, index, identifier and content, and always the same ones for the same', () => {
    const closed = (): string[] =>
      [1, 2].flatMap((epoch) =>
        [1, 2].flatMap((identifier) =>
          [0, 1, 256].flatMap((index) =>
            [0, 1, 256].map((seed) => {
              const row = sealRow(createRowKeys(epoch, elementOf(identifier)), index, contentOf(seed));
              return toHex(row.slice(8));
            }),
          ),
        ),
      );
    expect(new Set(closed()).size).toBe(36);
    expect(closed()).toEqual(closed());
  });

  it('says nothing without the element: the same content differs in each bit half of the time', () => {
    const rows = Array.from({ length: 400 }, (_, n) =>
      sealRow(createRowKeys(1, elementOf(n)), 0, contentOf(1)).slice(8),
    );
    for (let bit = 0; bit < 144; bit++) {
      const ones = rows.filter((row) => (row[bit >> 3]! >> (bit & 7)) & 1).length;
      // 400 fair bits are outside of 120 to 280 with a chance below 10^-14.
      expect(ones).toBeGreaterThan(120);
      expect(ones).toBeLessThan(280);
    }
  });

  it('is not opened by another identifier, index or epoch', () => {
    const row = sealRow(createRowKeys(1, elementOf(1)), 0, contentOf(1));
    for (const [epoch, identifier, index] of [
      [1, 2, 0],
      [2, 1, 0],
      [1, 1, 1],
    ] as const)
      expect(createRowKeys(epoch, elementOf(identifier)).open(index, row)).toBeUndefined();
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

  it('has no keys for an epoch or element out of range', () => {
    expect(() => createRowKeys(-1, elementOf(1))).toThrow('"epoch" expected a whole number');
    expect(() => createRowKeys(1, new Uint8Array(31))).toThrow('"element" expected 32 bytes, got 31');
  });
});
