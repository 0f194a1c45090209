import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_NAME } from '../journal/file.ts';
import type { Store } from '../store/store.ts';
import { CommandError } from './arguments.ts';
import { openStore } from './open-store.ts';
import { pepperFileOf, readPeppers } from './pepper-file.ts';
import { makeSecret, readSecret } from './secret.ts';
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
 * Opens the store behind an address: a data folder. Throws CommandError when it cannot be used, a service runs on it, or there is none and none may be made.
 */
export async function openAny(url: string, { make }: { readonly make: boolean }): Promise<AnyStore> {
  if (/^[a-z][a-z0-9+]*:/i.test(url)) throw new CommandError('this kind of store is not known; a data folder is named by its path');
  if (!make && !existsSync(join(url, JOURNAL_NAME))) throw new CommandError(`there is no data folder at ${url}`);
  await readSecret(url);
  const store = await openStore(url);
  try {
    const secret = await readSecret(url);
    return {
      store,
      keys: secret === undefined ? undefined : { secret, peppers: await readPeppers(pepperFileOf(url)) },
      async takeKeys(keys) {
        // The secret last: with it the store has its keys.
        const file = pepperFileOf(url);
        const there = await readPeppers(file);
        if (there.length > 0 && there.join() !== keys.peppers.join()) throw new CommandError(`${file} has other peppers than the store that is to be copied`);
        if (there.length < keys.peppers.length) await writeWholeFile(file, (whole) => whole.append(`${keys.peppers.join('\n')}\n`));
        await makeSecret(url, keys.secret);
      },
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
