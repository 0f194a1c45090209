import { FolderInUseError } from '../../journal/in-use.ts';
import { openIndexedDbMedium } from '../../journal/indexeddb.ts';
import { hasOpfs, openOpfsMedium } from '../../journal/opfs.ts';
import { holdName } from '../../journal/web-lock.ts';
import { StoreUnavailableError } from '../store.ts';
import { openDurableStore, type DurableStore, type DurableStoreOptions } from './durable.ts';

/** Options of {@link openBrowserStore}. */
export interface BrowserStoreOptions extends Omit<DurableStoreOptions, 'medium'> {
  /** Tells the stores of an origin apart: 1 to 64 of the letters a to z, digits, `.`, `_` and `-`, a letter or digit first. */
  readonly name: string;
  /**
   * `'indexeddb'` unless given: in pages and in workers of any kind, in the database `redflag:NAME`. What was erased is in the database no more, but the browser's own files may hold
   * its bytes until the browser tidies them up.
   * `'opfs'`: in a dedicated worker only, in two files of the origin's private file system, in the folder `redflag-NAME`. What was erased is in no file any more.
   * The two do not see each other's stores.
   */
  readonly storage?: 'indexeddb' | 'opfs';
  /** How long to wait, in seconds, while another tab or worker has the store open; 0 unless given, which is not to wait. */
  readonly waitSeconds?: number;
  /** Asks the browser not to delete the origin's data when its disk fills up, which may ask the user. Only a page can ask; not asked unless `true`. */
  readonly persist?: boolean;
}

/** A store that the browser keeps. */
export interface BrowserStore extends DurableStore {
  /** True when the browser has promised not to delete the origin's data by itself, as it was when the store was opened. */
  readonly persisted: boolean;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
/** The longest that a timer can wait. */
const WAIT_SECONDS_MOST = 2_147_483;

/**
 * Opens a durable store in a browser, which is made if it is not there: sql.js in memory, and a journal in IndexedDB or in the origin's private file system. A write is acknowledged
 * when the browser says that it is on disk, and outlives a reload, a crash and the browser's end.
 *
 * One tab or worker a store: a second one is refused with `FolderInUseError`, or waits (`waitSeconds`). The browser lets go of it when the tab or worker ends, and `close` before.
 * A write for which the origin's quota has no room is undone and rejects with `StoreUnavailableError`.
 *
 * Rejects like {@link openDurableStore}, with `StoreUnavailableError` where the browser keeps nothing (its `cause` is the browser's error; without one, it is the wrong place: the text
 * says which is right), and with TypeError or RangeError for options that are none. Nothing was written then.
 */
export async function openBrowserStore(options: BrowserStoreOptions): Promise<BrowserStore> {
  const { name, storage = 'indexeddb', waitSeconds = 0, persist = false } = options;
  if (typeof name !== 'string' || !NAME.test(name))
    throw new TypeError(
      '"name" expected 1 to 64 of the letters a to z, digits, ".", "_" and "-", a letter or digit first',
    );
  if (storage !== 'indexeddb' && storage !== 'opfs') throw new TypeError('"storage" expected "indexeddb" or "opfs"');
  if (!(waitSeconds >= 0 && waitSeconds <= WAIT_SECONDS_MOST))
    throw new RangeError(`"waitSeconds" expected a number from 0 to ${WAIT_SECONDS_MOST}, got ${String(waitSeconds)}`);
  const lack = lackOf(storage);
  if (lack !== undefined) throw new StoreUnavailableError(lack);

  const lock = await inWords(holdName(`redflag:${storage}:${name}`, waitSeconds));
  if (!lock) throw new FolderInUseError(name, `the store ${name} is in use: another tab or worker has it open`);
  try {
    const persisted = await isPersisted(persist);
    const medium = await inWords(
      storage === 'opfs' ? openOpfsMedium(`redflag-${name}`) : openIndexedDbMedium(`redflag:${name}`),
    );
    // Whoever steals the lock may write from now on, and this one must not.
    void lock.ended.then(() => medium.close());
    try {
      const store = await inWords(openDurableStore({ ...options, medium }));
      return {
        ...store,
        persisted,
        async close() {
          try {
            await store.close();
          } finally {
            await lock.release();
          }
        },
      };
    } catch (error) {
      await medium.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** What a store needs and does not have here. */
function lackOf(storage: 'indexeddb' | 'opfs'): string | undefined {
  if (typeof indexedDB === 'undefined')
    return 'a store in a browser needs IndexedDB, which is not here; in Node, openFolderStore of redflag/node keeps a store';
  if (!('locks' in navigator)) return 'a store in a browser needs a secure context: https, or http on localhost';
  return storage === 'opfs' && !hasOpfs() ? '"opfs" needs a dedicated worker; a page has "indexeddb"' : undefined;
}

async function isPersisted(ask: boolean): Promise<boolean> {
  const { storage } = navigator;
  // Workers can only look.
  return ask && typeof storage.persist === 'function' ? storage.persist() : storage.persisted();
}

/** What the browser refuses has the browser's error; a caller gets the store's. */
async function inWords<T>(opening: Promise<T>): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    throw error instanceof DOMException
      ? new StoreUnavailableError('the browser does not let the store be opened', { cause: error })
      : error;
  }
}
