import { StoreFormatError } from '../sql/format-error.ts';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { faultOf } from './faults.ts';
import { checkedVersion, migrate } from './migrate.ts';
import { ask } from './statements.ts';

/**
 * Makes a database that was just opened ready to be a store: durable at each commit, leaving nothing of what is deleted, its schema up to date.
 * `exclusive` keeps every other connection out until this one is closed.
 * Throws {@link StoreFormatError} when it is not a store that this program can use (nothing was changed then) and StoreUnavailableError for a fault.
 */
export function prepareDatabase(driver: SqliteDriver, exclusive: boolean): void {
  try {
    // First of all: without shared memory a file with a write-ahead log cannot even be read otherwise.
    // Where nobody else writes, pages may stay in memory: up to 64 MiB, where a read from the disk costs as much as the rest of a query.
    if (exclusive) driver.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;');
    checkedVersion(driver);
    const [row] = ask(driver, 'PRAGMA journal_mode = WAL');
    // A database in memory has no log, and nothing to be durable on.
    if (row?.[0] !== 'wal' && row?.[0] !== 'memory')
      throw new StoreUnavailableError('the database cannot keep a write-ahead log where it is: use a local disk');
    // FULL: the log is flushed at each commit. What is deleted is overwritten, and what a transaction keeps to undo itself goes to no file. A cell that does
    // not fit its page is an error at once.
    driver.exec(
      'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;',
    );
    migrate(driver);
  } catch (error) {
    if (error instanceof StoreFormatError || error instanceof StoreUnavailableError) throw error;
    const fault = faultOf(error);
    if (fault === 'corrupt')
      throw new StoreFormatError('it is not a SQLite database, or a damaged one', { cause: error });
    throw fault ? new StoreUnavailableError('the database cannot be opened now', { cause: error }) : error;
  }
}
