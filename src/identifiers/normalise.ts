import { IdentifierError } from './identifier-error.ts';

/** Unicode's White_Space: unlike `trim()` it holds U+0085 and not U+FEFF, as other languages' reading of the rule does. */
const WHITE_SPACE = /^\p{White_Space}$/u;
/** Under `u` only one that stands alone is seen. As a range, because the first identifier waits for what a Unicode property takes to be looked up. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/**
 * An identifier as it enters the chain (spec 2.3, steps 1 to 3), in that order: white space trimmed at both ends, every
 * U+0020 removed, lower-cased by Unicode's rules whatever the locale. White space other than U+0020 stays where it is
 * inside (silent: 2.3). Normalising twice changes nothing.
 *
 * Throws {@link IdentifierError} for what is not a string, holds a lone surrogate, or is empty in the end.
 */
export function normaliseIdentifier(value: string): string {
  if (typeof value !== 'string') throw new IdentifierError('not-a-string');
  if (hasLoneSurrogate(value)) throw new IdentifierError('lone-surrogate');
  const normalised = trimWhiteSpace(value).replaceAll(' ', '').toLowerCase();
  if (normalised === '') throw new IdentifierError('empty');
  return normalised;
}

/** True for text that UTF-8 cannot express. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/** {@link normaliseIdentifier} for one of many; its error names the position. */
export function normaliseAt(value: string, index: number): string {
  try {
    return normaliseIdentifier(value);
  } catch (error) {
    throw error instanceof IdentifierError ? new IdentifierError(error.reason, index) : error;
  }
}

/** By hand, because `\p{White_Space}+$` takes quadratic time on a long run of spaces inside. All white space is one UTF-16 unit. */
export function trimWhiteSpace(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && WHITE_SPACE.test(value[start]!)) start++;
  while (end > start && WHITE_SPACE.test(value[end - 1]!)) end--;
  return value.slice(start, end);
}
