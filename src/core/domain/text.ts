// Characters that can hide text, show it in another order or attack a terminal: control characters (some stores reject
// NUL), controls of direction, deprecated format characters, tags and halves of surrogate pairs. Tabs and line breaks
// stay allowed: text areas send them. So do zero-width joiners: emoji and some languages need them.
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\p{Bidi_C}\u206a-\u206f\ufff9-\ufffb\u{e0000}-\u{e0fff}\p{Cs}]/u;
/**
 * Marks and brackets of direction, which keyboards and editors of Hebrew and Arabic insert, and combining marks after
 * eight others: no language has as many, they are painted over the lines around, and NFC takes quadratic time for them.
 */
const MARKS = /(?![\u202d\u202e])\p{Bidi_C}|\p{M}(?<=[\p{M}\p{Cf}]{9})/gu;
/** White space, characters without width, and U+2800, a pattern of Braille without dots. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u;

/**
 * Returns true for text that may be published: 1 to `limitCharacters` Unicode code points (protocol 2.1, our choice).
 * The text must be valid Unicode and not only white space or invisible characters. Tab and line breaks are the only
 * control characters allowed. Characters that change the direction of text, and tags, are not allowed.
 */
export function isPublicText(text: unknown, limitCharacters: number): text is string {
  return typeof text === 'string' && findProblem(text, limitCharacters) === undefined;
}

/**
 * Returns the form of a name or contact that is stored: one line of {@link isPublicText}, trimmed, in Unicode form NFC,
 * without invisible characters. This prevents most texts that look alike. Undefined for any other value.
 */
export function toPublicLine(text: unknown, limitCharacters: number): string | undefined {
  const line = typeof text === 'string' && (withoutMarks(text) as string).trim().normalize('NFC');
  return isPublicText(line, limitCharacters) && !/[\r\n\t\p{Cf}]/u.test(line) ? line : undefined;
}

/** What is wrong with a text. */
export interface TextProblem {
  /** Its number of code points: too many, or 0 if none can be seen. */
  readonly characters?: number;
  /** Place of the first forbidden character, in code points from 1. */
  readonly at?: number;
}

/** Returns what is wrong with a text that {@link isPublicText} refuses, never a part of it. */
export function findProblem(text: unknown, limitCharacters: number): TextProblem | undefined {
  if (typeof text !== 'string') return {};
  if (!VISIBLE.test(text)) return { characters: 0 };
  // A code point has one or two UTF-16 units, so a text within the limit needs no count.
  const characters = text.length > limitCharacters ? [...text].length : 0;
  if (characters > limitCharacters) return { characters };
  const at = text.search(FORBIDDEN);
  return at < 0 ? undefined : { at: Array.from(text.slice(0, at)).length + 1 };
}

/**
 * Returns a text without marks of direction and without piles of combining marks; any other value unchanged. The order
 * of its characters says what is read first, so the text keeps its meaning.
 */
export function withoutMarks<T>(text: T): T | string {
  return typeof text === 'string' ? text.replace(MARKS, '') : text;
}

/** Returns the text without marks of direction, and with `by` in place of each character that may not be published. */
export function replaceForbidden(text: string, by: string): string {
  return Array.from(text.replace(MARKS, ''), (one) => (FORBIDDEN.test(one) ? by : one)).join('');
}

/** Returns the text without the characters at its end that are in `ending`, in time linear in its length. */
export function withoutTrailing(text: string, ending: string): string {
  let to = text.length;
  while (to > 0 && ending.includes(text.charAt(to - 1))) to--;
  return text.slice(0, to);
}

/** Returns the eight groups of an IPv6 address in the notation of RFC 5952, in hex without leading zeros. */
export function ipv6Groups(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((side) => side.split(':').filter(Boolean));
  while (head.length + tail.length < 8) head.push('0');
  return [...head, ...tail];
}

/** Formats a whole number, such as `32,000`. Independent of the locale, so that each machine writes the same bytes. */
export function formatWhole(value: number): string {
  const digits = value.toFixed(0);
  const first = digits.length % 3 || 3;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return groups.join(',');
}

/** Returns a number with its noun, as in `1 row` and `2 rows`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
