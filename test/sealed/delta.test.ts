import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDelta, createDelta, parseDelta } from '../../src/sealed/delta.ts';
import { ROW_BYTES } from '../../src/sealed/rows.ts';
import { parseSnapshot, type Snapshot } from '../../src/sealed/snapshot.ts';
import { refusal, toHex } from './group-samples.ts';
import { bookOf, contentOf, publish, type Book } from './row-samples.ts';

const EPOCH = 3;
const HEADER = 28;
const snapshotOf = (sequence: number, book: Book): Snapshot => parseSnapshot(EPOCH, sequence, publish(EPOCH, book));

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

const before = snapshotOf(1, bookOf(30));
const after = snapshotOf(
  2,
  change(bookOf(30), [
    { identifier: 1, what: 'rewrite', seed: 1000 },
    { identifier: 2, what: 'add', seed: 2000 },
    { identifier: 50, what: 'add', seed: 3000 },
  ]),
);
const bytes = createDelta(before, after);
const delta = parseDelta(bytes);

const rows = Array.from({ length: delta.rows.length / ROW_BYTES }, (_, n) =>
  delta.rows.slice(n * ROW_BYTES, (n + 1) * ROW_BYTES),
);

/** The delta with other rows or numbers, not validated. */
function forge(parts: { rows?: Uint8Array[]; numbers?: Record<number, number> }): Uint8Array {
  const forged = new Uint8Array([...bytes.slice(0, HEADER), ...(parts.rows ?? rows).flatMap((part) => [...part])]);
  const view = new DataView(forged.buffer);
  view.setUint32(24, (parts.rows ?? rows).length);
  for (const [at, value] of Object.entries(parts.numbers ?? {})) view.setUint32(Number(at), value);
  return forged;
}

describe('a delta', () => {
  it('applied gives the snapshot that is made anew, byte for byte, also in a chain', () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), (steps) => {
        let book = bookOf(30);
        let replica = snapshotOf(0, book);
        const first = replica;
        for (const [at, step] of steps.entries()) {
          book = change(book, step);
          const fresh = snapshotOf(at + 1, book);
          replica = applyDelta(replica, parseDelta(createDelta(replica, fresh)));
          expect(replica).toEqual(fresh);
        }
        // One delta over the whole chain.
        expect(applyDelta(first, parseDelta(createDelta(first, replica)))).toEqual(replica);
      }),
      { numRuns: 60 },
    );
  });

  it('lists what is new or has changed, sorted, and nothing that stayed', () => {
    // A rewritten row keeps its tag.
    expect(rows).toHaveLength(3);
    expect([delta.epoch, delta.from, delta.to]).toEqual([EPOCH, 1, 2]);
    expect(toHex(applyDelta(before, delta).bytes)).toBe(toHex(after.bytes));
    expect(toHex(createDelta(before, { ...before, sequence: 2 }))).toHaveLength(2 * HEADER);
  });

  it('changes neither the snapshot nor the delta', () => {
    const old = toHex(before.bytes);
    applyDelta(before, delta);
    expect([toHex(before.bytes), toHex(bytes)]).toEqual([old, toHex(createDelta(before, after))]);
  });

  it('is refused for a snapshot of another epoch or sequence, also when it was already applied', () => {
    for (const other of [{ ...before, epoch: 4 }, { ...before, sequence: 0 }, { ...before, sequence: 2 }, after])
      expect(refusal(() => applyDelta(other, delta))).toBe('wrong-sequence');
    expect(refusal(() => createDelta(after, before))).toBe('wrong-sequence');
    expect(refusal(() => createDelta(before, before))).toBe('wrong-sequence');
    expect(refusal(() => createDelta(before, { ...after, epoch: 4 }))).toBe('wrong-sequence');
  });

  it('is refused if it has a row that is there', () => {
    const again = parseDelta(forge({ numbers: { 16: 2, 20: 3 } }));
    expect(refusal(() => applyDelta(applyDelta(before, delta), again))).toBe('redundant-row');
  });

  it('is not made if a tag goes', () => {
    const shorter = { ...after, bytes: after.bytes.slice(ROW_BYTES) };
    const last = { ...after, bytes: after.bytes.slice(0, -ROW_BYTES) };
    for (const other of [shorter, last])
      expect(refusal(() => createDelta(after, { ...other, sequence: 3 }))).toBe('missing-tag');
  });

  it.each<[string, () => Uint8Array, string]>([
    ['without a whole header', () => bytes.slice(0, 27), 'invalid-length'],
    ['of another format', () => new Uint8Array([0, ...bytes.slice(1)]), 'invalid-header'],
    ['of another version', () => forge({ numbers: { 8: 1 << 16 } }), 'invalid-header'],
    ['with bits where zeros belong', () => forge({ numbers: { 8: (2 << 16) | 1 } }), 'invalid-header'],
    ['that goes back', () => forge({ numbers: { 20: 1 } }), 'malformed'],
    ['with a byte too few', () => bytes.slice(0, -1), 'invalid-length'],
    ['with a byte too many', () => new Uint8Array([...bytes, 0]), 'invalid-length'],
    ['with another number of rows', () => forge({ numbers: { 24: 6 } }), 'invalid-length'],
    ['with very many rows', () => forge({ numbers: { 24: 2 ** 32 - 1 } }), 'invalid-length'],
    ['with unsorted rows', () => forge({ rows: [...rows].reverse() }), 'unsorted'],
    ['with a row twice', () => forge({ rows: [rows[0]!, rows[0]!] }), 'duplicate-tag'],
  ])('%s is refused', (_, make, code) => {
    expect(refusal(() => parseDelta(make()))).toBe(code);
  });

  it('with any changed byte is refused, or gives another snapshot', () => {
    for (let at = 0; at < bytes.length; at++) {
      const broken = bytes.slice();
      broken[at]! ^= 1 << (at % 8);
      let result = '';
      const code = refusal(() => {
        result = toHex(applyDelta(before, parseDelta(broken)).bytes);
      });
      // A byte of a row's content, or the target sequence: only the checksum of the manifest notices.
      if (code === 'none' && !(at >= 20 && at < 24)) expect(result, `byte ${at}`).not.toBe(toHex(after.bytes));
    }
  });
});
