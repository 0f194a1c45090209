import { StoreFormatError } from '../errors.ts';
import { REPORT, TABLES } from '../sql/catalogue.ts';
import { sqlName } from '../sql/columns.ts';
import { afterStep } from '../sql/migration.ts';
import { CHECKSUMS_SINCE, MIGRATIONS } from '../sql/schema.ts';
import { askColumn, finish, keepStatements, type SqliteDriver } from './driver.ts';

/**
 * Brings the schema up to date. Each version is one transaction that also writes the version number, so an interrupted
 * migration continues at the next start. Throws {@link StoreFormatError} for a database of a newer or another program,
 * which stays unchanged. Throws the driver's error otherwise.
 */
export function migrate(driver: SqliteDriver): void {
  for (let at = checkedVersion(driver); at < MIGRATIONS.length; at = checkedVersion(driver)) {
    driver.exec('BEGIN IMMEDIATE');
    try {
      // Read the version again under the lock: another process may have finished this step.
      if (checkedVersion(driver) === at) {
        driver.exec(`${MIGRATIONS[at] ?? ''} PRAGMA user_version = ${at + 1};`);
        const statements = keepStatements(driver);
        try {
          finish(afterStep(at + 1), statements.step);
        } finally {
          statements.free();
        }
      }
      driver.exec('COMMIT');
    } catch (error) {
      try {
        driver.exec('ROLLBACK');
      } catch {
        // SQLite rolled back already.
      }
      throw error;
    }
  }
}

/** Returns the schema's version; 0 for an empty database. Throws StoreFormatError like {@link migrate}. */
export function checkedVersion(driver: SqliteDriver): number {
  const [version] = askColumn(driver, 'PRAGMA user_version').map(Number);
  const names = askColumn(driver, "SELECT name FROM sqlite_schema WHERE type = 'table'");
  const isComplete = TABLES.every(({ name, since }) => since > 1 || names.includes(name));
  if (version === undefined || (version === 0 ? names.length > 0 : !isComplete))
    throw new StoreFormatError('the file is a SQLite database of another program');
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
