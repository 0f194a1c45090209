import { createRandom, SHA256 } from '../../../core/crypto/crypto.ts';
import type { PreviousSeal, Seal } from '../../../sealed.ts';
import { fromHex, toHex, toInput } from '../../../sealed/encoding.ts';
import type { SealedGroup } from '../../../sealed/group/group.ts';
import { replacementFactor, sealInput, type EvaluatorAccess, type SealedKeys } from '../../../sealed/keys.ts';
import { createEvaluatorRequests, SealedEvaluatorError } from '../../../sealed/service/ask-evaluator.ts';
import { StoreUnavailableError } from '../../../core/store/errors.ts';
import type { Store } from '../../../core/store/store.ts';
import { countUnsealed } from '../../../sealed/engine/stored.ts';
import { DataFolderError, type PrintNotice } from '../errors.ts';
import { readSealedKeys, sealedKeysPath } from './keys-file.ts';

/** The engine's option `seal` of a data folder. */
export interface FolderSeal extends Seal {
  /** True if a separate evaluator has the sealing key. The service must then take no hashes over HTTP. */
  readonly asksEvaluator: boolean;
}

/** Returns 16 hex characters that identify the sealing key, or the evaluator's public key, without revealing it. */
export function sealFingerprint(keys: SealedKeys): string {
  return fingerprintOf('evaluator' in keys ? keys.evaluator.publicKey : keys.sealingKey);
}

function fingerprintOf(key: Uint8Array): string {
  return SHA256.keyed(key)('redflag/1 sealing key').slice(0, 16);
}

/** Returns the group over libsodium, or over noble if the optional package is not installed. */
export async function loadGroup(onNotice: PrintNotice): Promise<SealedGroup> {
  try {
    const { default: sodium } = await import('libsodium-wrappers-sumo');
    await sodium.ready;
    const { createSodiumGroup } = await import('../../../sealed/group/sodium.ts');
    return createSodiumGroup(sodium);
  } catch {
    const { createNobleGroup } = await import('../../../sealed/group/noble.ts');
    onNotice({
      event: 'advice',
      advice:
        'the sealed look-up is slower without libsodium, and its multiplications are not constant-time: npm install libsodium-wrappers-sumo',
    });
    return createNobleGroup();
  }
}

/** Returns the fingerprints of the keys with which a store may be sealed: the present key, and the one before it. */
export function sealFingerprints(keys: SealedKeys | undefined): string[] {
  if (keys === undefined) return [];
  return keys.previousKey ? [sealFingerprint(keys), fingerprintOf(keys.previousKey)] : [sealFingerprint(keys)];
}

/** Reads the sealed keys of a store. Throws DataFolderError if the store is sealed and they are missing, or others. */
export async function readSealedKeysOf(path: string, store: Store): Promise<SealedKeys | undefined> {
  const keys = await readSealedKeys(path);
  const used = (await store.findElementKeys()).at(-1)?.fingerprint;
  const given = sealFingerprints(keys);
  if (used === undefined || given.includes(used)) return keys;
  throw new DataFolderError(
    keys
      ? `${path} has another sealing key (fingerprint ${given[0]}) than the store uses (${used}); restore the right file`
      : `${path} is missing, but the store is sealed: without its sealing key (fingerprint ${used}) no identifier can be matched; restore the file`,
  );
}

/**
 * Returns the engine's option `seal` of a data folder; undefined if it has no sealed keys. Throws DataFolderError if
 * the file of the keys cannot be used for the store. If a separate evaluator does not answer, `elementOf` rejects with
 * StoreUnavailableError.
 */
export async function findSeal(folder: string, store: Store, onNotice: PrintNotice): Promise<FolderSeal | undefined> {
  const path = await sealedKeysPath(folder);
  const keys = await readSealedKeysOf(path, store);
  if (keys === undefined) return undefined;
  let loading: Promise<SealedGroup> | undefined;
  // On demand: most commands need no element.
  const load = (): Promise<SealedGroup> => (loading ??= loadGroup(onNotice));
  const toSeal = (present: SealedKeys): FolderSeal => ({
    fingerprint: sealFingerprint(present),
    asksEvaluator: 'evaluator' in present,
    async elementOf(hash) {
      const group = await load();
      const input = toInput(hash);
      return toHex(
        'evaluator' in present ? await askFor(group, present.evaluator, input) : sealInput(group, present, input),
      );
    },
    ...(present.previousKey && { previous: toPreviousSeal(load, present.sealingKey, present.previousKey) }),
    latest: async () => toSeal((await readSealedKeys(path)) ?? present),
  });
  return toSeal(keys);
}

function toPreviousSeal(load: () => Promise<SealedGroup>, key: Uint8Array, previousKey: Uint8Array): PreviousSeal {
  const convert = async (element: string, from: Uint8Array, to: Uint8Array): Promise<string> => {
    const group = await load();
    return toHex(group.multiply(replacementFactor(group, to, from), fromHex(element)!));
  };
  return {
    fingerprint: fingerprintOf(previousKey),
    toPrevious: (element) => convert(element, key, previousKey),
    fromPrevious: (element) => convert(element, previousKey, key),
  };
}

/** Returns E of an input from the evaluator, which learns neither of them. */
export async function askFor(group: SealedGroup, access: EvaluatorAccess, input: Uint8Array): Promise<Uint8Array> {
  const random = createRandom();
  const { blind, blinded } = group.blind(input, random);
  try {
    const { evaluated } = await createEvaluatorRequests({ group, send: fetch, random }).evaluate(access, [blinded]);
    return group.unblind(blind, evaluated[0]!);
  } catch (error) {
    throw error instanceof SealedEvaluatorError
      ? new StoreUnavailableError(error.message, { cause: error.cause })
      : error;
  }
}

/**
 * Throws DataFolderError if a store has data that an operator with a separate evaluator must not have: it has seen the
 * hashes. A store that is sealed already passes.
 */
export async function requireUnseen(store: Store): Promise<void> {
  if ((await store.findElementKeys()).length > 0) return;
  const reports = await store.readReports({ from: 0, after: undefined, limit: 1 });
  if (reports.length === 0 && (await countUnsealed(store)) === 0) return;
  throw new DataFolderError(
    'the store has reports or protected identifiers whose hashes this operator has seen; a separate evaluator needs a store without them',
  );
}
