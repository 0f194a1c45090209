import { expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import type { Cases } from './store.ts';
import { hash, id, report } from './stored.ts';

/** What every store keeps to about peppers and the hashes under them. There are two reporters and nothing else. */
export function pepperContract(storeOf: () => Store, cases: Cases): void {
  const pepper = (generation: number) => ({ generation, fingerprint: id(generation + 100), addedAt: 10 * generation });
  const old = async (generation: number, after = '', limit = 10) =>
    (await storeOf().readOldHashes({ generation, after, limit })).map((found) => [found.hash, found.generation]);

  it('puts a hash in the place of another wherever it is, and leaves the others', async () => {
    const store = storeOf();
    const both = [
      { kind: 'email', hash: hash(5) },
      { kind: 'ip', hash: hash(6) },
    ];
    await store.addReport(report(1, { identifiers: both }), 0);
    await store.addReport(report(2, { identifiers: [both[0]!], reporterId: id(2) }), 0);
    await store.addReport(report(3, { identifiers: [{ kind: 'email', hash: hash(50) }], generation: 1 }), 0);
    await store.addProtection({ hash: hash(6), reason: 'r', addedBy: 'Ada', addedAt: 1, endsAt: null });
    await store.putLink({ linkHash: hash(900), identifiers: both, createdAt: 1 }, 10);
    // The same set, asked for under the new value already.
    await store.putLink({ linkHash: hash(900), identifiers: [{ kind: 'email', hash: hash(50) }], createdAt: 2 }, 10);
    expect(
      await store.rehash(
        [
          { from: hash(5), to: hash(50) },
          { from: hash(6), to: hash(60) },
          { from: hash(9), to: hash(90) },
        ],
        1,
      ),
    ).toBe(2);
    expect(await store.findMatches([hash(5), hash(6), hash(90)])).toEqual([]);
    expect((await store.findMatches([hash(50)])).map(({ reportId }) => reportId).sort()).toEqual([id(1), id(2), id(3)]);
    expect((await store.findMatches([hash(60)])).map(({ reportId, kind }) => [reportId, kind])).toEqual([
      [id(1), 'ip'],
    ]);
    expect((await store.findProtections([hash(6), hash(60)])).map((found) => found.hash)).toEqual([hash(60)]);
    expect((await store.findLink(hash(900)))!.map((found) => found.hash).sort()).toEqual([hash(50), hash(60)]);
    expect(await old(1)).toEqual([]);
    expect(await store.rehash([{ from: hash(5), to: hash(50) }], 1)).toBe(0);
    // A report goes with all that was moved of it.
    expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 })).toMatchObject({
      outcome: 'removed',
      identifiers: [
        { kind: 'email', hash: hash(50) },
        { kind: 'ip', hash: hash(60) },
      ],
    });
    expect((await store.findLink(hash(900)))!.map((found) => found.hash)).toEqual([hash(50)]);
  });

  if (cases === 'basic') return;

  it('keeps peppers in their order, one after the other, and says which are done with', async () => {
    const store = storeOf();
    expect(await store.findPeppers()).toEqual([]);
    expect(await store.addPepper(pepper(2))).toBe('taken');
    expect(await store.addPepper(pepper(1))).toBe('added');
    expect(await store.addPepper(pepper(1))).toBe('taken');
    expect(await store.addPepper(pepper(2))).toBe('added');
    await store.finishPepper({ generation: 1, finishedAt: 99 });
    expect(await store.findPeppers()).toEqual([
      { ...pepper(1), finishedAt: 99 },
      { ...pepper(2), finishedAt: null },
    ]);
    expect(await store.addPepper(pepper(3))).toBe('added');
    await store.finishPepper({ generation: 3, finishedAt: 200 });
    expect((await store.findPeppers()).map(({ finishedAt }) => finishedAt)).toEqual([99, 200, 200]);
  });

  it('walks over the hashes of earlier generations, each once', async () => {
    const store = storeOf();
    await store.addReport(
      report(1, {
        identifiers: [
          { kind: 'email', hash: hash(5) },
          { kind: 'ip', hash: hash(1) },
        ],
      }),
      0,
    );
    await store.addReport(report(2, { identifiers: [{ kind: 'email', hash: hash(5) }], generation: 1 }), 0);
    await store.addReport(report(3, { identifiers: [{ kind: 'email', hash: hash(7) }], generation: 2 }), 0);
    await store.addProtection({ hash: hash(3), reason: 'r', addedBy: 'Ada', addedAt: 1, endsAt: null, generation: 1 });
    expect(await old(0)).toEqual([]);
    expect(await old(1)).toEqual([
      [hash(1), 0],
      [hash(5), 0],
    ]);
    expect(await old(2)).toEqual([
      [hash(1), 0],
      [hash(3), 1],
      [hash(5), 0],
    ]);
    expect(await old(2, '', 2)).toEqual([
      [hash(1), 0],
      [hash(3), 1],
    ]);
    expect(await old(2, hash(3), 2)).toEqual([[hash(5), 0]]);
    expect(await old(3, hash(5))).toEqual([[hash(7), 2]]);
  });

  it('keeps the first fingerprint of the operator’s secret, and in no snapshot', async () => {
    const store = storeOf();
    expect(await store.findSecretFingerprint()).toBeUndefined();
    expect(await store.adoptSecretFingerprint({ fingerprint: id(7), adoptedAt: 5 })).toBe('adopted');
    expect(await store.adoptSecretFingerprint({ fingerprint: id(8), adoptedAt: 6 })).toBe('known');
    expect(await store.adoptSecretFingerprint({ fingerprint: id(7), adoptedAt: 6 })).toBe('known');
    expect(await store.findSecretFingerprint()).toBe(id(7));
    expect(await store.check()).toEqual([]);
    const snapshot = await store.snapshot();
    // The version of the exported tables. Version 15 added names of keys.
    expect(snapshot.schema).toBe(16);
    // Webhooks: a copy must not send anything to the receivers of the original. Sign-ins belong to the secret.
    for (const own of ['store_secret', 'webhook', 'sign_in'])
      expect(snapshot.tables.map(({ name }) => name)).not.toContain(own);
    await expect(snapshot.readRows('store_secret', undefined, 1)).rejects.toBeInstanceOf(RangeError);
    await expect(store.putRows('store_secret', [])).rejects.toBeInstanceOf(RangeError);
    await snapshot.close();
  });

  it('adopts one fingerprint when several are offered at once', async () => {
    const store = storeOf();
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map((n) => store.adoptSecretFingerprint({ fingerprint: id(n), adoptedAt: n })),
    );
    expect(outcomes.filter((outcome) => outcome === 'adopted')).toHaveLength(1);
  });
}
