import { ipv6Groups } from '../../core/domain/text.ts';
import type { CanonicalChange } from '../../core/identifiers/canonical-value.ts';
import { canonicalise } from '../../core/identifiers/canonicalise.ts';
import { hasUnclearZeros, INVISIBLE, readIp, withoutZeros } from '../../core/identifiers/value-form.ts';

/** Another spelling of a value, normalised, and how it differs. */
export interface Spelling {
  readonly codes: readonly CanonicalChange[];
  readonly text: string;
  /** Code points of invisible characters, as in `U+200B`. */
  readonly characters?: string | undefined;
}

/** Invisible characters and spaces that spreadsheets, messengers and contacts put around a value. */
const MARKS = '\u200b\ufeff\u200e\u200f\u2060\u00ad\u200c\u200d\u202a\u202c\u2069\u0000';
const WHITE_SPACE = /\p{White_Space}/gu;
/** Pairs of marks around a value. */
const MARK_PAIRS: readonly string[] = ['\u202a\u202c', '\u202d\u202c', '\u2066\u2069', '\u2068\u2069', '\u200e\u200e'];
const KINDS: readonly string[] = ['email', 'phone', 'ip', 'domain'];
const TAGS: readonly string[] = ['test', 'spam', 'shop', '1'];
/** Country calling codes (ITU-T E.164) of most numbers. Each costs a whole chain. */
const CALLING_CODES = (
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 ' +
  '90 91 92 94 98 212 213 216 234 254 351 352 353 354 355 356 357 358 359 370 371 372 373 374 375 380 381 385 386 387 ' +
  '389 420 421 852 880 886 961 962 965 966 968 971 972 973 974 977 994 995 998'
).split(' ');

/**
 * Returns the spellings of a normalised value that a client may have hashed instead: first its canonical form, then
 * what forms, spreadsheets and logs make of a canonical value.
 */
export function otherSpellings(normalised: string): Spelling[] {
  const canonical = ['email', 'phone', 'ip', 'domain', 'other'].flatMap((kind) =>
    [false, true].map((mailbox) => {
      const { value, changes } = canonicalise(kind, normalised, { mailbox });
      return { codes: changes, text: value, characters: nameCharacters(normalised, changes) };
    }),
  );
  const seen = new Set([normalised, '']);
  return [...canonical, ...formSpellings(normalised), ...markSpellings(normalised)].filter(
    ({ codes, text }) => codes.length > 0 && !seen.has(text) && seen.add(text),
  );
}

/** Returns the code points of the characters of a text that show nothing and that changed, or undefined. */
function nameCharacters(text: string, changes: readonly CanonicalChange[]): string | undefined {
  const patterns = [
    ...(changes.includes('invisible-characters') ? [INVISIBLE] : []),
    ...(changes.includes('other-white-space') ? [WHITE_SPACE] : []),
  ];
  const found = new Set(
    patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), ([character]) => nameOf(character))),
  );
  return found.size === 0 ? undefined : [...found].join(', ');
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

function markSpellings(value: string): Spelling[] {
  const codes = ['invisible-characters'] as const;
  const single = Array.from(MARKS, (mark) => [
    { codes, text: mark + value, characters: nameOf(mark) },
    { codes, text: value + mark, characters: nameOf(mark) },
  ]);
  const pairs = MARK_PAIRS.map((pair) => ({
    codes,
    text: pair.charAt(0) + value + pair.charAt(1),
    characters: [...new Set(Array.from(pair, nameOf))].join(', '),
  }));
  const spaces = ['\t', '\u00a0'].flatMap((space) =>
    [value + space, space + value].map((text) => ({
      codes: ['other-white-space'] as const,
      text,
      characters: nameOf(space),
    })),
  );
  // How Python prints bytes, and the pairs of commands and logs.
  const named = KINDS.flatMap((kind) => [`${kind}=${value}`, `${kind}:${value}`]);
  return [...single.flat(), ...pairs, ...spaces, ...each('text-around-value', `b'${value}'`, ...named)];
}

