/** Version of the IndexedDB database. */
const VERSION = 1;
const STORE = 'sealed';

/** Named values in an IndexedDB database. Each change is one transaction with `durability: 'strict'`. */
export interface Entries {
  read(name: string): Promise<unknown>;
  /** Replaces a value by that of `change`. If `change` returns undefined or the same value, writes nothing. */
  change(name: string, change: (value: unknown) => unknown): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
  names(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens a database of this origin, and creates a missing one. */
export async function openEntries(database: string): Promise<Entries> {
  let opened: Promise<IDBDatabase> | undefined;

  /** Opens on demand: a browser may close a connection if its disk fails or the user deletes the site's data. */
  function connected(): Promise<IDBDatabase> {
    const forget = (): void => {
      opened = undefined;
    };
    opened ??= openDatabase(database, forget);
    opened.catch(forget);
    return opened;
  }

  /** Runs `work` in one transaction. Resolves with its result when the transaction is complete. */
  async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore, done: (value: T) => void) => void) {
    const transaction = (await connected()).transaction(STORE, mode, { durability: 'strict' });
    return new Promise<T | undefined>((resolve, reject) => {
      let result: T | undefined;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
      work(transaction.objectStore(STORE), (value) => {
        result = value;
      });
    });
  }

  await connected();
  return {
    read: (name) =>
      run<unknown>('readonly', (store, done) => {
        const request = store.get(name);
        request.onsuccess = () => done(request.result);
      }),
    change: (name, change) =>
      run<undefined>('readwrite', (store) => {
        const request = store.get(name);
        request.onsuccess = () => {
          const value: unknown = change(request.result);
          if (value !== undefined && value !== request.result) store.put(value, name);
        };
      }),
    remove: (names) =>
      run<undefined>('readwrite', (store) => {
        for (const name of names) store.delete(name);
      }),
    async names() {
      const keys = await run<IDBValidKey[]>('readonly', (store, done) => {
        const request = store.getAllKeys();
        request.onsuccess = () => done(request.result);
      });
      return (keys ?? []).map(String);
    },
    async close() {
      const closing = opened;
      opened = undefined;
      await closing?.then(
        (one) => one.close(),
        () => undefined,
      );
    },
  };
}

function openDatabase(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, VERSION);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.onclose = onClose;
      resolve(request.result);
    };
  });
}
