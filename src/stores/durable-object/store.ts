import { nameOf, refuseUnknown } from '../../core/domain/options.ts';
import { StoreError, StoreUnavailableError } from '../../core/store/errors.ts';
import { Cache, createSqlStore } from '../../core/store/sql/store.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { collectRows, snapshotOf } from '../../core/store/sql/transfer.ts';
import { DURABLE_OBJECT_CHECK, findProblems } from '../sqlite/check.ts';
import { finish, finishInTurns, keepStatements, runToPause } from '../../core/store/sqlite/driver.ts';
import { faultOf } from '../../core/store/sqlite/faults.ts';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import type { Store } from '../../core/store/store.ts';
import type { StoreProblem } from '../../core/store/upkeep.ts';
import { createDurableObjectDriver, schemaInTable, type DurableObjectStorage } from './driver.ts';

/** Options of {@link createDurableObjectStore}. */
export interface DurableObjectStoreOptions {
  /** `ctx.storage` of an object whose class uses SQLite (`new_sqlite_classes`). The store uses all of it. */
  readonly storage: DurableObjectStorage;
}

/** A store in a Durable Object. */
export interface DurableObjectStore extends Store {
  /**
   * Reads the whole database and returns its problems: broken pages, inconsistent tables, and rows that do not match
   * their checksum. Empty if the database is sound. Other calls are answered between statements.
   */
  check(): Promise<StoreProblem[]>;
}

/**
 * Creates a store in the storage of a Durable Object, which must be empty or a store already. A write is one
 * transaction, and resolves when the platform has made it durable. One object is one store, with one thread.
 *
 * A snapshot (`writeExport`) holds all rows in the object's memory, which the platform limits to 128 MB. The platform
 * keeps earlier states of the database for 30 days, including deleted data (point-in-time recovery).
 *
 * Rejects with StoreFormatError if this program cannot use the database, and changes nothing. Rejects with
 * StoreUnavailableError if the storage fails, and with TypeError for a wrong option.
 */
export async function createDurableObjectStore(options: DurableObjectStoreOptions): Promise<DurableObjectStore> {
  const { storage, ...others } = options;
  refuseUnknown(others, []);
  requireStorage(storage);
  const driver = createDurableObjectDriver(storage);
  const state = { open: true };
  const opened = (): void => {
    if (!state.open) throw new StoreUnavailableError('the store is closed');
  };

  /** Runs a call of the database. Throws StoreUnavailableError for a fault. */
  const guarded = <T>(run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (error instanceof StoreError || !faultOf(error)) throw error;
      throw new StoreUnavailableError('the database failed, and nothing was changed', { cause: error });
    }
  };

  /** Waits until all writes are durable. If this fails, the platform restarts the object without them. */
  const settled = async (): Promise<void> => {
    try {
      await storage.sync();
    } catch (error) {
      cache.forgetAll();
      throw new StoreUnavailableError('the write could not be made durable; retry', { cause: error });
    }
  };

  const cache = new Cache();
  guarded(() => migrate(driver, schemaInTable(driver, storage)));
  await settled();
  const statements = keepStatements(driver);
  const read = <T>(work: SqlWork<T>): T | Promise<T> =>
    finishInTurns(() => {
      opened();
      return guarded(() => runToPause(work, statements.step));
    });

  return {
    ...createSqlStore(
      {
        read: async (start) => read(start()),
        async write(start) {
          opened();
          // If the work throws, the platform rolls it back.
          const value = guarded(() => storage.transactionSync(() => finish(start(), statements.step)));
          await settled();
          return value;
        },
      },
      cache,
    ),
    async check() {
      opened();
      return findProblems(driver, opened, DURABLE_OBJECT_CHECK);
    },
    async snapshot() {
      opened();
      return snapshotOf(await read(collectRows()));
    },
    async erased() {
      opened();
      await settled();
    },
    async close() {
      state.open = false;
      statements.free();
    },
  };
}

/** Throws TypeError unless this is the storage of an object with SQLite. */
function requireStorage(storage: unknown): void {
  const { sql, transactionSync, sync } = (storage ?? {}) as Partial<DurableObjectStorage>;
  if ([sql?.exec, transactionSync, sync].some((member) => typeof member !== 'function'))
    throw new TypeError(
      `"storage" expected ctx.storage of a Durable Object that uses SQLite (new_sqlite_classes), got ${nameOf(storage)}`,
    );
}
