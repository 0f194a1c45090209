// The store on a PostgreSQL server for the bench of stores, and as its rival the same transaction and the same select on the same driver, in a copy of the database.
import { createHash } from 'node:crypto';
import { createPostgresStore } from 'redflag/postgres';
import { findPostgres, startPostgres } from './postgres-server.mjs';
import { addReporters, fillStatements, IDENTIFIER_COLUMNS, REPORT_COLUMNS, reportsOf } from './store-rows.mjs';

const CONNECTIONS = 16;
/** Of a fill: so many reports a transaction. */
const AT_ONCE = 50_000;

export const POSTGRES_SITE = {
  missing: () => (findPostgres() ? undefined : 'PostgreSQL’s server is not installed'),
  async open({ size, crowds }) {
    const server = await startPostgres(findPostgres());
    await server.run('postgres', 'CREATE DATABASE ours');
    const apiKey = await withStore(server, 'ours', async (store) => {
      const key = await addReporters(store);
      await fillPersons(server, 'ours', size);
      let reports = [];
      for (const report of reportsOf({ size: 0, crowds })) {
        reports.push(store.addReport(report, report.createdAt));
        if (reports.length === 512) await Promise.all(reports.splice(0));
      }
      await Promise.all(reports);
      return key;
    });
    await server.run('ours', 'VACUUM ANALYZE', 'CHECKPOINT');
    await server.run('postgres', 'CREATE DATABASE theirs TEMPLATE ours', 'CHECKPOINT');
    return {
      apiKey,
      openStore: () => openStore(server, 'ours'),
      openRival: async () => openRival(server.createPool('theirs', CONNECTIONS)),
      openRivalAsStore: () => openStore(server, 'theirs'),
      remove: () => server.remove(),
    };
  },
};

/** Lets the server make the reports of so many persons, in the order of time, as they would have come. */
export async function fillPersons(server, database, size) {
  for (let from = 0; from < size; from += AT_ONCE) {
    await server.run(database, 'SET synchronous_commit = off', ...fillStatements(from, Math.min(size, from + AT_ONCE)));
  }
}

/** A store on a pool of its own, which it ends. */
export async function openStore(server, database, connections = CONNECTIONS) {
  const pool = server.createPool(database, connections);
  const store = await createPostgresStore({ pool, timeoutMs: 600_000 });
  return { ...store, close: async () => {
    await store.close();
    await pool.end();
  } };
}

export async function withStore(server, database, task) {
  const store = await openStore(server, database);
  try {
    return await task(store);
  } finally {
    await store.close();
  }
}

const bytesOf = (hex) => Buffer.from(hex, 'hex');
/** The number of a lock: what two that send the same report at the same moment both wait for. */
const lockOf = (fingerprint) => createHash('sha256').update(fingerprint).digest().readBigInt64BE();

const SAME = {
  name: 'rival_same', rowMode: 'array',
  text: 'SELECT report_id FROM redflag.report WHERE fingerprint = $1 AND created_at > $2 UNION ALL SELECT report_id FROM redflag.report WHERE report_id = $3',
};
const INSERT = { name: 'rival_insert', rowMode: 'array', text: `INSERT INTO redflag.report (${REPORT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)` };
const PLACES = (rows) => Array.from({ length: rows }, (_, row) => `(${Array.from({ length: 8 }, (_, at) => `$${row * 8 + at + 1}`).join(', ')})`).join(', ');
const MATCH = {
  name: 'rival_match', rowMode: 'array',
  text: 'SELECT hash, kind, report_id, reporter_id, type, severity, created_at, disputed FROM redflag.identifier WHERE hash = ANY ($1::bytea[])',
};

/** A transaction a report, all that are given at once, on as many connections as the store has; the server lets them share flushes. */
function openRival(pool) {
  const add = async ({ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, identifiers }) => {
    const client = await pool.connect();
    try {
      const [id, reporter] = [bytesOf(reportId), bytesOf(reporterId)];
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockOf(fingerprint)})`);
      const { rows } = await client.query({ ...SAME, values: [bytesOf(fingerprint), createdAt - 86_400_000, id] });
      if (rows.length > 0) throw new Error('a report is there already');
      await client.query({ ...INSERT, values: [id, reporter, bytesOf(nonce), bytesOf(fingerprint), type, severity, text, createdAt] });
      await client.query({
        name: `rival_identifiers_${identifiers.length}`, rowMode: 'array', text: `INSERT INTO redflag.identifier (${IDENTIFIER_COLUMNS}) VALUES ${PLACES(identifiers.length)}`,
        values: identifiers.flatMap(({ kind, hash }, position) => [bytesOf(hash), id, position, kind, reporter, type, severity, createdAt]),
      });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
  return {
    report: (reports) => Promise.all(reports.map(add)),
    async query(hashes) {
      const { rows } = await pool.query({ ...MATCH, values: [hashes.map(bytesOf)] });
      return rows.map(([hash, kind, report, reporter, type, severity, createdAt, disputed]) => ({
        hash: hash.toString('hex'), kind, reportId: report.toString('hex'), reporterId: reporter.toString('hex'), type,
        severity: Number(severity), createdAt: Number(createdAt), disputed: disputed === '1',
      }));
    },
    close: () => pool.end(),
  };
}
