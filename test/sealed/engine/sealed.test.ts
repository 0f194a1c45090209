import { describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { SealError, StoreKeyError, unwrap } from '../../../src/index.ts';
import type { Seal } from '../../../src/sealed.ts';
import { createSqljsStore, type SqljsStore } from '../../../src/core/store/sqljs/store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { createTestEngine, hashOf, START } from '../../engine/setup.ts';
import { createTestSeal, elementOf, readBy, sealFingerprint, STEPS } from './test-seal.ts';
import { countUnsealed, readOldElements } from '../../../src/sealed/engine/stored.ts';
import { createMemoryStore } from '../../memory-store.ts';

const [FIRST, SECOND] = ['the first pepper, long enough', 'the second pepper, long enough'] as const;
const asHash = (...of: number[]) => of.map((n) => ({ kind: n % 2 === 0 ? 'phone' : 'email', hash: hashOf(n) }));
const asElement = (...of: number[]) =>
  of.map((n) => ({ kind: n % 2 === 0 ? 'phone' : 'email', element: elementOf(hashOf(n)) }));
const draft = (identifiers = asHash(1, 2), text = 'text') => ({ type: 'fraud', severity: 7, text, identifiers });

const holds = (store: SqljsStore, hash: string): boolean =>
  Buffer.from(store.export()).includes(Buffer.from(hash, 'hex'));
const scored = async (engine: Engine, apiKey: string, identifiers: ReturnType<typeof asHash>) => {
  const { points, reported, reliability, link } = unwrap(await engine.query({ apiKey, identifiers }));
  const shown = await engine.view({ linkHash: link.slice(-40) });
  return { points, reported, reliability, shown: shown.ok ? shown.value.length : 0 };
};
/** Another process on a copy of a store; the keys are good there, too. */
const reopen = async (bytes: Uint8Array, seal?: Seal, peppers: readonly string[] = []): Promise<Engine> =>
  createEngine({
    store: await createSqljsStore({ bytes }),
    secret: 'a secret of more than sixteen bytes',
    publicUrl: 'https://reports.example',
    clock: () => START,
    peppers,
    ...(seal && { seal }),
  });

describe('a sealed store', () => {
  it('holds elements and no hash that anybody sent, and answers as one without', async () => {
    const told = [];
    for (const [peppers, seal] of [
      [[], undefined],
      [[], createTestSeal()],
      [[FIRST], createTestSeal()],
      [[FIRST, SECOND], createTestSeal('key 2', 'key 1')],
    ] as const) {
      const store = await createMemoryStore();
      const { engine, apiKey, otherKey } = await createTestEngine({
        store,
        peppers,
        model: STEPS,
        ...(seal && { seal }),
      });
      unwrap(await engine.report({ apiKey, ...draft() }));
      unwrap(await engine.protect({ hash: hashOf(3), reason: 'ours', by: 'Ada' }));
      unwrap(await engine.report({ apiKey, ...draft(asHash(3), 'more') }));
      told.push({
        again: unwrap(await engine.report({ apiKey, ...draft() })),
        query: unwrap(await engine.query({ apiKey: otherKey, identifiers: asHash(1, 2) })),
        seen: await scored(engine, otherKey, asHash(1, 2)),
        protected: await scored(engine, otherKey, asHash(3)),
        explained: unwrap(await engine.explain({ identifiers: asHash(1, 2, 3) })),
      });
      expect([1, 2, 3].map((n) => holds(store, hashOf(n)))).toEqual(Array(3).fill(seal === undefined));
      expect(await countUnsealed(store)).toBe(seal === undefined ? 4 : 0);
      expect(unwrap(await engine.unprotect({ hash: hashOf(3), by: 'Ada' }))).toBeUndefined();
      expect((await scored(engine, otherKey, asHash(3))).reported).toBe(1);
      expect(await store.check()).toEqual([]);
    }
    for (const one of told) expect(one).toEqual(told[0]);
    expect(told[0]).toMatchObject({ query: { reported: 1 }, seen: { shown: 1 }, again: { duplicate: true } });
  });

  it('is not opened without the sealing key or with another one', async () => {
    const store = await createMemoryStore();
    const { engine, apiKey } = await createTestEngine({ store, seal: createTestSeal() });
    unwrap(await engine.report({ apiKey, ...draft() }));
    const bytes = Buffer.from(store.export());
    for (const [seal, words] of [
      [undefined, `give the sealing key with the fingerprint ${sealFingerprint('key 1')}`],
      [createTestSeal('key 2'), `expects ${sealFingerprint('key 1')}`],
      [createTestSeal('key 3', 'key 2'), `expects ${sealFingerprint('key 1')}`],
    ] as const) {
      const other = await reopen(bytes, seal);
      for (const refused of [
        other.query({ apiKey, identifiers: asHash(1) }),
        other.report({ apiKey, ...draft(asHash(1), 'other') }),
        other.explain({ identifiers: asHash(1) }),
        other.protect({ hash: hashOf(9), reason: 'r', by: 'Ada' }),
        other.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' }),
        other.sealStatus(),
        other.ready(),
      ]) {
        await expect(refused).rejects.toThrow(SealError);
        await expect(refused).rejects.toBeInstanceOf(StoreKeyError);
        await expect(refused).rejects.toThrow(words);
      }
    }
    const again = await reopen(bytes, createTestSeal());
    expect(await again.sealStatus()).toEqual({
      generation: 1,
      fingerprint: sealFingerprint('key 1'),
      replacing: false,
      unsealed: 0,
    });
  });

  it('refuses what is no seal, and what a seal must not return', async () => {
    const seal = createTestSeal('key 2', 'key 1');
    for (const [wrong, words] of [
      [7, '"seal.elementOf" expected a function'],
      [{ ...seal, fingerprint: 'short' }, '"seal.fingerprint" expected 16 lowercase hex characters'],
      [{ ...seal, previous: { ...seal.previous, fingerprint: 7 } }, '"seal.previous.fingerprint" expected 16'],
      [{ ...seal, previous: { ...seal.previous, fingerprint: seal.fingerprint } }, 'expected another fingerprint'],
      [{ ...seal, previous: { ...seal.previous, toPrevious: undefined } }, '"seal.previous.toPrevious" expected a fun'],
    ] as const)
      await expect(createTestEngine({ seal: wrong as unknown as Seal })).rejects.toThrow(words);
    for (const element of ['', 'F'.repeat(64), 'f'.repeat(40), undefined]) {
      const { engine, apiKey } = await createTestEngine({ seal: { ...seal, elementOf: () => element as string } });
      await expect(engine.query({ apiKey, identifiers: asHash(1) })).rejects.toThrow(
        '"seal.elementOf" expected a function that returns 64 lowercase hex characters',
      );
    }
    const { engine } = await createTestEngine();
    for (const refused of [engine.sealStatus(), engine.replaceElements(), engine.readSealedRows({ limit: 1 })])
      await expect(refused).rejects.toThrow(RangeError);
  });
});

describe('identifiers that arrive as elements', () => {
  it('meet those that arrive as hashes', async () => {
    for (const peppers of [[], [FIRST]]) {
      const { engine, apiKey, otherKey } = await createTestEngine({ peppers, seal: createTestSeal() });
      const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(asHash(1, 2)) }));
      unwrap(await engine.report({ apiKey: otherKey, ...draft([], 'sealed'), identifiers: asElement(1, 4) }));
      const both = await scored(engine, apiKey, asHash(1, 4));
      expect(both).toMatchObject({ reported: 2, shown: 2 });
      const sealed = unwrap(await engine.query({ apiKey, identifiers: asElement(1, 4) }));
      expect(sealed).toMatchObject({ points: both.points, reported: 2, reliability: both.reliability });
      expect(unwrap(await engine.view({ linkHash: sealed.link.slice(-40) }))).toHaveLength(2);
      // The two forms in one list are one identifier.
      const mixed = [...asHash(1, 4), ...asElement(4, 1)];
      expect(unwrap(await engine.query({ apiKey, identifiers: mixed }))).toMatchObject({
        points: both.points,
        reported: 2,
        reliability: both.reliability,
      });
      unwrap(await engine.report({ apiKey, ...draft([], 'mixed'), identifiers: mixed }));
      unwrap(await engine.remove({ apiKey, deletionCode }));
      expect(unwrap(await engine.query({ apiKey, identifiers: asElement(2) })).reported).toBe(0);
    }
  });

  it('are recognised when the same report is sent again, and have one link in any order', async () => {
    const { engine, apiKey } = await createTestEngine({ seal: createTestSeal() });
    const sealed = { ...draft(), identifiers: asElement(1, 2) };
    const first = unwrap(await engine.report({ apiKey, ...sealed }));
    expect(unwrap(await engine.report({ apiKey, ...sealed, identifiers: asElement(2, 1) }))).toEqual({
      ...first,
      duplicate: true,
    });
    const links = [];
    for (const identifiers of [asElement(1, 2), asElement(2, 1, 1)])
      links.push(unwrap(await engine.query({ apiKey, identifiers })).link);
    const upper = asElement(1, 2).map(({ kind, element }) => ({ kind, element: element.toUpperCase() }));
    links.push(unwrap(await engine.query({ apiKey, identifiers: upper })).link);
    expect(new Set(links).size).toBe(1);
  });

  it('are refused without a sealing key, and in a wrong form', async () => {
    const plain = await createTestEngine();
    const refusal = { ok: false, refusal: { reason: 'invalid-identifier', field: 'email' } };
    expect(await plain.engine.query({ apiKey: plain.apiKey, identifiers: asElement(1) })).toEqual(refusal);
    expect(await plain.engine.report({ apiKey: plain.apiKey, ...draft(), identifiers: asElement(1) })).toEqual(refusal);
    const { engine, apiKey } = await createTestEngine({ seal: createTestSeal() });
    for (const element of ['', 'f'.repeat(40), `${'f'.repeat(63)}g`, 7, null])
      expect(await engine.query({ apiKey, identifiers: [{ kind: 'email', element: element as string }] })).toEqual(
        refusal,
      );
    expect(await engine.query({ apiKey, identifiers: [{ kind: '!', element: elementOf(hashOf(1)) }] })).toMatchObject({
      refusal: { reason: 'invalid-field-name' },
    });
    // As without a seal, a hash is a hash, whatever else there is.
    const both = [{ kind: 'email', hash: 'no hash', element: elementOf(hashOf(1)) }];
    expect(await engine.query({ apiKey, identifiers: both })).toEqual(refusal);
  });

  it('of the empty string count as none, and others count against the limit', async () => {
    const emptyHash = hashOf(7);
    const limits = { query: { requests: 3, windowSeconds: 60 } };
    const { engine, apiKey } = await createTestEngine({ seal: createTestSeal(), emptyHash, limits });
    expect(await engine.query({ apiKey, identifiers: asElement(7) })).toMatchObject({
      refusal: { reason: 'no-identifier' },
    });
    expect(await engine.report({ apiKey, ...draft(), identifiers: asElement(7) })).toMatchObject({
      refusal: { reason: 'no-identifier' },
    });
    unwrap(await engine.report({ apiKey, ...draft(), identifiers: asElement(7, 1) }));
    expect(unwrap(await engine.query({ apiKey, identifiers: asElement(1, 7) })).reported).toBe(1);
    expect(await engine.query({ apiKey, identifiers: asElement(1) })).toMatchObject({ refusal: { reason: 'limited' } });
  });
});

