/**
 * Runs in a page, and in a dedicated worker of it. Creates stores and media there, and calls their methods for a test
 * in Node (`remote.ts`).
 */
import type { SqlAnswer, SqlStep, SqlWork } from '../../../src/core/store/sql/statement.ts';
import { openIndexedDbMedium } from '../../../src/stores/journal/indexeddb.ts';
import { openOpfsMedium } from '../../../src/stores/journal/opfs.ts';
import { openBrowserStore, type BrowserStoreOptions, type StoreNotice } from '../../../src/sqljs.ts';

/** A call of a method, or of one of {@link MAKERS} when there is no object. */
export interface RemoteCall {
  readonly on?: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** `value`, or an object that stays here with what it holds and the names of its methods, or an error. */
export interface RemoteAnswer {
  readonly value?: unknown;
  readonly object?: {
    readonly id: number;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly methods: readonly string[];
  };
  readonly error?: { readonly name: string; readonly message: string; readonly cause: string };
}

declare global {
  var callHere: (call: RemoteCall) => Promise<RemoteAnswer>;
  var callWorker: (call: RemoteCall) => Promise<RemoteAnswer>;
}

const objects: object[] = [];
const notices: StoreNotice[] = [];

const MAKERS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  openBrowserStore: async (options: BrowserStoreOptions) => {
    const store = await openBrowserStore({
      locateFile: (file) => `/${file}`,
      onNotice: (notice) => notices.push(notice),
      ...options,
    });
    // Work does not reach the page: a test sends its steps.
    const read = (step: SqlStep) =>
      store.read(function* (): SqlWork<SqlAnswer> {
        return yield step;
      });
    return { ...store, read };
  },
  openIndexedDbMedium,
  openOpfsMedium,
  notices: () => notices.map(({ event }) => event),
  /** All bytes that IndexedDB or the private file system has for this origin, by where they are. */
  readStored,
  /** Puts bytes in the place of an entry or a file. */
  writeStored,
  /** Opens a database that no store uses. Returns true if an earlier call has created it. */
  openWitness,
  /** What any script of the origin can do to a lock. */
  stealLock: (name: string) =>
    new Promise<void>(
      (resolve) =>
        void navigator.locks.request(name, { steal: true }, () => {
          resolve();
          return new Promise(() => undefined);
        }),
    ),
};

async function answer({ on, method, args }: RemoteCall): Promise<RemoteAnswer> {
  try {
    const target = (on === undefined ? MAKERS : objects[on]) as Record<
      string,
      (...args: readonly unknown[]) => unknown
    >;
    const value = await target[method]!(...args);
    return methodsOf(value).length === 0 ? { value } : keep(value as object);
  } catch (error) {
    const { name, message, cause } = error as Error;
    return { error: { name, message, cause: String(cause) } };
  }
}

/** Names of the functions that an object has, its class's too. */
function methodsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Uint8Array) return [];
  const prototype = Object.getPrototypeOf(value) as object;
  const names = [
    ...Object.keys(value),
    ...(prototype === Object.prototype ? [] : Object.getOwnPropertyNames(prototype)),
  ];
  return names.filter(
    (name) => name !== 'constructor' && typeof (value as Record<string, unknown>)[name] === 'function',
  );
}

function keep(value: object): RemoteAnswer {
  const fields = Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field !== 'function'));
  return { object: { id: objects.push(value) - 1, fields: structuredClone(fields), methods: methodsOf(value) } };
}

async function readStored(storage: 'indexeddb' | 'opfs', name: string): Promise<Record<string, Uint8Array>> {
  const found: Record<string, Uint8Array> = {};
  if (storage === 'indexeddb') {
    const entries = (await databaseOf(name)).transaction('journal').objectStore('journal');
    const [keys, values] = await Promise.all([asked(entries.getAllKeys()), asked(entries.getAll())]);
    for (const [at, key] of keys.entries()) found[String(key)] = values[at] as Uint8Array;
    entries.transaction.db.close();
  } else {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(`redflag-${name}`);
    for (const file of ['journal-a', 'journal-b'])
      found[file] = new Uint8Array(await (await (await folder.getFileHandle(file)).getFile()).arrayBuffer());
  }
  return found;
}

async function writeStored(
  storage: 'indexeddb' | 'opfs',
  name: string,
  at: string | number,
  bytes: unknown,
): Promise<void> {
  if (storage === 'indexeddb') {
    const entries = (await databaseOf(name)).transaction('journal', 'readwrite').objectStore('journal');
    if (bytes === undefined) await asked(entries.delete(at));
    else await asked(entries.put(bytes, at));
    entries.transaction.db.close();
  } else {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(`redflag-${name}`);
    const writable = await (await folder.getFileHandle(String(at))).createWritable();
    await writable.write(bytes as FileSystemWriteChunkType);
    await writable.close();
  }
}

async function openWitness(): Promise<boolean> {
  const request = indexedDB.open('witness');
  const found = { before: true };
  request.onupgradeneeded = () => (found.before = false);
  (await asked(request)).close();
  return found.before;
}

const databaseOf = (name: string): Promise<IDBDatabase> => asked(indexedDB.open(`redflag:${name}`));

function asked<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

if (typeof document === 'undefined') {
  globalThis.onmessage = ({ data, ports }: MessageEvent<RemoteCall>) =>
    void answer(data).then((given) => ports[0]!.postMessage(given));
} else {
  const started: { worker?: Worker } = {};
  globalThis.callHere = answer;
  globalThis.callWorker = (call) =>
    new Promise((resolve) => {
      started.worker ??= new Worker('/storage.js', { type: 'module' });
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => {
        port1.close();
        resolve(data as RemoteAnswer);
      };
      started.worker.postMessage(call, [port2]);
    });
}
