import { requireString } from '../../domain/options.ts';
import { requireObject } from '../options.ts';

/**
 * How an attacker with new keys makes honest people look suspicious. All attacks use the numbers of
 * `WorldOptions.attack`.
 */
export type Attack =
  /** For each victim, a new key files `copies` copies of one report. */
  | { readonly kind: 'duplicates'; readonly copies: number }
  /** `keys` new keys for each victim file one report each. */
  | { readonly kind: 'sybil'; readonly keys: number }
  /** `keys` keys first confirm each other's reports about invented people; then each reports every victim. */
  | { readonly kind: 'ring'; readonly keys: number }
  /** `keys` keys first copy true reports; then each reports every victim. */
  | { readonly kind: 'camouflage'; readonly keys: number };

/**
 * Maximum number of copies or keys. With one report per minute, the attack ends before the queries about the victims,
 * at least a day later.
 */
const MOST = 1000;

const EXPECTED = `duplicates, sybil, ring or camouflage with a whole number from 1 to ${MOST}, e.g. sybil:100`;

/** Parses `sybil:100`, `duplicates:30`. Throws RangeError for another text, TypeError if it is not text. */
export function parseAttack(text: string): Attack {
  requireString('attack', text);
  const [, name, digits] = /^([a-z]+):([0-9]{1,4})$/.exec(text) ?? [];
  const count = Number(digits);
  if (count >= 1 && count <= MOST) {
    if (name === 'duplicates') return { kind: name, copies: count };
    if (name === 'sybil' || name === 'ring' || name === 'camouflage') return { kind: name, keys: count };
  }
  throw new RangeError(`"attack" expected ${EXPECTED}`);
}

/** Returns the text that `parseAttack` reads. TypeError or RangeError for an invalid attack. */
export function formatAttack(attack: Attack): string {
  requireObject('attack', attack);
  const text = `${attack.kind}:${attack.kind === 'duplicates' ? attack.copies : attack.keys}`;
  parseAttack(text);
  return text;
}
