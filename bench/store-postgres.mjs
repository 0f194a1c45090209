// The PostgreSQL store for the benchmark of stores. Its rival is the same transaction and the same select, on the same
// driver, in a copy of the database.
import { createHash } from 'node:crypto';
import { createPostgresStore } from 'redflag/postgres';
import { findPostgres, startPostgres } from './postgres-server.mjs';
import { addReporters, fillStore, IDENTIFIER_COLUMNS, NO_CHECKSUM, REPORT_COLUMNS } from './store-rows.mjs';

const CONNECTIONS = 16;
/** Pages that are filled at once, each on its own connection. */
const PAGES_AT_ONCE = 4;

export const POSTGRES_SITE = {
  missing: () => (findPostgres() ? undefined : 'PostgreSQL’s server is not installed'),
  async open({ size, crowds }) {
    const server = await startPostgres(findPostgres());
    await server.run('postgres', 'CREATE DATABASE ours');
    const apiKey = await fillServer(server, 'ours', { size, crowds });
    await server.run('ours', 'VACUUM ANALYZE', 'CHECKPOINT');
    await server.run('postgres', 'CREATE DATABASE theirs TEMPLATE ours', 'CHECKPOINT');
    return {
      apiKey,
      openStore: () => openStore(server, 'ours'),
      openRival: async () => openRival(server.createPool('theirs', CONNECTIONS)),
      /** Does at once what autovacuum does within a minute. Without statistics, a lookup may read a whole table. */
      analyze: () => server.run('ours', 'VACUUM ANALYZE'),
      remove: () => server.remove(),
    };
  },
};

/**
 * Writes the reports of a filling into an empty database, in order of time. Does not wait for the disk. Resolves with
 * an API key.
 */
export async function fillServer(server, database, filling) {
  const store = await openStore(server, database, PAGES_AT_ONCE, '-c synchronous_commit=off');
  try {
    const apiKey = await addReporters(store);
    await fillStore(store, filling, PAGES_AT_ONCE);
    return apiKey;
  } finally {
    await store.close();
  }
}

/**
 * Opens a store on its own pool, and ends the pool with the store. `settings` are the server's settings for the
 * connections.
 */
export async function openStore(server, database, connections = CONNECTIONS, settings = '') {
  const pool = server.createPool(database, connections, settings);
  const store = await createPostgresStore({ pool, timeoutMs: 600_000 });
  return {
    ...store,
    close: async () => {
      await store.close();
      await pool.end();
    },
  };
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
/** Returns the number of the lock that serialises two equal reports at the same moment. */
const lockOf = (fingerprint) => createHash('sha256').update(fingerprint).digest().readBigInt64BE();

const SAME = {
  name: 'rival_same',
  rowMode: 'array',
  text: 'SELECT report_id FROM redflag.report WHERE fingerprint = $1 AND created_at > $2 UNION ALL SELECT report_id FROM redflag.report WHERE report_id = $3',
};
const INSERT = {
  name: 'rival_insert',
  rowMode: 'array',
  text: `INSERT INTO redflag.report (${REPORT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${NO_CHECKSUM})`,
};
const PLACES = (rows) =>
  Array.from(
    { length: rows },
    (_, row) => `(${Array.from({ length: 8 }, (_, at) => `$${row * 8 + at + 1}`).join(', ')}, ${NO_CHECKSUM})`,
  ).join(', ');
const MATCH = {
  name: 'rival_match',
  rowMode: 'array',
  text: 'SELECT hash, kind, report_id, reporter_id, type, severity, created_at, disputed FROM redflag.identifier WHERE hash = ANY ($1::bytea[])',
};
const FIND = {
  name: 'rival_find',
  rowMode: 'array',
  text: 'SELECT report_id, type, severity, text, r.created_at, name FROM redflag.report r JOIN redflag.reporter USING (reporter_id) WHERE report_id = ANY ($1::bytea[]) AND removed_at IS NULL',
};
const FIND_IDENTIFIERS = {
  name: 'rival_find_identifiers',
  rowMode: 'array',
  text: 'SELECT hash, kind, reporter_id, created_at, report_id, position, disputed FROM redflag.identifier WHERE report_id = ANY ($1::bytea[])',
};

/**
 * Stores each report in its own transaction, all at once, on the same number of connections as the store. The server
 * can then flush several transactions together.
 */
function openRival(pool) {
  const add = async ({ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, identifiers }) => {
    const client = await pool.connect();
    try {
      const [id, reporter] = [bytesOf(reportId), bytesOf(reporterId)];
      await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockOf(fingerprint)})`);
      const { rows } = await client.query({ ...SAME, values: [bytesOf(fingerprint), createdAt - 86_400_000, id] });
      if (rows.length > 0) throw new Error('the report already exists');
      await client.query({
        ...INSERT,
        values: [id, reporter, bytesOf(nonce), bytesOf(fingerprint), type, severity, text, createdAt],
      });
      await client.query({
        name: `rival_identifiers_${identifiers.length}`,
        rowMode: 'array',
        text: `INSERT INTO redflag.identifier (${IDENTIFIER_COLUMNS}) VALUES ${PLACES(identifiers.length)}`,
        values: identifiers.flatMap(({ kind, hash }, position) => [
          bytesOf(hash),
          id,
          position,
          kind,
          reporter,
          type,
          severity,
          createdAt,
        ]),
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
        hash: hash.toString('hex'),
        kind,
        reportId: report.toString('hex'),
        reporterId: reporter.toString('hex'),
        type,
        severity: Number(severity),
        createdAt: Number(createdAt),
        disputed: disputed === '1',
      }));
    },
    /** Returns the results of a store's `findReports` and `findIdentifiers`. */
    async read(ids) {
      const values = [ids.map(bytesOf)];
      const [reports, identifiers] = [
        (await pool.query({ ...FIND, values })).rows,
        (await pool.query({ ...FIND_IDENTIFIERS, values })).rows,
      ];
      return {
        reports: reports.map(([id, type, severity, text, createdAt, reporter]) => ({
          reportId: id.toString('hex'),
          type,
          severity: Number(severity),
          text,
          createdAt: Number(createdAt),
          reporter,
        })),
        identifiers: identifiers.map(([hash, kind, reporter, createdAt, report, position, disputed]) => ({
          hash: hash.toString('hex'),
          kind,
          reporterId: reporter.toString('hex'),
          createdAt: Number(createdAt),
          reportId: report.toString('hex'),
          position: Number(position),
          disputed: disputed === '1',
        })),
      };
    },
    close: () => pool.end(),
  };
}
