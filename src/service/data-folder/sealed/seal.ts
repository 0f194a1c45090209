import { createRandom, SHA256 } from '../../../core/crypto/crypto.ts';
import type { Seal } from '../../../sealed.ts';
import { toHex, toInput } from '../../../sealed/encoding.ts';
import { loadSodium } from '../../../sealed/group/sodium.ts';
import { blind, unblind } from '../../../sealed/group/voprf.ts';
import type { EvaluatorAccess, SealedKeys } from '../../../sealed/keys.ts';
import { createEvaluatorRequests, SealedEvaluatorError } from '../../../sealed/service/ask-evaluator.ts';
import { StoreUnavailableError } from '../../../core/store/errors.ts';
import type { Store } from '../../../core/store/store.ts';
import { DataFolderError } from '../errors.ts';
import { readSealedKeys, sealedKeysPath } from './keys-file.ts';

/** Returns 16 hex characters that identify the sealing key of the evaluator. */
export function sealFingerprint({ evaluator }: SealedKeys): string {
  return SHA256.keyed(evaluator.publicKey)('redflag/1 sealing key').slice(0, 16);
}

/** Reads the sealed keys of a store. Throws DataFolderError if the store is sealed and they are missing, or others. */
export async function readSealedKeysOf(path: string, store: Store): Promise<SealedKeys | undefined> {
  const keys = await readSealedKeys(path);
  const used = (await store.findElementKeys())[0]?.fingerprint;
  const given = keys && sealFingerprint(keys);
  if (used === undefined || given === used) return keys;
  throw new DataFolderError(
    keys
      ? `${path} has another sealing key (fingerprint ${given}) than the store uses (${used}); restore the right file`
      : `${path} is missing, but the store is sealed: without its sealing key (fingerprint ${used}) no identifier can be matched; restore the file`,
  );
}

/**
 * Returns the engine's option `seal` of a data folder; undefined if it has no sealed keys. Throws DataFolderError if
 * the file of the keys cannot be used for the store. If the evaluator does not answer, `elementOf` rejects with
 * StoreUnavailableError.
 */
export async function findSeal(folder: string, store: Store): Promise<Seal | undefined> {
  const path = await sealedKeysPath(folder);
  const keys = await readSealedKeysOf(path, store);
  if (keys === undefined) return undefined;
  return {
    fingerprint: sealFingerprint(keys),
    elementOf: async (hash) => toHex(await askFor(keys.evaluator, toInput(hash))),
  };
}

/** Returns E of an input from the evaluator, which learns neither of them. */
export async function askFor(access: EvaluatorAccess, input: Uint8Array): Promise<Uint8Array> {
  // On demand: most commands need no element.
  await loadSodium();
  const random = createRandom();
  const own = blind(input, random);
  try {
    const { evaluated } = await createEvaluatorRequests({ send: fetch, random }).evaluate(access, [own.blinded]);
    return unblind(own.blind, evaluated[0]!);
  } catch (error) {
    throw error instanceof SealedEvaluatorError
      ? new StoreUnavailableError(error.message, { cause: error.cause })
      : error;
  }
}
