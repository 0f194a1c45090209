// Costs on a real PostgreSQL server, by number of reports: bytes, depth of indexes, queries and reports per second,
// copies and maintenance. docs/scale.md calculates the plan for a billion reports from these figures.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPostgres, startPostgres } from './postgres-server.mjs';
import { seeded } from './slices.mjs';
import { fillServer, openStore, withStore } from './store-postgres.mjs';
import { personOf, reportOf } from './store-rows.mjs';

const DATABASE = 'scale';
const FULL = { reports: 1_000_000, seconds: 10 };
/** Hashes per transaction, as in the engine's move to a new pepper. */
const MOVES_AT_ONCE = 200;

/**
 * Resolves with undefined if PostgreSQL is not installed. With fewer reports and seconds, the figures are less exact.
 */
export async function benchScale(options = {}) {
  const { reports, seconds, say } = { ...FULL, say: console.error, ...options };
  const programs = findPostgres();
  if (!programs) return undefined;
  const server = await startPostgres(programs);
  try {
    await server.run('postgres', `CREATE DATABASE ${DATABASE}`);
    say(`filling a server with ${reports} reports`);
    const fill = await secondsOf(() => fillServer(server, DATABASE, { size: reports, crowds: [] }));
    const vacuum = await secondsOf(() =>
      server.run(DATABASE, 'VACUUM (ANALYZE) redflag.report', 'VACUUM (ANALYZE) redflag.identifier', 'CHECKPOINT'),
    );
    const [{ version }] = await server.run(DATABASE, "SELECT current_setting('server_version') AS version");
    const relations = await relationsOf(server);
    say('queries and reports');
    const rates = { queryRates: [], reportRates: [] };
    const next = { report: reports };
    for (const connections of [1, 4]) rates.queryRates.push(await queryRate(server, { reports, seconds, connections }));
    for (const connections of [1, 16]) rates.reportRates.push(await reportRate(server, { seconds, connections, next }));
    say('copies and upkeep');
    const copies = await copy(server, programs);
    const upkeep = await timeUpkeep(server, reports);
    return { version, reports, fill, vacuum, relations, ...rates, ...copies, ...upkeep };
  } finally {
    await server.remove();
  }
}

async function secondsOf(task) {
  const start = performance.now();
  await task();
  return (performance.now() - start) / 1000;
}

/**
 * Returns tables and indexes with their bytes. For an index, also returns its pages and its levels above the leaves.
 * The partitions of a table or index are added up.
 */
async function relationsOf(server) {
  const relations = `SELECT c.oid, coalesce(p.relname, c.relname) AS name, c.relkind, coalesce(tp.relname, t.relname, p.relname, c.relname) AS of
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'redflag'
    LEFT JOIN pg_inherits h ON h.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = h.inhparent
    LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
    LEFT JOIN pg_inherits th ON th.inhrelid = t.oid LEFT JOIN pg_class tp ON tp.oid = th.inhparent
    WHERE c.relkind IN ('r', 'i')`;
  const sizes = await server.run(
    DATABASE,
    `SELECT name, relkind AS kind, "of", count(*)::int AS parts, sum(pg_relation_size(oid))::float8 AS bytes FROM (${relations}) r GROUP BY 1, 2, 3`,
  );
  const rows = await server.run(
    DATABASE,
    "SELECT 'report' AS \"of\", count(*)::float8 AS rows FROM redflag.report UNION ALL SELECT 'identifier', count(*) FROM redflag.identifier",
  );
  const trees = await treesOf(server, relations);
  const rowsOf = new Map(rows.map((row) => [row.of, row.rows]));
  return sizes
    .filter((relation) => rowsOf.has(relation.of) && relation.bytes > 8192 * relation.parts)
    .map((relation) => ({ ...relation, rows: rowsOf.get(relation.of), ...trees.get(relation.name) }))
    .sort((a, b) => (a.of === b.of ? b.bytes - a.bytes : a.of < b.of ? 1 : -1));
}

