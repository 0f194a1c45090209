// Control characters can hide text or attack a terminal, and some stores reject NUL. Allow tabs and line breaks, which
// text areas send.
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/**
 * Returns true for text that may be published: 1 to `limitCharacters` Unicode code points (spec 2.1 is silent about the
 * bounds). The text must be valid Unicode and not only white space. Tab and line breaks are the only control characters
 * allowed.
 */
export function isPublicText(text: unknown, limitCharacters: number): text is string {
  if (typeof text !== 'string' || text.trim() === '' || CONTROL.test(text) || /\p{Surrogate}/u.test(text)) return false;
  // A code point has one or two UTF-16 units, so a text within this length needs no count.
  if (text.length <= limitCharacters) return true;
  return text.length <= 2 * limitCharacters && [...text].length <= limitCharacters;
}

/** Returns a number with its noun, as in `1 row` and `2 rows`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
