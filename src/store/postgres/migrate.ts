import { StoreFormatError } from '../sql/format-error.ts';
import { afterStep } from '../sql/migration.ts';
import { CHECKSUMS_SINCE, migrationsFor } from '../sql/schema.ts';
import { TABLES } from '../sql/tables.ts';
import { lockCalls } from './lock-number.ts';
import type { PostgresClient } from './pool.ts';
import { runInside } from './run.ts';
import { createStatements } from './statements.ts';

/** Into how many tables identifiers are spread. Enough to give several servers some each; not so many that planning a query for all of them is felt. */
const PARTS = 16;
/** Nobody but a migration holds the version for longer. */
const LOOK_MS = 1_000;

/** The schema for PostgreSQL. */
export const POSTGRES_MIGRATIONS = migrationsFor({
  bytes: 'BYTEA',
  integer: 'BIGINT',
  text: 'TEXT COLLATE "C"',
  real: 'DOUBLE PRECISION',
  clustered: '',
  spreadByHash: ' PARTITION BY HASH (hash)',
  partsOf: (table, name) =>
    Array.from(
      { length: PARTS },
      (_, at) =>
        `CREATE TABLE ${name}_${at} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTS}, REMAINDER ${at});`,
    ).join('\n  '),
  // Not in the log that goes to the disk: what a crash forgets was full again soon, and counting must not wait for a disk.
  buckets:
    'CREATE UNLOGGED TABLE rate_bucket (bucket BYTEA NOT NULL PRIMARY KEY, tokens DOUBLE PRECISION NOT NULL, at BIGINT NOT NULL, allowed BOOLEAN NOT NULL);',
  // In the log, unlike the buckets: a standby gets it with what it speaks of, and a crash of the primary must not make a reporter's last write forgotten.
  writes: 'CREATE TABLE reporter_writes (reporter_id BYTEA NOT NULL PRIMARY KEY, writes BIGINT NOT NULL);',
});

/** True when nothing is to be done. Throws StoreFormatError for a schema that is newer than this program. Needs no right but to read. */
export async function isUpToDate(client: PostgresClient, schema: string): Promise<boolean> {
  const version = await versionOf(client, schema);
  if (version > POSTGRES_MIGRATIONS.length) {
    throw new StoreFormatError(
      `the store has schema version ${version} and this program knows ${POSTGRES_MIGRATIONS.length}: use a newer redflag`,
    );
  }
  return version === POSTGRES_MIGRATIONS.length;
}

/** The same, and false as soon as somebody else is seen to be bringing it up to date: that is waited for by {@link migrate}. */
export async function looksUpToDate(client: PostgresClient, schema: string): Promise<boolean> {
  try {
    await client.query({ text: `BEGIN; SET LOCAL lock_timeout = ${LOOK_MS}` });
    const found = await isUpToDate(client, schema);
    await client.query({ text: 'COMMIT' });
    return found;
  } catch (error) {
    // lock_not_available
    if ((error as { code?: unknown }).code !== '55P03') throw error;
    await client.query({ text: 'ROLLBACK' });
    return false;
  }
}

/**
 * Brings the schema up to date, one transaction a version. Of several processes that begin at once one works and the others wait. May take as long as
 * it takes to write every identifier anew. Throws StoreFormatError when the schema holds another program's tables; nothing of that version was changed then.
 */
export async function migrate(client: PostgresClient, schema: string): Promise<void> {
  while (!(await isUpToDate(client, schema))) {
    try {
      // The lock first: what is read after it is what its last holder has done. `client_min_messages`, because that a schema is there already is no news.
      await client.query({
        text: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
        SET LOCAL client_min_messages = warning; SELECT ${lockCalls(schema, ['migrate'])}`,
      });
      const version = await versionOf(client, schema);
      const text = POSTGRES_MIGRATIONS[version];
      if (text !== undefined) {
        if (version === 0) await createVersionTable(client, schema);
        // Programs of before read the version when they begin to write: those that are writing are waited for, and whoever comes later sees the new one.
        await client.query({ text: `LOCK TABLE "${schema}".redflag_version IN ACCESS EXCLUSIVE MODE` });
        await client.query({
          text: `SET LOCAL search_path = "${schema}"; ${text} UPDATE redflag_version SET version = ${version + 1}`,
        });
        await runInside(client, createStatements(schema), afterStep(version + 1));
        // A program of before that still runs is refused by the server: nobody could tell its rows from damaged ones.
        if (version + 1 === CHECKSUMS_SINCE)
          await client.query({
            text: TABLES.map(({ name }) => `ALTER TABLE ${name} ALTER COLUMN checksum SET NOT NULL`).join('; '),
          });
      }
      await client.query({ text: 'COMMIT' });
    } catch (error) {
      await client.query({ text: 'ROLLBACK' });
      // duplicate_table
      if ((error as { code?: unknown }).code === '42P07')
        throw new StoreFormatError(`the schema "${schema}" holds tables of another program`, { cause: error });
      throw error;
    }
  }
}

/** 0 when there is no store yet. */
async function versionOf(client: PostgresClient, schema: string): Promise<number> {
  // Not to_regclass: within a transaction it may answer from what it knew before the lock.
  const tables = await client.query({
    text: "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'redflag_version'",
    values: [schema],
    rowMode: 'array',
  });
  if (tables.rows.length === 0) return 0;
  const { rows } = await client.query({
    text: `SELECT version FROM "${schema}".redflag_version`,
    values: [],
    rowMode: 'array',
  });
  return Number((rows[0] as unknown[])[0]);
}

async function createVersionTable(client: PostgresClient, schema: string): Promise<void> {
  const { rows } = await client.query({
    text: 'SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1',
    values: [schema],
    rowMode: 'array',
  });
  // Asked first, because IF NOT EXISTS wants the right to create schemas even when there is nothing to create.
  if (rows.length === 0) await client.query({ text: `CREATE SCHEMA "${schema}"` });
  await client.query({
    text: `CREATE TABLE "${schema}".redflag_version (version BIGINT NOT NULL); INSERT INTO "${schema}".redflag_version VALUES (0)`,
  });
}
