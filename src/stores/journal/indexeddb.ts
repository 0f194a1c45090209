import { JournalDamagedError, JournalVersionError } from './errors.ts';

import type { JournalMedium } from './medium.ts';

/** Version of the IndexedDB database. The journal's format has its own version. */
const VERSION = 1;
/** The object store. Each entry is a part of the journal's bytes; its key is the offset of its first byte. */
const ENTRIES = 'journal';
/** Maximum bytes per entry. A read from the middle of a snapshot then loads only the entries that it needs. */
const ENTRY_BYTES = 4 * 1024 * 1024;

/**
 * Opens a journal in an IndexedDB database of this origin, in a page or a worker. Creates a missing database. Every
 * write is one transaction with `durability: 'strict'`. It happens completely or not at all, and resolves when it is
 * complete. Call `holdName` first: two journals on one database would corrupt each other.
 *
 * Rejects with `JournalVersionError` for a newer database, with `JournalDamagedError` for a database without a journal,
 * and with a DOMException where the browser stores nothing.
 */
export async function openIndexedDbMedium(database: string): Promise<JournalMedium> {
  const medium = new IndexedDbMedium(database);
  await medium.size();
  return medium;
}

class IndexedDbMedium implements JournalMedium {
  readonly #name: string;
  /** Opened on demand: a browser may close a connection if its disk fails or the user deletes the site's data. */
  #database: Promise<IDBDatabase> | undefined;
  /** Offset of the next entry. Unknown at first, after a failed write and after a lost connection. */
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
      // An entry is missing or foreign: the bytes end here. If the caller expects more bytes, it reports the damage.
      if (!(value instanceof Uint8Array) || typeof key !== 'number' || key > end) break;
      const part = value.subarray(end - key, offset + length - key);
      bytes.set(part, end - offset);
      end += part.byteLength;
    }
    return bytes.slice(0, end - offset);
  }

  append(bytes: Uint8Array): Promise<void> {
    return this.#write((entries) => {
      if (this.#end === undefined) throw new Error('the end of the journal is unknown: call size() first');
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
    // If the database could not be opened, there is nothing to close.
    await database?.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }

  /** Runs `work` in one transaction. `work` returns the new end. */
  async #write(work: (entries: IDBObjectStore) => Promise<number> | number): Promise<void> {
    try {
      this.#end = await this.#run('readwrite', work);
    } catch (error) {
      this.#end = undefined;
      throw error;
    }
  }

  /**
   * Runs `work` in one transaction. `work` may await only its own requests. Resolves when the transaction is complete.
   */
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
    // Without a version, `open` leaves an existing database unchanged and creates a new one with version 1.
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
          ? new JournalVersionError(database.version, VERSION)
          : new JournalDamagedError(0, `the object store "${ENTRIES}"`),
      );
    };
  });
}

/** Requests to store these bytes from `offset` on. Returns the offset after them. */
function putParts(entries: IDBObjectStore, offset: number, chunks: readonly Uint8Array[]): number {
  let end = offset;
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += ENTRY_BYTES) {
      // `slice` copies: the browser would store the whole buffer of a view. `add` never overwrites an existing entry.
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

/** Finds the last entry in a range. */
async function lastUpTo(
  entries: IDBObjectStore,
  range: IDBKeyRange | null,
): Promise<{ readonly key: number; readonly bytes: Uint8Array } | undefined> {
  const cursor = await answerOf(entries.openCursor(range, 'prev'));
  if (!cursor) return undefined;
  const { key, value }: { key: unknown; value: unknown } = cursor;
  if (typeof key !== 'number' || !(value instanceof Uint8Array))
    throw new JournalDamagedError(typeof key === 'number' ? key : 0, 'an entry with a numeric key and a byte array');
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
    // The transaction has already ended.
  }
}
