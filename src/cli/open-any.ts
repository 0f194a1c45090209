import type { Store } from '../store/store.ts';
import { CommandError } from './arguments.ts';
import { isPostgres, isThere, openStore, type StoreAddress } from './open-store.ts';
import { pepperFileOf, readPeppers } from './pepper-file.ts';
import { makeSecret, readSecret } from './secret.ts';
import { findSecret } from './store-keys.ts';
import { writeWholeFile } from './whole-file.ts';

/** What an engine over a store is given. */
export interface StoreKeys {
  readonly secret: string;
  /** Oldest first. */
  readonly peppers: readonly string[];
}

/** A store by its address, this process's alone until it is closed. */
export interface AnyStore {
  readonly store: Store;
  /** Undefined for a store that is new. */
  readonly keys: StoreKeys | undefined;
  /** Gives keys to a store that has none. */
  takeKeys(keys: StoreKeys): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the store behind an address: a data folder (its journal), `sqlite:` and a folder (the SQLite file in it), or a PostgreSQL server, whose secret and pepper are in the folder `data`. Throws CommandError when it cannot be used, a service runs on it, or there is none and none may be made.
 */
export async function openAny(url: string, { make, data }: { readonly make: boolean; readonly data: string }): Promise<AnyStore> {
  const { folder, address } = placeOf(url, data);
  if (!make && !isThere(folder, address)) throw new CommandError(`there is no data at ${url}`);
  if (!isPostgres(address)) await readSecret(folder);
  const store = await openStore(folder, address);
  try {
    const secret = await findSecret(folder, store);
    return {
      store,
      keys: secret === undefined ? undefined : { secret, peppers: await readPeppers(pepperFileOf(folder)) },
      async takeKeys(keys) {
        // The secret last: with it the store has its keys.
        const file = pepperFileOf(folder);
        const there = await readPeppers(file);
        if (there.length > 0 && there.join() !== keys.peppers.join()) throw new CommandError(`${file} has other peppers than the store that is to be copied`);
        if (there.length < keys.peppers.length) await writeWholeFile(file, (whole) => whole.append(`${keys.peppers.join('\n')}\n`));
        await makeSecret(folder, keys.secret);
      },
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function placeOf(url: string, data: string): { readonly folder: string; readonly address: StoreAddress } {
  if (isPostgres(url)) return { folder: data, address: url };
  const [, scheme, rest] = /^([a-z][a-z0-9+]*):(.*)$/is.exec(url) ?? [];
  if (scheme === undefined) return { folder: url, address: 'journal' };
  if (scheme === 'sqlite' && rest !== '') return { folder: rest!, address: 'sqlite' };
  throw new CommandError('this kind of store is not known: a folder, sqlite:FOLDER or postgres://…');
}