function formSpellings(value: string): Spelling[] {
  // Several cells of a table, or several lines.
  if (/[\t\r\n]/.test(value)) return each('text-around-value', ...value.split(/[\t\r\n]+/, 9));
  // `11.22.33.044`: one program reads decimal numbers, another one octal numbers.
  if (hasUnclearZeros(value)) {
    const octal = value.split('.').map((part) => Number.parseInt(part, part.startsWith('0') ? 8 : 10));
    return each('ip-notation', withoutZeros(value), octal.join('.'));
  }
  const address = readIp(value);
  // A whole number may be an address and a phone number.
  if (address !== undefined && !/^\d{6,}$/.test(value)) return ipSpellings(address);
  if (value.includes('@')) return emailSpellings(value);
  const { value: number, isCanonical } = canonicalise('phone', value);
  const short = number.replace(/;ext=\d+$/, '');
  if (short !== number) return each('phone-extension', short);
  if (isCanonical) return internationalSpellings(number);
  if (/^\d{6,15}$/.test(number))
    return [...withCallingCode(number), ...(address === undefined ? [] : ipSpellings(address))];
  // The addresses that several proxies passed on.
  if (value.includes(',')) {
    const addresses = value.split(',', 9).flatMap((part) => readIp(canonicalise('ip', part).value) ?? []);
    return each('text-around-value', ...addresses);
  }
  return canonicalise('domain', value).isCanonical ? domainSpellings(value) : [];
}

const each = (code: CanonicalChange, ...texts: readonly string[]): Spelling[] =>
  texts.map((text) => ({ codes: [code], text }));

function emailSpellings(value: string): Spelling[] {
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const domain = value.slice(at + 1);
  const readable = unicodeHost(domain);
  return [
    ...(readable === domain ? [] : each('domain-not-ascii', `${local}@${readable}`)),
    ...each(
      'text-around-value',
      `<${value}>`,
      `mailto:${value}`,
      `smtp:${value}`,
      `'${value}`,
      `${local}<${value}>`,
      `"${local}"<${value}>`,
      `${value}<${value}>`,
      `${local}&#64;${domain}`,
    ),
    ...each('final-punctuation', `${value}.`, `${value},`, `${value};`, `${value}>`),
    ...(domain === 'gmail.com' ? each('gmail-spelling', `${local}@googlemail.com`, ...withDot(local, domain)) : []),
    ...(domain === 'googlemail.com' ? each('gmail-spelling', `${local}@gmail.com`) : []),
    ...(local.includes('+') ? [] : each('plus-tag', ...TAGS.map((tag) => `${local}+${tag}@${domain}`))),
  ];
}

/** Returns the addresses with one dot more in the local part, as between a first and a last name. */
function withDot(local: string, domain: string): string[] {
  if (local.length > 30 || local.includes('.')) return [];
  return Array.from({ length: Math.max(local.length - 1, 0) }, (_, at) => {
    return `${local.slice(0, at + 1)}.${local.slice(at + 1)}@${domain}`;
  });
}

/** Returns spellings of a number in E.164. The length of its country code is not known. */
function internationalSpellings(number: string): Spelling[] {
  const digits = number.slice(1);
  const lengths = digits.startsWith('1') || digits.startsWith('7') ? [1] : [2, 3];
  const national = lengths.map((length) => [digits.slice(0, length), digits.slice(length)] as const);
  return [
    ...each('phone-country-code', `00${digits}`, `011${digits}`, ...national.flatMap(([, rest]) => [`0${rest}`, rest])),
    ...each('phone-trunk-zero', ...national.map(([code, rest]) => `+${code}(0)${rest}`)),
    ...each(
      'text-around-value',
      `tel:${number}`,
      `'${number}`,
      `="${number}"`,
      `${digits}.0`,
      `${number}.0`,
      `%2b${digits}`,
    ),
    ...each('phone-separators', ...separated(digits)),
  ];
}

/** Returns how numbers of North America are written; the groups of other countries differ too much. */
function separated(digits: string): string[] {
  if (!/^1\d{10}$/.test(digits)) return [];
  const [area, office, line] = [digits.slice(1, 4), digits.slice(4, 7), digits.slice(7)];
  const bodies = [`(${area})${office}-${line}`, `${area}-${office}-${line}`, `${area}.${office}.${line}`];
  return bodies.flatMap((body) => [body, `+1${body}`, `1${body}`, `+1-${body}`, `1-${body}`, `+1.${body}`]);
}

