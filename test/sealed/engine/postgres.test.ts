import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { SealError, unwrap } from '../../../src/index.ts';
import type { Seal, Sealing } from '../../../src/sealed.ts';
import { createPostgresStore } from '../../../src/stores/postgres/store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../../postgres-server.ts';
import { hashOf, START } from '../../engine/setup.ts';
import { createTestSeal, elementOf, sealFingerprint } from './test-seal.ts';
import { readOldElements } from '../../../src/sealed/engine/stored.ts';

const programs = findPostgres();
const PEPPERS = ['the first pepper, long enough'];
const asHash = (...of: number[]) => of.map((n) => ({ kind: 'email', hash: hashOf(n) }));
const asElement = (of: readonly number[], key = 'key 1') =>
  of.map((n) => ({ kind: 'email', element: elementOf(hashOf(n), key) }));
const draft = (text: string, identifiers = asHash(1)) => ({ type: 'fraud', severity: 6, text, identifiers });

describe.skipIf(!programs)('several processes on one sealed store', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  const clock = { nowMs: START };
  /** A process. All share one clock, which stands still. */
  const processOn = async (schema: string, seal?: Seal): Promise<{ engine: Engine; store: Store }> => {
    const store = await createPostgresStore({ pool, schema });
    const shared = { ...store.shared!, nowMs: async () => clock.nowMs };
    const engine = createEngine({
      store: { ...store, shared },
      secret: 'a secret of more than sixteen bytes',
      peppers: PEPPERS,
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      monotonic: () => clock.nowMs,
      wait: async (milliseconds) => void (clock.nowMs += milliseconds),
      ...(seal && { seal }),
    });
    return { engine, store };
  };
  const newKey = async (engine: Engine, name: string) => {
    const { reporterId } = unwrap(await engine.createReporter({ name, verified: true }));
    return unwrap(await engine.issueKey({ reporterId })).apiKey;
  };
  const reported = async (
    engine: Engine,
    apiKey: string,
    identifiers: Parameters<Sealing['query']>[0]['identifiers'],
  ) => unwrap(await engine.query({ apiKey, identifiers })).reported;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pool = new pg.Pool({ ...server.connection, max: 10 });
  });
  afterAll(async () => {
    await pool?.end();
    await server?.remove();
  });

  it('refuse to go on without the sealing key, and find what each other seals', async () => {
    const plain = await processOn('sealed');
    const apiKey = await newKey(plain.engine, 'First Shop');
    const otherKey = await newKey(plain.engine, 'Second Shop');
    for (const n of [1, 2]) unwrap(await plain.engine.report({ apiKey, ...draft(`before ${n}`, asHash(n)) }));
    const [one, two, wrong] = await Promise.all(
      [createTestSeal(), createTestSeal(), createTestSeal('key 2')].map((seal) => processOn('sealed', seal)),
    );
    // They begin at once: one key is adopted.
    await Promise.all([one!, two!].map(({ engine }) => engine.sealStatus()));
    await expect(wrong!.engine.sealStatus()).rejects.toThrow(SealError);
    expect(await one!.store.findElementKeys()).toHaveLength(1);
    clock.nowMs += 2_000;
    await expect(plain.engine.query({ apiKey, identifiers: asHash(1) })).rejects.toThrow(SealError);
    await expect(plain.engine.report({ apiKey, ...draft('too late') })).rejects.toThrow(SealError);

    expect(await reported(one!.engine, apiKey, asHash(1))).toBe(1);
    expect(await reported(two!.engine, otherKey, asElement([1]))).toBe(1);
    unwrap(await two!.engine.report({ apiKey: otherKey, ...draft('sealed'), identifiers: asElement([1, 3]) }));
    expect(await reported(one!.engine, apiKey, asHash(1, 3))).toBe(2);
    // Both send the last unsealed hash at once.
    expect(await Promise.all([one!, two!].map(({ engine }) => reported(engine, apiKey, asHash(2))))).toEqual([1, 1]);
    // A process without the key may have written until just now, so nothing is remembered yet.
    expect(await one!.engine.sealStatus()).toMatchObject({ unsealed: 0 });
    expect((await one!.store.findElementKeys())[0]).toMatchObject({ completeAt: null });
    clock.nowMs += 60_000;
    expect(await two!.engine.sealStatus()).toMatchObject({ unsealed: 0 });
    expect((await one!.store.findElementKeys())[0]).toMatchObject({ completeAt: clock.nowMs });
    expect(await one!.store.check()).toEqual([]);
  });

  it('replace the elements together, and answer meanwhile', async () => {
    const first = await processOn('replaced', createTestSeal());
    const apiKey = await newKey(first.engine, 'First Shop');
    for (let n = 0; n < 250; n++) {
      clock.nowMs += 1_000;
      unwrap(await first.engine.report({ apiKey, ...draft(`t${n}`, asHash(100 + n)) }));
    }
    const seal = createTestSeal('key 2', 'key 1');
    const [one, two] = await Promise.all([processOn('replaced', seal), processOn('replaced', seal)]);
    const replacing = Promise.all([one.engine.replaceElements(), two.engine.replaceElements()]);
    const moved = { done: false };
    void replacing.finally(() => (moved.done = true));
    for (let n = 0; !moved.done || n < 20; n++) {
      clock.nowMs += 1_000;
      const at = 100 + ((n * 37) % 250);
      expect(
        await reported(n % 2 ? one.engine : two.engine, apiKey, n % 3 ? asHash(at) : asElement([at], 'key 2')),
      ).toBe(1);
    }
    await replacing;
    await expect(first.engine.query({ apiKey, identifiers: asHash(100) })).rejects.toThrow(SealError);
    expect(await one.engine.sealStatus()).toMatchObject({ generation: 2, replacing: false });
    expect(await readOldElements(one.store, { seal: 2, after: '', limit: 1 })).toEqual([]);
    expect(await one.store.check()).toEqual([]);
    const later = await processOn('replaced', createTestSeal('key 2'));
    expect(await reported(later.engine, apiKey, asHash(349))).toBe(1);
  });

  it('follow a key that one of them replaces, and find everything meanwhile', async () => {
    const keys: { now: Seal } = { now: createTestSeal() };
    const following = (): Seal => ({ ...keys.now, latest: async () => following() });
    const [one, two] = await Promise.all([processOn('followed', following()), processOn('followed', following())]);
    const apiKey = await newKey(one.engine, 'First Shop');
    for (let n = 0; n < 250; n++) {
      clock.nowMs += 1_000;
      unwrap(await one.engine.report({ apiKey, ...draft(`t${n}`, asHash(100 + n)) }));
    }
    keys.now = createTestSeal('key 2', 'key 1');
    const moved = { done: false };
    const replacing = one.engine.replaceElements().finally(() => (moved.done = true));
    const sealOf = (key: string) => ({ seal: sealFingerprint(key) });
    for (let n = 0; !moved.done || n < 40; n++) {
      clock.nowMs += 100;
      const at = 100 + ((n * 37) % 250);
      // A request of the sealed look-up may have begun under either key.
      const key = n % 2 ? 'key 1' : 'key 2';
      const identifiers =
        n % 3 ? asHash(at) : asElement([at], key).map((identifier) => ({ ...identifier, ...sealOf(key) }));
      expect(await reported(n % 5 ? two.engine : one.engine, apiKey, identifiers)).toBe(1);
    }
    expect(await replacing).toBeGreaterThan(0);
    keys.now = createTestSeal('key 2');
    clock.nowMs += 2_000;
    expect(await reported(two.engine, apiKey, asHash(100))).toBe(1);
    expect(await two.engine.sealStatus()).toMatchObject({ generation: 2, replacing: false });
    const unknown = asElement([100]).map((identifier) => ({ ...identifier, ...sealOf('key 3') }));
    await expect(two.engine.query({ apiKey, identifiers: unknown })).rejects.toThrow(SealError);
    expect(await one.store.check()).toEqual([]);
  });
});
