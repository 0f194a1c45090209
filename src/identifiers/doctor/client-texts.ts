import { trimWhiteSpace } from '../normalise.ts';
import type { MistakeCode } from './mistakes.ts';

/** A text that a client may have put into the chain, and what went wrong on its way there. */
export interface ClientText {
  /** None for the right text. */
  readonly codes: readonly MistakeCode[];
  readonly text: string;
  /** Of the text, and of the prefix that such a client uses. */
  readonly encode: (text: string) => Uint8Array;
}

/** One way to do a step; without a code the right one. */
interface Way {
  readonly code?: MistakeCode;
  readonly apply: (text: string) => string;
  readonly encode?: (text: string) => Uint8Array;
}

const utf8 = /* @__PURE__ */ new TextEncoder();
const encodeUtf8 = (text: string): Uint8Array => utf8.encode(text);
const keep = (text: string): string => text;

const ENDS: readonly Way[] = [
  { apply: trimWhiteSpace },
  { code: 'ends-not-trimmed', apply: keep },
  // What PHP's trim() takes away.
  { code: 'only-ascii-trimmed', apply: (text) => trimWhere(text, (unit) => ' \t\n\r\0\v'.includes(unit)) },
  { code: 'byte-order-mark-trimmed', apply: (text) => text.trim() },
];
const SPACES: readonly Way[] = [
  { apply: (text) => text.replaceAll(' ', '') },
  { code: 'inner-spaces-kept', apply: keep },
  { code: 'all-white-space-removed', apply: (text) => text.replace(/\p{White_Space}/gu, '') },
  { code: 'only-first-space-removed', apply: (text) => text.replace(' ', '') },
];
const CASES: readonly Way[] = [
  { apply: (text) => text.toLowerCase() },
  { code: 'not-lower-cased', apply: keep },
  { code: 'only-ascii-lower-cased', apply: (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) },
  // One character for one: a final sigma becomes a plain one, and a dotted capital i loses its dot.
  {
    code: 'lower-cased-by-character',
    apply: (text) => Array.from(text, (character) => (character === 'İ' ? 'i' : character.toLowerCase())).join(''),
  },
  {
    code: 'lower-cased-as-turkish',
    apply: (text) =>
      text
        .replace(/I\u0307|İ/g, 'i')
        .replaceAll('I', 'ı')
        .toLowerCase(),
  },
  { code: 'case-folded', apply: (text) => text.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ') },
  { code: 'upper-cased', apply: (text) => text.toUpperCase() },
];
/** What happens to a text that is normalised, rightly or not. */
const AFTERWARDS: readonly Way[] = [
  { code: 'newline-at-end', apply: (text) => `${text}\n` },
  { code: 'newline-at-end', apply: (text) => `${text}\r\n` },
  { code: 'byte-order-mark-at-start', apply: (text) => `\ufeff${text}` },
  { code: 'nul-at-end', apply: (text) => `${text}\0` },
  { code: 'quotes-around-value', apply: (text) => `"${text}"` },
  { code: 'quotes-around-value', apply: (text) => `'${text}'` },
  { code: 'url-encoded', apply: (text) => encodeURIComponent(text) },
  { code: 'url-encoded', apply: (text) => new URLSearchParams({ '': text }).toString().slice(1) },
  { code: 'html-escaped', apply: (text) => escapeHtml(text, '&#039;') },
  { code: 'html-escaped', apply: (text) => escapeHtml(text, '&#39;') },
  { code: 'unicode-form-changed', apply: (text) => text.normalize('NFC') },
  { code: 'unicode-form-changed', apply: (text) => text.normalize('NFD') },
  { code: 'unicode-form-changed', apply: (text) => text.normalize('NFKC') },
  { code: 'unicode-form-changed', apply: (text) => text.normalize('NFKD') },
  { code: 'accents-removed', apply: (text) => text.normalize('NFD').replace(/\p{M}/gu, '') },
  { code: 'punctuation-removed', apply: (text) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '') },
  { code: 'latin-1', apply: keep, encode: encodeLatin1 },
  { code: 'utf-8-twice', apply: (text) => Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join('') },
  { code: 'non-ascii-lost', apply: (text) => text.replace(/[^\0-\x7f]/gu, '?') },
];
/** What languages make of a value that is not there, or not a text. */
const WORDS = ['undefined', 'null', 'None', 'nil', 'NaN', '[object Object]', 'Array', 'false', '0'];

/**
 * The texts that a client may have hashed instead of the right one: the right one first, then those with one mistake,
 * then those with two. No two have the same bytes, prefix included.
 */
export function clientTexts(value: string, prefix: string): ClientText[] {
  const bases: { codes: readonly MistakeCode[]; text: string }[] = [];
  for (const ends of ENDS) {
    for (const spaces of SPACES) {
      for (const letters of CASES) {
        const codes = codesOf(ends, spaces, letters);
        if (codes.length <= 2) bases.push({ codes, text: letters.apply(spaces.apply(ends.apply(value))) });
      }
    }
  }
  const [right, ...others] = bases.sort((one, other) => one.codes.length - other.codes.length);
  const raw = { codes: ['not-normalised'] as const, text: value };
  const single = [...others.filter(({ codes }) => codes.length === 1), raw];
  const withLater = (base: { codes: readonly MistakeCode[]; text: string }): ClientText[] =>
    AFTERWARDS.map((way) => ({
      codes: [...base.codes, ...codesOf(way)],
      text: way.apply(base.text),
      encode: way.encode ?? encodeUtf8,
    }));
  const asUtf8 = ({ codes, text }: { codes: readonly MistakeCode[]; text: string }): ClientText => ({
    codes,
    text,
    encode: encodeUtf8,
  });

  return distinct(prefix, [
    asUtf8(right!),
    ...single.map(asUtf8),
    ...withLater(right!),
    asUtf8({ codes: ['empty-value'], text: '' }),
    ...WORDS.map((text) => asUtf8({ codes: ['word-for-no-value'], text })),
    ...others.filter(({ codes }) => codes.length === 2).map(asUtf8),
    ...single.flatMap(withLater),
  ]);
}

/** The first of each that has the same bytes. */
function distinct(prefix: string, texts: readonly ClientText[]): ClientText[] {
  const seen = new Set<string>();
  return texts.filter(({ text, encode }) => {
    // In ASCII every encoding here gives the same bytes.
    const key = encode === encodeLatin1 && /[^\0-\x7f]/.test(prefix + text) ? `latin-1 ${text}` : `utf-8 ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}

function codesOf(...ways: readonly Way[]): MistakeCode[] {
  return ways.flatMap(({ code }) => code ?? []);
}

function trimWhere(text: string, isTrimmed: (unit: string) => boolean): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text[start]!)) start++;
  while (end > start && isTrimmed(text[end - 1]!)) end--;
  return text.slice(start, end);
}

function escapeHtml(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);
}

/** A question mark stands for what Latin-1 does not have. */
function encodeLatin1(text: string): Uint8Array {
  return Uint8Array.from(Array.from(text), (character) =>
    character.codePointAt(0)! < 256 ? character.charCodeAt(0) : 63,
  );
}
