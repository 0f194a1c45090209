import { toIdentifiers, type ValidIdentifier } from '../../core/domain/identifier.ts';
import { accept, refuse, type Outcome } from '../../core/domain/refusal.ts';
import { elementName } from '../element-name.ts';
import type { Peppers } from '../../core/engine/peppers.ts';

/** Validates the identifiers of a service with a sealing key: hashes and elements. */
export type ToSealable = (identifiers: unknown, most: number) => Promise<Outcome<ValidIdentifier[]>>;

/** Returns the validation. It also removes the element of `emptyHash`, the hash of the empty string. */
export function createToSealable(peppers: Peppers, emptyHash: string): ToSealable {
  /** By the fingerprint of the sealing key. */
  const emptyNames = new Map<string, string>();
  const emptyNameOf = async (fingerprint: string | undefined): Promise<string> => {
    const sealed = await peppers.sealed(fingerprint);
    const of = fingerprint ?? sealed.fingerprint;
    const known = emptyNames.get(of);
    if (known !== undefined) return known;
    const name = elementName(await peppers.seals.under(of, await sealed.seal.elementOf(emptyHash), sealed));
    emptyNames.set(of, name);
    return name;
  };
  return async (identifiers, most) => {
    const valid = toIdentifiers(identifiers, most, emptyHash, elementName);
    if (!valid.ok) return valid;
    const kept: ValidIdentifier[] = [];
    for (const one of valid.value)
      if (one.element === undefined || one.hash !== (await emptyNameOf(one.seal))) kept.push(one);
    return kept.length === 0 ? refuse({ reason: 'no-identifier' }) : accept(kept);
  };
}
