import { SHA256 } from '../../crypto/sha256.ts';
import type { PreviousSeal, Seal } from '../../index.ts';
import { fromHex, toHex, toInput } from '../../sealed/encoding.ts';
import type { SealedGroup } from '../../sealed/group/group.ts';
import { replacementFactor, sealInput, type SealedKeys } from '../../sealed/keys.ts';
import type { Store } from '../../store/store.ts';
import { DataFolderError, type PrintNotice } from '../errors.ts';
import { readSealedKeys, sealedKeysPath } from './keys-file.ts';

/** Returns 16 hex characters that identify a sealing key without revealing it. */
export function sealFingerprint({ sealingKey }: Pick<SealedKeys, 'sealingKey'>): string {
  return SHA256.keyed(sealingKey)('redflag/1 sealing key').slice(0, 16);
}

/** Returns the group over libsodium, or over noble if the optional package is not installed. */
export async function loadGroup(onNotice: PrintNotice): Promise<SealedGroup> {
  try {
    const { default: sodium } = await import('libsodium-wrappers-sumo');
    await sodium.ready;
    const { createSodiumGroup } = await import('../../sealed/group/sodium.ts');
    return createSodiumGroup(sodium);
  } catch {
    const { createNobleGroup } = await import('../../sealed/group/noble.ts');
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
  const { sealingKey, previousKey } = keys ?? {};
  return [sealingKey, previousKey].flatMap((key) => (key ? [sealFingerprint({ sealingKey: key })] : []));
}

/** Reads the sealed keys of a store. Throws DataFolderError if the store is sealed and they are missing, or others. */
export async function readSealedKeysOf(path: string, store: Store): Promise<SealedKeys | undefined> {
  const keys = await readSealedKeys(path);
  const used = (await store.findSeals()).at(-1)?.fingerprint;
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
 * the file of the keys cannot be used for the store.
 */
export async function findSeal(folder: string, store: Store, onNotice: PrintNotice): Promise<Seal | undefined> {
  const path = await sealedKeysPath(folder);
  const keys = await readSealedKeysOf(path, store);
  if (keys === undefined) return undefined;
  let loading: Promise<SealedGroup> | undefined;
  // On demand: most commands need no element.
  const load = (): Promise<SealedGroup> => (loading ??= loadGroup(onNotice));
  const toSeal = (present: SealedKeys): Seal => ({
    fingerprint: sealFingerprint(present),
    elementOf: async (hash) => toHex(sealInput(await load(), present, toInput(hash))),
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
    fingerprint: sealFingerprint({ sealingKey: previousKey }),
    toPrevious: (element) => convert(element, key, previousKey),
    fromPrevious: (element) => convert(element, previousKey, key),
  };
}
