import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../../src/index.ts';
import { createPostgresStore } from '../../../src/stores/postgres/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../../postgres-server.ts';
import { hashOf, START } from '../../engine/setup.ts';

const programs = findPostgres();
const DAY = 86_400_000;

describe.skipIf(!programs)('notices about accusations in two processes on PostgreSQL', () => {
  let server: PostgresServer;
  let pools: pg.Pool[];
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pools = [1, 2].map(() => new pg.Pool({ ...server.connection, max: 5 }));
  });
  afterAll(async () => {
    await Promise.all((pools ?? []).map((pool) => pool.end()));
    await server?.remove();
  });

  it('are sent by one of them, once', async () => {
    const clock = { nowMs: START };
    const sent: string[] = [];
    const stores = await Promise.all(pools.map((pool) => createPostgresStore({ pool, schema: 'accusations' })));
    const begin = (at: number): Engine =>
      createEngine({
        store: stores[at]!,
        secret: 'a secret of more than sixteen bytes',
        publicUrl: 'https://reports.example',
        clock: () => clock.nowMs,
        onNotice: ({ event }) => sent.push(event),
      });
    const engines = [begin(0), begin(1)];
    const [here, there] = engines as [Engine, Engine];
    const identifiers = [{ kind: 'email', hash: hashOf(1) }];
    for (const [n, engine] of engines.entries()) {
      const { reporterId } = unwrap(await here.createReporter({ name: `Newcomer ${n}`, verified: false }));
      const { apiKey } = unwrap(await here.issueKey({ reporterId }));
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers }));
    }
    await Promise.all(engines.map((engine) => engine.listStandings()));
    clock.nowMs += DAY;
    await Promise.all(engines.map((engine) => engine.recomputeTrust()));
    await there.recomputeTrust();
    expect(sent).toEqual(['silent-together']);
    expect(await there.listAudit({ action: 'silent-together' })).toHaveLength(2);
    // A process that starts on the same day.
    await begin(0).recomputeTrust();
    expect(sent).toHaveLength(1);
  });
});
