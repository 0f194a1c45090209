import type { Store } from '../../core/store/store.ts';
import { hasStore, isPostgres, type StoreAddress } from './address.ts';
import { DataFolderError } from './errors.ts';
import { notePlace } from './new-place.ts';
import { openStore, openToCopy } from './open-store.ts';
import { findKeyFiles } from './key-files.ts';
import { createPeppers, readPeppers } from './pepper-file.ts';
import type { SealedKeys } from '../../sealed/keys.ts';
import { createSealedKeys, sealedKeysPath } from './sealed/keys-file.ts';
import { readSealedKeysOf } from './sealed/seal.ts';
import { createSecret, readSecret } from './secret.ts';
import { findSecret, type StoreKeys } from './store-keys.ts';

/** A store opened by its address. No other process has it open. */
export interface AnyStore {
  readonly store: Store;
  /** Undefined for a new store. */
  readonly keys: StoreKeys | undefined;
  /** The file that holds the peppers, or will hold them. */
  readonly pepperFile: string;
  /** The sealed keys of the store's folder. Undefined if it has none. */
  readonly sealed: SealedKeys | undefined;
  /** Writes the keys for a new store. */
  takeKeys(keys: StoreKeys, sealed: SealedKeys | undefined): Promise<void>;
  close(): Promise<void>;
  /** Closes the store and removes the files, keys and folders created for it. Call this only if nothing was written. */
  leave(): Promise<void>;
}

/**
 * Opens a store by its address: a data folder (its journal), `sqlite:FOLDER` (the SQLite file in it), or a PostgreSQL
 * server. The secret and the peppers of a server are those of the folder `data`. Throws DataFolderError if the store
 * cannot be used or a service has it open. Also throws if the store does not exist and `create` is false.
 */
export async function openAny(
  url: string,
  { create, data }: { readonly create: boolean; readonly data: string },
): Promise<AnyStore> {
  const { folder, address } = parseUrl(url, data);
  if (!create && !hasStore(folder, address))
    throw new DataFolderError(`there is no data in ${url}; set --from to a store with data`);
  if (!isPostgres(address)) await readSecret(folder);
  const { pepper: pepperFile } = await findKeyFiles(folder);
  // Validate the pepper file before anything is created.
  await readPeppers(pepperFile);
  const place = await notePlace(folder, address);
  const store = await (create ? openToCopy : openStore)(folder, address).catch(async (error: unknown) => {
    await place.leave();
    throw error;
  });
  try {
    const secret = await findSecret(folder, store);
    const sealedFile = await sealedKeysPath(folder);
    const sealed = await readSealedKeysOf(sealedFile, store);
    return {
      store,
      keys: secret === undefined ? undefined : { secret, peppers: await readPeppers(pepperFile) },
      pepperFile,
      sealed,
      async takeKeys(keys, sealedOfSource) {
        if (sealedOfSource && !sealed) {
          await createSealedKeys(folder, sealedFile, sealedOfSource);
          place.wrote(sealedFile);
        }
        const present = await readPeppers(pepperFile);
        if (present.length > 0 && present.join() !== keys.peppers.join())
          throw new DataFolderError(
            `${pepperFile} has other peppers than the source; use an empty folder, or the pepper file of the source`,
          );
        if (present.length < keys.peppers.length) {
          place.wrote(await createPeppers(folder, keys.peppers));
        }
        // Write the secret last: a folder with a secret then also has the peppers.
        if (secret !== undefined) return;
        await createSecret(folder, keys.secret);
        place.wrote((await findKeyFiles(folder)).secret);
      },
      close: () => store.close(),
      leave: () => place.leave(store),
    };
  } catch (error) {
    await place.leave(store);
    throw error;
  }
}

function parseUrl(url: string, data: string): { readonly folder: string; readonly address: StoreAddress } {
  if (isPostgres(url)) return { folder: data, address: url };
  const [, scheme, rest] = /^([a-z][a-z0-9+]*):(.*)$/is.exec(url) ?? [];
  if (scheme === undefined) return { folder: url, address: 'journal' };
  if (scheme === 'sqlite' && rest) return { folder: rest, address: 'sqlite' };
  throw new DataFolderError('unknown kind of store: expected a folder, sqlite:FOLDER or postgres://…');
}
