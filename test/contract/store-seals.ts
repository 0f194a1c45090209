import { expect, it } from 'vitest';
import { elementName } from '../../src/core/crypto/crypto.ts';
import { SealError } from '../../src/core/store/errors.ts';
import type { Store } from '../../src/core/store/store.ts';
import { DAY, hash, id, report } from './stored.ts';
import { findSealed, requireUnseen } from '../../src/sealed/engine/stored.ts';

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
  const seal = { fingerprint: id(301), addedAt: 10 };
  const sealed = (n: number, of: readonly number[], over = {}) =>
    report(n, {
      identifiers: of.map((at) => ({ kind: 'email', hash: name(at), element: element(at) })),
      seal: 1,
      ...over,
    });

  it('keeps one seal', async () => {
    const store = storeOf();
    expect(await store.findElementKeys()).toEqual([]);
    expect(await store.addElementKey(seal)).toBe('added');
    expect(await store.addElementKey({ ...seal, fingerprint: id(302) })).toBe('taken');
    expect(await store.findElementKeys()).toEqual([{ ...seal, generation: 1, finishedAt: 10, completeAt: null }]);
    expect(await store.check()).toEqual([]);
  });

  it('adds one seal when several are offered at once', async () => {
    const store = storeOf();
    const outcomes = await Promise.all([1, 2, 3, 4].map((n) => store.addElementKey({ ...seal, fingerprint: id(n) })));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect(await store.findElementKeys()).toHaveLength(1);
  });

  it('may be sealed while it has no report and no protected identifier, and if it is sealed', async () => {
    const store = storeOf();
    await requireUnseen(store);
    await store.addProtection(protection(1));
    await expect(requireUnseen(store)).rejects.toThrow(SealError);
    await store.erase({ hashes: [hash(1)], erasedAt: 9 });
    await requireUnseen(store);
    await store.addReport(report(2), 0);
    await expect(requireUnseen(store)).rejects.toThrow(SealError);
    await store.addElementKey(seal);
    await requireUnseen(store);
  });

  it('keeps elements with identifiers and the allow-list', async () => {
    const store = storeOf();
    await store.addElementKey(seal);
    await store.addProtection(protection(5, { hash: name(5), element: element(5), seal: 1 }));
    await store.addReport(sealed(4, [1, 2]), 0);
    expect(await findSealed(store, [1, 2, 4, 99].map(id))).toEqual(
      [1, 2].map((n, position) => ({
        hash: name(n),
        kind: 'email',
        element: element(n),
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
    expect(await store.listProtections()).toHaveLength(1);
    expect(await store.erase({ hashes: [name(5), name(1)], erasedAt: 9 })).toMatchObject({ protections: 1 });
    expect(await findSealed(store, [id(4)])).toEqual([]);
    expect(await store.check()).toEqual([]);
  });

  it('refuses to read a report without an element: what is published without it would look complete', async () => {
    const store = storeOf();
    await store.addElementKey(seal);
    await store.addReport(report(1), 0);
    await expect(findSealed(store, [id(1)])).rejects.toThrow('has no sealed element');
  });

  it('finds all entries of the allow-list with sealed identifiers, also while their hashes move', async () => {
    const store = storeOf();
    await store.addElementKey(seal);
    const of = Array.from({ length: 20 }, (_, n) => n + 1);
    for (const n of of) await store.addReport(sealed(n, [1, n + 10]), 0);
    const first = { hash: name(1), element: element(1), seal: 1 };
    expect(await store.addProtection(protection(1, { ...first, endsAt: 5 }))).toBe('added');
    expect(await store.addProtection(protection(7, first))).toBe('added');
    const stored = await store.findProtections([name(1)]);
    expect(stored).toHaveLength(2);
    const ids = of.map(id).reverse();
    for (let n = 1; n < 10; n++) {
      const moving = store.rehash([{ from: name(n), to: name(n + 1) }], 0);
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
  });

  it('keeps the element when a hash moves to the next pepper', async () => {
    const store = storeOf();
    await store.addElementKey(seal);
    await store.addReport(sealed(3, [1]), 0);
    await store.addPepper({ generation: 1, fingerprint: id(101), addedAt: 1 });
    expect(await store.rehash([{ from: name(1), to: hash(51) }], 1)).toBe(1);
    expect((await findSealed(store, [id(3)])).map((row) => [row.hash, row.element])).toEqual([[hash(51), element(1)]]);
    expect(await store.check()).toEqual([]);
  });

  it('finds in a check what does not fit its seal', async () => {
    const store = storeOf();
    await store.addElementKey(seal);
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
        { problem: 'rows of identifier without an element in a sealed store', count: 1 },
        { problem: 'hashes of identifiers with several elements, or with one in some rows only', count: 1 },
        { problem: 'rows of identifier with a hash that is not the name of their element', count: 2 },
      ]),
    );
    await store.addProtection(protection(1, { hash: name(1), element: element(9), seal: 1 }));
    expect(await store.check()).toEqual(
      expect.arrayContaining([
        { problem: 'entries of the allow-list with another element than an identifier of the same hash', count: 2 },
        { problem: 'rows of protection with a hash that is not the name of their element', count: 1 },
      ]),
    );
    await store.addProtection(protection(2));
    expect(await store.check()).toContainEqual({
      problem: 'rows of protection without an element in a sealed store',
      count: 1,
    });
  });
}
