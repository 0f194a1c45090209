import { refuse, type Outcome } from './refusal.ts';

/** A hashed identifier of a person: what kind of thing it is and the 40 lowercase hex characters that stand for it (spec 2.3). */
export interface Identifier {
  /** `email`, `ip`, `phone`, `domain` or any other lowercase name of 1 to 32 characters; the list is open (spec 2.3). */
  readonly kind: string;
  /** 40 lowercase hex characters: the end of the chain. */
  readonly hash: string;
}

// Each test looks at the type as well: a program without types may hand over anything, and a regular expression reads `null` as text.
const HASH = /^[0-9a-f]{40}$/;
const HASH_IN_ANY_CASE = /^[0-9a-fA-F]{40}$/;
const KIND = /^[a-z][a-z0-9_-]{0,31}$/;
const CODE = /^[0-9a-f]{16}$/;

/** True for exactly 40 lowercase hex characters. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH.test(value);
}

/** True for a name that an identifier kind may have: `[a-z][a-z0-9_-]*`, at most 32 characters (silent: 2.3). */
export function isKind(value: unknown): value is string {
  return typeof value === 'string' && KIND.test(value);
}

/** True for 16 lowercase hex characters: the shape of a report id, a deletion code, an API key, a reporter id and a key id (spec 2.2, 2.4). */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** The kind that a name says: a number from 1 at its end is taken off, so `email2` and `email` are both `email` (spec 2.3). `email0` stays as it is. */
export function kindOf(name: string): string {
  return name.replace(/[1-9][0-9]*$/, '');
}

/**
 * Proves one identifier. A number at the end of the kind is taken off. Upper-case hex is lowered (silent: 2.3); anything that is not 40 hex characters is refused with
 * the name of its field and never with its value, because it may be a person's address.
 */
export function toIdentifier(kind: string, value: string, field = kind): Outcome<Identifier> {
  if (!isKind(kind)) return refuse({ reason: 'invalid-field-name' });
  if (typeof value !== 'string' || !HASH_IN_ANY_CASE.test(value))
    return refuse({ reason: 'invalid-identifier', field });
  return { ok: true, value: { kind: kindOf(kind), hash: value.toLowerCase() } };
}
