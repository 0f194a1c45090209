import { CommandError } from './arguments.ts';
import { callService } from './control.ts';
import {
  connectToHolder,
  isPostgres,
  isThere,
  openStore,
  readAddress,
  STORE_VARIABLE,
  type StoreAddress,
} from './open-store.ts';
import type { AnswerOf, CallName, CallOf } from './operator-call.ts';
import { pepperFileOf, readPeppers } from './pepper-file.ts';
import { provePostgresUrl } from './postgres-url.ts';
import { makeSecret, readSecret } from './secret.ts';
import { findSecret } from './store-keys.ts';

/** Asks the service that runs on a data folder, or opens the folder's store itself. Throws CommandError when it was refused or cannot be. */
export async function askFolder<Name extends CallName>(
  folder: string,
  name: Name,
  ...given: CallOf<Name> extends undefined ? [] : [CallOf<Name>]
): Promise<AnswerOf<Name>> {
  return ask(folder, { do: name, with: given[0] }, { mayBegin: false }) as Promise<AnswerOf<Name>>;
}

/** The same for what may begin a data folder. Throws CommandError when it has no secret yet: a new one would be another one than what is to come. */
export async function askFolderWithSecret<Name extends CallName>(
  folder: string,
  name: Name,
  ...given: CallOf<Name> extends undefined ? [] : [CallOf<Name>]
): Promise<AnswerOf<Name>> {
  if ((await readSecret(folder)) === undefined) {
    throw new CommandError(
      `there is no secret in ${folder}: put in the one of the folder that the export is of, and its pepper if it has one; keys, deletion codes and links follow from it`,
    );
  }
  return ask(folder, { do: name, with: given[0] }, { mayBegin: true }) as Promise<AnswerOf<Name>>;
}

interface Call {
  readonly do: CallName;
  readonly with: unknown;
}

async function ask(folder: string, call: Call, { mayBegin }: { readonly mayBegin: boolean }): Promise<unknown> {
  const address = readAddress(folder, undefined);
  await provePostgresUrl(address);
  // A service is asked first: it has what it holds also when its file was deleted.
  const socket = await connectToHolder(folder, address);
  if (socket) return callService(socket, call);
  // A folder of something else is left as it is.
  if (!mayBegin && !isThere(folder, address)) {
    throw new CommandError(
      `there is no data folder here yet; redflag serve makes one, --data names another, and the variable ${STORE_VARIABLE} says where a PostgreSQL server is`,
    );
  }
  return runHere(folder, address, call);
}

/** Does a call on a store that no service holds. */
async function runHere(folder: string, address: StoreAddress, call: Call): Promise<unknown> {
  const found = await readSecret(folder);
  // On a server there are reporters already, or there soon will be: their secret is the one of the process that serves them.
  if (found === undefined && isPostgres(address))
    throw new CommandError(`there is no secret in ${folder}; --data names the folder that the processes serve with`);
  // Loaded only by who does not ask a service.
  const [{ createEngine }, { runOperatorCall }] = await Promise.all([
    import('../index.ts'),
    import('./operator-call.ts'),
  ]);
  const store = await openStore(folder, address);
  try {
    const secret = (await findSecret(folder, store)) ?? (await makeSecret(folder));
    // No answer here holds a link; the address only has to be one.
    const pepperFile = pepperFileOf(folder);
    const engine = createEngine({
      store,
      secret,
      peppers: await readPeppers(pepperFile),
      publicUrl: 'http://localhost',
    });
    const answer = await runOperatorCall(engine, call, {
      store,
      folder,
      secret,
      pepperFile,
      serves: false,
      signal: new AbortController().signal,
    });
    // Waits for what it learns of reporters meanwhile.
    await engine.close();
    return answer;
  } finally {
    await store.close();
  }
}
