/** Why an identifier cannot be hashed. */
export type IdentifierProblem = 'empty' | 'lone-surrogate' | 'not-a-string';

const WORDING: Readonly<Record<IdentifierProblem, string>> = {
  empty: 'is empty after normalisation',
  'lone-surrogate': 'holds a lone surrogate, which UTF-8 cannot express',
  'not-a-string': 'is not a string',
};

/**
 * Thrown for an invalid identifier (protocol 2.3, our choice). The message says what is wrong and, for a list, at which
 * index. It never holds the value, which may be a person's address.
 */
export class IdentifierError extends Error {
  /**
   * Always `IdentifierError`. If the package is loaded twice, `instanceof` misses errors of the other copy; compare the
   * name.
   */
  override readonly name = 'IdentifierError';
  /** What is wrong with the identifier. */
  readonly reason: IdentifierProblem;
  /** Position in the list or stream, from 0; undefined for a single value. */
  readonly index: number | undefined;

  constructor(reason: IdentifierProblem, index?: number) {
    super(`the identifier${index === undefined ? '' : ` at index ${index}`} ${WORDING[reason]}`);
    this.reason = reason;
    this.index = index;
  }
}

/** Unicode's White_Space, as in other languages. Unlike `trim()`, it includes U+0085 and excludes U+FEFF. */
const WHITE_SPACE = /^\p{White_Space}$/u;
/** With the flag `u`, this range matches only lone surrogates. A Unicode property would delay the first identifier. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * Returns the normalised identifier (protocol 2.3, steps 1 to 3). Trims white space at both ends, removes every U+0020,
 * then lower-cases by Unicode's rules, independent of the locale. Keeps other white space inside (protocol 2.3, our
 * choice). Normalising twice changes nothing.
 *
 * Throws {@link IdentifierError} if the value is not a string, has a lone surrogate, or is empty after normalisation.
 * `index` is the value's position in a list, for the error message.
 */
export function normaliseIdentifier(value: string, index?: number): string {
  if (typeof value !== 'string') throw new IdentifierError('not-a-string', index);
  if (hasLoneSurrogate(value)) throw new IdentifierError('lone-surrogate', index);
  const normalised = trimWhiteSpace(value).replaceAll(' ', '').toLowerCase();
  if (normalised === '') throw new IdentifierError('empty', index);
  return normalised;
}

/** Returns true if UTF-8 cannot encode the text. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** Removes Unicode's white space at both ends. Every white-space character is one UTF-16 unit. */
export function trimWhiteSpace(value: string): string {
  return trimWhere(value, (unit) => WHITE_SPACE.test(unit));
}

/**
 * Removes the UTF-16 units that `isTrimmed` accepts, at both ends. A loop, because `\p{White_Space}+$` takes quadratic
 * time on many inner spaces.
 */
export function trimWhere(text: string, isTrimmed: (unit: string) => boolean): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text.charAt(start))) start++;
  while (end > start && isTrimmed(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
