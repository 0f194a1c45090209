import { accept, refuse, type Outcome } from './refusal.ts';

/** Kind of an identifier: a lowercase name of 1 to 32 characters. The list is open (protocol 2.3). */
export type IdentifierKind = 'email' | 'ip' | 'phone' | 'domain' | (string & {});

/** Kinds that most shops send. A scoring model may know others by name. */
export const USUAL_KINDS: readonly IdentifierKind[] = ['email', 'phone', 'domain', 'ip'];
/** Under this kind, a store keeps identifiers whose hash has too many kinds. */
export const OTHER_KIND = 'other';

/** A hashed identifier of a person (protocol 2.3). */
export interface Identifier {
  /** Not part of the hash. It decides the weight of a match. */
  readonly kind: IdentifierKind;
  /** 40 lowercase hex characters: the result of the hash chain. */
  readonly hash: string;
}

// Test the type too: a regular expression converts any value to text, and `null` would become a valid kind.
const HASH = /^[0-9a-f]{40}$/;
/** A hash as clients send it. */
export const HASH_IN_ANY_CASE = /^[0-9a-fA-F]{40}$/;
/** A field name of an identifier: its kind, with or without a number. */
export const KIND = /^[a-z][a-z0-9_-]{0,31}$/;
/** Report id, reporter id, key id, deletion code or API key. */
export const CODE = /^[0-9a-f]{16}$/;
const NOT_A_LIST = '"identifiers" expected an array of { kind, hash }, got something else';

/** Returns true for exactly 40 lowercase hex characters. */
export function isHash(value: unknown): value is string {
  return typeof value === 'string' && HASH.test(value);
}

/**
 * Returns true for 16 lowercase hex characters (protocol 2.2, 2.4). Report ids, reporter ids, key ids, deletion codes
 * and API keys have this shape.
 */
export function isCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value);
}

/** Returns true if each property is a code or undefined. */
export function areCodes(values: object): boolean {
  return Object.values(values).every((value) => value === undefined || isCode(value));
}

/**
 * Returns the kind of a field name: `email` for both `email` and `email2` (protocol 2.3). Removes a number only if it
 * begins with 1 to 9: `email20` ends with the number 20, `email02` with 2, and `email0` with none. Returns undefined
 * unless the name is `[a-z][a-z0-9_-]*` with at most 32 characters (protocol 2.3, our choice).
 */
export function toKind(name: unknown): string | undefined {
  return typeof name === 'string' && KIND.test(name) ? /^.*\D0*/.exec(name)![0] : undefined;
}

/**
 * Validates one identifier. Removes the number from the kind and converts the hash to lower case (protocol 2.3, our
 * choice). A refusal never holds the value, which may be a person's address.
 */
export function toIdentifier(field: string, value: string): Outcome<Identifier> {
  const kind = toKind(field);
  if (kind === undefined) return refuse({ reason: 'invalid-field-name' });
  if (typeof value !== 'string' || !HASH_IN_ANY_CASE.test(value))
    return refuse({ reason: 'invalid-identifier', field });
  return accept({ kind, hash: value.toLowerCase() });
}

/** An identifier before its validation. Instead of a hash, a feature may take an element. */
export interface UnvalidatedIdentifier {
  readonly kind?: unknown;
  readonly hash?: unknown;
  readonly element?: unknown;
}

/**
 * Validates the identifiers of a report or query. Keeps their order (protocol 2.3). Removes duplicates and `emptyHash`,
 * the hash of the empty string. Refuses if more than `maxIdentifiers` remain, or none. Throws TypeError unless
 * the value is a list of objects.
 */
export function toIdentifiers(identifiers: unknown, maxIdentifiers: number, emptyHash: string): Outcome<Identifier[]> {
  return toIdentifiersBy(
    ({ kind, hash }) => toIdentifier(kind as string, hash as string),
    identifiers,
    maxIdentifiers,
    emptyHash,
  );
}

/** As {@link toIdentifiers}, for identifiers of which `toValid` validates each. */
export function toIdentifiersBy<Valid extends Identifier>(
  toValid: (given: UnvalidatedIdentifier) => Outcome<Valid>,
  identifiers: unknown,
  maxIdentifiers: number,
  emptyHash: string,
): Outcome<Valid[]> {
  if (!Array.isArray(identifiers)) throw new TypeError(NOT_A_LIST);
  const kept = new Map<string, Valid>();
  for (const given of identifiers) {
    if (typeof given !== 'object' || given === null) throw new TypeError(NOT_A_LIST);
    const valid = toValid(given);
    if (!valid.ok) return valid;
    const { kind, hash } = valid.value;
    if (hash !== emptyHash) kept.set(`${hash} ${kind}`, valid.value);
    if (kept.size > maxIdentifiers) return refuse({ reason: 'too-many-identifiers', limit: maxIdentifiers });
  }
  return kept.size === 0 ? refuse({ reason: 'no-identifier' }) : accept([...kept.values()]);
}
