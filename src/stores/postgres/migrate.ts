import { StoreFormatError } from '../../core/store/errors.ts';
import { afterStep, GIVEN_CHECKSUMS } from '../../core/store/sql/migration.ts';
import { CHECKSUMS_SINCE } from '../../core/store/sql/schema.ts';
import { queryRows, type PostgresClient } from './pool.ts';
import { lockNumber, runInside } from './run.ts';
import { POSTGRES_MIGRATIONS } from './schema.ts';
import { createStatements } from './statements.ts';
import { codeOf } from './unavailable.ts';

/** Maximum wait for the version, in milliseconds. Only a migration locks it for longer. */
const LOOK_MS = 1_000;

/** Returns true if the schema is up to date. Only reads. Throws StoreFormatError for a newer schema. */
export async function isUpToDate(client: PostgresClient, schema: string): Promise<boolean> {
  const version = await versionOf(client, schema);
  if (version > POSTGRES_MIGRATIONS.length) {
    throw new StoreFormatError(
      `the store has schema version ${version}, ` +
        `but this program supports at most ${POSTGRES_MIGRATIONS.length}: use a newer redflag`,
    );
  }
  return version === POSTGRES_MIGRATIONS.length;
}

/** Like {@link isUpToDate}, but false while another process migrates. {@link migrate} waits for that process. */
export async function looksUpToDate(client: PostgresClient, schema: string): Promise<boolean> {
  try {
    await client.query({ text: `BEGIN; SET LOCAL lock_timeout = ${LOOK_MS}` });
    const found = await isUpToDate(client, schema);
    await client.query({ text: 'COMMIT' });
    return found;
  } catch (error) {
    // lock_not_available
    if (codeOf(error) !== '55P03') throw error;
    await client.query({ text: 'ROLLBACK' });
    return false;
  }
}

/**
 * Brings the schema up to date, one transaction per version. If several processes start at once, one migrates and the
 * others wait. A migration may rewrite every identifier, which takes long. Throws StoreFormatError if the schema is
 * newer or has tables of another program; nothing of that version was changed then.
 */
export async function migrate(client: PostgresClient, schema: string): Promise<void> {
  while (!(await isUpToDate(client, schema))) {
    try {
      // Take the lock first: later reads then see what its previous holder wrote. `client_min_messages` hides the
      // notice that the schema exists.
      await client.query({
        text: `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
        SET LOCAL client_min_messages = warning; SELECT pg_advisory_xact_lock(${lockNumber(schema, 'migrate')})`,
      });
      const version = await versionOf(client, schema);
      const text = POSTGRES_MIGRATIONS[version];
      if (text !== undefined) {
        if (version === 0) await createVersionTable(client, schema);
        // Older programs read the version when they begin to write. Wait for those writes. Later writes see the new
        // version.
        await client.query({ text: `LOCK TABLE "${schema}".redflag_version IN ACCESS EXCLUSIVE MODE` });
        await client.query({
          text: `SET LOCAL search_path = "${schema}"; ${text} UPDATE redflag_version SET version = ${version + 1}`,
        });
        await runInside(client, createStatements(schema), afterStep(version + 1));
        // NOT NULL: the server then refuses rows of older programs. Without a checksum, they would look damaged.
        if (version + 1 === CHECKSUMS_SINCE)
          await client.query({
            text: GIVEN_CHECKSUMS.map(({ name }) => `ALTER TABLE ${name} ALTER COLUMN checksum SET NOT NULL`).join(
              '; ',
            ),
          });
      }
      await client.query({ text: 'COMMIT' });
    } catch (error) {
      await client.query({ text: 'ROLLBACK' });
      // duplicate_table
      if (codeOf(error) === '42P07')
        throw new StoreFormatError(`the schema "${schema}" has tables of another program: use an empty schema`, {
          cause: error,
        });
      throw error;
    }
  }
}

/** Returns the schema's version; 0 if there is no store yet. */
async function versionOf(client: PostgresClient, schema: string): Promise<number> {
  // Not to_regclass: within a transaction, its answer may be older than the lock.
  const tables = await queryRows(client, {
    text: "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'redflag_version'",
    values: [schema],
  });
  if (tables.length === 0) return 0;
  const text = `SELECT version FROM "${schema}".redflag_version`;
  const [found] = await queryRows<{ readonly version: string | number }>(client, { text });
  return Number(found?.version ?? 0);
}

async function createVersionTable(client: PostgresClient, schema: string): Promise<void> {
  const { rows } = await client.query({
    text: 'SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1',
    values: [schema],
  });
  // Not IF NOT EXISTS: it needs the right to create schemas, even if the schema exists.
  if (rows.length === 0) await client.query({ text: `CREATE SCHEMA "${schema}"` });
  await client.query({
    text: `CREATE TABLE "${schema}".redflag_version (version BIGINT NOT NULL); INSERT INTO "${schema}".redflag_version VALUES (0)`,
  });
}
