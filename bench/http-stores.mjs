// The stores of the benchmark over HTTP. Each store is filled once, through an engine with a pepper. Then, each server
// gets a copy of the data.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createSeededRandom, unwrap } from 'redflag';
import { openFolderStore } from 'redflag/node';
import { createPostgresStore } from 'redflag/postgres';
import { openSqliteFile } from 'redflag/sqlite';
import { findPostgres, startPostgres } from './postgres-server.mjs';
import { openEngine, personOf, REPORTERS } from './store-rows.mjs';

const PEPPERED = { peppers: ['a pepper for the bench only'] };
/** Reports that a fill sends at once. */
const AT_ONCE = 64;
/** Connections of one server. Four servers share the 60 of a PostgreSQL server. */
const CONNECTIONS = 12;

/** Opens an engine with a pepper, as the servers use it. */
export const openPeppered = (store, options) => openEngine(store, undefined, { ...PEPPERED, ...options });

/** Returns the report with this number, as a request without the key. */
export const draftOf = (n) => ({
  type: 'fraud',
  severity: 1 + (n % 10),
  text: `Report ${n}: ordered twice and never paid.`,
  identifiers: personOf(n),
});

/**
 * By name: `open(place)` opens a store at a place. `prepare(fill)` fills one place and returns `{ copy, remove }`:
 * `copy()` resolves with the place of one more copy, `remove()` deletes all. `missing` returns why a store is
 * unavailable.
 */
export const STORES = {
  'folder, journal': onDisk((folder) => openFolderStore(folder)),
  'file, SQLite': onDisk((folder) => openSqliteFile(join(folder, 'store.sqlite'))),
  PostgreSQL: {
    missing: () => (findPostgres() ? undefined : 'PostgreSQL’s server is not installed'),
    open: openServer,
    async prepare(fill) {
      const server = await startPostgres(findPostgres());
      const [host, database] = [server.host, 'filled'];
      await server.run('postgres', `CREATE DATABASE ${database}`);
      const store = await openServer({ host, database, options: '-c synchronous_commit=off' });
      await fill(store);
      await store.close();
      await server.run(database, 'VACUUM ANALYZE', 'CHECKPOINT');
      let copies = 0;
      return {
        async copy() {
          const name = `copy${++copies}`;
          await server.run('postgres', `CREATE DATABASE ${name} TEMPLATE ${database}`, 'CHECKPOINT');
          return { host, database: name };
        },
        remove: server.remove,
      };
    },
  },
};

function onDisk(open) {
  return {
    missing: () => undefined,
    open,
    async prepare(fill) {
      const folder = await mkdtemp(join(tmpdir(), 'redflag-bench-'));
      const filled = join(folder, 'filled');
      await mkdir(filled);
      const store = await open(filled);
      await fill(store);
      await store.close();
      let copies = 0;
      return {
        async copy() {
          const place = join(folder, `copy${++copies}`);
          await cp(filled, place, { recursive: true });
          return place;
        },
        remove: () => rm(folder, { recursive: true, force: true }),
      };
    },
  };
}

/** Opens a store on a pool of its own, and ends the pool with the store. */
async function openServer({ host, database, options = '' }) {
  const pool = new pg.Pool({ host, port: 5432, user: 'redflag', database, max: CONNECTIONS, options });
  // Removing the server closes open pools. This is not a failure of the measurement.
  pool.on('error', () => {});
  const store = await createPostgresStore({ pool, timeoutMs: 600_000 });
  return {
    ...store,
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
}

/**
 * Fills an empty store with reporters and `size` reports. Computes standings, so that no computation runs later.
 * Queries the reports with the numbers `queried`, so that the links of these queries are stored. Resolves with the
 * first reporter and its key.
 */
export async function fillPeppered(store, size, queried) {
  const engine = openEngine(store, createSeededRandom('bench http'), PEPPERED);
  const reporterIds = [];
  const keys = [];
  for (let n = 0; n < REPORTERS; n++) {
    const { reporterId } = unwrap(await engine.createReporter({ name: `Shop ${n}`, verified: n % 2 === 0 }));
    reporterIds.push(reporterId);
    keys.push(unwrap(await engine.issueKey({ reporterId })).apiKey);
  }
  for (let from = 0; from < size; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, at) => from + at);
    const sent = numbers.map((n) => engine.report({ ...draftOf(n), apiKey: keys[n % REPORTERS] }));
    for (const outcome of await Promise.all(sent)) unwrap(outcome);
  }
  await engine.recomputeTrust();
  for (const n of queried) unwrap(await engine.query({ apiKey: keys[0], identifiers: personOf(n) }));
  return { reporterId: reporterIds[0], apiKey: keys[0] };
}
