// Queries of 32 clients on one PostgreSQL server, from one process and from two. Each process has its own engine and
// pool. Started with options as JSON, this file is one of the processes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { unwrap } from 'redflag';
import { createPostgresStore } from 'redflag/postgres';
import { findPostgres, startPostgres } from './postgres-server.mjs';
import { quantile } from './slices.mjs';
import { fillServer } from './store-postgres.mjs';
import { openEngine, personOf } from './store-rows.mjs';

const FILE = fileURLToPath(import.meta.url);
const CLIENTS = 32;
/** Connections of one process. */
const CONNECTIONS = 8;
const REPORTS = 10_000;
/** Different queries. Each is sent before the timing, which stores its link. */
const QUERIES = 2_000;
const SLICE_MS = 1_000;
const DATABASE = 'clients';

if (process.argv[1] === FILE) await serve(JSON.parse(process.argv[2]));

/** Returns queries a second, as medians: `[one process, two processes]`. Undefined without PostgreSQL. */
export async function benchClients({ slices = 9 } = {}) {
  const programs = findPostgres();
  if (!programs) return undefined;
  const server = await startPostgres(programs);
  const children = [];
  try {
    await server.run('postgres', `CREATE DATABASE ${DATABASE}`);
    const apiKey = await fillServer(server, DATABASE, { size: REPORTS, crowds: [] });
    await server.run(DATABASE, 'VACUUM ANALYZE', 'CHECKPOINT');
    for (let n = 0; n < 2; n++) {
      const child = fork(FILE, [JSON.stringify({ host: server.host, apiKey })]);
      children.push(child);
      await once(child, 'message');
    }
    const samples = [[], []];
    for (let slice = 0; slice <= slices; slice++) {
      for (const [at, processes] of [children.slice(0, 1), children].entries()) {
        const answered = await Promise.all(
          processes.map(async (child) => {
            child.send({ clients: CLIENTS / processes.length });
            const [{ queries }] = await once(child, 'message');
            return queries;
          }),
        );
        // The first slice does not count.
        if (slice > 0) samples[at].push((1000 * answered.reduce((sum, queries) => sum + queries)) / SLICE_MS);
      }
    }
    return samples.map((list) =>
      quantile(
        list.sort((a, b) => a - b),
        0.5,
      ),
    );
  } finally {
    for (const child of children) child.kill();
    await server.remove();
  }
}

/** Answers each message with the number of queries that so many clients send in one slice. */
async function serve({ host, apiKey }) {
  const pool = new pg.Pool({ host, port: 5432, user: 'redflag', database: DATABASE, max: CONNECTIONS });
  pool.on('error', () => {});
  const engine = openEngine(await createPostgresStore({ pool }));
  let asked = 0;
  const ask = async () => unwrap(await engine.query({ apiKey, identifiers: personOf((asked++ * 7_919) % QUERIES) }));
  const askUntil = async (isDone) => {
    while (!isDone()) await ask();
  };
  await Promise.all(Array.from({ length: CLIENTS }, () => askUntil(() => asked >= QUERIES)));
  process.on('message', async ({ clients }) => {
    const end = performance.now() + SLICE_MS;
    const before = asked;
    await Promise.all(Array.from({ length: clients }, () => askUntil(() => performance.now() > end)));
    process.send({ queries: asked - before });
  });
  process.send('ready');
}
