import type { Socket } from 'node:net';
import {
  readAddress,
  hasStore,
  isPostgres,
  STORE_VARIABLE,
  validatePostgresUrl,
  type StoreAddress,
} from './address.ts';
import { DataFolderError, printNotice, withDataFolderErrors } from './errors.ts';
import { connectToHolder, openStore, openToCopy } from './open-store.ts';
import { callService, createCalls, runCall, SERVICE_ENDED, type Calls } from './calls.ts';
import { findKeyFiles } from './key-files.ts';
import { findPeppers } from './pepper-file.ts';
import { findSeal } from './sealed/seal.ts';
import { readSecret } from './secret.ts';
import { findSecret } from './store-keys.ts';

type Use<T> = (calls: Calls, serves: boolean) => Promise<T>;

/**
 * Lets `use` call a data folder: the service that has it open, or the engine of this process. Then `serves` is false.
 * Throws DataFolderError if a call fails or is refused, or the folder cannot be used.
 *
 * `mayCreate` is for an import alone: a missing store is created, and the import compares the keys itself. A folder
 * without a secret is refused: a new secret would not match the rows that the import stores.
 */
export async function askFolder<T>(
  folder: string,
  use: Use<T>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<T> {
  const address = readAddress(folder, undefined);
  await validatePostgresUrl(address);
  // Ask a service first: it has the data open, even if its file was deleted.
  const socket = await connectToHolder(folder, address);
  if (socket) return askService(folder, address, socket, use);
  if (mayCreate && (await readSecret(folder)) === undefined)
    throw new DataFolderError(
      `${(await findKeyFiles(folder)).secret} is missing: copy the secret of the exported folder there, and its pepper beside it if it has one`,
    );
  // Do not change a folder of another program.
  if (!mayCreate && !hasStore(folder, address)) {
    throw new DataFolderError(
      `${folder} is not a data folder: create one with redflag serve, name another with --data, or name a PostgreSQL server with the variable ${STORE_VARIABLE}`,
    );
  }
  return askHere(folder, address, use, mayCreate);
}

/** Sends each call over a connection of its own. `first` is that of the first call. */
async function askService<T>(folder: string, address: StoreAddress, first: Socket, use: Use<T>): Promise<T> {
  const connections = [first];
  const calls = createCalls(async (call) => {
    const socket = connections.pop() ?? (await connectToHolder(folder, address));
    if (!socket) throw new DataFolderError(SERVICE_ENDED);
    return callService(socket, call);
  });
  return withDataFolderErrors(use(calls, true)).finally(() => first.destroy());
}

/** Uses a store that no service has open. */
async function askHere<T>(folder: string, address: StoreAddress, use: Use<T>, isImport: boolean): Promise<T> {
  const found = await readSecret(folder);
  // The secret of a shared store is in the folders of the processes that serve it.
  if (found === undefined && isPostgres(address))
    throw new DataFolderError(
      `${(await findKeyFiles(folder)).secret} is missing; set --data to the folder that redflag serve uses`,
    );
  // Imported on demand: a call to a service does not need these modules.
  const [{ createProgramEngine }, { createFolderCalls }] = await Promise.all([
    import('./program-engine.ts'),
    import('./folder-calls.ts'),
  ]);
  const store = await (isImport ? openToCopy : openStore)(folder, address);
  try {
    const secret = await findSecret(folder, store);
    // A new secret would make a killed `redflag migrate`, which left the empty store, refuse to continue.
    if (secret === undefined)
      throw new DataFolderError(
        `${folder} has no secret and no data: start redflag serve, which creates a secret, or run an interrupted redflag migrate again`,
      );
    // Unused: without a service, no answer contains an address.
    const publicUrl = 'http://localhost';
    const peppers = await findPeppers(folder, store);
    const seal = isImport ? undefined : await findSeal(folder, store);
    const engine = createProgramEngine({
      store,
      secret,
      peppers,
      ...(seal && { seal }),
      publicUrl,
      onNotice: printNotice,
    });
    // Detect wrong keys, even for calls that do not use the engine. An empty store has no keys to compare, and would
    // adopt the peppers: then an import or an interrupted copy could not write its rows.
    const isKeyed = seal !== undefined || (await store.findPeppers()).length > 0;
    if (!isImport && isKeyed) await withDataFolderErrors(engine.pepperStatus());
    const target = { ...engine, ...createFolderCalls({ engine, store, folder, secret, serves: false }) };
    const calls = createCalls((call) => runCall(target, call));
    const answer = await withDataFolderErrors(use(calls, false));
    await engine.close();
    return answer;
  } finally {
    await store.close();
  }
}
