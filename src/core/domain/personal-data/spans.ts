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

/** A text in the form in which personal data is looked for, with the way back to the original text. */
export interface FoldedText {
  readonly text: string;
  /** Offset in the original text at which the character at `index` of {@link FoldedText.text} begins. */
  from(index: number): number;
  /** Offset in the original text at which the character at `index` of {@link FoldedText.text} ends. */
  to(index: number): number;
}

const PLAIN = /^[\0-\x7f]*$/;
/** `%40` in a link, and the brackets with which reports make addresses harmless: `example[.]com`. */
const WRITTEN_OTHERWISE = /%40|\[[.@]\]|\([.@]\)/g;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const DIGIT = /\p{Nd}/u;

/**
 * Returns the text for detection only: in Unicode form NFKC, each kind of digit, dash and space as the one of ASCII,
 * without invisible characters. Folds each code point alone, so that every character has its place in the original.
 */
export function fold(text: string): FoldedText {
  if (PLAIN.test(text) && text.search(WRITTEN_OTHERWISE) < 0)
    return { text, from: (index) => index, to: (index) => index + 1 };
  const from: number[] = [];
  const to: number[] = [];
  let folded = '';
  let at = 0;
  const add = (characters: string, length: number): void => {
    for (let unit = 0; unit < characters.length; unit++) {
      from.push(at);
      to.push(at + length);
    }
    folded += characters;
    at += length;
  };
  const addAll = (part: string): void => {
    for (const character of part) add(character < '\x80' ? character : foldCharacter(character), character.length);
  };
  for (const match of text.matchAll(WRITTEN_OTHERWISE)) {
    addAll(text.slice(at, match.index));
    add(match[0] === '%40' ? '@' : match[0].charAt(1), match[0].length);
  }
  addAll(text.slice(at));
  return { text: folded, from: (index) => from[index]!, to: (index) => to[index]! };
}

function foldCharacter(character: string): string {
  if (INVISIBLE.test(character)) return '';
  const normal = character.normalize('NFKC');
  if (DIGIT.test(normal) && normal >= '\x80') return toAsciiDigit(normal);
  return normal
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u3002\uff61]/g, '.');
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
