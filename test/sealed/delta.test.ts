import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDelta, createDelta } from '../../src/sealed/delta.ts';
import { ROW_BYTES } from '../../src/sealed/rows.ts';
import { joinBytes } from '../../src/sealed/group/hash-to-group.ts';
import { refusal, toHex } from './group-samples.ts';
import { bookOf, contentOf, publish, type Book } from './row-samples.ts';

const snapshotOf = (book: Book): Uint8Array => publish(3, book);

/** What happens to a book between two sequences: of an identifier, rows are added or written anew. */
const changes = fc.array(
  fc.record({
    identifier: fc.integer({ min: 0, max: 40 }),
    what: fc.constantFrom('add', 'rewrite'),
    seed: fc.integer({ min: 1000, max: 9999 }),
  }),
  { maxLength: 30 },
);

function change(book: ReturnType<typeof bookOf>, all: readonly { identifier: number; what: string; seed: number }[]) {
  const next = new Map(book);
  for (const { identifier, what, seed } of all) {
    const rows = next.get(identifier) ?? [];
    const [first, ...rest] = rows;
    if (what === 'add') next.set(identifier, [...rows, contentOf(seed)]);
    else if (first) next.set(identifier, [contentOf(seed), ...rest]);
  }
  return next;
}

const before = snapshotOf(bookOf(30));
const after = snapshotOf(
  change(bookOf(30), [
    { identifier: 1, what: 'rewrite', seed: 1000 },
    { identifier: 2, what: 'add', seed: 2000 },
    { identifier: 50, what: 'add', seed: 3000 },
  ]),
);
const delta = createDelta(before, after);
const rows = Array.from({ length: delta.length / ROW_BYTES }, (_, n) =>
  delta.slice(n * ROW_BYTES, (n + 1) * ROW_BYTES),
);

describe('a delta', () => {
  it('applied gives the snapshot that is made anew, byte for byte, also in a chain', () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), (steps) => {
        let book = bookOf(30);
        let replica = snapshotOf(book);
        const first = replica;
        for (const step of steps) {
          book = change(book, step);
          const fresh = snapshotOf(book);
          replica = applyDelta(replica, createDelta(replica, fresh));
          expect(replica).toEqual(fresh);
        }
        // One delta over the whole chain.
        expect(applyDelta(first, createDelta(first, replica))).toEqual(replica);
      }),
      { numRuns: 60 },
    );
  });

  it('lists what is new or has changed, sorted, and nothing that stayed', () => {
    // A rewritten row keeps its tag.
    expect(rows).toHaveLength(3);
    expect(toHex(applyDelta(before, delta))).toBe(toHex(after));
    expect(createDelta(before, before)).toHaveLength(0);
  });

  it('changes neither the snapshot nor the delta', () => {
    const old = [toHex(before), toHex(delta)];
    applyDelta(before, delta);
    expect([toHex(before), toHex(createDelta(before, after))]).toEqual(old);
  });

  it('is refused if it has a row that is there, as when it was already applied', () => {
    expect(refusal(() => applyDelta(after, delta))).toBe('redundant-row');
  });

  it('is not made if a tag goes', () => {
    for (const shorter of [after.slice(ROW_BYTES), after.slice(0, -ROW_BYTES)])
      expect(refusal(() => createDelta(after, shorter))).toBe('missing-tag');
  });

  it.each<[string, () => Uint8Array, string]>([
    ['with a byte too few', () => delta.slice(0, -1), 'invalid-length'],
    ['with a byte too many', () => new Uint8Array([...delta, 0]), 'invalid-length'],
    ['with unsorted rows', () => joinBytes([...rows].reverse()), 'unsorted'],
    ['with a row twice', () => joinBytes([rows[0]!, rows[0]!]), 'duplicate-tag'],
  ])('%s is refused', (_, make, code) => {
    expect(refusal(() => applyDelta(before, make()))).toBe(code);
  });

  it('with any changed byte is refused, or gives another snapshot', () => {
    for (let at = 0; at < delta.length; at++) {
      const broken = delta.slice();
      broken[at]! ^= 1 << (at % 8);
      let result = '';
      const code = refusal(() => {
        result = toHex(applyDelta(before, broken));
      });
      if (code === 'none') expect(result, `byte ${at}`).not.toBe(toHex(after));
    }
  });
});
