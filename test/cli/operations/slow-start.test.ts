import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatViewer } from '../../../src/core/protocol/viewer.ts';
import { createPostgresStore } from '../../../src/stores/postgres/store.ts';
import { useFolder } from '../../folder.ts';
import { freePort } from '../../free-port.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../../postgres-server.ts';
import { beginService } from '../service.ts';

// Starts of processes that share one database.
const programs = findPostgres();
describe.runIf(programs)('a start on a shared store', () => {
  let server: PostgresServer;
  const root = useFolder('start');
  const begun: ReturnType<typeof beginService>[] = [];
  beforeAll(async () => {
    server = await startPostgres(programs!);
  });
  afterEach(async () => {
    for (const { process, exited } of begun.splice(0)) {
      process.kill('SIGKILL');
      await exited;
    }
  });
  afterAll(async () => {
    await server.remove();
  });

  async function begin(name: string, database: string, ...args: string[]) {
    const port = await freePort();
    const { host, user } = server.connection;
    const env = { REDFLAG_STORE: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}` };
    const service = beginService(['--data', join(root, name), '--port', String(port), ...args], { env });
    begun.push(service);
    const health = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.text();
    return { ...service, origin: `http://127.0.0.1:${port}`, health };
  }

  it('waits for another process, says so once, and ends at a signal', async () => {
    const pool = new pg.Pool(await server.createDatabase('waits'));
    const store = await createPostgresStore({ pool });
    const lease = (await store.shared!.lease('start'))!;
    const service = await begin('waits', 'waits', '--lame-duck', '3600', '--always-200');
    await expect.poll(() => service.output.err).toContain('"event":"start-waits"');
    expect(await service.health()).toBe('starting\n');
    // Requests get the replies of a store that is not available.
    const form = new URLSearchParams({ _api: '0'.repeat(16), _action: 'query', email: 'a'.repeat(40) });
    const asked = await fetch(`${service.origin}/api/`, { method: 'POST', body: form });
    expect([asked.status, asked.headers.get('retry-after')]).toEqual([200, '1']);
    expect(await asked.text()).toMatch(/^ERROR: /);
    const viewed = await fetch(`${service.origin}/report/${'a'.repeat(40)}`);
    expect([viewed.status, viewed.headers.get('retry-after'), await viewed.text()]).toEqual([
      500,
      '1',
      formatViewer([]),
    ]);
    // Several attempts, but one line.
    await new Promise((resolve) => setTimeout(resolve, 500));
    service.process.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.output.out).toBe('');
    expect(service.output.err.split('\n').map((line) => line && (JSON.parse(line) as { event: string }).event)).toEqual(
      ['start-waits', 'stopping', ''],
    );
    expect(await readdir(root)).toEqual([]);
    await lease.release();
    await store.close();
    await pool.end();
  });

  it('ends within the grace time, even in a step that waits for the database', async () => {
    const pool = new pg.Pool(await server.createDatabase('locked'));
    await (await createPostgresStore({ pool })).close();
    const client = await pool.connect();
    const { rows } = await client.query<{ schemaname: string; tablename: string }>(
      "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    await client.query('BEGIN');
    for (const { schemaname, tablename } of rows)
      await client.query(`LOCK TABLE "${schemaname}"."${tablename}" IN ACCESS EXCLUSIVE MODE`);
    const service = await begin('locked', 'locked', '--grace', '5');
    await expect.poll(service.health).toBe('starting\n');
    service.process.kill('SIGTERM');
    await expect.poll(service.health, { interval: 20 }).toBe('stopping\n');
    expect(await service.exited).toBe(0);
    expect(service.output.out).toBe('');
    await client.query('ROLLBACK');
    client.release();
    await pool.end();
  });

  it('creates no keys that do not belong to the store', async () => {
    for (let round = 0; round < 3; round++) {
      const database = `together_${round}`;
      await server.createDatabase(database);
      const names = ['a', 'b'].map((name) => `${name}${round}`);
      const services = await Promise.all(names.map((name) => begin(name, database)));
      const state = ({ exited, output }: (typeof services)[number]) =>
        Promise.race([exited, expect.poll(() => output.out).toMatch(/^Listening/)]);
      const codes = await Promise.all(services.map(state));
      const lost = codes.indexOf(1);
      expect(codes.filter((code) => code === 1)).toHaveLength(1);
      expect(services[lost]!.output.err).toMatch(/^redflag: \S+-keys\/secret is missing, but the store has data/m);
      expect(await readdir(root)).not.toContain(`${names[lost]!}-keys`);
      expect(await readdir(root)).toContain(`${names[1 - lost]!}-keys`);
    }
  });
});
