import { toIdentifiers, type ValidIdentifier } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { elementName } from '../crypto/element-name.ts';
import type { Seal } from './seals.ts';

/** Validates the identifiers of a service with a sealing key: hashes and elements. */
export type ToSealable = (identifiers: unknown, most: number) => Promise<Outcome<ValidIdentifier[]>>;

/** Returns the validation. It also removes the element of `emptyHash`, the hash of the empty string. */
export function createToSealable(seal: Seal, emptyHash: string): ToSealable {
  let emptyName: string | undefined;
  return async (identifiers, most) => {
    const valid = toIdentifiers(identifiers, most, emptyHash, elementName);
    if (!valid.ok || !valid.value.some(({ element }) => element !== undefined)) return valid;
    emptyName ??= elementName(await seal.elementOf(emptyHash));
    const kept = valid.value.filter(({ element, hash }) => element === undefined || hash !== emptyName);
    return kept.length === 0 ? refuse({ reason: 'no-identifier' }) : accept(kept);
  };
}
