import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_NAME } from '../journal/file.ts';
import { DataFolderError, StoreAddressError } from './errors.ts';

/** Environment variable for the store's address. An option overrides it. */
export const STORE_VARIABLE = 'REDFLAG_STORE';
/** Environment variable for the PostgreSQL replica that answers queries. */
const REPLICA_VARIABLE = 'REDFLAG_READ_REPLICA';
export const SQLITE_NAME = 'redflag.sqlite';

const KINDS_IN_FOLDER: readonly ('journal' | 'sqlite')[] = ['journal', 'sqlite'];

type PostgresUrl = `postgres${string}`;

/**
 * Where a data folder's reports are stored: in its journal, in its SQLite file, or on a PostgreSQL server. The secret
 * and the peppers are always in the folder.
 */
export type StoreAddress = 'journal' | 'sqlite' | PostgresUrl;

/**
 * Returns the address from `given` or from {@link STORE_VARIABLE}. If neither is set, derives the address from the
 * folder's content. Throws {@link StoreAddressError} for any other text. Throws DataFolderError if the folder has two
 * stores. Also throws DataFolderError if the folder has another store: a new empty store would answer every query with
 * "not reported", and an erasure in it would erase nothing.
 */
export function readAddress(folder: string, given: string | undefined): StoreAddress {
  const named = given ?? (process.env[STORE_VARIABLE] || undefined);
  // Do not show the address: it may contain a password.
  if (named !== undefined && named !== 'journal' && named !== 'sqlite' && !isPostgres(named))
    throw new StoreAddressError(`--store and ${STORE_VARIABLE} expect journal, sqlite or postgres://…`);
  const present = KINDS_IN_FOLDER.filter((kind) => hasStore(folder, kind));
  const other = present.find((kind) => kind !== named);
  // If the SQLite file is deleted while a service has it open, the service's socket remains.
  if (named === undefined && present.length < 2)
    return other ?? (existsSync(holderOf(join(folder, SQLITE_NAME))) ? 'sqlite' : 'journal');
  if (named === undefined || (present.length === 2 && !isPostgres(named)))
    throw new DataFolderError(`${folder} has two stores, ${JOURNAL_NAME} and ${SQLITE_NAME}: move the unused one away`);
  if (other !== undefined)
    throw new DataFolderError(
      `${folder} keeps its reports in ${other === 'sqlite' ? `the SQLite file ${SQLITE_NAME}` : `the journal ${JOURNAL_NAME}`}, ${wordMove(folder, other, named)}`,
    );
  return named;
}

function wordMove(folder: string, from: 'journal' | 'sqlite', to: StoreAddress): string {
  const [source, name] = from === 'sqlite' ? [`sqlite:${folder}`, SQLITE_NAME] : [folder, JOURNAL_NAME];
  const move = isPostgres(to)
    ? `redflag migrate --from ${source} --to postgres://… --data ${folder}`
    : `redflag migrate --from ${source} --to ${to === 'sqlite' ? `sqlite:${folder}` : folder}`;
  return `not in ${isPostgres(to) ? 'postgres' : to}: omit --store (and ${STORE_VARIABLE}), or run ${move} and then move ${name} away`;
}

/**
 * Returns the replica for reads from `given` or from `REDFLAG_READ_REPLICA`; undefined if neither is set. Throws {@link
 * StoreAddressError} unless replica and store are PostgreSQL servers.
 */
export function readReplica(address: StoreAddress, given: string | undefined): PostgresUrl | undefined {
  const replica = given ?? (process.env[REPLICA_VARIABLE] || undefined);
  if (replica === undefined) return undefined;
  if (!isPostgres(address))
    throw new StoreAddressError('a read replica needs a PostgreSQL store: set --store to postgres://…');
  if (!isPostgres(replica)) throw new StoreAddressError(`--read-replica and ${REPLICA_VARIABLE} expect postgres://…`);
  return replica;
}

export function isPostgres(address: string): address is PostgresUrl {
  return /^postgres(ql)?:\/\//.test(address);
}

/** Returns true if the folder has a store of this kind. Always true for a server, which is not contacted here. */
export function hasStore(folder: string, address: StoreAddress): boolean {
  return isPostgres(address) || existsSync(join(folder, address === 'sqlite' ? SQLITE_NAME : JOURNAL_NAME));
}

/**
 * Returns the folder with the lock and socket of a SQLite file. It is beside the real file, even if `file` is a link.
 */
export function holderOf(file: string): string {
  try {
    return `${realpathSync(file)}.holder`;
  } catch {
    return `${file}.holder`;
  }
}

/**
 * Validates a PostgreSQL address before anything is created or connected. Throws {@link StoreAddressError} if the
 * address is invalid. Accepts any address of another kind. Without the package pg, which parses addresses, accepts
 * every address.
 */
export async function validatePostgresUrl(address: string | undefined): Promise<void> {
  if (address === undefined || !isPostgres(address)) return;
  const pg = await import('pg').catch(() => undefined);
  try {
    // Parses the address, but does not connect.
    if (pg) void new pg.default.Client({ connectionString: address });
  } catch (error) {
    // The address names a certificate file that cannot be read. Connecting reports this problem.
    if (error instanceof Error && 'syscall' in error) return;
    // Show neither the address nor the parser's message: they may contain a password.
    throw new StoreAddressError(
      'the address postgres://… is invalid: write postgres://USER:PASSWORD@HOST:PORT/DATABASE, and percent-encode special characters in each part (%40 for @, %23 for #, %2F for /)',
    );
  }
}
