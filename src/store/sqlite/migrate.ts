import { StoreFormatError } from '../sql/format-error.ts';
import { afterStep } from '../sql/migration.ts';
import { CHECKSUMS_SINCE, MIGRATIONS } from '../sql/schema.ts';
import type { SqliteDriver } from './driver.ts';
import { ask, finish, keepStatements } from './statements.ts';

/** Tables that every version of the schema has. */
const TABLES = ['reporter', 'api_key', 'report', 'identifier', 'link_identifier'];

/**
 * Brings the schema up to date, each version in a transaction of its own with its number: whoever is stopped in the middle goes on there.
 * Throws {@link StoreFormatError} for a database of a newer program or of another one, which is left as it was, and else what the driver throws.
 */
export function migrate(driver: SqliteDriver): void {
  for (let at = checkedVersion(driver); at < MIGRATIONS.length; at = checkedVersion(driver)) {
    driver.exec('BEGIN IMMEDIATE');
    try {
      // Asked again, now that nobody else can write: another process may have been quicker.
      if (checkedVersion(driver) === at) {
        driver.exec(`${MIGRATIONS[at]!} PRAGMA user_version = ${at + 1};`);
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
        // SQLite undid it already.
      }
      throw error;
    }
  }
}

/** The version of the schema; 0 for an empty database. Changes nothing. Throws {@link StoreFormatError} for what {@link migrate} would not take. */
export function checkedVersion(driver: SqliteDriver): number {
  const number = (text: string): number => Number(ask(driver, text)[0]![0]);
  const version = number('PRAGMA user_version');
  const tables = number('SELECT count(*) FROM sqlite_schema');
  const own = number(
    `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN (${TABLES.map((name) => `'${name}'`).join(', ')})`,
  );
  if (version === 0 ? tables > 0 : own < TABLES.length)
    throw new StoreFormatError('it is a SQLite database of another program');
  // Done once more, an earlier step would throw away what a later one added.
  if (
    version > 0 &&
    version < CHECKSUMS_SINCE &&
    number("SELECT count(*) FROM pragma_table_info('report') WHERE name = 'checksum'") > 0
  ) {
    throw new StoreFormatError(
      `the store says that its schema is version ${version} and has what came later: it is damaged`,
    );
  }
  if (version > MIGRATIONS.length)
    throw new StoreFormatError(
      `the store has schema version ${version} and this program knows ${MIGRATIONS.length}: use a newer redflag`,
    );
  return version;
}
