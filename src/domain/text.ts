// Control characters are invisible or harm a terminal, and some stores cannot keep a NUL; tab, line feed and return are ordinary in a text area.
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/**
 * True for text that may be shown to the public (spec 2.1; silent: its bounds): 1 to `limitCharacters` Unicode code points, not only white space,
 * well formed, and without control characters but tab and line breaks.
 */
export function isPublicText(text: unknown, limitCharacters: number): text is string {
  if (typeof text !== 'string' || text.trim() === '' || CONTROL.test(text) || /\p{Surrogate}/u.test(text)) return false;
  // A code point takes one or two units, so most texts are settled without counting.
  if (text.length <= limitCharacters) return true;
  return text.length <= 2 * limitCharacters && [...text].length <= limitCharacters;
}
