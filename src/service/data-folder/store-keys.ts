import { sealIdentifiers, type Seal } from '../../sealed/engine/concealment.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../core/store/store.ts';
import { pepperFingerprint, createPeppers } from '../../core/engine/peppers.ts';
import { SecretCheck, secretFingerprint } from '../../core/engine/secrets.ts';
import type { TargetKeys } from '../../stores/transfer/copy-rows.ts';
import { DataFolderError, printNotice, withDataFolderErrors, type PrintNotice } from './errors.ts';
import { findKeyFiles, requirePlace, type KeyFiles } from './key-files.ts';
import { openPeppers, readPeppers } from './pepper-file.ts';
import { findSeal } from './sealed/seal.ts';
import { createSecret, readSecret } from './secret.ts';

/** Milliseconds between two attempts to get the lease. Only its holder creates the keys of a shared store. */
const RETRY_MS = 100;

/** The keys that an engine needs besides a store. */
export interface StoreKeys {
  readonly secret: string;
  /** Oldest first. */
  readonly peppers: readonly string[];
  /** Missing if the folder has no sealed keys. */
  readonly seal?: Seal;
}

export function fingerprintsOf({ secret, peppers }: StoreKeys): TargetKeys {
  return { secret: secretFingerprint(secret), peppers: peppers.map((pepper) => pepperFingerprint(pepper)) };
}

/**
 * Reads the key files as a start does, before it opens the store, and creates nothing. Returns their paths. Throws
 * DataFolderError if a file cannot be used, or cannot be created.
 */
export async function checkKeyFiles(folder: string): Promise<KeyFiles> {
  const files = await findKeyFiles(folder);
  if ((await readSecret(folder)) === undefined) await requirePlace(folder, files.secret);
  if ((await readPeppers(files.pepper)).length === 0) await requirePlace(folder, files.pepper);
  return files;
}

/**
 * Returns the keys of an open store. If neither the folder nor the store has any, creates them. An
 * empty store then belongs to these keys. Throws DataFolderError if the store has data and a file is missing: new keys
 * would match no stored key, code, link or identifier.
 */
export async function openKeys(folder: string, store: Store, onNotice: PrintNotice): Promise<StoreKeys> {
  const secret = (await findSecret(folder, store, onNotice)) ?? (await createSecret(folder));
  const secretCheck = new SecretCheck(store, secretFingerprint(secret), Date.now, onNotice);
  await withDataFolderErrors(secretCheck.adoptIfNew());
  const peppers = await openPeppers(folder, store);
  const effects = { clock: Date.now, monotonic: () => performance.now(), wait: async (ms: number) => pause(ms) };
  const seal = await findSeal(folder, store);
  await withDataFolderErrors(createPeppers(store, peppers, effects, seal && sealIdentifiers(seal)).status());
  return { secret, peppers, ...(seal && { seal }) };
}

/**
 * Returns the secret of an open store; undefined if it does not exist yet. Throws DataFolderError if the store has
 * data but no secret, or was created with another secret.
 */
export async function findSecret(
  folder: string,
  store: Store,
  onNotice: PrintNotice = printNotice,
): Promise<string | undefined> {
  const found = await readSecret(folder);
  if (found !== undefined)
    await withDataFolderErrors(new SecretCheck(store, secretFingerprint(found), Date.now, onNotice).ready());
  else if ((await store.findSecretFingerprint()) !== undefined || (await store.listReporters()).length > 0) {
    throw new DataFolderError(
      `${(await findKeyFiles(folder)).secret} is missing, but the store has data: without the secret no key, deletion code or link is valid; restore the file`,
    );
  }
  return found;
}

/**
 * Runs `work` in one process at a time on a shared store. On any other store, runs it at once. Rejects with the reason
 * of `signal` if it is aborted while another process runs.
 */
export async function runAlone<T>(
  store: Store,
  { onNotice, signal }: { readonly onNotice: PrintNotice; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  if (!store.shared) return work();
  for (let isFirst = true; ; isFirst = false) {
    const lease = await store.shared.lease('start');
    if (lease) {
      try {
        return await work();
      } finally {
        await lease.release();
      }
    }
    if (isFirst) onNotice({ event: 'start-waits', advice: 'another process of this store is starting' });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    signal.throwIfAborted();
  }
}
