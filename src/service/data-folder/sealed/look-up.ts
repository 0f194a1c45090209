import { join } from 'node:path';
import { createRandom } from '../../../core/crypto/crypto.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { formatRefusal } from '../../../core/protocol/wording.ts';
import type { SealedKeys } from '../../../sealed/keys.ts';
import { loadSodium } from '../../../sealed/group/sodium.ts';
import { createEvaluatorRequests } from '../../../sealed/service/ask-evaluator.ts';
import { createSealedOperations, type ElementBudgets } from '../../../sealed/engine/operations.ts';
import { createSealedEndpoints, type EndpointsParts } from '../../../sealed/service/endpoints.ts';
import { createPublicationReader } from '../../../sealed/service/publications.ts';
import type { OpenStore } from '../open-store.ts';
import { aloneWithKeys } from './change-keys.ts';
import { readSealedKeys, removeLeftKeys, sealedKeysPath, watchSealedKeys } from './keys-file.ts';

/** The sealed look-up of a data folder. */
export interface LookUp {
  readonly keysPath: string;
  /** Where publications are. */
  readonly publications: string;
  readonly keys: () => SealedKeys;
}

/** Returns the folder of publications: `given`, or `sealed` in the data folder. */
export function publicationsOf(folder: string, given?: string): string {
  return given ?? join(folder, 'sealed');
}

/**
 * Opens the look-up of a data folder for a service that takes no commands yet. Overwrites keys that a killed process
 * left beside their file. Undefined if the folder has no sealed keys. Throws DataFolderError for a wrong file.
 */
export async function openLookUp(
  folder: string,
  given: string | undefined,
  store: OpenStore,
): Promise<LookUp | undefined> {
  const keysPath = await sealedKeysPath(folder);
  if ((await readSealedKeys(keysPath)) === undefined) return undefined;
  // No command changes the keys now: a service that starts takes none yet, and on a shared store each needs the lease.
  await aloneWithKeys(store, () => removeLeftKeys(keysPath));
  const publications = publicationsOf(folder, given);
  await loadSodium();
  return { keysPath, publications, keys: watchSealedKeys(keysPath) };
}

/** Returns the look-up over HTTP, for the option `beside` of the listener. */
export function answerLookUp(
  { keys, publications }: LookUp,
  engine: ProgramEngine,
  {
    retryHeaders,
    onError,
    elements,
  }: Pick<EndpointsParts, 'retryHeaders' | 'onError'> & { readonly elements?: ElementBudgets },
): ReturnType<typeof createSealedEndpoints> {
  return createSealedEndpoints({
    keys,
    files: createPublicationReader(publications, Date.now),
    service: createSealedOperations(engine, elements),
    formatRefusal,
    retryHeaders,
    clock: Date.now,
    random: createRandom(),
    giveTurn,
    askEvaluator: createEvaluatorRequests({ send: fetch, random: createRandom() }).evaluate,
    onError,
  });
}

/** Resolves after other work of the process has run. */
export function giveTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
