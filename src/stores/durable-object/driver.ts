import type { SqlRow, SqlValue } from '../../core/store/sql/statement.ts';
import { askColumn, type SqliteDriver } from '../../core/store/sqlite/driver.ts';
import type { SchemaPlace } from '../../core/store/sqlite/migrate.ts';

/**
 * The storage of a Durable Object (`ctx.storage`) whose class uses SQLite. The type is structural, because redflag does
 * not import Cloudflare's types.
 */
export interface DurableObjectStorage {
  /** The object's database. */
  readonly sql: DurableObjectSql;
  /** Runs the function in a transaction. If it throws, rolls back and throws the same error. */
  transactionSync<T>(closure: () => T): T;
  /** Resolves when all writes are durable. */
  sync(): Promise<void>;
}

/** The database of a Durable Object (`ctx.storage.sql`). */
export interface DurableObjectSql {
  /** Runs one statement. `raw` of the result returns its rows as arrays. */
  exec(text: string, ...values: readonly (string | number | Uint8Array | null)[]): DurableObjectCursor;
}

/** The rows of a statement. */
export interface DurableObjectCursor {
  /** Returns each row as an array, in the order of the columns. */
  raw(): Iterable<readonly unknown[]>;
}

/** Runs statements in the object's database. The platform prepares each text once and keeps it. */
export function createDurableObjectDriver({ sql }: DurableObjectStorage): SqliteDriver {
  return {
    prepare: (text) => ({
      all: (values) => Array.from(sql.exec(text, ...values).raw(), toRow),
      run: (values) => void sql.exec(text, ...values),
      free: () => undefined,
    }),
    exec: (text) => void sql.exec(text),
    // The platform closes the database when it evicts the object.
    close: () => undefined,
  };
}

/** The platform returns blobs as ArrayBuffer. */
function toRow(row: readonly unknown[]): SqlRow {
  return row.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SqlValue)));
}

/**
 * Keeps the schema's version in a table, because the platform forbids `PRAGMA user_version`. It also forbids `BEGIN`;
 * `transactionSync` replaces it.
 */
export function schemaInTable(driver: SqliteDriver, storage: DurableObjectStorage): SchemaPlace {
  return {
    // Names that begin with `_cf_` are the platform's own tables.
    tableNames: () =>
      askColumn(driver, "SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 4) <> '_cf_'"),
    readVersion(names) {
      const [version] = names.includes('schema_version')
        ? askColumn(driver, 'SELECT version FROM schema_version')
        : [0];
      return typeof version === 'number' ? version : undefined;
    },
    writeVersion: (version) =>
      'CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL PRIMARY KEY); DELETE FROM schema_version; ' +
      `INSERT INTO schema_version (version) VALUES (${version});`,
    inTransaction: (step) => storage.transactionSync(step),
  };
}
