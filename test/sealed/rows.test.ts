import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PORTABLE_HASHES } from '../../src/sealed/byte-hashes.ts';
import { createRowKeys, openRow, ROW_BYTES, sealRow, type RowContent } from '../../src/sealed/rows.ts';
import { refusal, toHex } from './group-samples.ts';
import { contentOf, elementOf, rowContents } from './row-samples.ts';

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const versions = fc.integer({ min: 0, max: 0xffff });
const elements = fc.uint8Array({ minLength: 32, maxLength: 32 });

/** SHA-512 of a label, numbers in big-endian and the element, in hex. */
function reference(label: string, numbers: readonly [value: number, bytes: number][], element: Uint8Array): string {
  const hash = createHash('sha512').update(label);
  for (const [value, bytes] of numbers) hash.update(Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex'));
  return hash.update(element).digest('hex');
}

describe('a row', () => {
  it('opens to what was sealed, for any content, index, version and epoch', () => {
    fc.assert(
      fc.property(u32, elements, u32, versions, rowContents, (epoch, element, index, version, content) => {
        const row = sealRow(createRowKeys(epoch, element), index, version, content);
        expect(row).toHaveLength(ROW_BYTES);
        expect(openRow(createRowKeys(epoch, element), index, row)).toEqual(content);
        expect(row.slice(0, 8)).toEqual(createRowKeys(epoch, element).tag(index));
      }),
    );
  });

  it('does not change when it is opened, also as a Buffer, whose slices are views', () => {
    const keys = createRowKeys(1, elementOf(1));
    const row = Buffer.from(sealRow(keys, 0, 0, contentOf(1)));
    for (let time = 0; time < 2; time++) expect(openRow(keys, 0, row)).toEqual(contentOf(1));
  });

  it('has the bytes of the definition', () => {
    fc.assert(
      fc.property(u32, elements, u32, versions, (epoch, element, index, version) => {
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
        const pad = reference(
          'redflag sealed pad',
          [
            [epoch, 4],
            [index, 4],
            [version, 2],
          ],
          element,
        ).slice(0, 24);
        const sealed = (BigInt(`0x${plain}`) ^ BigInt(`0x${pad}`)).toString(16).padStart(24, '0');
        const tagsOf = (block: number): string =>
          reference(
            'redflag sealed tags',
            [
              [epoch, 4],
              [block, 4],
            ],
            element,
          );
        const address = tagsOf(0).slice(0, 4);
        const from = 4 + 12 * (index % 10);
        const rest = tagsOf(Math.floor(index / 10)).slice(from, from + 12);
        expect(toHex(sealRow(createRowKeys(epoch, element), index, version, content))).toBe(
          address + rest + version.toString(16).padStart(4, '0') + sealed,
        );
      }),
    );
  });

  it('never changes its bytes between versions of the package', () => {
    const keys = createRowKeys(7, elementOf(1));
    expect([0, 1].map((index) => toHex(sealRow(keys, index, index, contentOf(index))))).toEqual([
      'b76d30a7d3e792720000400b6aa597682736c5eb8fbe',
      'b76d9b4398e403760001013966c09c7e109e7c044da2',
    ]);
  });

  it('is the same with every implementation of SHA-512', () => {
    const portable = createRowKeys(7, elementOf(1), PORTABLE_HASHES);
    expect(sealRow(portable, 3, 2, contentOf(1))).toEqual(sealRow(createRowKeys(7, elementOf(1)), 3, 2, contentOf(1)));
  });

  it('shares its first two bytes with the other rows of its identifier, and no more', () => {
    const keys = createRowKeys(1, elementOf(1));
    const tags = Array.from({ length: 50 }, (_, index) => toHex(keys.tag(index)));
    expect(new Set(tags.map((tag) => tag.slice(0, 4))).size).toBe(1);
    expect(new Set(tags.map((tag) => tag.slice(4))).size).toBe(50);
  });

  it('has the same tag in any order of asking', () => {
    const indexes = Array.from({ length: 50 }, (_, at) => (at * 37) % 50);
    const keys = createRowKeys(1, elementOf(1));
    for (const index of indexes) expect(keys.tag(index)).toEqual(createRowKeys(1, elementOf(1)).tag(index));
  });

  it('has another pad for each epoch, index, version and identifier', () => {
    const pads = [1, 2].flatMap((epoch) =>
      [1, 2].flatMap((identifier) =>
        [0, 1, 256].flatMap((index) =>
          [0, 1, 256].map((version) => toHex(createRowKeys(epoch, elementOf(identifier)).pad(index, version))),
        ),
      ),
    );
    expect(new Set(pads).size).toBe(36);
  });

  it('says nothing without the element: the same content differs in each bit half of the time', () => {
    const rows = Array.from({ length: 400 }, (_, n) =>
      sealRow(createRowKeys(1, elementOf(n)), 0, 0, contentOf(1)).slice(10),
    );
    for (let bit = 0; bit < 96; bit++) {
      const ones = rows.filter((row) => (row[bit >> 3]! >> (bit & 7)) & 1).length;
      // 400 fair bits are outside of 120 to 280 with a chance below 10^-14.
      expect(ones).toBeGreaterThan(120);
      expect(ones).toBeLessThan(280);
    }
  });

  it('is not opened by another identifier, index or epoch, and not with another length', () => {
    const row = sealRow(createRowKeys(1, elementOf(1)), 0, 0, contentOf(1));
    expect(refusal(() => openRow(createRowKeys(1, elementOf(2)), 0, row))).toBe('invalid-row');
    expect(refusal(() => openRow(createRowKeys(2, elementOf(1)), 0, row))).toBe('invalid-row');
    expect(refusal(() => openRow(createRowKeys(1, elementOf(1)), 1, row))).toBe('invalid-row');
    expect(refusal(() => openRow(createRowKeys(1, elementOf(1)), 0, row.slice(1)))).toBe('invalid-length');
  });

  it('with a severity that no writer writes is refused', () => {
    const keys = createRowKeys(1, elementOf(1));
    for (const severity of [0, 11, 15]) {
      const row = sealRow(keys, 0, 0, { ...contentOf(1), severity: 10 });
      row[18]! ^= (10 ^ severity) << 4;
      expect(refusal(() => openRow(keys, 0, row))).toBe('invalid-row');
    }
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
    expect(() => sealRow(createRowKeys(1, elementOf(1)), 0, 0, content)).toThrow(RangeError);
  });

  it('is not made for an index, version, epoch or element out of range', () => {
    const keys = createRowKeys(1, elementOf(1));
    expect(() => sealRow(keys, 2 ** 32, 0, contentOf(1))).toThrow('"index" expected a whole number');
    expect(() => sealRow(keys, 0, 65_536, contentOf(1))).toThrow('"version" expected a whole number');
    expect(() => createRowKeys(-1, elementOf(1))).toThrow('"epoch" expected a whole number');
    expect(() => createRowKeys(1, new Uint8Array(31))).toThrow('"element" expected 32 bytes, got 31');
  });
});
