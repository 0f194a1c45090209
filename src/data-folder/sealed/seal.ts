import { SHA256 } from '../../crypto/sha256.ts';
import type { Seal } from '../../index.ts';
import { toHex, toInput } from '../../sealed/encoding.ts';
import type { SealedGroup } from '../../sealed/group/group.ts';
import { sealInput, type SealedKeys } from '../../sealed/keys.ts';
import type { PrintNotice } from '../errors.ts';
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

/**
 * Returns the engine's option `seal` of a data folder; undefined if it has no sealed keys. Throws DataFolderError if
 * the file of the keys cannot be used.
 */
export async function findSeal(folder: string, onNotice: PrintNotice): Promise<Seal | undefined> {
  const keys = await readSealedKeys(await sealedKeysPath(folder));
  if (keys === undefined) return undefined;
  let loading: Promise<SealedGroup> | undefined;
  return {
    fingerprint: sealFingerprint(keys),
    async elementOf(hash) {
      // On demand: most commands need no element.
      const group = await (loading ??= loadGroup(onNotice));
      return toHex(sealInput(group, keys, toInput(hash)));
    },
  };
}
