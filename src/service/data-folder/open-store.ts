import { Socket } from 'node:net';
import { join } from 'node:path';
import { connectToFolder } from '../../stores/holds/control-socket.ts';
import type { FolderLock } from '../../stores/holds/folder-lock.ts';
import type { Store } from '../../core/store/store.ts';
import { UNFINISHED_COPY } from '../../core/store/records.ts';
import { holderOf, isPostgres, SQLITE_NAME, type StoreAddress } from './address.ts';
import { DataFolderError, printNotice, reasonOf, rethrowOfFolder, type PrintNotice } from './errors.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_MS = 5_000;
/** Milliseconds of silence after which the system asks whether the server's machine still exists. */
const KEEP_ALIVE_MS = 10_000;

/** A store with the functions that commands need. */
export interface OpenStore extends Store {
  /** The lock whose socket reaches this process. Undefined for a server, because every process opens it separately. */
  readonly lock?: FolderLock;
  /** Returns the bytes of a journal's snapshot. Only journals have this function. */
  readonly exportDurable?: () => Promise<Uint8Array>;
  /** Returns the bytes of a SQLite file at the time of the first read. Only SQLite files have this function. */
  readonly copy?: () => AsyncIterable<Uint8Array>;
}

/** Connects to the process that has a store open. Undefined for a server, or if no process has the store open. */
export async function connectToHolder(folder: string, address: StoreAddress): ReturnType<typeof connectToFolder> {
  if (isPostgres(address)) return undefined;
  return connectToFolder(address === 'sqlite' ? holderOf(join(folder, SQLITE_NAME)) : folder).catch(rethrowOfFolder);
}

/**
 * Opens a store. Prints its notices on standard error. Rejects with DataFolderError if the store cannot be used,
 * also if a copy into it was interrupted.
 */
export async function openStore(
  folder: string,
  address: StoreAddress,
  replica?: string,
  onNotice: PrintNotice = printNotice,
): Promise<OpenStore> {
  const store = await openToCopy(folder, address, replica, onNotice);
  const epoch = await store.findTrustEpoch().catch(async (error: unknown) => {
    await store.close();
    throw new DataFolderError(reasonOf(error), { cause: error });
  });
  if (epoch?.rules !== UNFINISHED_COPY) return store;
  await store.close();
  throw new DataFolderError(
    'redflag import or redflag migrate was interrupted, so this store has only a part of its rows: ' +
      'run the same command again, which adds the others; or remove the store, if the source is gone',
  );
}

/** Like {@link openStore}, for a copy into the store, which continues one that was interrupted. */
export async function openToCopy(
  folder: string,
  address: StoreAddress,
  replica?: string,
  onNotice: PrintNotice = printNotice,
): Promise<OpenStore> {
  try {
    // Imported on demand: loading a database takes longer than most commands run.
    if (address === 'journal') {
      const { openFolderStore } = await import('../../stores/sqljs/folder-store.ts');
      return await openFolderStore(folder, { onNotice });
    }
    if (address === 'sqlite') {
      const { openSqliteFile } = await import('../../stores/sqlite/file-store.ts');
      return await openSqliteFile(join(folder, SQLITE_NAME), { onNotice });
    }
    return await openPostgres(address, replica, onNotice);
  } catch (error) {
    // Not defects, but problems for the operator: damage, a newer format, a folder in use, a failing disk or server.
    throw error instanceof DataFolderError ? error : new DataFolderError(reasonOf(error), { cause: error });
  }
}

async function openPostgres(address: string, replica: string | undefined, onNotice: PrintNotice): Promise<OpenStore> {
  // pg is optional: only operators with a PostgreSQL server install it.
  const { default: pg } = await import('pg').catch(() => {
    throw new DataFolderError('PostgreSQL needs the package pg; install it beside redflag: npm install pg');
  });
  const { createPostgresStore } = await import('../../stores/postgres/store.ts');
  const sockets = new Set<Socket>();
  const stream = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const connect = (connectionString: string) =>
    new pg.Pool({
      connectionString,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      stream,
    });
  const pool = connect(address);
  const standby = replica === undefined ? undefined : connect(replica);
  const end = async (): Promise<void> => {
    await Promise.all([pool.end(), standby?.end()]);
    // Without a password, pg leaves its socket open. The program could not end before the server closes the socket.
    for (const socket of sockets) socket.destroy();
  };
  try {
    const store = await createPostgresStore({ pool, ...(standby && { replica: { pool: standby } }), onNotice });
    const closing: { done?: Promise<void> } = {};
    return { ...store, close: () => (closing.done ??= store.close().then(end)) };
  } catch (error) {
    await end();
    throw error;
  }
}
