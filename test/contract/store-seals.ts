import { expect, it } from 'vitest';
import { elementName } from '../../src/core/crypto/crypto.ts';
import type { Store } from '../../src/core/store/store.ts';
import { DAY, hash, id, report } from './stored.ts';
import { countUnsealed, findHashes, findSealed, readOldElements } from '../../src/sealed/engine/stored.ts';

/** An element that differs by a number: 64 hex characters. */
export const element = (n: number): string => `5ea1${n.toString(16).padStart(60, '0')}`;
/** The name of an element, which is its stored hash under no pepper. */
export const name = (n: number): string => elementName(element(n));

const protection = (n: number, over = {}) => ({
  hash: hash(n),
  reason: 'ours',
  addedBy: 'Ada',
  addedAt: n,
  endsAt: null,
  ...over,
});

/** What every store keeps to about sealed elements. There are two reporters and nothing else. */
export function sealContract(storeOf: () => Store): void {
  const seal = (generation: number) => ({ generation, fingerprint: id(generation + 300), addedAt: 10 * generation });
  const sealed = (n: number, of: readonly number[], over = {}) =>
    report(n, {
      identifiers: of.map((at) => ({ kind: 'email', hash: name(at), element: element(at) })),
      seal: 1,
      ...over,
    });
  const old = async (generation: number, after = '', limit = 10) =>
    (await readOldElements(storeOf(), { seal: generation, after, limit })).map((found) => [found.hash, found.element]);

  it('keeps seals in their order, the next one only when the elements of the last one are replaced', async () => {
    const store = storeOf();
    expect(await store.findElementKeys()).toEqual([]);
    expect(await store.addElementKey(seal(2))).toBe('taken');
    expect(await store.addElementKey(seal(1))).toBe('added');
    expect(await store.addElementKey(seal(1))).toBe('taken');
    // No element is older than the first seal.
    expect(await store.findElementKeys()).toEqual([{ ...seal(1), finishedAt: 10, completeAt: null }]);
    expect(await store.addElementKey(seal(2))).toBe('added');
    expect(await store.addElementKey(seal(3))).toBe('taken');
    await store.markElementKey({ generation: 2, finishedAt: 50 });
    await store.markElementKey({ generation: 2, finishedAt: 60 });
    await store.markElementKey({ generation: 2, completeAt: 70 });
    await store.markElementKey({ generation: 2, completeAt: 80 });
    expect(await store.addElementKey(seal(3))).toBe('added');
    expect(await store.findElementKeys()).toEqual([
      { ...seal(1), finishedAt: 10, completeAt: null },
      { ...seal(2), finishedAt: 50, completeAt: 70 },
      // A store without unsealed rows gets none.
      { ...seal(3), finishedAt: null, completeAt: 70 },
    ]);
    expect(await store.check()).toEqual([]);
  });

  it('adds one seal when several are offered at once', async () => {
    const store = storeOf();
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((n) => store.addElementKey({ ...seal(1), fingerprint: id(n) })),
    );
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect(await store.findElementKeys()).toHaveLength(1);
  });

  it('keeps elements with identifiers and the allow-list, and counts the rows that have none', async () => {
    const store = storeOf();
    expect(await countUnsealed(store)).toBe(0);
    await store.addReport(report(1, { identifiers: [1, 0xf00].map((n) => ({ kind: 'ip', hash: hash(n) })) }), 0);
    await store.addReport(report(2, { identifiers: [{ kind: 'ip', hash: 'f'.repeat(40) }] }), 0);
    await store.addProtection(protection(3));
    expect(await countUnsealed(store)).toBe(4);
    await store.addElementKey(seal(1));
    await store.addReport(sealed(4, [1, 2]), 0);
    await store.addProtection(protection(5, { hash: name(5), element: element(5), seal: 1 }));
    expect(await countUnsealed(store)).toBe(4);
    expect(await findSealed(store, [1, 2, 4, 99].map(id))).toEqual(
      [1, 2].map((n, position) => ({
        hash: name(n),
        kind: 'email',
        element: element(n),
        seal: 1,
        position,
        disputed: false,
        reportId: id(4),
        reporterId: id(1),
        type: 'fraud',
        severity: 6,
        createdAt: 4 * DAY,
        protections: [],
      })),
    );
    // Facts of a query, a removal and the allow-list look as those of plain rows.
    expect(await store.findMatches([name(2)])).toMatchObject([{ reportId: id(4), hash: name(2) }]);
    expect(await store.listProtections()).toHaveLength(2);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 });
    expect(await countUnsealed(store)).toBe(2);
    expect(await store.erase({ hashes: [hash(3), name(1)], erasedAt: 9 })).toMatchObject({ protections: 1 });
    expect(await countUnsealed(store)).toBe(1);
    expect(await findSealed(store, [id(4)])).toEqual([]);
    expect(await store.check()).toEqual([]);
  });

  it('never counts fewer rows without an element while rotations of peppers move them', async () => {
    const store = storeOf();
    const rows = Array.from({ length: 20 }, (_, n) => n);
    // Each rotation moves rows to where a count begins.
    const hashAt = (n: number, generation: number): string => `${['ff', '80', '00'][generation]!}${hash(n).slice(2)}`;
    await store.addReport(report(1, { identifiers: rows.map((n) => ({ kind: 'email', hash: hashAt(n, 0) })) }), 0);
    for (const generation of [1, 2]) {
      // The second rotation begins while the count runs.
      const counting = generation === 1 ? undefined : countUnsealed(store);
      await store.addPepper({ generation, fingerprint: id(generation + 100), addedAt: generation });
      const counted = counting ?? countUnsealed(store);
      for (const n of rows)
        await store.rehash([{ from: hashAt(n, generation - 1), to: hashAt(n, generation) }], generation);
      expect(await counted).toBeGreaterThanOrEqual(rows.length);
      // A rotation that was interrupted.
      expect(await countUnsealed(store)).toBe(rows.length);
      await store.finishPepper({ generation, finishedAt: 50 });
      expect(await countUnsealed(store)).toBe(rows.length);
    }
  });

  it('says that all rows have an element only if that is so', async () => {
    const store = storeOf();
    const completeAt = async () => (await store.findElementKeys()).map((one) => one.completeAt);
    await store.addReport(report(1), 0);
    await store.addProtection(protection(2));
    await store.addElementKey(seal(1));
    await store.markElementKey({ generation: 1, completeAt: 20 });
    expect(await completeAt()).toEqual([null]);
    expect(await store.rehash([{ from: hash(1), to: name(1), element: element(1) }], 0, 1)).toBe(1);
    await store.markElementKey({ generation: 1, completeAt: 30 });
    expect(await completeAt()).toEqual([null]);
    expect(await store.rehash([{ from: hash(2), to: name(2), element: element(2) }], 0, 1)).toBe(1);
    await store.markElementKey({ generation: 1, completeAt: 40 });
    expect(await completeAt()).toEqual([40]);
    expect(await store.check()).toEqual([]);
  });

  it('finds all entries of the allow-list with sealed identifiers, also while their hashes move', async () => {
    const store = storeOf();
    await store.addElementKey(seal(1));
    const of = Array.from({ length: 20 }, (_, n) => n + 1);
    for (const n of of) await store.addReport(sealed(n, [1, n + 10]), 0);
    const first = { hash: name(1), element: element(1), seal: 1 };
    expect(await store.addProtection(protection(1, { ...first, endsAt: 5 }))).toBe('added');
    expect(await store.addProtection(protection(7, first))).toBe('added');
    const stored = await store.findProtections([name(1)]);
    expect(stored).toHaveLength(2);
    const ids = of.map(id).reverse();
    for (let n = 1; n < 10; n++) {
      const moving = store.rehash([{ from: name(n), to: name(n + 1), element: element(n + 1) }], 0, 1);
      const rows = await findSealed(store, ids);
      expect(rows.map(({ reportId, position }) => [reportId, position])).toEqual(
        ids.flatMap((reportId) => [0, 1].map((position) => [reportId, position])),
      );
      for (const { hash: at, position, protections } of rows)
        expect([...protections].sort((a, b) => a.addedAt - b.addedAt)).toEqual(
          position === 0 ? stored.map((entry) => ({ ...entry, hash: at })) : [],
        );
      await moving;
    }
    expect(await store.check()).toEqual([]);
  });

  it('says which of some hashes it has', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    await store.addReport(report(2, { identifiers: report(1).identifiers }), 0);
    await store.addProtection(protection(7));
    expect(await findHashes(store, [])).toEqual([]);
    expect(await findHashes(store, [9, 7, 1, 2].map(hash))).toEqual([7, 1].map(hash));
  });

  it('moves a hash to the name of its element, and keeps the element when the hash moves again', async () => {
    const store = storeOf();
    await store.addElementKey(seal(1));
    const both = [
      { kind: 'email', hash: hash(1) },
      { kind: 'ip', hash: hash(2) },
    ];
    await store.addReport(report(1, { identifiers: both }), 0);
    await store.addReport(report(2, { identifiers: [{ kind: 'phone', hash: hash(1) }], reporterId: id(2) }), 0);
    await store.openDispute({ reportId: id(2), openedAt: 3 * DAY, openedBy: 'Ada', reason: 'wrong' });
    await store.addProtection(protection(1));
    await store.addProtection(protection(2));
    await store.putLink({ linkHash: hash(900), identifiers: both, createdAt: 1 }, 10);
    const moves = [{ from: hash(1), to: name(1), element: element(1) }];
    expect(await store.rehash(moves, 0, 1)).toBe(1);
    expect(await store.rehash(moves, 0, 1)).toBe(0);
    expect(await countUnsealed(store)).toBe(2);
    expect(await store.check()).toEqual([]);
    expect((await store.findMatches([name(1)])).map(({ reportId }) => reportId).sort()).toEqual([id(1), id(2)]);
    expect(await findSealed(store, [id(1), id(2)])).toMatchObject([
      { reportId: id(1), element: element(1), disputed: false },
      { reportId: id(2), element: element(1), disputed: true },
    ]);
    expect((await store.findLink(hash(900)))!.map((found) => found.hash).sort()).toEqual([name(1), hash(2)].sort());
    // A row joins those that were sealed before.
    await store.addReport(report(3, { identifiers: [{ kind: 'ip', hash: hash(1) }] }), 0);
    expect(await store.rehash([...moves, { from: hash(2), to: name(2), element: element(2) }], 0, 1)).toBe(2);
    expect(await countUnsealed(store)).toBe(0);
    await store.markElementKey({ generation: 1, completeAt: 99 });
    expect(await store.check()).toEqual([]);
    // The next pepper.
    await store.addPepper({ generation: 1, fingerprint: id(101), addedAt: 1 });
    expect(await store.rehash([{ from: name(1), to: hash(51) }], 1)).toBe(1);
    expect((await findSealed(store, [id(3)])).map((row) => [row.hash, row.element, row.seal])).toEqual([
      [hash(51), element(1), 1],
    ]);
    expect(await store.check()).toEqual([]);
  });

  it('walks over the elements of earlier seals, each once, and replaces them', async () => {
    const store = storeOf();
    await store.addElementKey(seal(1));
    await store.addReport(report(9), 0);
    await store.addReport(sealed(1, [1, 2]), 0);
    await store.addReport(sealed(2, [2]), 0);
    await store.addProtection(protection(3, { hash: name(3), element: element(3), seal: 1 }));
    await store.addProtection(protection(2, { hash: name(2), element: element(2), seal: 1 }));
    const all = [1, 2, 3].map((n) => [name(n), element(n)]).sort(([a], [b]) => (a! < b! ? -1 : 1));
    expect(await old(1)).toEqual([]);
    expect(await old(2)).toEqual(all);
    expect(await old(2, '', 2)).toEqual(all.slice(0, 2));
    expect(await old(2, all[1]![0], 2)).toEqual(all.slice(2));
    await store.addElementKey(seal(2));
    const replaced = (n: number) => ({ from: name(n), to: name(n + 10), element: element(n + 10) });
    expect(await store.rehash([1, 2].map(replaced), 0, 2)).toBe(2);
    expect(await old(2)).toEqual([[name(3), element(3)]]);
    expect(await store.check()).toEqual([]);
    expect(await store.rehash([3].map(replaced), 0, 2)).toBe(1);
    expect(await old(2)).toEqual([]);
    await store.markElementKey({ generation: 2, finishedAt: 99 });
    expect(await store.check()).toEqual([]);
    expect((await findSealed(store, [id(1)])).map((row) => [row.element, row.seal])).toEqual([
      [element(11), 2],
      [element(12), 2],
    ]);
    expect(await store.findProtections([name(12), name(13)])).toHaveLength(2);
    expect(await countUnsealed(store)).toBe(1);
  });

  it('finds in a check what does not fit its seal', async () => {
    const store = storeOf();
    await store.addElementKey(seal(1));
    await store.markElementKey({ generation: 1, completeAt: 20 });
    await store.addReport(sealed(1, [1]), 0);
    const identifier = async (over: Record<string, string | number | null>) => {
      const snapshot = await store.snapshot();
      const [row] = await snapshot.readRows('identifier', undefined, 1);
      await snapshot.close();
      await store.putRows('identifier', [{ ...row!, ...over }]);
    };
    await identifier({ position: 1, hash: hash(1) });
    await identifier({ position: 2, hash: hash(2), element: element(3), seal: null });
    await identifier({ position: 3, hash: hash(3), element: null, seal: null });
    await identifier({ position: 4, hash: name(4), element: element(4), seal: 7 });
    await identifier({ position: 5, hash: name(5), element: element(5), generation: 1 });
    await identifier({ position: 6, hash: name(1), element: element(6), generation: 1 });
    expect((await store.check()).filter(({ problem }) => !problem.includes('pepper'))).toEqual(
      expect.arrayContaining([
        { problem: 'rows of identifier with an element but no seal, or with a seal but no element', count: 1 },
        { problem: 'rows of identifier with a seal that the store does not have', count: 1 },
        { problem: 'rows of identifier without an element in a store that has none of them', count: 1 },
        { problem: 'hashes of identifiers with several elements, or with one in some rows only', count: 1 },
        { problem: 'rows of identifier with a hash that is not the name of their element', count: 2 },
      ]),
    );
    await store.addProtection(protection(1, { hash: name(1), element: element(9), seal: 1 }));
    await store.addElementKey(seal(2));
    await store.markElementKey({ generation: 2, finishedAt: 30 });
    expect(await store.check()).toEqual(
      expect.arrayContaining([
        { problem: 'rows of identifier with an element of an earlier seal, although all were replaced', count: 4 },
        { problem: 'entries of the allow-list with another element than an identifier of the same hash', count: 2 },
        { problem: 'rows of protection with a hash that is not the name of their element', count: 1 },
      ]),
    );
  });
}
