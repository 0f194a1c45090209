/** Part of a folded text: from `from` up to, but not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Stands for text that was already found. It ends every pattern, as the brackets of a redaction do. */
export const REDACTION = '\0';

/** Returns the text with each range replaced by {@link REDACTION}, at the same length. */
export function cover(text: string, ranges: readonly Range[]): string {
  let covered = '';
  let at = 0;
  for (const { from, to } of ranges) {
    covered += text.slice(at, from) + REDACTION.repeat(to - from);
    at = to;
  }
  return covered + text.slice(at);
}

/** Returns where a global pattern matches. */
export function rangesOf(text: string, pattern: RegExp): Range[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({ from: index, to: index + length }));
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

/** A character by its code, as in `&#64;`, `%40`, `\x40` and `\n`, or one beyond ASCII. */
const CODED =
  /&#(x0*(?:[\da-f]{2,5}(?=;)|[2-7][\da-f])|\d{2,7});?|(?:%(?:25)*|\\(?:u\{0*|u00|x))([2-7][\da-f]|0[9ad])\}?|\\[nrt]|&nbsp;|\P{ASCII}/giu;
/** Characters that are not seen, or only on another. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{sc=Zinh}]/gu;
const DIGIT = /\p{Nd}/u;

/** Words for `@`: those that mean nothing else, and the others. */
const AT = 'commat|arr?oba(?:se?)?|chiocciola|klammeraffe|ma[łl]pa|собака';
const AT_OR_OTHER = 'at|ät|chez';
const DOT = 'dot|period|point|ponto?|punk?to?|kropka|точка|nokta';

/** A text without any of these has no `@` and no digit, also after {@link fold}. Without the flag `u`, `k` is ASCII. */
export const MAY_HOLD = new RegExp(String.raw`[@\d&%\\\x80-\uffff]|\b(${AT}|${AT_OR_OTHER})\b`, 'i');

/**
 * A sign in words or made harmless, as in `[.]`, `(at)`, ` dot ` and `\.`. Numbers may have ` . ` between them, and
 * `+ ` or `plus ` before a country.
 */
const DISGUISED = new RegExp(
  String.raw` ?[[({<] ?(?:${AT}|${AT_OR_OTHER}|(${DOT})|([@.+-]|::?))(?: ?[\])}]|>) ?` +
    String.raw`| ?[*"'|~&](?:${AT}|${AT_OR_OTHER}|(${DOT}))[*"'|~;] ?` +
    String.raw`| (?<=[\p{L}\d] )(?:(${DOT}|\.(?= \d)) (?=[\p{L}\d])|(?:${AT}|(${AT_OR_OTHER}|@)) ` +
    String.raw`(?=[\p{L}\d-]{1,63}(?:(\.)| [[(]?(?:${DOT})[\])]? )\p{L}))|\\([@.:+-])` +
    String.raw`|(\+|plus) (?=\(?\d{1,3}\)?[ /.(-]+\d)(?<![\p{L}\d] ?(?:\+|plus) )`,
  'giu',
);

/**
 * Returns the text for detection only: in Unicode form NFKC, each kind of digit, dash and space as the one of ASCII,
 * without invisible characters, and disguised signs as they are. Each character has its place in the original.
 */
export function fold(text: string): FoldedText {
  return rewrite(
    rewrite(
      toFolded(text, (index) => index),
      CODED,
      readCharacter,
    ),
    DISGUISED,
    readSign,
  );
}

/** What is not seen belongs to the character before it. */
function toFolded(text: string, from: (index: number) => number): FoldedText {
  const to = (index: number): number => {
    let next = index;
    while (from(next) === from(index)) next++;
    return from(next);
  };
  return { text, from, to };
}

/** Replaces each match by what `read` returns. A match stays if that is undefined. */
function rewrite(given: FoldedText, pattern: RegExp, read: (match: RegExpExecArray) => string | undefined): FoldedText {
  const starts: number[] = [];
  let text = '';
  let at = 0;
  const keepUntil = (end: number): void => {
    text += given.text.slice(at, end);
    while (at < end) starts.push(given.from(at++));
  };
  for (const match of given.text.matchAll(pattern)) {
    const characters = read(match);
    if (characters === undefined) continue;
    keepUntil(match.index);
    text += characters;
    while (starts.length < text.length) starts.push(given.from(at));
    at += match[0].length;
  }
  if (at === 0) return given;
  keepUntil(given.text.length);
  starts.push(given.from(at));
  return toFolded(text, (index) => starts[index]!);
}

function readCharacter([piece, reference, hex]: RegExpExecArray): string {
  const code = reference ?? (hex && `x${hex}`);
  const character = code ? String.fromCodePoint(Number(code.replace(/x/i, '0x')) % 0x110000) : piece;
  if (character < '\x80') return character === '&nbsp;' ? ' ' : character[1] ? '\n' : character;
  const normal = character.normalize('NFKC').replace(UNSEEN, '');
  if (DIGIT.test(normal) && normal >= '\x80') return toAsciiDigit(normal);
  return normal
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u3002\uff61\xb7\u2022\u2219\u2027\u30fb]/g, '.');
}

/** Stems of words that announce an email address. */
const MAIL = /mail|addr|adres|corr|contac|kontak|writ|wrote|reach|repl|schreib|cri[bvt]| dot$/i;

function readSign(match: RegExpExecArray): string | undefined {
  const [, dot, sign, quotedDot, spokenDot, at, point, escaped, plus] = match;
  if (at && !isAddress(match, at, point)) return undefined;
  return (dot ?? quotedDot ?? spokenDot) ? '.' : (sign ?? escaped ?? (plus ? '+' : '@'));
}

/** Returns true if the words around ` at ` are an email address: `shoes at example dot com` are none. */
function isAddress({ input, index }: RegExpExecArray, at: string, point: string | undefined): boolean {
  const words = input.slice(Math.max(0, index - 80), index).split(' ');
  const local = words.pop()!;
  // In `jane.doe at example.com`, no shop is meant.
  if (point && at !== '@') return /\p{L}\.\p{L}/u.test(local);
  // The whole text.
  if (words.length === 0) return local > 'a' && input.slice(index).split(' ').length < 6;
  return (at > 'A' && at < 'a' && local > 'a') || MAIL.test(words.slice(-3).join(' '));
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
