import { encodeUtf8 } from '../../core/hash/chain.ts';
import { hasPile } from '../../core/identifiers/canonicalise.ts';
import { COMMON } from '../../core/identifiers/words-for-no-value.ts';
import { normaliseIdentifier, trimWhere, trimWhiteSpace } from '../../core/identifiers/normalise.ts';
import type { MistakeCode } from './mistakes.ts';
import { otherSpellings } from './spellings.ts';

/** A text that a client may have hashed, and the mistakes that produce it. */
export interface ClientText {
  /** Mistakes in the text; empty for the right text. */
  readonly codes: readonly MistakeCode[];
  readonly text: string;
  /** How the client encodes the text and the prefix. */
  readonly encode: (text: string) => Uint8Array;
  /** True for another spelling of the value. There are many, so they are not combined with other mistakes. */
  readonly isSpelling?: boolean;
  /** Names of the invisible characters of a spelling. */
  readonly characters?: string | undefined;
}

/** One way to perform a step of the normalisation. The right way has no mistake code. */
interface Way {
  readonly code?: MistakeCode;
  readonly apply: (text: string) => string;
  readonly encode?: (text: string) => Uint8Array;
}

const keep = (text: string): string => text;
/** Unicode forms take quadratic time for piles of marks, which no client has. */
const toForm =
  (form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD') =>
  (text: string): string =>
    hasPile(text) ? text : text.normalize(form);
const toDecomposed = toForm('NFD');

const ENDS: readonly Way[] = [
  { apply: trimWhiteSpace },
  { code: 'ends-not-trimmed', apply: keep },
  // The characters that PHP's trim() removes.
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
  // Lower-casing single characters differs in two cases: a final sigma becomes a plain sigma, and a dotted capital I
  // loses its dot.
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
/** Mistakes after the normalisation. */
const AFTERWARDS: readonly Way[] = [
  { code: 'newline-at-end', apply: (text) => `${text}\n` },
  { code: 'newline-at-end', apply: (text) => `${text}\r\n` },
  // Half of a line end of Windows.
  { code: 'newline-at-end', apply: (text) => `${text}\r` },
  // The clear value lacks what a form or a table added.
  { code: 'ends-not-trimmed', apply: (text) => `${text} ` },
  { code: 'ends-not-trimmed', apply: (text) => ` ${text}` },
  // Keyboards of phones begin with a capital.
  { code: 'not-lower-cased', apply: (text) => text.charAt(0).toUpperCase() + text.slice(1) },
  { code: 'byte-order-mark-at-start', apply: (text) => `\ufeff${text}` },
  { code: 'nul-at-end', apply: (text) => `${text}\0` },
  { code: 'quotes-around-value', apply: (text) => `"${text}"` },
  { code: 'quotes-around-value', apply: (text) => `'${text}'` },
  { code: 'url-encoded', apply: (text) => encodeURIComponent(text) },
  { code: 'url-encoded', apply: (text) => new URLSearchParams({ '': text }).toString().slice(1) },
  { code: 'html-escaped', apply: (text) => escapeHtml(text, '&#039;') },
  { code: 'html-escaped', apply: (text) => escapeHtml(text, '&#39;') },
  { code: 'unicode-form-changed', apply: toForm('NFC') },
  { code: 'unicode-form-changed', apply: toDecomposed },
  { code: 'unicode-form-changed', apply: toForm('NFKC') },
  { code: 'unicode-form-changed', apply: toForm('NFKD') },
  { code: 'accents-removed', apply: (text) => toDecomposed(text).replace(/\p{M}/gu, '') },
  { code: 'punctuation-removed', apply: (text) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '') },
  { code: 'latin-1', apply: keep, encode: encodeLatin1 },
  { code: 'utf-8-twice', apply: (text) => Array.from(encodeUtf8(text), (byte) => String.fromCharCode(byte)).join('') },
  { code: 'non-ascii-lost', apply: (text) => text.replace(/[^\0-\x7f]/gu, '?') },
];
/** Texts that common programming languages produce for missing values and for values that are not strings. */
const WORDS = ['None', 'NaN', 'NULL', 'N/A', '[object Object]', 'Array', ...COMMON];

/**
 * Returns the texts that a client may have hashed: first the right text, then those with one mistake, then with two.
 * Omits texts whose bytes, with the prefix, equal those of an earlier text.
 */
export function clientTexts(value: string, prefix: string): [right: ClientText, ...wrong: ClientText[]] {
  const right: ClientText = { codes: [], text: normaliseIdentifier(value), encode: encodeUtf8 };
  const single: ClientText[] = [];
  const double: ClientText[] = [];
  for (const ends of ENDS) {
    for (const spaces of SPACES) {
      for (const letters of CASES) {
        const codes = codesOf(ends, spaces, letters);
        if (codes.length === 0 || codes.length > 2) continue;
        const text = letters.apply(spaces.apply(ends.apply(value)));
        (codes.length === 1 ? single : double).push({ codes, text, encode: encodeUtf8 });
      }
    }
  }
  single.push({ codes: ['not-normalised'], text: value, encode: encodeUtf8 });
  const withLater = ({ codes, text }: ClientText): ClientText[] =>
    AFTERWARDS.map((way) => ({
      codes: [...codes, ...codesOf(way)],
      text: way.apply(text),
      encode: way.encode ?? encodeUtf8,
    }));

  // For ASCII all encodings give the same bytes.
  const keyOf = ({ text, encode }: ClientText): string =>
    encode === encodeLatin1 && /[^\0-\x7f]/.test(prefix + text) ? `latin-1 ${text}` : `utf-8 ${text}`;
  const seen = new Set([keyOf(right)]);
  const wrong: ClientText[] = [
    ...single,
    ...withLater(right),
    { codes: ['empty-value'], text: '', encode: encodeUtf8 } as const,
    ...WORDS.map((text) => ({ codes: ['word-for-no-value'], text, encode: encodeUtf8 }) as const),
    ...otherSpellings(right.text).map((spelling) => ({ ...spelling, encode: encodeUtf8, isSpelling: true })),
    ...double,
    ...single.flatMap(withLater),
  ];
  return [right, ...wrong.filter((text) => !seen.has(keyOf(text)) && seen.add(keyOf(text)))];
}

function codesOf(...ways: readonly Way[]): MistakeCode[] {
  return ways.flatMap(({ code }) => code ?? []);
}

function escapeHtml(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe);
}

/** Replaces characters outside Latin-1 by question marks. */
function encodeLatin1(text: string): Uint8Array {
  return Uint8Array.from(Array.from(text), (character) => (character <= '\xff' ? character.charCodeAt(0) : 63));
}
