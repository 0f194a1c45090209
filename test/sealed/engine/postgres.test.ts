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
import { createTestSeal, elementOf } from './test-seal.ts';

const programs = findPostgres();
const PEPPERS = ['the first pepper, long enough'];
const asHash = (...of: number[]) => of.map((n) => ({ kind: 'email', hash: hashOf(n) }));
const asElement = (of: readonly number[]) => of.map((n) => ({ kind: 'email', element: elementOf(hashOf(n)) }));
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
    const [one, two, wrong] = await Promise.all(
      [createTestSeal(), createTestSeal(), createTestSeal('key 2')].map((seal) => processOn('sealed', seal)),
    );
    // They begin at once: one key is adopted.
    await Promise.all([one!, two!].map(({ engine }) => engine.ready()));
    await expect(wrong!.engine.ready()).rejects.toThrow(SealError);
    expect(await one!.store.findElementKeys()).toHaveLength(1);
    clock.nowMs += 2_000;
    await expect(plain.engine.query({ apiKey, identifiers: asHash(1) })).rejects.toThrow(SealError);
    await expect(plain.engine.report({ apiKey, ...draft('too late') })).rejects.toThrow(SealError);

    unwrap(await one!.engine.report({ apiKey, ...draft('hash') }));
    expect(await reported(one!.engine, apiKey, asHash(1))).toBe(1);
    expect(await reported(two!.engine, otherKey, asElement([1]))).toBe(1);
    unwrap(await two!.engine.report({ apiKey: otherKey, ...draft('sealed'), identifiers: asElement([1, 3]) }));
    expect(await reported(one!.engine, apiKey, asHash(1, 3))).toBe(2);
    expect(await one!.store.check()).toEqual([]);
  });
});
