import { requireOneOf, refuseUnknown } from '../../core/domain/options.ts';
import { FolderInUseError } from '../holds/in-use.ts';
import { openIndexedDbMedium } from '../journal/indexeddb.ts';
import { hasOpfs, openOpfsMedium } from '../journal/opfs.ts';
import { holdName } from '../holds/web-lock.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import { MAX_TIMER_SECONDS } from '../../core/store/timers.ts';
import { openHeldStore, type DurableStore, type DurableStoreOptions } from './durable.ts';

/** Options of {@link openBrowserStore}. */
export interface BrowserStoreOptions extends Omit<DurableStoreOptions, 'medium'> {
  /** Name within the origin: 1 to 64 of a to z, digits, `.`, `_` and `-`. The first is a letter or digit. */
  readonly name: string;
  /**
   * Where the browser keeps the store. The two kinds do not see each other's stores.
   * - `'indexeddb'` (default): in pages and workers of any kind, in the database `redflag:NAME`. Deleted data is erased
   *   from the database, but the browser's files may contain its bytes until the browser compacts them.
   * - `'opfs'`: in dedicated workers only, in two files in the folder `redflag-NAME` of the origin private file system.
   *   Deleted data is in no file.
   */
  readonly storage?: 'indexeddb' | 'opfs';
  /** Seconds to wait while another tab or worker has the store open. Default 0: do not wait. */
  readonly waitSeconds?: number;
  /** Asks the browser to keep the data when its disk fills up. The browser may ask the user. Only a page can ask. */
  readonly persist?: boolean;
}

/** A store that the browser keeps. */
export interface BrowserStore extends DurableStore {
  /** True if the browser promised, before the store opened, not to delete the origin's data by itself. */
  readonly persisted: boolean;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const OPTIONS = ['name', 'storage', 'waitSeconds', 'persist', 'sqlJs', 'locateFile', 'eraseWithinSeconds', 'onNotice'];

/**
 * Opens a durable store in a browser; creates a missing one. The store is sql.js in memory, with a journal in IndexedDB
 * or in the origin private file system. A write is acknowledged when the browser reports it on disk. It then survives a
 * reload, a crash and the end of the browser.
 *
 * One tab or worker per store: a second one is rejected with `FolderInUseError`, or waits (`waitSeconds`). The store is
 * released by `close`, or when its tab or worker ends. If a write exceeds the origin's quota, it is rolled back and
 * rejects with `StoreUnavailableError`.
 *
 * Rejects like {@link openDurableStore}, and with TypeError or RangeError for wrong options. Rejects with
 * `StoreUnavailableError` where the browser cannot keep a store: `cause` is the browser's error, or the message names a
 * place that can. Nothing was written then.
 */
export async function openBrowserStore(options: BrowserStoreOptions): Promise<BrowserStore> {
  refuseUnknown(options, OPTIONS);
  const { name, storage = 'indexeddb', waitSeconds = 0, persist = false, ...durable } = options;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TypeError(
      '"name" expected 1 to 64 characters of a-z, 0-9, ".", "_" and "-", beginning with a letter or a digit',
    );
  requireOneOf('storage', storage, ['indexeddb', 'opfs']);
  if (!(waitSeconds >= 0 && waitSeconds <= MAX_TIMER_SECONDS))
    throw new RangeError(`"waitSeconds" expected a number from 0 to ${MAX_TIMER_SECONDS}, got ${String(waitSeconds)}`);
  const lack = lackOf(storage);
  if (lack !== undefined) throw new StoreUnavailableError(lack);

  const lock = await wrapErrors(holdName(`redflag:${storage}:${name}`, waitSeconds));
  if (!lock) throw new FolderInUseError(name, `the store ${name} is in use: this or another tab or worker has it open`);
  const openMedium = async () => {
    const opening = storage === 'opfs' ? openOpfsMedium(`redflag-${name}`) : openIndexedDbMedium(`redflag:${name}`);
    const medium = await opening;
    // If another tab steals the lock, it may write from then on. Close the medium, so that this tab cannot write.
    void lock.ended.then(() => medium.close());
    return medium;
  };
  const persisted = await isPersisted(persist).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  return { ...(await wrapErrors(openHeldStore(lock, openMedium, durable))), persisted };
}

/** Returns what this tab or worker lacks for a store. Undefined if nothing is missing. */
function lackOf(storage: 'indexeddb' | 'opfs'): string | undefined {
  if (typeof indexedDB === 'undefined')
    return (
      'a store in a browser needs IndexedDB, which is missing here; in Node, use openFolderStore of redflag/node, ' +
      'in workerd createDurableObjectStore of redflag/durable-object'
    );
  if (!('locks' in navigator)) return 'a store in a browser needs a secure context: https, or http on localhost';
  return storage === 'opfs' && !hasOpfs() ? '"opfs" needs a dedicated worker; in a page, use "indexeddb"' : undefined;
}

async function isPersisted(ask: boolean): Promise<boolean> {
  const { storage } = navigator;
  // Workers cannot ask for persistence.
  return ask && typeof storage.persist === 'function' ? storage.persist() : storage.persisted();
}

/** Rethrows an error of the browser as StoreUnavailableError. */
async function wrapErrors<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof DOMException
      ? new StoreUnavailableError('the browser could not open the store', { cause: error })
      : error;
  }
}
