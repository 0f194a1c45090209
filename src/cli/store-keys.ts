import type { Store } from '../store/store.ts';
import { CommandError } from './arguments.ts';
import { openPeppers, pepperFileOf } from './pepper-file.ts';
import { makeSecret, readSecret } from './secret.ts';

/** Waits so long between two looks whether another process has made the keys of a store. */
const WAIT_MS = 100;

/**
 * The secret and the peppers of an open store, made if neither folder nor store has any. Throws CommandError when a file is missing for what is stored: with a new
 * one no key, code, link or identifier would be found again.
 */
export async function openKeys(
  folder: string,
  store: Store,
): Promise<{ readonly secret: string; readonly peppers: readonly string[] }> {
  const secret = (await findSecret(folder, store)) ?? (await makeSecret(folder));
  return { secret, peppers: await openPeppers(pepperFileOf(folder), store) };
}

/** The secret of an open store; undefined when it is to be made. Throws CommandError when it is missing. */
export async function findSecret(folder: string, store: Store): Promise<string | undefined> {
  const found = await readSecret(folder);
  if (found === undefined && (await store.listReporters()).length > 0) {
    throw new CommandError(
      `there is no secret in ${folder}, and the store has reporters: without it no key, deletion code or link is valid; put the file secret there`,
    );
  }
  return found;
}

/** Does what only one process may do at a time when it begins on a store that others use too; at once where nobody else does. */
export async function alone<T>(store: Store, work: () => Promise<T>): Promise<T> {
  if (!store.shared) return work();
  for (;;) {
    const lease = await store.shared.lease('start');
    if (lease) {
      try {
        return await work();
      } finally {
        await lease.release();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}