/** Needs pgstattuple, an extension of the server that some systems package separately. */
async function treesOf(server, relations) {
  try {
    const trees = await server.run(
      DATABASE,
      'CREATE EXTENSION IF NOT EXISTS pgstattuple',
      `SELECT name, max(tree_level)::int AS levels, sum(internal_pages)::float8 AS internal, sum(leaf_pages)::float8 AS leaves
      FROM (${relations}) r CROSS JOIN LATERAL pgstatindex(r.oid::regclass) WHERE r.relkind = 'i' GROUP BY 1`,
    );
    return new Map(trees.map(({ name, levels, internal, leaves }) => [name, { levels, internal, leaves }]));
  } catch {
    return new Map();
  }
}

/** Repeats a task on several workers for some seconds. Resolves with tasks per second. */
async function rate(workers, seconds, task) {
  const end = performance.now() + seconds * 1000;
  const state = { done: 0 };
  const taken = await secondsOf(() =>
    Promise.all(
      Array.from({ length: workers }, async () => {
        while (performance.now() < end) {
          await task();
          state.done++;
        }
      }),
    ),
  );
  return state.done / taken;
}

async function queryRate(server, { reports, seconds, connections }) {
  const store = await openStore(server, DATABASE, connections);
  const random = seeded(connections);
  const task = async () => {
    const hashes = personOf(Math.floor(random() * reports)).map(({ hash }) => hash);
    if ((await store.findMatches(hashes)).length < 3) throw new Error('a stored person was not found');
  };
  await rate(connections, seconds / 5, task);
  const perSecond = await rate(connections, seconds, task);
  await store.close();
  return { connections, perSecond };
}

async function reportRate(server, { seconds, connections, next }) {
  const store = await openStore(server, DATABASE, connections);
  const task = async () => {
    const report = reportOf(next.report++);
    if ((await store.addReport(report, report.createdAt - 86_400_000)).outcome !== 'added')
      throw new Error('a report was not added');
  };
  await rate(connections, seconds / 5, task);
  const perSecond = await rate(connections, seconds, task);
  await store.close();
  return { connections, perSecond };
}

/** Times a logical backup and its restore, on two connections. */
async function copy(server, programs) {
  const folder = mkdtempSync(join(tmpdir(), 'redflag-bench-dump-'));
  const run = (program, ...args) =>
    promisify(execFile)(join(programs, program), ['-h', server.host, '-U', 'redflag', ...args]);
  try {
    const into = join(folder, 'dump');
    const dump = await secondsOf(() => run('pg_dump', '-Fd', '-j', '2', '-f', into, DATABASE));
    const dumpBytes = readdirSync(into).reduce((sum, name) => sum + statSync(join(into, name)).size, 0);
    await server.run('postgres', 'CREATE DATABASE restored');
    const restore = await secondsOf(() => run('pg_restore', '-j', '2', '-d', 'restored', into));
    await server.run('postgres', 'DROP DATABASE restored');
    return { dump, dumpBytes, restore };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Times work on all rows: the counts for an operator, the check, and the move to a new pepper. */
async function timeUpkeep(server, reports) {
  return withStore(server, DATABASE, async (store) => {
    const count = await secondsOf(() => store.count());
    const problems = [];
    const check = await secondsOf(async () => problems.push(...(await store.check())));
    if (problems.length > 0)
      throw new Error(`the filled server is not sound: ${problems.map(({ problem }) => problem).join(', ')}`);
    await store.addPepper({ generation: 1, fingerprint: '00'.repeat(8), addedAt: 0 });
    const moves = Math.min(25, Math.ceil(reports / MOVES_AT_ONCE));
    const moving = { after: '', moved: 0 };
    const taken = await secondsOf(async () => {
      for (let n = 0; n < moves; n++) {
        const page = await store.readOldHashes({ generation: 1, after: moving.after, limit: MOVES_AT_ONCE });
        moving.after = page.at(-1).hash;
        // Any other hash is sufficient. The engine's own would cost one more digest.
        moving.moved += await store.rehash(
          page.map(({ hash }) => ({ from: hash, to: [...hash].reverse().join('') })),
          1,
        );
      }
    });
    return { count, check, movedASecond: moving.moved / taken };
  });
}