/** Returns digits with each country code, without the zero before them, and without the code that they may have. */
function withCallingCode(number: string): Spelling[] {
  const rest = number.replace(/^0/, '');
  const national = CALLING_CODES.filter((code) => number.startsWith(code)).map((code) => number.slice(code.length));
  return [
    ...each('phone-country-code', ...national.flatMap((digits) => [digits, `0${digits}`]), `00${number}`),
    ...each('phone-country-code', ...CALLING_CODES.map((code) => `+${code}${rest}`), `+${number}`),
    ...each('phone-country-code', ...CALLING_CODES.map((code) => `${code}${rest}`)),
    ...each('text-around-value', `${number}.0`, `'${number}`),
    ...(/^8\d{10}$/.test(number) ? each('phone-country-code', `+7${number.slice(1)}`) : []),
  ];
}

function ipSpellings(address: string): Spelling[] {
  const lengths = address.includes(':') ? [128, 64] : [32, 24];
  const around = each(
    'ip-port-or-zone',
    `[${address}]`,
    ...lengths.map((length) => `${address}/${length}`),
    ...networksOf(address),
  );
  if (address.includes(':')) {
    const all = ipv6Groups(address);
    const padded = all.map((group) => group.padStart(4, '0'));
    return [
      ...each('ip-notation', all.join(':'), padded.join(':'), padded.join(':').replace(/(?::0000)+:/, '::')),
      ...around,
      ...each('ip-port-or-zone', `${address}%eth0`, `[${address}]:443`),
    ];
  }
  const bytes = address.split('.').map(Number);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  const groups = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
  const short = groups.map((group) => group.replace(/^0+(?=.)/, ''));
  return [
    ...each(
      'ip-notation',
      `::ffff:${address}`,
      `::ffff:${short.join(':')}`,
      `::ffff:${groups.join(':')}`,
      `0:0:0:0:0:ffff:${address}`,
      `0:0:0:0:0:ffff:${short.join(':')}`,
      `0000:0000:0000:0000:0000:ffff:${groups.join(':')}`,
      String(Number.parseInt(hex.join(''), 16)),
      `0x${hex.join('')}`,
      `0x${hex.join('.0x')}`,
      bytes.map((byte) => String(byte).padStart(3, '0')).join('.'),
    ),
    ...around,
    ...each('ip-port-or-zone', `${address}:80`, `${address}:443`, `${address}.`),
    ...each('text-around-value', `/${address}`, `for=${address}`),
  ];
}

/** Returns the network of an address, as logs cut it for privacy. */
function networksOf(address: string): string[] {
  if (!address.includes(':')) {
    const network = `${address.slice(0, address.lastIndexOf('.'))}.0`;
    return [network, `${network}/24`];
  }
  const network = readIp(`${ipv6Groups(address).slice(0, 4).join(':')}::`);
  return network === undefined ? [] : [network, `${network}/64`];
}

function domainSpellings(value: string): Spelling[] {
  const bare = value.replace(/^www\./, '');
  const readable = unicodeHost(value);
  const urls = [bare, `www.${bare}`].flatMap((host) =>
    ['http', 'https'].flatMap((scheme) => [`${scheme}://${host}`, `${scheme}://${host}/`]),
  );
  return [
    ...(readable === value ? [] : each('domain-not-ascii', readable)),
    ...each('www', bare, `www.${bare}`),
    ...each('url-parts', ...urls, `${value}/`, `.${value}`, `*.${value}`, `${value}:443`),
    ...each('final-punctuation', `${value}.`, `${value},`),
  ];
}

/** Returns a host in Unicode, as people write it. Browsers cannot decode Punycode, so there the host stays. */
function unicodeHost(host: string): string {
  const decode = globalThis.process?.getBuiltinModule?.('node:url').domainToUnicode;
  // Empty for a host that cannot be decoded.
  return decode?.(host) || host;
}
