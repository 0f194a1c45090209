import { StoreError, StoreFormatError, StoreUnavailableError } from '../../core/store/errors.ts';
import { askColumn, type SqliteDriver } from '../../core/store/sqlite/driver.ts';
import { faultOf } from '../../core/store/sqlite/faults.ts';
import { checkedVersion, migrate } from '../../core/store/sqlite/migrate.ts';

/**
 * Prepares a newly opened database: each commit is durable, deleted data is overwritten, and the schema is up to date.
 * `exclusive` locks every other connection out until this one is closed. Throws {@link StoreFormatError}, having
 * changed nothing, if this program cannot use the database. Throws StoreUnavailableError for a fault.
 */
export function prepareDatabase(driver: SqliteDriver, exclusive: boolean): void {
  try {
    // Do this first: without shared memory, a file with a write-ahead log can be read only in exclusive mode. A single
    // user may keep up to 64 MiB of pages in memory: a disk read costs as much as the rest of a query.
    if (exclusive) driver.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;');
    checkedVersion(driver);
    const [mode] = askColumn(driver, 'PRAGMA journal_mode = WAL');
    // A database in memory has no log.
    if (mode !== 'wal' && mode !== 'memory')
      throw new StoreUnavailableError('the file system does not support a write-ahead log: use a local disk');
    // FULL: each commit flushes the log. Deleted data is overwritten, and rollback data stays in memory. A cell that
    // does not fit its page is an error at once.
    driver.exec(
      'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;',
    );
    migrate(driver);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const fault = faultOf(error);
    if (fault === 'corrupt')
      throw new StoreFormatError('the file is not a SQLite database, or it is damaged', { cause: error });
    throw fault
      ? new StoreUnavailableError(
          'the database cannot be opened now; check the disk and whether another program locks the file, then retry',
          { cause: error },
        )
      : error;
  }
}
