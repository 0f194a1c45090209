import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pepperFingerprint } from '../../src/core/engine/peppers.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { StoreDamagedError, unwrap } from '../../src/index.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { hashOf, START } from './setup.ts';

const programs = findPostgres();
const PEPPERS = ['the first pepper, long enough', 'the second pepper, long enough'];
const GUESSED = '0123456789abcdef';

describe.skipIf(!programs)('the key of a query on PostgreSQL', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  const clock = { nowMs: START };
  const engineOn = (store: Store, peppers: readonly string[] = [], requests = 1_000): Engine =>
    createEngine({
      store,
      secret: 'a secret of more than sixteen bytes',
      peppers,
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      monotonic: () => clock.nowMs,
      limits: { query: { requests, windowSeconds: 60 } },
    });
  const newKey = async (engine: Engine, name: string) => {
    const { reporterId } = unwrap(await engine.createReporter({ name, verified: true }));
    return unwrap(await engine.issueKey({ reporterId }));
  };
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const report = { type: 'fraud', severity: 6, text: 'a text', identifiers };
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pool = new pg.Pool({ ...server.connection, max: 10 });
  });
  afterAll(async () => {
    await pool?.end();
    await server?.remove();
  });

  it('decides once: a suspension that is lifted meanwhile hides no matches', async () => {
    const engine = engineOn(await createPostgresStore({ pool, schema: 'lifted' }));
    const { apiKey, reporterId } = await newKey(engine, 'Corner Shop');
    unwrap(await engine.report({ apiKey, ...report }));
    unwrap(await engine.query({ apiKey, identifiers }));
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    // The query waits for this lock after it has read the key.
    const other = await pool.connect();
    await other.query('BEGIN; LOCK TABLE lifted.dispute IN ACCESS EXCLUSIVE MODE');
    const asked = engine.query({ apiKey, identifiers });
    const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'lifted.dispute'::regclass";
    while ((await pool.query(waiting)).rowCount === 0);
    unwrap(await engine.suspendReporter({ reporterId, suspended: false }));
    await other.query('COMMIT');
    other.release();
    expect(await asked).toMatchObject({ ok: false, refusal: { reason: 'suspended-key' } });
    expect(await engine.query({ apiKey, identifiers })).toMatchObject({ ok: true, value: { reported: 1 } });
  });

  it('without a token reads no reports, however many queries are sent together', async () => {
    const store = await createPostgresStore({ pool, schema: 'limited' });
    const engine = engineOn(store, [], 1);
    const { apiKey } = await newKey(engine, 'Busy Shop');
    const read = { matches: 0 };
    const counting = engineOn(
      {
        ...store,
        async findFacts(asked) {
          const facts = await store.findFacts(asked);
          read.matches += facts.matches.length;
          return facts;
        },
      },
      [],
      1,
    );
    unwrap(await engine.report({ apiKey, ...report }));
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => counting.query({ apiKey, identifiers })));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(read.matches).toBe(1);
  });

  it('moves no hash at the beginning of a rotation if it was guessed', async () => {
    const store = await createPostgresStore({ pool, schema: 'peppered' });
    const first = engineOn(store, PEPPERS.slice(0, 1));
    const { apiKey } = await newKey(first, 'Corner Shop');
    unwrap(await first.report({ apiKey, ...report }));
    const moved = { times: 0 };
    const rehash: Store['rehash'] = (...args) => {
      moved.times++;
      return store.rehash(...args);
    };
    const next = engineOn({ ...store, rehash }, PEPPERS);
    unwrap(await next.query({ apiKey, identifiers }));
    const addedAt = clock.nowMs + 60_000;
    await store.addPepper({ generation: 2, fingerprint: pepperFingerprint(PEPPERS[1]!), addedAt });
    clock.nowMs += 120_000;
    const guesses = Array.from({ length: 5 }, () => next.query({ apiKey: GUESSED, identifiers }));
    for (const outcome of await Promise.all(guesses)) expect(outcome.ok).toBe(false);
    expect(moved.times).toBe(0);
    expect(unwrap(await next.query({ apiKey, identifiers })).reported).toBe(1);
    expect(moved.times).toBe(1);
  });

  it('is damaged if it is stored twice', async () => {
    const engine = engineOn(await createPostgresStore({ pool, schema: 'twice' }));
    const { apiKey } = await newKey(engine, 'Corner Shop');
    unwrap(await engine.query({ apiKey, identifiers }));
    await pool.query('ALTER TABLE twice.api_key DROP CONSTRAINT api_key_pkey CASCADE');
    await pool.query('ALTER TABLE twice.api_key DROP CONSTRAINT api_key_key_id_key');
    await pool.query('INSERT INTO twice.api_key SELECT * FROM twice.api_key');
    await expect(engine.query({ apiKey, identifiers })).rejects.toThrow(StoreDamagedError);
  });
});
