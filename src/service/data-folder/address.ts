import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_NAME } from '../../stores/journal/file.ts';
import { DataFolderError, StoreAddressError } from './errors.ts';

/** Environment variable for the store's address. An option overrides it. */
export const STORE_VARIABLE = 'REDFLAG_STORE';
export const SQLITE_NAME = 'redflag.sqlite';

const KINDS_IN_FOLDER: readonly ('journal' | 'sqlite')[] = ['journal', 'sqlite'];

type PostgresUrl = `postgres${string}`;

/**
 * Where a data folder's reports are stored: in its journal, in its SQLite file, or on a PostgreSQL server. The secret
 * and the peppers are always in the folder.
 */
export type StoreAddress = 'journal' | 'sqlite' | PostgresUrl;

/**
 * Returns the address that an environment variable holds, or the file that `<variable>_FILE` names. An empty variable
 * counts as unset. Throws {@link StoreAddressError} if both are set, or if the file does not hold one line.
 */
export function readAddressVariable(
  variable: string,
  env: NodeJS.ProcessEnv = process.env,
): { readonly text: string; readonly variable: string } | undefined {
  const text = env[variable] || undefined;
  const file = env[`${variable}_FILE`] || undefined;
  if (text !== undefined && file !== undefined)
    throw new StoreAddressError(`${variable} and ${variable}_FILE are both set; set only one of them`);
  if (file !== undefined) return { text: readAddressFile(`${variable}_FILE`, file), variable: `${variable}_FILE` };
  return text === undefined ? undefined : { text, variable };
}

function readAddressFile(variable: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreAddressError(`the file that ${variable} names cannot be read (${code}): ${file}`);
  }
  if (text === '' || /[\r\n]/.test(text))
    throw new StoreAddressError(`the file that ${variable} names must hold one address on one line: ${file}`);
  return text;
}

/**
 * Returns the address from `given` or from {@link STORE_VARIABLE}. If neither is set, derives the address from the
 * folder's content. Throws {@link StoreAddressError} for any other text. Throws DataFolderError if the folder has two
 * stores. Also throws DataFolderError if the folder has another store: a new empty store would answer every query with
 * "not reported", and an erasure in it would erase nothing.
 */
export function readAddress(folder: string, given: string | undefined): StoreAddress {
  const named = given ?? readAddressVariable(STORE_VARIABLE)?.text;
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
      `${folder} keeps its reports in ${other === 'sqlite' ? `the SQLite file ${SQLITE_NAME}` : `the journal ${JOURNAL_NAME}`}, ${formatMove(folder, other, named)}`,
    );
  return named;
}

function formatMove(folder: string, from: 'journal' | 'sqlite', to: StoreAddress): string {
  const [source, name] = from === 'sqlite' ? [`sqlite:${folder}`, SQLITE_NAME] : [folder, JOURNAL_NAME];
  const move = isPostgres(to)
    ? `redflag migrate --from ${source} --to postgres://… --data ${folder}`
    : `redflag migrate --from ${source} --to ${to === 'sqlite' ? `sqlite:${folder}` : folder}`;
  return `not in ${isPostgres(to) ? 'postgres' : to}: omit --store (and ${STORE_VARIABLE}), or run ${move} and then move ${name} away`;
}

/**
 * Returns the replica for reads. Throws {@link StoreAddressError} unless replica and store are PostgreSQL servers.
 */
export function readReplica(address: StoreAddress, replica: string | undefined): PostgresUrl | undefined {
  if (replica === undefined) return undefined;
  if (!isPostgres(address))
    throw new StoreAddressError('a read replica needs a PostgreSQL store: set --store to postgres://…');
  if (!isPostgres(replica)) throw new StoreAddressError('a read replica has an address postgres://…');
  return replica;
}

export function isPostgres(address: string): address is PostgresUrl {
  return /^postgres(ql)?:\/\//.test(address);
}

const SECRET_PARAMETERS = ['password', 'sslpassword'];

/** Returns true if an address holds a password, or may hold one because it is invalid. */
export function holdsPassword(address: string): boolean {
  if (!isPostgres(address)) return false;
  if (!URL.canParse(address)) return mayHoldPassword(address);
  const url = new URL(address);
  return url.password !== '' || hasLateAt(url) || SECRET_PARAMETERS.some((name) => url.searchParams.has(name));
}

/** True for a text with `:` and `@` after `//`, also if it has no password: what is not shown cannot leak. */
function mayHoldPassword(address: string): boolean {
  const authority = address.slice(address.indexOf('//') + 2);
  const colon = authority.indexOf(':');
  return (colon >= 0 && authority.includes('@', colon)) || /[?&](?:ssl)?password=/.test(address);
}

/** Returns an address as it may be shown: without its password. */
export function withoutPassword(address: string): string {
  if (!holdsPassword(address)) return address;
  // The form `postgres://user:password@/database?host=…` is an address for pg, but no URL.
  const named = address.replace('@/', '@localhost/');
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url === undefined || hasLateAt(url)) return 'postgres://…';
  url.password = '';
  for (const name of SECRET_PARAMETERS) url.searchParams.delete(name);
  return named === address ? url.href : url.href.replace('@localhost/', '@/');
}

/** True if an @ follows the host: probably the password has a /, ? or # that should be percent-encoded. */
function hasLateAt({ pathname, searchParams, hash }: URL): boolean {
  return [pathname, hash, ...searchParams.keys()].some((part) => part.includes('@'));
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
 * Returns what is wrong with an address `postgres://…`, for a message that begins with its name. Undefined for a valid
 * address, and if the package pg is missing. The text holds neither the address nor the parser's message: both may
 * contain a password.
 */
export async function problemOfPostgresUrl(address: string): Promise<string | undefined> {
  const pg = await import('pg').catch(() => undefined);
  try {
    // Parses the address, but does not connect.
    if (pg) void new pg.default.Client({ connectionString: address });
    return undefined;
  } catch (error) {
    // The address names a certificate file that cannot be read. Connecting reports this problem.
    if (error instanceof Error && 'syscall' in error) return undefined;
    return 'is invalid: write postgres://USER:PASSWORD@HOST:PORT/DATABASE, and percent-encode special characters in each part (%40 for @, %23 for #, %2F for /)';
  }
}

/** Throws StoreAddressError for an invalid address `postgres://…`. Any other address passes. */
export async function validatePostgresUrl(address: string | undefined): Promise<void> {
  const problem = address !== undefined && isPostgres(address) ? await problemOfPostgresUrl(address) : undefined;
  if (problem !== undefined) throw new StoreAddressError(`the address postgres://… ${problem}`);
}
