import {
  readAddress,
  hasStore,
  isPostgres,
  STORE_VARIABLE,
  validatePostgresUrl,
  type StoreAddress,
} from './address.ts';
import { DataFolderError, printNotice, withDataFolderErrors } from './errors.ts';
import { connectToHolder, openStore } from './open-store.ts';
import type { AnswerOf, CallName, CallOf, OperatorCall } from './operator-calls.ts';
import { findKeyFiles } from './key-files.ts';
import { findPeppers } from './pepper-file.ts';
import { findSeal } from './sealed/seal.ts';
import { makeSecret, readSecret } from './secret.ts';
import { callService } from './service-calls.ts';
import { findSecret } from './store-keys.ts';

type Given<Name extends CallName> = CallOf<Name> extends undefined ? [] : [CallOf<Name>];

/**
 * Runs an operator's call on a data folder: in the service that has the folder open, or in this process. Throws
 * DataFolderError if the call is refused or the folder cannot be used.
 */
export async function askFolder<Name extends CallName>(
  folder: string,
  name: Name,
  ...given: Given<Name>
): Promise<AnswerOf<Name>> {
  return ask(folder, { do: name, with: given[0] }, { mayCreate: false });
}

/**
 * Like {@link askFolder}, but creates a missing store. Throws DataFolderError for a folder without a secret: a new
 * secret would not match the rows that the call stores.
 */
export async function askFolderWithSecret<Name extends CallName>(
  folder: string,
  name: Name,
  ...given: Given<Name>
): Promise<AnswerOf<Name>> {
  return ask(folder, { do: name, with: given[0] }, { mayCreate: true });
}

async function ask<Name extends CallName>(
  folder: string,
  call: OperatorCall<Name>,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<AnswerOf<Name>> {
  const address = readAddress(folder, undefined);
  await validatePostgresUrl(address);
  // Ask a service first: it has the data open, even if its file was deleted.
  const socket = await connectToHolder(folder, address);
  if (socket) return callService(socket, call);
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
  return runHere(folder, address, call);
}

/** Runs a call on a store that no service has open. */
async function runHere<Name extends CallName>(
  folder: string,
  address: StoreAddress,
  call: OperatorCall<Name>,
): Promise<AnswerOf<Name>> {
  const found = await readSecret(folder);
  // The secret of a shared store is in the folders of the processes that serve it.
  if (found === undefined && isPostgres(address))
    throw new DataFolderError(
      `${(await findKeyFiles(folder)).secret} is missing; set --data to the folder that redflag serve uses`,
    );
  // Imported on demand: a call to a service does not need these modules.
  const [{ createProgramEngine }, { runOperatorCall }] = await Promise.all([
    import('./program-engine.ts'),
    import('./operator-calls.ts'),
  ]);
  const store = await openStore(folder, address);
  try {
    const secret = (await findSecret(folder, store)) ?? (await makeSecret(folder));
    // Unused: no answer of an operator's call contains a link.
    const publicUrl = 'http://localhost';
    const peppers = await findPeppers(folder, store);
    // An import compares the keys itself.
    const seal = call.do === 'import' ? undefined : await findSeal(folder, store, printNotice);
    const engine = createProgramEngine({
      store,
      secret,
      peppers,
      ...(seal && { seal }),
      publicUrl,
      onNotice: printNotice,
    });
    // Detect wrong keys, even for calls that do not use the engine. An import compares the keys itself: its store may
    // be empty, and must not get a pepper before the rows.
    if (call.do !== 'import') await withDataFolderErrors(engine.pepperStatus());
    const { signal } = new AbortController();
    const place = { store, folder, secret, serves: false, signal };
    const answer = await runOperatorCall(engine, call, place);
    await engine.close();
    return answer;
  } finally {
    await store.close();
  }
}
