import { StoreFormatError } from '../errors.ts';
import { REPORT, TABLES } from '../sql/catalogue.ts';
import { sqlName } from '../sql/columns.ts';
import { afterStep } from '../sql/migration.ts';
import { CHECKSUMS_SINCE, MIGRATIONS } from '../sql/schema.ts';
import type { SqlValue } from '../sql/statement.ts';
import { askColumn, finish, keepStatements, type SqliteDriver } from './driver.ts';
import { withoutSteps } from './new-schema.ts';

/** How a database keeps the version of its schema, and runs a step of a migration. */
export interface SchemaPlace {
  /** Returns all tables except the platform's own. */
  tableNames(): readonly SqlValue[];
  /** Returns the version; 0 for an empty database, undefined if it is unreadable. `names`: `tableNames()`. */
  readVersion(names: readonly SqlValue[]): number | undefined;
  /** Returns the SQL that stores the version. */
  writeVersion(version: number): string;
  /** Runs a step completely or not at all. Rethrows its error. */
  inTransaction(step: () => void): void;
}

/** The version as SQLite keeps it in the header of a file. */
export function schemaInHeader(driver: SqliteDriver): SchemaPlace {
  return {
    tableNames: () => askColumn(driver, "SELECT name FROM sqlite_schema WHERE type = 'table'"),
    readVersion() {
      const [version] = askColumn(driver, 'PRAGMA user_version').map(Number);
      return version;
    },
    writeVersion: (version) => `PRAGMA user_version = ${version};`,
    inTransaction(step) {
      driver.exec('BEGIN IMMEDIATE');
      try {
        step();
        driver.exec('COMMIT');
      } catch (error) {
        try {
          driver.exec('ROLLBACK');
        } catch {
          // SQLite rolled back already.
        }
        throw error;
      }
    },
  };
}

/**
 * Brings the schema up to date. Each version is one transaction that also writes the version number, so an interrupted
 * migration continues at the next start; a new database gets all versions in one. Throws {@link StoreFormatError} for a
 * database of a newer or another program, which stays unchanged. Throws the driver's error otherwise.
 */
export function migrate(driver: SqliteDriver, place: SchemaPlace = schemaInHeader(driver)): void {
  const newest = MIGRATIONS.length;
  for (let at = checkedVersion(driver, place); at < newest;) {
    const next = at === 0 ? newest : at + 1;
    let isDone = false;
    place.inTransaction(() => {
      // Read the version again under the lock: another process may have finished this step.
      if (place.readVersion(place.tableNames()) !== at) return;
      if (at === 0) driver.exec(withoutSteps(MIGRATIONS) + place.writeVersion(newest));
      else runStep(driver, place, next);
      isDone = true;
    });
    at = isDone ? next : checkedVersion(driver, place);
  }
}

/** Brings a database of the version before to this one. */
function runStep(driver: SqliteDriver, place: SchemaPlace, version: number): void {
  driver.exec(`${MIGRATIONS[version - 1] ?? ''} ${place.writeVersion(version)}`);
  const statements = keepStatements(driver);
  try {
    finish(afterStep(version), statements.step);
  } finally {
    statements.free();
  }
}

/** Returns the schema's version; 0 for an empty database. Throws StoreFormatError like {@link migrate}. */
export function checkedVersion(driver: SqliteDriver, place: SchemaPlace = schemaInHeader(driver)): number {
  const names = place.tableNames();
  const version = place.readVersion(names);
  const isComplete = TABLES.every(({ name, since }) => since > 1 || names.includes(name));
  if (version === undefined || (version === 0 ? names.length > 0 : !isComplete))
    throw new StoreFormatError('the database belongs to another program: use an empty one');
  // If the stored version is too low, stop: repeating an earlier step could drop what a later step added.
  const hasColumn = (table: string, column: string): boolean =>
    askColumn(driver, `SELECT name FROM pragma_table_info('${table}')`).includes(column);
  const isNewer =
    (version < CHECKSUMS_SINCE && hasColumn(REPORT.name, 'checksum')) ||
    TABLES.some(
      ({ name, since, columns }) =>
        (since > version && names.includes(name)) ||
        Object.entries(columns).some(
          ([column, added]) => added.since !== undefined && added.since > version && hasColumn(name, sqlName(column)),
        ),
    );
  if (version > 0 && isNewer)
    throw new StoreFormatError(
      `the database states schema version ${version}, but has parts of a later version: it is damaged; restore a backup`,
    );
  if (version > MIGRATIONS.length)
    throw new StoreFormatError(
      `the store has schema version ${version}, ` +
        `but this program supports at most ${MIGRATIONS.length}: use a newer redflag`,
    );
  return version;
}
