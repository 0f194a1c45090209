import { JournalDamagedError } from './damaged.ts';
import { JournalVersionError } from './format.ts';
import type { JournalMedium } from './medium.ts';

/** Of the database, not of the journal in it, which says its own. */
const VERSION = 1;
/** The object store: each entry is a part of the journal's bytes, under the offset at which it begins. */
const ENTRIES = 'journal';
/** A longer part is put down as several entries, so that reading from the middle of a snapshot does not read all of it. */
const ENTRY_BYTES = 4 * 1024 * 1024;

/**
 * A journal in an IndexedDB database of this origin, which is made if it is not there. In pages and workers. Every write is one transaction with `durability: 'strict'` and
 * resolves when that is complete, so it is done wholly or not at all.
 * Take {@link holdName} first: two journals on one database would destroy each other's.
 *
 * Rejects with `JournalVersionError` for a newer kind of database, `JournalDamagedError` for one that is no journal's, and with a DOMException where the browser keeps nothing.
 */
export async function openIndexedDbMedium(database: string): Promise<JournalMedium> {
  const medium = new IndexedDbMedium(database);
  await medium.size();
  return medium;
}

class IndexedDbMedium implements JournalMedium {
  readonly #name: string;
  /** Opened when it is needed: a browser may close a connection by itself, when its disk fails or the user deletes the site's data. */
  #database: Promise<IDBDatabase> | undefined;
  /** Where the next entry begins; unknown at first, after a failed write, and when the connection was lost: who knows what is there then. */
  #end: number | undefined;
  #closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async size(): Promise<number> {
    return (this.#end = await this.#run('readonly', endOf));
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (length <= 0) return new Uint8Array(0);
    const { keys, values } = await this.#run('readonly', async (entries) => {
      const first = await lastUpTo(entries, IDBKeyRange.upperBound(offset));
      const range = IDBKeyRange.bound(first?.key ?? offset, offset + length, false, true);
      const [keys, values] = await Promise.all([answerOf(entries.getAllKeys(range)), answerOf(entries.getAll(range))]);
      return { keys, values };
    });
    const bytes = new Uint8Array(length);
    let end = offset;
    for (const [at, value] of values.entries()) {
      const key = keys[at];
      // An entry is missing or is none of ours: the bytes end here, and whoever knows that there were more says so.
      if (!(value instanceof Uint8Array) || typeof key !== 'number' || key > end) break;
      const part = value.subarray(end - key, offset + length - key);
      bytes.set(part, end - offset);
      end += part.byteLength;
    }
    return bytes.slice(0, end - offset);
  }

  append(bytes: Uint8Array): Promise<void> {
    return this.#write((entries) => {
      if (this.#end === undefined)
        throw new Error('the end of the journal is not known: its size has to be asked first');
      return putParts(entries, this.#end, [bytes]);
    });
  }

  truncate(size: number): Promise<void> {
    return this.#write(async (entries) => {
      const end = await endOf(entries);
      if (end <= size) return end;
      const across = await lastUpTo(entries, IDBKeyRange.upperBound(size, true));
      entries.delete(IDBKeyRange.lowerBound(size));
      if (across && across.key + across.bytes.byteLength > size)
        entries.put(across.bytes.slice(0, size - across.key), across.key);
      return size;
    });
  }

  replace(chunks: readonly Uint8Array[]): Promise<void> {
    return this.#write((entries) => {
      entries.clear();
      return putParts(entries, 0, chunks);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const database = this.#database;
    this.#database = undefined;
    // One that cannot be opened need not be closed.
    await database?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }

  /** Runs `work`, which gives the new end, in one transaction. */
  async #write(work: (entries: IDBObjectStore) => Promise<number> | number): Promise<void> {
    try {
      this.#end = await this.#run('readwrite', work);
    } catch (error) {
      this.#end = undefined;
      throw error;
    }
  }

  /** Runs `work`, which waits for nothing but its requests, in one transaction, and resolves when that is complete. */
  async #run<T>(mode: IDBTransactionMode, work: (entries: IDBObjectStore) => Promise<T> | T): Promise<T> {
    const transaction = (await this.#connected()).transaction(ENTRIES, mode, { durability: 'strict' });
    const completed = completionOf(transaction);
    completed.catch(() => undefined);
    try {
      const value = await work(transaction.objectStore(ENTRIES));
      await completed;
      return value;
    } catch (error) {
      abort(transaction);
      throw error;
    }
  }

  #connected(): Promise<IDBDatabase> {
    if (this.#closed) return Promise.reject(new Error('the database of the journal is closed'));
    if (this.#database) return this.#database;
    const forget = (): void => {
      this.#database = undefined;
      this.#end = undefined;
    };
    const database = openDatabase(this.#name, forget);
    this.#database = database;
    database.catch(forget);
    return database;
  }
}

function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Without a version: whatever is there, unchanged, or a new one of version 1.
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => void request.result.createObjectStore(ENTRIES);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = onClose;
      if (database.version === VERSION && database.objectStoreNames.contains(ENTRIES)) return resolve(database);
      database.close();
      reject(
        database.version > VERSION
          ? new JournalVersionError(database.version)
          : new JournalDamagedError(0, `the object store "${ENTRIES}"`),
      );
    };
  });
}

/** Asks for entries with these bytes from `offset` on, and gives where they end. */
function putParts(entries: IDBObjectStore, offset: number, chunks: readonly Uint8Array[]): number {
  let end = offset;
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += ENTRY_BYTES) {
      // A copy: of a view, the whole buffer would be stored. Added, not put: an entry that is there already is not ours to overwrite.
      const part = chunk.slice(at, at + ENTRY_BYTES);
      entries.add(part, end);
      end += part.byteLength;
    }
  }
  return end;
}

async function endOf(entries: IDBObjectStore): Promise<number> {
  const last = await lastUpTo(entries, null);
  return last ? last.key + last.bytes.byteLength : 0;
}

/** The last entry in a range. */
async function lastUpTo(
  entries: IDBObjectStore,
  range: IDBKeyRange | null,
): Promise<{ readonly key: number; readonly bytes: Uint8Array } | undefined> {
  const cursor = await answerOf(entries.openCursor(range, 'prev'));
  if (!cursor) return undefined;
  const { key, value } = cursor as { key: unknown; value: unknown };
  if (typeof key !== 'number' || !(value instanceof Uint8Array))
    throw new JournalDamagedError(typeof key === 'number' ? key : 0, 'an entry of bytes');
  return { key, bytes: value };
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('the transaction of the journal was aborted'));
  });
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}
