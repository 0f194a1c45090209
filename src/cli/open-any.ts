import { join } from 'node:path';
import type { Store } from '../store/store.ts';
import { CommandError } from './arguments.ts';
import { notePlace } from './new-place.ts';
import { isPostgres, isThere, openStore, type StoreAddress } from './open-store.ts';
import { pepperFileOf, readPeppers } from './pepper-file.ts';
import { makeSecret, readSecret, SECRET_NAME } from './secret.ts';
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
  /** Where its peppers are, or are expected. */
  readonly pepperFile: string;
  /** Gives a store the keys that it lacks. */
  takeKeys(keys: StoreKeys): Promise<void>;
  close(): Promise<void>;
  /** Closes a store that nothing was written to, and takes away what was made for it: files, keys and folders that were not there before. */
  leave(): Promise<void>;
}

/**
 * Opens the store behind an address: a data folder (its journal), `sqlite:` and a folder (the SQLite file in it), or a PostgreSQL server, whose secret and pepper are in the folder `data`. Throws CommandError when it cannot be used, a service runs on it, or there is none and none may be made.
 */
export async function openAny(
  url: string,
  { make, data }: { readonly make: boolean; readonly data: string },
): Promise<AnyStore> {
  const { folder, address } = placeOf(url, data);
  if (!make && !isThere(folder, address)) throw new CommandError(`there is no data at ${url}`);
  if (!isPostgres(address)) await readSecret(folder);
  const pepperFile = pepperFileOf(folder);
  // What is no list of peppers is told before anything is made.
  await readPeppers(pepperFile);
  const place = await notePlace(folder, address);
  const store = await openStore(folder, address).catch(async (error: unknown) => {
    await place.leave();
    throw error;
  });
  try {
    const secret = await findSecret(folder, store);
    return {
      store,
      keys: secret === undefined ? undefined : { secret, peppers: await readPeppers(pepperFile) },
      pepperFile,
      async takeKeys(keys) {
        const there = await readPeppers(pepperFile);
        if (there.length > 0 && there.join() !== keys.peppers.join())
          throw new CommandError(`${pepperFile} has other peppers than the store that is to be copied`);
        if (there.length < keys.peppers.length) {
          await writeWholeFile(pepperFile, (whole) => whole.append(`${keys.peppers.join('\n')}\n`));
          place.wrote(pepperFile);
        }
        // The secret last: with it the store has its keys.
        if (secret !== undefined) return;
        await makeSecret(folder, keys.secret);
        place.wrote(join(folder, SECRET_NAME));
      },
      close: () => store.close(),
      leave: () => place.leave(store),
    };
  } catch (error) {
    await place.leave(store);
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
