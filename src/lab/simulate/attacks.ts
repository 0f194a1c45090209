/** How somebody with keys of their own blackens honest people (`world.attack` has the numbers that all of them share). */
export type Attack =
  /** A new key for each victim, which files this many copies of one report. */
  | { readonly kind: 'duplicates'; readonly copies: number }
  /** So many new keys for each victim, one report each. */
  | { readonly kind: 'sybil'; readonly keys: number }
  /** So many keys that first vouch for each other on invented parties; each then reports every victim. */
  | { readonly kind: 'ring'; readonly keys: number }
  /** So many keys that first copy true reports; each then reports every victim. */
  | { readonly kind: 'camouflage'; readonly keys: number };

/** Most copies or keys: with one a minute they are through before the victims are asked about, a day later. */
const MOST = 1000;

const EXPECTED = `duplicates, sybil, ring or camouflage with a whole number from 1 to ${MOST}, e.g. sybil:100`;

/** `sybil:100`, `duplicates:30`. Throws a RangeError for anything else. */
export function parseAttack(text: string): Attack {
  const [, kind, digits] = /^(duplicates|sybil|ring|camouflage):([0-9]{1,4})$/.exec(text) ?? [];
  const count = Number(digits);
  if (kind === undefined || count < 1 || count > MOST)
    throw new RangeError(`"attack" expected ${EXPECTED}, got ${JSON.stringify(text)}`);
  return kind === 'duplicates'
    ? { kind, copies: count }
    : { kind: kind as 'sybil' | 'ring' | 'camouflage', keys: count };
}

/** The text that `parseAttack` reads, which proves an attack from a program without types as well. */
export function formatAttack(attack: Attack): string {
  const text = `${attack.kind}:${attack.kind === 'duplicates' ? attack.copies : attack.keys}`;
  parseAttack(text);
  return text;
}
