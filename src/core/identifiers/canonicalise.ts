import { toAsciiDigit } from '../domain/personal-data/spans.ts';
import { refuseUnknown, requireFunction } from '../domain/options.ts';
import { withoutTrailing } from '../domain/text.ts';
import { trimWhere, trimWhiteSpace } from './normalise.ts';
import { formOfKind, INVISIBLE, readHost, readIp, type ValueForm } from './value-form.ts';

/** Why a value was rewritten. */
export type CanonicalChange =
  | 'invisible-characters'
  | 'other-white-space'
  | 'unicode-form'
  | 'other-digits'
  | 'text-around-value'
  | 'final-punctuation'
  | 'defanged'
  | 'phone-separators'
  | 'phone-country-code'
  | 'phone-trunk-zero'
  | 'phone-extension'
  | 'ip-notation'
  | 'ip-port-or-zone'
  | 'domain-not-ascii'
  | 'url-parts'
  | 'www'
  | 'plus-tag'
  | 'gmail-spelling';

/** A value in the canonical form of its kind. */
export interface CanonicalValue {
  /** Normalised too (protocol 2.3). Empty if nothing visible was given. */
  readonly value: string;
  /** What was changed beyond protocol 2.3, each once, in order. */
  readonly changes: readonly CanonicalChange[];
  /** False if the value did not become an address of its kind, for example a phone number without a country code. */
  readonly isCanonical: boolean;
}

/**
 * Reads a phone number, and returns undefined if the text is none. The default export of `libphonenumber-js` is such a
 * function. Its second argument is a code of ISO 3166-1 such as `DE`; libraries give it types of their own.
 */
export type ParsePhone = (
  text: string,
  country?: never,
) => { readonly number: string; isPossible?(): boolean } | undefined;

/** Options of {@link canonicalise}. */
export interface CanonicalOptions {
  /** Country of phone numbers without a country code, such as `DE`. Needs `parsePhone`. */
  readonly country?: string | undefined;
  /** Reads phone numbers, such as the default export of `libphonenumber-js`. */
  readonly parsePhone?: ParsePhone | undefined;
  /** If true, joins the spellings of one mailbox: removes a tag after `+`, and for Gmail dots and `googlemail.com`. */
  readonly mailbox?: boolean | undefined;
}

/** A text while it is rewritten. */
interface Draft {
  readonly text: string;
  readonly isCanonical: boolean;
}

type Note = (change: CanonicalChange) => void;

/** Number of times that a value is rewritten at most. Real values need two. */
const MAX_PASSES = 4;

/**
 * Returns a value in the canonical form of its kind, so that one person in two spellings has one hash. This is no part
 * of the protocol: use it for reports and for queries, or for neither. Takes linear time, and never throws for a
 * string. Canonical values do not change again. Throws TypeError for wrong options.
 *
 * - `phone`: E.164. Without `parsePhone`, only numbers with `+` or `00` get that form.
 * - `email`: `local@domain`, the domain in ASCII.
 * - `ip`: four decimal numbers, or RFC 5952. `domain`: ASCII, the host only.
 * - Any other kind: Unicode form NFC, without invisible characters.
 */
export function canonicalise(kind: string, value: string, options: CanonicalOptions = {}): CanonicalValue {
  refuseUnknown(options, ['country', 'parsePhone', 'mailbox']);
  if (options.parsePhone !== undefined) requireFunction('parsePhone', options.parsePhone);
  else if (options.country !== undefined) throw new TypeError('"country" expected "parsePhone" beside it');
  const form = formOfKind(kind);
  const given = squeeze(value);
  const changes = new Set<CanonicalChange>();
  let text = given;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const draft = rewrite(form, text, options, (change) => void changes.add(change));
    const next = squeeze(draft.text);
    if (next === text) return { value: text, changes: [...changes], isCanonical: draft.isCanonical };
    text = next;
  }
  // Quotes in quotes in quotes: no client writes that, so nothing is lost.
  return { value: given, changes: [], isCanonical: false };
}

