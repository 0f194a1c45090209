import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { connectToFolder } from '../journal/control-socket.ts';
import { JOURNAL_NAME } from '../journal/file.ts';
import { prepareFolder } from '../journal/folder.ts';
import type { FolderLock } from '../journal/folder-lock.ts';
import type { Store } from '../store/store.ts';
import { CommandError, UsageError } from './arguments.ts';

/** Says where reports are kept, for every command that is not told by an option. */
export const STORE_VARIABLE = 'REDFLAG_STORE';
/** Says which replica of a PostgreSQL server answers queries. */
const REPLICA_VARIABLE = 'REDFLAG_READ_REPLICA';
export const SQLITE_NAME = 'redflag.sqlite';
/** Connections of one process. */
const CONNECTIONS_MOST = 10;
const CONNECT_MS = 5_000;

/** A store as commands use it. */
export interface OpenStore extends Store {
  /** Over which other processes reach the one that has the store open; undefined for a server's, which each opens for itself. */
  readonly lock?: FolderLock;
  /** The bytes of a journal's snapshot; only of a journal. */
  readonly exportDurable?: () => Promise<Uint8Array>;
  /** The bytes of a SQLite file as things are when the first is read; only of a SQLite file. */
  readonly copy?: () => AsyncIterable<Uint8Array>;
}

/** Where the reports of a data folder are: its journal, a SQLite file in it, or a PostgreSQL server. The folder has secret and pepper in any case. */
export type StoreAddress = 'journal' | 'sqlite' | `postgres${string}`;

/**
 * What an option or the variable says; otherwise what the folder has. Throws UsageError for anything that is no store, and CommandError for a folder that has another store than that
 * or beside it: whoever begins an empty one answers every query with "nobody reported it", and whoever erases a person from one that nobody serves has erased nothing.
 */
export function readAddress(folder: string, given: string | undefined): StoreAddress {
  const said = given ?? (process.env[STORE_VARIABLE] || undefined);
  // Not shown: it may hold a password.
  if (said !== undefined && said !== 'journal' && said !== 'sqlite' && !isPostgres(said))
    throw new UsageError('the store expected is journal, sqlite or postgres://…');
  const here = (['journal', 'sqlite'] as const).filter((kind) => isThere(folder, kind));
  const other = here.find((kind) => kind !== said);
  // A file that was deleted under its service leaves the service's socket.
  if (said === undefined && here.length < 2)
    return other ?? (existsSync(holderOf(join(folder, SQLITE_NAME))) ? 'sqlite' : 'journal');
  if (said === undefined || (here.length === 2 && !isPostgres(said)))
    throw new CommandError(
      `${folder} has two stores, ${JOURNAL_NAME} and ${SQLITE_NAME}: put away the one that is not used any more`,
    );
  if (other !== undefined)
    throw new CommandError(
      `${folder} keeps its reports in ${other === 'sqlite' ? `the SQLite file ${SQLITE_NAME}` : `the journal ${JOURNAL_NAME}`}, ${wordMove(folder, other, said)}`,
    );
  return said;
}

function wordMove(folder: string, from: 'journal' | 'sqlite', to: StoreAddress): string {
  const [source, name] = from === 'sqlite' ? [`sqlite:${folder}`, SQLITE_NAME] : [folder, JOURNAL_NAME];
  const move = isPostgres(to)
    ? `redflag migrate --from ${source} --to postgres://… --data ${folder}`
    : `redflag migrate --from ${source} --to ${to === 'sqlite' ? `sqlite:${folder}` : folder}`;
  return `and a store of the kind ${isPostgres(to) ? 'postgres' : to} would be another one: leave out --store (and ${STORE_VARIABLE}), or move the reports first with ${move} and put ${name} away`;
}

/** What an option or the variable says of a replica for reads; undefined when nothing does. Throws UsageError for anything but a PostgreSQL server, and beside a store that is none. */
export function readReplica(address: StoreAddress, given: string | undefined): `postgres${string}` | undefined {
  const replica = given ?? (process.env[REPLICA_VARIABLE] || undefined);
  if (replica === undefined) return undefined;
  if (!isPostgres(address)) throw new UsageError('a replica for reads expects a store that is postgres://…');
  if (!isPostgres(replica)) throw new UsageError('the replica for reads expected is postgres://…');
  return replica;
}

export function isPostgres(address: string): address is `postgres${string}` {
  return /^postgres(ql)?:\/\//.test(address);
}

/** True when something has been stored there. A server is asked when it is opened. */
export function isThere(folder: string, address: StoreAddress): boolean {
  return isPostgres(address) || existsSync(join(folder, address === 'sqlite' ? SQLITE_NAME : JOURNAL_NAME));
}

/** The process that has a store open, if there is one that others ask. Its file may be gone by now. */
export async function connectToHolder(folder: string, address: StoreAddress): ReturnType<typeof connectToFolder> {
  if (isPostgres(address)) return undefined;
  return connectToFolder(address === 'sqlite' ? holderOf(join(folder, SQLITE_NAME)) : folder);
}

/** Where the holder of a SQLite file is: beside the file itself, also when its name is a link. */
export function holderOf(file: string): string {
  try {
    return `${realpathSync(file)}.holder`;
  } catch {
    return `${file}.holder`;
  }
}

/** Opens a store; what it tells goes to standard error, a line each. Throws CommandError when it cannot be used. */
export async function openStore(
  folder: string,
  address: StoreAddress,
  replica?: `postgres${string}`,
): Promise<OpenStore> {
  try {
    // Each is loaded by who needs it: a database program takes longer to load than most commands to run.
    if (address === 'journal') {
      const { openFolderStore } = await import('../store/sqljs/folder-store.ts');
      return await openFolderStore(folder, { onNotice: tell });
    }
    if (address === 'sqlite') {
      const { openSqliteFile } = await import('../store/sqlite/file-store.ts');
      return await openSqliteFile(join(folder, SQLITE_NAME), { onNotice: tell });
    }
    await prepareFolder(folder);
    return await openPostgres(address, replica);
  } catch (error) {
    // Damage, a newer format, a folder in use, a disk or server that cannot be used: all for the operator to read, none a defect.
    throw error instanceof CommandError ? error : new CommandError(reasonOf(error));
  }
}

async function openPostgres(address: string, replica: string | undefined): Promise<OpenStore> {
  // Only who keeps reports on a server has it installed.
  const { default: pg } = await import('pg').catch(() => {
    throw new CommandError('PostgreSQL is reached by the package pg; install it beside redflag: npm install pg');
  });
  const { createPostgresStore } = await import('../store/postgres/store.ts');
  const pools = [address, ...(replica === undefined ? [] : [replica])].map(
    (connectionString) => new pg.Pool({ connectionString, max: CONNECTIONS_MOST, connectionTimeoutMillis: CONNECT_MS }),
  );
  const end = async (): Promise<void> => void (await Promise.all(pools.map((pool) => pool.end())));
  const [primary, standby] = pools;
  try {
    const store = await createPostgresStore({
      pool: primary!,
      ...(standby && { replica: { pool: standby } }),
      onNotice: tell,
    });
    const closing: { done?: Promise<void> } = {};
    return { ...store, close: () => (closing.done ??= store.close().then(end)) };
  } catch (error) {
    await end();
    throw error;
  }
}

function tell({ event, ...details }: { readonly event: string }): void {
  const shown = 'error' in details ? { error: reasonOf(details.error) } : details;
  process.stderr.write(`redflag: ${JSON.stringify({ event, ...shown })}\n`);
}

/** An error and what caused it: the journal says that a write failed, its cause that the disk is full. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
