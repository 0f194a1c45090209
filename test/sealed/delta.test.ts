import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDelta, createDelta, parseDelta } from '../../src/sealed/delta.ts';
import { ROW_BYTES, TAG_BYTES } from '../../src/sealed/rows.ts';
import { parseSnapshot, type Snapshot } from '../../src/sealed/snapshot.ts';
import { refusal, toHex } from './group-samples.ts';
import { bookOf, contentOf, publish, type Book } from './row-samples.ts';

const EPOCH = 3;
const HEADER = 32;
const snapshotOf = (sequence: number, book: Book): Snapshot => parseSnapshot(EPOCH, sequence, publish(EPOCH, book));

/** What happens to a book between two sequences: of an identifier, rows are added, removed or written anew. */
const changes = fc.array(
  fc.record({
    identifier: fc.integer({ min: 0, max: 40 }),
    what: fc.constantFrom('add', 'remove', 'rewrite', 'erase'),
    seed: fc.integer({ min: 1000, max: 9999 }),
  }),
  { maxLength: 30 },
);

function change(book: ReturnType<typeof bookOf>, all: readonly { identifier: number; what: string; seed: number }[]) {
  const next = new Map(book);
  for (const { identifier, what, seed } of all) {
    const rows = next.get(identifier) ?? [];
    const [first, ...rest] = rows;
    if (what === 'add') next.set(identifier, [...rows, { content: contentOf(seed), version: seed }]);
    else if (what === 'remove') next.set(identifier, rows.slice(0, -1));
    else if (what === 'erase') next.delete(identifier);
    else if (first) next.set(identifier, [{ content: contentOf(seed), version: first.version + 1 }, ...rest]);
  }
  return next;
}

const before = snapshotOf(1, bookOf(30));
const after = snapshotOf(
  2,
  change(bookOf(30), [
    { identifier: 1, what: 'rewrite', seed: 1000 },
    { identifier: 2, what: 'add', seed: 2000 },
    { identifier: 3, what: 'erase', seed: 0 },
    { identifier: 50, what: 'add', seed: 3000 },
    { identifier: 7, what: 'remove', seed: 0 },
  ]),
);
const bytes = createDelta(before, after);
const delta = parseDelta(bytes);

/** The delta with other lists or numbers, not validated. */
function forge(parts: { drops?: Uint8Array[]; puts?: Uint8Array[]; numbers?: Record<number, number> }): Uint8Array {
  const drops = parts.drops ?? split(delta.drops, TAG_BYTES);
  const puts = parts.puts ?? split(delta.puts, ROW_BYTES);
  const forged = new Uint8Array([...bytes.slice(0, HEADER), ...[...drops, ...puts].flatMap((part) => [...part])]);
  const view = new DataView(forged.buffer);
  view.setUint32(24, drops.length);
  view.setUint32(28, puts.length);
  for (const [at, value] of Object.entries(parts.numbers ?? {})) view.setUint32(Number(at), value);
  return forged;
}

function split(list: Uint8Array, step: number): Uint8Array[] {
  return Array.from({ length: list.length / step }, (_, n) => list.slice(n * step, (n + 1) * step));
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

  it('lists what was dropped and put, sorted, and nothing that stayed', () => {
    // Identifier 3 had four rows, identifier 7 loses its last one; a rewritten row keeps its tag.
    expect([delta.drops.length / TAG_BYTES, delta.puts.length / ROW_BYTES]).toEqual([5, 3]);
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

  it('is refused if it drops what is not there or puts what is there', () => {
    const applied = applyDelta(before, delta);
    const again = parseDelta(forge({ puts: [], numbers: { 16: 2, 20: 3 } }));
    expect(refusal(() => applyDelta(applied, again))).toBe('unknown-tag');
    const redundant = parseDelta(forge({ drops: [], numbers: { 16: 2, 20: 3 } }));
    expect(refusal(() => applyDelta(applied, redundant))).toBe('redundant-row');
    for (const tag of [new Uint8Array(8), new Uint8Array(8).fill(255)]) {
      const drops = split(delta.drops, TAG_BYTES);
      const unknown = parseDelta(forge({ drops: tag[0] === 0 ? [tag, ...drops] : [...drops, tag] }));
      expect(refusal(() => applyDelta(before, unknown))).toBe('unknown-tag');
    }
  });

  it.each<[string, () => Uint8Array, string]>([
    ['without a whole header', () => bytes.slice(0, 31), 'invalid-length'],
    ['of another format', () => new Uint8Array([0, ...bytes.slice(1)]), 'invalid-header'],
    ['of another version', () => forge({ numbers: { 8: 2 << 16 } }), 'invalid-header'],
    ['with bits where zeros belong', () => forge({ numbers: { 8: (1 << 16) | 1 } }), 'invalid-header'],
    ['that goes back', () => forge({ numbers: { 20: 1 } }), 'malformed'],
    ['with a byte too few', () => bytes.slice(0, -1), 'invalid-length'],
    ['with a byte too many', () => new Uint8Array([...bytes, 0]), 'invalid-length'],
    ['with another number of drops', () => forge({ numbers: { 24: 6 } }), 'invalid-length'],
    ['with another number of puts', () => forge({ numbers: { 28: 2 ** 32 - 1 } }), 'invalid-length'],
    ['with unsorted drops', () => forge({ drops: split(delta.drops, 8).reverse() }), 'unsorted'],
    ['with unsorted puts', () => forge({ puts: split(delta.puts, ROW_BYTES).reverse() }), 'unsorted'],
    ['with a drop twice', () => forge({ drops: [delta.drops.slice(0, 8), delta.drops.slice(0, 8)] }), 'duplicate-tag'],
    [
      'with a row twice',
      () => forge({ puts: [delta.puts.slice(0, ROW_BYTES), delta.puts.slice(0, ROW_BYTES)] }),
      'duplicate-tag',
    ],
    ['that drops what it puts', () => forge({ drops: [delta.puts.slice(0, 8)] }), 'duplicate-tag'],
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