/** The steps 1 to 3 of protocol 2.3, for any text. */
function squeeze(text: string): string {
  return trimWhiteSpace(text).replaceAll(' ', '').toLowerCase();
}

function rewrite(form: ValueForm, given: string, options: CanonicalOptions, note: Note): Draft {
  const change = (text: string, next: string, why: CanonicalChange): string => {
    if (next !== text) note(why);
    return next;
  };
  let text = change(given, given.replace(INVISIBLE, ''), 'invisible-characters');
  text = change(text, text.replace(/\p{White_Space}/gu, ''), 'other-white-space');
  text = change(text, toUnicodeForm(form, text), 'unicode-form');
  const isStrict = form !== 'name' && form !== 'other';
  text = change(text, unquote(text, isStrict), 'text-around-value');
  switch (form) {
    case 'email':
      return rewriteEmail(text, options.mailbox ?? false, change);
    case 'phone':
      return rewritePhone(text, options, change);
    case 'ip':
      return rewriteIp(text, change);
    case 'domain':
      return rewriteDomain(text, change);
    default:
      return { text, isCanonical: text !== '' };
  }
}

type Change = (text: string, next: string, why: CanonicalChange) => string;

/** Returns NFC. Of addresses and numbers, also converts the forms of East Asian keyboards to ASCII. */
function toUnicodeForm(form: ValueForm, text: string): string {
  if (form === 'phone' || form === 'ip') return text.normalize('NFKC').replace(/[\u3002\uff61]/g, '.');
  if (form === 'name' || form === 'other') return text.normalize('NFC');
  return text
    .replace(/[\uff01-\uff5e]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replaceAll('\ufe6b', '@')
    .replace(/[\u3002\uff61]/g, '.')
    .normalize('NFC');
}

const QUOTES: readonly string[] = ['""', "''", '``', '“”', '„“', '„”', '‘’', '‚‘', '«»', '»«', '‹›'];

/** Removes pairs of quotes around a text, and the marks with which a spreadsheet keeps digits as text. */
function unquote(text: string, isStrict: boolean): string {
  let from = /^=["'“]/.test(text) ? 1 : 0;
  let to = text.length;
  while (to - from >= 2 && QUOTES.includes(text.charAt(from) + text.charAt(to - 1))) {
    from++;
    to--;
  }
  if (isStrict) while (from < to && /['’‘`´]/.test(text.charAt(from))) from++;
  return text.slice(from, to);
}

/** `[.]`, `(dot)` and `[at]`: written so that no program makes a link. */
function refang(text: string): string {
  return text
    .replace(/[[({](?:dot|\.)[\])}]/g, '.')
    .replace(/[[({](?:at|@)[\])}]/g, '@')
    .replace(/^hxxp/, 'http');
}

function rewriteEmail(given: string, mailbox: boolean, change: Change): Draft {
  let text = change(given, refang(given), 'defanged');
  if (!text.includes('@')) text = change(text, text.replaceAll('%40', '@'), 'text-around-value');
  text = change(text, bareEmail(text), 'text-around-value');
  text = change(
    text,
    trimWhere(text, (unit) => ',;:'.includes(unit)),
    'final-punctuation',
  );
  text = change(text, withoutTrailing(text, '.,;:'), 'final-punctuation');
  const at = text.lastIndexOf('@');
  let local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (/^"[^"\\@]+"$/.test(local)) local = change(local, local.slice(1, -1), 'text-around-value');
  // Several addresses, or none.
  if (local === '' || /["<>(),;:@\\[\]]/.test(local)) return { text, isCanonical: false };
  let host = readHost(domain);
  if (host === undefined) return { text: `${local}@${domain}`, isCanonical: false };
  if (host !== domain) change(domain, host, 'domain-not-ascii');
  if (mailbox) {
    const isGmail = host === 'gmail.com' || host === 'googlemail.com';
    const tag = local.indexOf('+');
    if (tag > 0) local = change(local, local.slice(0, tag), 'plus-tag');
    if (isGmail) {
      local = change(local, local.replaceAll('.', '') || local, 'gmail-spelling');
      host = change(host, 'gmail.com', 'gmail-spelling');
    }
  }
  return { text: `${local}@${host}`, isCanonical: host.includes('.') };
}

/** Returns the address of `Carl <carl@…>`, `carl@… (Carl)` and `mailto:carl@…?subject=…`. */
function bareEmail(given: string): string {
  let text = given;
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  // Two of them are two addresses.
  if (open >= 0 && close > open && open === text.lastIndexOf('<')) {
    const inside = text.slice(open + 1, close);
    if (inside.includes('@')) text = inside;
  }
  const bare = text.replace(/^(?:(?:mailto|smtp|e-?mail):(?:\/\/)?)+/, '');
  if (bare !== text) text = bare.split('?', 1)[0]!;
  const comment = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  return comment > text.indexOf('@') && text.includes('@') ? text.slice(0, comment) : text;
}

/** Words before an extension. */
const EXTENSIONS =
  'extension extn ext. ext x # ,,, ,, , доб. доб durchwahl dw poste ramal anexo int. int wew. kl.'.split(' ');
/** Countries whose numbers begin with a zero that is part of them. */
const KEEPS_ZERO = /^\+(?:39|378|379|225|242)/;

function rewritePhone(given: string, { country, parsePhone }: CanonicalOptions, change: Change): Draft {
  let text = change(given, given.replace(/\p{Nd}/gu, toAsciiDigit), 'other-digits');
  text = change(text, barePhone(text), 'text-around-value');
  text = change(text, withoutExtension(text), 'phone-extension');
  const number = text.replace(/\((\+\d{1,3})\)/, '$1');
  const isInternational = /^\(?\+/.test(number);
  const isTrunk = isInternational && number.includes('(0)') && !KEEPS_ZERO.test(number);
  const digits = number.replace(isTrunk ? '(0)' : '', '').replace(/[().\-/\u2010-\u2015\u2212~_·•:]/g, '');
  if (!/^\+*\d+$/.test(digits)) return { text, isCanonical: false };
  if (isTrunk) change(text, digits, 'phone-trunk-zero');
  const bare = digits.replace(/^\++/, '+');
  if (bare !== text && text.replace('(0)', '') !== bare) change(text, bare, 'phone-separators');

  const parsed = parsePhone?.(bare, country as never);
  if (parsed !== undefined && parsed.isPossible?.() !== false && /^\+[1-9]\d{3,14}$/.test(parsed.number))
    return { text: change(bare, parsed.number, 'phone-country-code'), isCanonical: true };
  // `001` may also be the prefix of an operator in Asia, and `000` one of East Africa.
  if (/^00[2-9]\d{6,13}$/.test(bare))
    return { text: change(bare, `+${bare.slice(2)}`, 'phone-country-code'), isCanonical: true };
  return { text: bare, isCanonical: /^\+[1-9]\d{5,14}$/.test(bare) };
}

/** Returns the number of `tel:+49-30-1234;ext=5`, and of what spreadsheets and tables of data make of digits. */
function barePhone(given: string): string {
  const link = given.replace(/^(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|api\.whatsapp\.com\/send\?phone=)\+?/, '');
  if (link !== given) return `+${link.split(/[?&]/, 1)[0]}`;
  const named = given.replace(
    /^(?:(?:tel|phone|fon|callto|smsto|sms|mms|mobile|mob|cell|whatsapp|fax|sips?|m|p|t)[:.](?:\/\/)?)+/,
    '',
  );
  const [number = '', ...parameters] = named.split(';');
  const context = parameters.find((one) => /^phone-context=\+\d{1,15}$/.test(one))?.slice('phone-context='.length);
  let text = context === undefined || number.startsWith('+') ? number : context + number;
  const host = text.indexOf('@');
  if (host > 0 && named !== given) text = text.slice(0, host);
  if (/^\+?\d{6,}[.,]0$/.test(text)) text = text.slice(0, -2);
  if (/^\d{1,3}(?:,\d{3}){2,4}$/.test(text)) text = text.replaceAll(',', '');
  return trimWhere(text, (unit) => ',;:.'.includes(unit));
}

/** E.164 numbers have no extension. */
function withoutExtension(text: string): string {
  const end = withoutTrailing(text, '#');
  const before = withoutTrailing(end, '0123456789');
  const length = end.length - before.length;
  if (length === 0 || length > 8) return text;
  const named = withoutTrailing(before, ':=');
  const word = EXTENSIONS.find((one) => named.endsWith(one));
  if (word === undefined) return text;
  const number = named.slice(0, -word.length);
  return number.replace(/\D/g, '').length >= 6 ? withoutTrailing(number, '.,;-/(') : text;
}

function rewriteIp(given: string, change: Change): Draft {
  let text = change(given, refang(given), 'defanged');
  text = change(text, text.replace(/^(?:https?:\/\/|for=|ip:|\/)+/, ''), 'text-around-value');
  text = change(text, unquote(text, true), 'text-around-value');
  text = change(text, bareIp(text), 'ip-port-or-zone');
  text = change(text, text.replace(/^(?:ipv?6:)+/, ''), 'text-around-value');
  if (/^\d{1,3}(?:,\d{1,3}){3}$/.test(text)) text = change(text, text.replaceAll(',', '.'), 'ip-notation');
  const address = readIp(text);
  return address === undefined
    ? { text, isCanonical: false }
    : { text: change(text, address, 'ip-notation'), isCanonical: true };
}

/** Removes brackets, port, zone (RFC 4007), a prefix length of one address, a path and final punctuation. */
function bareIp(given: string): string {
  let text = withoutTrailing(given, '.,;/');
  const bracketed = /^\[([^\][]+)\](?::\d{1,5})?(?:\/.*)?$/s.exec(text);
  if (bracketed) text = bracketed[1]!;
  const zone = text.indexOf('%');
  if (zone > 0 && text.includes(':')) text = text.slice(0, zone);
  text = text.replace(text.includes(':') && !text.includes('.') ? /\/128$/ : /\/(?:32|128)$/, '');
  return /^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text;
}

function rewriteDomain(given: string, change: Change): Draft {
  let text = change(given, refang(given), 'defanged');
  text = change(text, bareHost(text), 'url-parts');
  text = change(text, withoutTrailing(text, ',;'), 'final-punctuation');
  text = change(text, text.length > 1 ? withoutTrailing(text, '.') : text, 'final-punctuation');
  const name = text.replace(/^(?:\*?\.)+/, '');
  const host = readHost(name);
  if (host === undefined) return { text, isCanonical: false };
  change(text, name, 'url-parts');
  if (host !== name) change(name, host, 'domain-not-ascii');
  const hasWww = /^www\.[^.]+\./.test(host);
  return { text: hasWww ? change(host, host.slice(4), 'www') : host, isCanonical: host.includes('.') };
}

/** Returns the host of a URL, of `<https://example.com>`, and of a host with a path or port. */
function bareHost(given: string): string {
  let text = given.startsWith('<') && given.endsWith('>') ? given.slice(1, -1) : given;
  const scheme = /^(?:[a-z][a-z\d+.-]{0,15}:)?\/\//.exec(text);
  if (scheme) text = text.slice(scheme[0].length);
  const end = text.search(/[/?#\\]/);
  if (end >= 0) text = text.slice(0, end);
  if (scheme) text = text.slice(text.lastIndexOf('@') + 1);
  return text.replace(/:\d{1,5}$/, '');
}