describe('a store that is sealed later', () => {
  /** A store with some rows, by an engine without a seal. */
  const before = async (peppers: readonly string[] = []) => {
    const store = await createMemoryStore();
    const { engine, apiKey, otherKey } = await createTestEngine({ store, peppers, model: STEPS });
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft(asHash(1, 2)) }));
    unwrap(await engine.report({ apiKey: otherKey, ...draft(asHash(1), 'other') }));
    unwrap(await engine.protect({ hash: hashOf(3), reason: 'ours', by: 'Ada' }));
    const link = unwrap(await engine.query({ apiKey: otherKey, identifiers: asHash(1, 2) })).link;
    return { store, bytes: store.export(), engine, apiKey, otherKey, deletionCode, link };
  };

  it('gives an identifier its element when its hash is next sent, and finds everything meanwhile', async () => {
    for (const peppers of [[], [FIRST]]) {
      const { bytes, engine, apiKey, otherKey, deletionCode, link } = await before(peppers);
      const sealed = await reopen(bytes, createTestSeal(), peppers);
      expect(await sealed.sealStatus()).toMatchObject({ unsealed: 4 });
      // Only the hash tells which rows an element belongs to.
      expect(unwrap(await sealed.query({ apiKey, identifiers: asElement(1) })).reported).toBe(0);
      expect(unwrap(await sealed.query({ apiKey: otherKey, identifiers: asHash(1, 2) }))).toEqual(
        unwrap(await engine.query({ apiKey: otherKey, identifiers: asHash(1, 2) })),
      );
      expect(await sealed.sealStatus()).toMatchObject({ unsealed: 1 });
      expect(unwrap(await sealed.query({ apiKey, identifiers: asElement(1) })).reported).toBe(2);
      expect(unwrap(await sealed.view({ linkHash: link.slice(-40) }))).toHaveLength(2);
      expect(unwrap(await sealed.report({ apiKey, ...draft(asHash(1, 2)) }))).toMatchObject({ duplicate: true });
      expect(await sealed.protect({ hash: hashOf(3), reason: 'again', by: 'Ada' })).toMatchObject({
        refusal: { reason: 'already-protected' },
      });
      expect(await sealed.sealStatus()).toMatchObject({ unsealed: 0 });
      unwrap(await sealed.remove({ apiKey, deletionCode }));
      expect((await scored(sealed, apiKey, asHash(1, 2))).reported).toBe(1);
    }
  });

  it('erases, and files requests for disputes, also about rows without an element', async () => {
    const { bytes, apiKey } = await before();
    const disputed = await reopen(bytes, createTestSeal());
    unwrap(await disputed.requestDispute!({ identifiers: asHash(1), reason: 'not me' }));
    expect(await disputed.listDisputeRequests()).toHaveLength(2);
    const erased = await reopen(bytes, createTestSeal());
    expect(unwrap(await erased.eraseIdentifiers({ hashes: [hashOf(1), hashOf(3)], by: 'Ada' }))).toMatchObject({
      reports: 2,
      links: 1,
      protections: 1,
    });
    expect(unwrap(await erased.query({ apiKey, identifiers: asHash(1, 2, 3) })).reported).toBe(0);
    expect(await erased.sealStatus()).toMatchObject({ unsealed: 0 });
  });

  it('looks for rows without an element before it writes, and no more once it has none', async () => {
    const { bytes, apiKey } = await before();
    const calls: string[] = [];
    const store = new Proxy((await createSqljsStore({ bytes })) as Store, {
      get: (target, name: keyof Store) =>
        ['read', 'rehash', 'markElementKey'].includes(name)
          ? (...args: never[]) => {
              calls.push((name === 'read' && readBy(args[0]!)) || name);
              return (target[name] as (...args: never[]) => unknown)(...args);
            }
          : target[name],
    });
    const engine = createEngine({
      store,
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
      seal: createTestSeal(),
    });
    const callsOf = async (...of: number[]) => {
      calls.length = 0;
      unwrap(await engine.query({ apiKey, identifiers: asHash(...of) }));
      return [...calls];
    };
    expect(await callsOf(1)).toEqual(['markElementKey', 'findHashes', 'rehash']);
    expect(await callsOf(1)).toEqual(['findHashes']);
    expect(await callsOf(2, 3)).toEqual(['findHashes', 'rehash']);
    expect(await callsOf(9)).toEqual(['findHashes']);
    calls.length = 0;
    expect(await engine.sealStatus()).toMatchObject({ unsealed: 0 });
    expect(calls).toEqual(['countUnsealed', 'markElementKey']);
    expect(await callsOf(1, 2, 3, 9)).toEqual([]);
    calls.length = 0;
    expect(await engine.sealStatus()).toMatchObject({ unsealed: 0 });
    expect(calls).toEqual([]);
  });

  it('is raised with what has an element when a pepper is added', async () => {
    const { bytes, apiKey, otherKey } = await before([FIRST]);
    const engine = await reopen(bytes, createTestSeal(), [FIRST]);
    unwrap(await engine.query({ apiKey, identifiers: asHash(2) }));
    expect(await engine.rotatePepper({ pepper: SECOND })).toBe(3);
    expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: asHash(1, 2) })).reported).toBe(2);
    unwrap(await engine.unprotect({ hash: hashOf(3), by: 'Ada' }));
    expect(await engine.sealStatus()).toMatchObject({ unsealed: 0 });
  });
});

