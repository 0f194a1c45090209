/** Part of a folded text: from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Stands for text that was already found. It ends every pattern, as the brackets of a redaction do. */
export const FOUND = '\0';

/** Returns the text with each range replaced by {@link FOUND}, at the same length. */
export function cover(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let covered = '';
  let at = 0;
  for (const { from, to } of ranges) {
    covered += text.slice(at, from) + FOUND.repeat(to - from);
    at = to;
  }
  return covered + text.slice(at);
}

const WORD = /[\p{Script=Latin}\d_]/u;

/** Returns true if the character before `at` is a Latin letter or `_`. */
export function followsLetter(text: string, at: number): boolean {
  return /[\p{Script=Latin}_]/u.test(text.charAt(at - 1));
}

/** Returns true if the character before `at` is part of a word or number. */
export function isInsideWord(text: string, at: number): boolean {
  return WORD.test(text.charAt(at - 1));
}

/**
 * Returns true if the range stands alone. Only Latin letters, digits and `_` continue a number: some languages write
 * words without spaces between them.
 */
export function standsAlone(text: string, from: number, to: number): boolean {
  return !isInsideWord(text, from) && !WORD.test(text.charAt(to));
}

/** Returns up to `length` characters before `at`, lowercase, cut after the last digit, bracket or finding in them. */
export function wordsBefore(text: string, at: number, length: number): string {
  let from = at;
  while (from > 0 && at - from < length && !/[\d\][\0\n]/.test(text.charAt(from - 1))) from--;
  return text.slice(from, at).toLowerCase();
}
