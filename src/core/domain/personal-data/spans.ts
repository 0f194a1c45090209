/** Part of a folded text: from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Stands for text that was already found. It ends every pattern, as the brackets of a redaction do. */
export const REDACTION = '\0';

/** Returns the text with each range replaced by {@link REDACTION}, at the same length. */
export function cover(text: string, ranges: readonly Range[]): string {
  if (ranges.length === 0) return text;
  let covered = '';
  let at = 0;
  for (const { from, to } of ranges) {
    covered += text.slice(at, from) + REDACTION.repeat(to - from);
    at = to;
  }
  return covered + text.slice(at);
}

const WORD = /[\p{sc=Latn}\d_]/u;

/** Returns true if the character before `at` is a Latin letter or `_`. */
export function followsLetter(text: string, at: number): boolean {
  return /[\p{sc=Latn}_]/u.test(text.charAt(at - 1));
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

/** A text in the form in which personal data is looked for, with the way back to the original text. */
export interface FoldedText {
  readonly text: string;
  /** Offset in the original text at which the character at `index` of {@link FoldedText.text} begins. */
  from(index: number): number;
  /** Offset in the original text at which the character at `index` of {@link FoldedText.text} ends. */
  to(index: number): number;
}

/**
 * A sign written in another way: by its code (`%40`, `&#64;`, `\x40`), or made harmless, as in `[.]`, `(at)`, ` dot `
 * and `\.`. Numbers may have ` . ` between them, and `+ ` or `plus ` before a country.
 * Or a character that is not ASCII.
 */
const DISGUISED =
  /(?:%(?:25)*|&#x|\\(?:u00|x))([2-7][\da-f]);?|&#(\d\d\d?);?| ?[[({<] ?([aä]t|arroba|dot|punk?to?|[@.+-]|::?)(?: ?[\])}]|>) ?|(?<=\w) (dot|\.(?= \d)) (?=\w)|\\([@.:+-])|(?<![\p{L}\d] ?)(\+|plus) (?=\(?\d{1,3}\)?[ /.(-]+\d)|\P{ASCII}/giu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const DIGIT = /\p{Nd}/u;

/**
 * Returns the text for detection only: in Unicode form NFKC, each kind of digit, dash and space as the one of ASCII,
 * without invisible characters, and disguised signs as they are. Each character has its place in the original.
 */
export function fold(text: string): FoldedText {
  const from: number[] = [];
  const to: number[] = [];
  let folded = '';
  let at = 0;
  const keepUntil = (end: number): void => {
    folded += text.slice(at, end);
    while (at < end) {
      from.push(at);
      to.push(++at);
    }
  };
  for (const match of text.matchAll(DISGUISED)) {
    keepUntil(match.index);
    const [piece, hex, decimal, ...signs] = match;
    const code = Number(hex ? `0x${hex}` : decimal);
    const characters = code ? String.fromCharCode(code) : foldPiece(signs.join('').toLowerCase() || piece);
    const end = at + piece.length;
    for (let unit = 0; unit < characters.length; unit++) {
      from.push(at);
      to.push(end);
    }
    folded += characters;
    at = end;
  }
  keepUntil(text.length);
  return { text: folded, from: (index) => from[index]!, to: (index) => to[index]! };
}

function foldPiece(character: string): string {
  if (/^[aä][tr]/.test(character)) return '@';
  if (/^[dp][ou]/.test(character)) return '.';
  if (character === 'plus') return '+';
  if (character < '\x80') return character;
  if (INVISIBLE.test(character)) return '';
  const normal = character.normalize('NFKC');
  if (DIGIT.test(normal) && normal >= '\x80') return toAsciiDigit(normal);
  return normal
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u3002\uff61\xb7\u2022\u2219\u2027\u30fb]/g, '.');
}

/**
 * Returns a decimal digit of any script as ASCII. Unicode lists decimal digits in ascending order, in tens. So the
 * place within a run of digits gives the value.
 */
export function toAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return String((code - first) % 10);
}
