import { describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { SealError, StoreKeyError, unwrap } from '../../../src/index.ts';
import type { Seal } from '../../../src/sealed.ts';
import { createSqljsStore, type SqljsStore } from '../../../src/core/store/sqljs/store.ts';
import { createTestEngine, hashOf, START } from '../../engine/setup.ts';
import { createTestSeal, elementOf, sealFingerprint, STEPS } from './test-seal.ts';
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
      [[FIRST, SECOND], createTestSeal('key 2')],
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
    ] as const) {
      const other = await reopen(bytes, seal);
      for (const refused of [
        other.query({ apiKey, identifiers: asHash(1) }),
        other.report({ apiKey, ...draft(asHash(1), 'other') }),
        other.explain({ identifiers: asHash(1) }),
        other.protect({ hash: hashOf(9), reason: 'r', by: 'Ada' }),
        other.eraseIdentifiers({ hashes: [hashOf(1)], by: 'Ada' }),
        other.readSealedRows({ limit: 1 }),
        other.ready(),
      ]) {
        await expect(refused).rejects.toThrow(SealError);
        await expect(refused).rejects.toBeInstanceOf(StoreKeyError);
        await expect(refused).rejects.toThrow(words);
      }
    }
    await (await reopen(bytes, createTestSeal())).ready();
  });

  it('refuses what is no seal, and what a seal must not return', async () => {
    const seal = createTestSeal();
    for (const [wrong, words] of [
      [7, '"seal.elementOf" expected a function'],
      [{ ...seal, fingerprint: 'short' }, '"seal.fingerprint" expected 16 lowercase hex characters'],
    ] as const)
      await expect(createTestEngine({ seal: wrong as unknown as Seal })).rejects.toThrow(words);
    for (const element of ['', 'F'.repeat(64), 'f'.repeat(40), undefined]) {
      const { engine, apiKey } = await createTestEngine({ seal: { ...seal, elementOf: () => element as string } });
      await expect(engine.query({ apiKey, identifiers: asHash(1) })).rejects.toThrow(
        '"seal.elementOf" expected a function that returns 64 lowercase hex characters',
      );
    }
    const { engine } = await createTestEngine();
    await expect(engine.readSealedRows({ limit: 1 })).rejects.toThrow(RangeError);
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

it('a store that has identifiers is not sealed', async () => {
  const store = await createMemoryStore();
  const { engine, apiKey } = await createTestEngine({ store });
  unwrap(await engine.report({ apiKey, ...draft() }));
  await expect((await reopen(store.export(), createTestSeal())).ready()).rejects.toThrow('needs a store without them');
  expect(await store.findElementKeys()).toEqual([]);
});

describe('the rows for a published table', () => {
  it('are those that queries count, each once, with its element', async () => {
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
