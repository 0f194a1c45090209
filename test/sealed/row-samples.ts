import fc from 'fast-check';
import { createRowKeys, packContent, type RowContent, type RowKeys } from '../../src/sealed/rows.ts';
import { requireRows } from '../../src/sealed/snapshot.ts';
import { seededRandom } from './group-samples.ts';

export const rowContents: fc.Arbitrary<RowContent> = fc.record({
  report: fc.uint8Array({ minLength: 6, maxLength: 6 }),
  reporter: fc.integer({ min: 0, max: 0xffff }),
  severity: fc.integer({ min: 1, max: 10 }),
  kind: fc.integer({ min: 0, max: 31 }),
  type: fc.integer({ min: 0, max: 63 }),
  disputed: fc.boolean(),
  days: fc.integer({ min: 0, max: 0xffff }),
  standing: fc.option(
    fc.record({
      precision: fc.integer({ min: 0, max: 15 }).map((step) => (step + 0.5) / 16),
      established: fc.boolean(),
      verified: fc.boolean(),
    }),
    { nil: undefined },
  ),
});

/** Returns the salt of the publication with this number. */
export function saltOf(publication: number): Uint8Array {
  return seededRandom(`salt ${publication}`)(32);
}

/** Stands for N of the identifier with this number. Rows need no valid element, only 32 bytes. */
export function elementOf(identifier: number): Uint8Array {
  return seededRandom(`element ${identifier}`)(32);
}

export function contentOf(seed: number): RowContent {
  const [a, b, c, d] = seededRandom(`content ${seed}`)(4) as unknown as [number, number, number, number];
  return {
    report: seededRandom(`report ${seed}`)(6),
    reporter: a,
    severity: 1 + (b % 10),
    kind: c % 32,
    type: d % 64,
    disputed: d > 127,
    days: 20_000 + seed,
    standing: { precision: ((a % 16) + 0.5) / 16, established: b > 127, verified: c > 127 },
  };
}

/** Returns a row that says this. */
export function sealRow(keys: RowKeys, index: number, content: RowContent): Uint8Array {
  return keys.close(index, packContent(content));
}

/** Returns the snapshot of these rows. */
export function buildSnapshot(rows: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(
    [...rows].sort((left, right) => Buffer.compare(left.subarray(0, 8), right.subarray(0, 8))),
  );
  requireRows(bytes);
  return new Uint8Array(bytes);
}

/** Identifier → contents of its rows, in order. */
export type Book = ReadonlyMap<number, readonly RowContent[]>;

/** Returns the snapshot of a book. */
export function publish(salt: Uint8Array, book: Book): Uint8Array {
  return buildSnapshot(
    [...book].flatMap(([identifier, rows]) => {
      const keys = createRowKeys(salt, elementOf(identifier));
      return rows.map((content, index) => sealRow(keys, index, content));
    }),
  );
}

/** A book of `size` identifiers with 1 to 4 rows each. */
export function bookOf(size: number, seed = 0): Map<number, RowContent[]> {
  return new Map(
    Array.from({ length: size }, (_, identifier) => [
      identifier,
      Array.from({ length: 1 + (identifier % 4) }, (_, index) => contentOf(seed + identifier * 10 + index)),
    ]),
  );
}