describe('the rows for a published table', () => {
  it('are those that queries count, each once, with the element of the present key', async () => {
    const { engine, apiKey, otherKey, reporterId, clock } = await createTestEngine({ seal: createTestSeal() });
    const reportIds: string[] = [];
    for (const [at, of] of [[1, 2], [1], [3], [4, 6], [5]].entries()) {
      clock.nowMs += 1000;
      const key = at % 2 === 0 ? apiKey : otherKey;
      reportIds.push(unwrap(await engine.report({ apiKey: key, ...draft(asHash(...of), `t${at}`) })).reportId);
    }
    const dispute = async (at: number) =>
      unwrap(await engine.openDispute({ reportId: reportIds[at]!, reason: 'wrong', by: 'Ada' }));
    for (const at of [0, 1, 4]) await dispute(at);
    unwrap(await engine.decideDispute({ reportId: reportIds[1]!, upheld: true, by: 'Bob' }));
    unwrap(await engine.decideDispute({ reportId: reportIds[4]!, upheld: false, by: 'Bob' }));
    unwrap(await engine.protect({ hash: hashOf(4), reason: 'ours', by: 'Ada' }));
    const rows = [];
    let pages = 0;
    for (let next; pages === 0 || next !== undefined; pages++) {
      const page = await engine.readSealedRows({ after: next, limit: 2 });
      rows.push(...page.rows);
      next = page.next;
    }
    expect(pages).toBe(3);
    expect(rows.map((row) => [reportIds.indexOf(row.reportId), row.element, row.kind, row.disputeOpen])).toEqual([
      [0, elementOf(hashOf(1)), 'email', true],
      [0, elementOf(hashOf(2)), 'phone', true],
      [2, elementOf(hashOf(3)), 'email', false],
      [3, elementOf(hashOf(6)), 'phone', false],
      [4, elementOf(hashOf(5)), 'email', false],
    ]);
    expect(rows[0]).toEqual({
      element: elementOf(hashOf(1)),
      reportId: reportIds[0],
      reporterId,
      kind: 'email',
      type: 'fraud',
      severity: 7,
      disputeOpen: true,
      createdAt: START + 1000,
    });
    await expect(engine.readSealedRows({ limit: 0 })).rejects.toThrow(RangeError);
  });
});

describe('a new sealing key', () => {
  it('replaces all elements, goes on where it was interrupted, and everything is found meanwhile', async () => {
    const limits = { report: { requests: 5000, windowSeconds: 1 }, query: { requests: 5000, windowSeconds: 1 } };
    const store = await createMemoryStore();
    const plain = await createTestEngine({ store, peppers: [FIRST], limits });
    unwrap(await plain.engine.report({ apiKey: plain.apiKey, ...draft(asHash(90), 'before the seal') }));
    const options = {
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
      peppers: [FIRST],
      limits,
    };
    const first = createEngine({ store, ...options, seal: createTestSeal() });
    const { apiKey } = plain;
    for (let n = 0; n < 450; n++) unwrap(await first.report({ apiKey, ...draft(asHash(100 + n), `t${n}`) }));
    // The process is killed after one page.
    const calls = { left: 1 };
    const failing: Store = new Proxy(store as Store, {
      get: (target, name: keyof Store) =>
        name === 'rehash'
          ? (...args: Parameters<Store['rehash']>) =>
              calls.left-- > 0 ? target.rehash(...args) : Promise.reject(new Error('killed'))
          : target[name],
    });
    const seal = createTestSeal('key 2', 'key 1');
    await expect(createEngine({ store: failing, ...options, seal }).replaceElements()).rejects.toThrow('killed');
    const next = createEngine({ store, ...options, seal });
    expect(await next.sealStatus()).toMatchObject({ generation: 2, replacing: true, unsealed: 1 });
    // With the new key alone, the other half could not be found.
    const alone = createEngine({ store, ...options, seal: createTestSeal('key 2') });
    await expect(alone.ready()).rejects.toThrow(`give it too: its fingerprint is ${sealFingerprint('key 1')}`);
    // Nor is a third key added before.
    const third = createEngine({ store, ...options, seal: createTestSeal('key 3', 'key 2') });
    await expect(third.ready()).rejects.toThrow(SealError);
    for (let n = 0; n < 450; n += 30) {
      const [asked] = asHash(100 + n);
      const element = elementOf(asked!.hash, 'key 2');
      const identifiers = n % 60 === 0 ? [asked!] : [{ kind: asked!.kind, element }];
      expect(unwrap(await next.query({ apiKey, identifiers })).reported).toBe(1);
    }
    const rows = (await next.readSealedRows({ limit: 1000 })).rows;
    expect(new Set(rows.map(({ element }) => element))).toEqual(
      new Set(Array.from({ length: 450 }, (_, n) => elementOf(hashOf(100 + n), 'key 2'))),
    );
    expect(await next.replaceElements()).toBeGreaterThan(200);
    expect(await next.replaceElements()).toBe(0);
    expect(await next.sealStatus()).toMatchObject({ generation: 2, replacing: false, unsealed: 1 });
    expect(await readOldElements(store, { seal: 2, after: '', limit: 1 })).toEqual([]);
    expect(await store.check()).toEqual([]);
    // Afterwards, the new key is enough, and what was never sealed is still found by its hash.
    const later = createEngine({ store, ...options, seal: createTestSeal('key 2') });
    for (const n of [90, 100, 549])
      expect(unwrap(await later.query({ apiKey, identifiers: asHash(n) })).reported).toBe(1);
    expect(await later.sealStatus()).toMatchObject({ generation: 2, unsealed: 0 });
    const old = createEngine({ store, ...options, seal: createTestSeal() });
    await expect(old.ready()).rejects.toThrow(SealError);
  });

  it('finds what is kept of a deleted report: from before the seal, and after the key was replaced', async () => {
    const store = await createMemoryStore();
    const plain = await createTestEngine({ store, peppers: [FIRST], sameRequestSeconds: 0 });
    const { apiKey, otherKey } = plain;
    const options = {
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => START,
      peppers: [FIRST],
    };
    const deleteWrong = async (engine: Engine, n: number) => {
      const { reportId, deletionCode } = unwrap(await engine.report({ apiKey, ...draft(asHash(n), `wrong ${n}`) }));
      unwrap(await engine.openDispute({ reportId, reason: 'why', by: 'Ada' }));
      unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
      unwrap(await engine.remove({ apiKey, deletionCode }));
    };
    const isWrong = async (engine: Engine, n: number) => {
      unwrap(await engine.report({ apiKey, ...draft(asHash(n), `again ${n}`) }));
      return unwrap(await engine.query({ apiKey: otherKey, identifiers: asHash(n) })).reported === 0;
    };
    for (const n of [1, 2]) await deleteWrong(plain.engine, n);
    const first = createEngine({ store, ...options, seal: createTestSeal() });
    await deleteWrong(first, 3);
    expect(await isWrong(first, 1)).toBe(true);
    // No answer depends on it.
    expect(await first.sealStatus()).toMatchObject({ unsealed: 0 });
    const next = createEngine({ store, ...options, seal: createTestSeal('key 2', 'key 1') });
    await next.replaceElements();
    expect(await store.check()).toEqual([]);
    for (const n of [1, 2, 3]) expect(await isWrong(next, n)).toBe(true);
    expect(holds(store, hashOf(3))).toBe(false);
    expect(await store.check()).toEqual([]);
  });
});
