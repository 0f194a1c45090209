import { toAsciiDigit } from '../domain/personal-data/spans.ts';
import { refuseUnknown, requireFunction, requireString } from '../domain/options.ts';
import { withoutTrailing } from '../domain/text.ts';
import { trimWhere, trimWhiteSpace } from './normalise.ts';
import {
  formOfKind,
  hasUnclearZeros,
  INVISIBLE,
  isLiteral,
  isNetwork,
  readHost,
  readIp,
  withoutEntities,
  type ValueForm,
} from './value-form.ts';

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

/** Why a value has no canonical form, where its text does not show it. */
export type CanonicalDoubt = 'unclear-zeros' | 'two-readings' | 'unused-number' | 'wrong-length';

/** A value in the canonical form of its kind. */
export interface CanonicalValue {
  /** Normalised too (protocol 2.3). Empty only if the normalised value is. */
  readonly value: string;
  /** What was changed beyond protocol 2.3, each once, in order. */
  readonly changes: readonly CanonicalChange[];
  /** False if the value did not become an address of its kind, for example a phone number without a country code. */
  readonly isCanonical: boolean;
  /**
   * Why it is not canonical, if its text does not show it. `unclear-zeros`: parts of an IP address may be decimal or
   * octal. `two-readings`: digits may be a national number or one of another country. `unused-number`: its country does
   * not give out such numbers. `wrong-length`: its country has no numbers of this length.
   */
  readonly doubt?: CanonicalDoubt;
}

/**
 * Reads a phone number, and returns undefined if the text is none. The default export of `libphonenumber-js` is such a
 * function. Its second argument is a code of ISO 3166-1 such as `DE`; libraries give it types of their own.
 */
export type ParsePhone = (text: string, country?: never) => ParsedPhone | undefined;

/** A number that was read. Without the optional parts, every number is taken for valid. */
export interface ParsedPhone {
  /** In E.164, as in `+4930901820`. */
  readonly number: string;
  /** The number's country calling code, without `+`. */
  readonly countryCallingCode?: string;
  /** Returns true if the number has a length that its country has. */
  isPossible?(): boolean;
  /** Returns true if its country gives out such numbers. */
  isValid?(): boolean;
  /** Returns the number as it is written inside its country. */
  formatNational?(): string;
}

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
  readonly doubt?: CanonicalDoubt;
}

type Note = (change: CanonicalChange) => void;

/** Number of times that a value is rewritten at most. Real values need two. */
const MAX_PASSES = 4;

/**
 * Returns a value in the canonical form of its kind, so that one person in two spellings has one hash. This is no part
 * of the protocol: use it for reports and for queries, or for neither. Takes linear time, and never throws for a
 * string. Canonical values do not change again. Throws TypeError for wrong arguments.
 *
 * - `phone`: E.164. Without `parsePhone`, only numbers with `+` or `00` get that form.
 * - `email`: `local@domain`, the domain in ASCII.
 * - `ip`: four decimal numbers, or RFC 5952. `domain`: ASCII, the host only.
 * - Any other kind: Unicode form NFC, without invisible characters.
 */
export function canonicalise(kind: string, value: string, options: CanonicalOptions = {}): CanonicalValue {
  requireString('kind', kind);
  requireString('value', value);
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
    // Only what stands around a value was given.
    if (next === '') break;
    if (next === text) {
      const isCanonical = draft.isCanonical && !(form === 'email' && joinsWords(value));
      const { doubt } = draft;
      return { value: text, changes: [...changes], isCanonical, ...(doubt !== undefined && { doubt }) };
    }
    text = next;
  }
  // Or quotes in quotes in quotes: no client writes that, so nothing is lost.
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
  text = change(text, unquote(isStrict ? withoutEntities(text) : text, isStrict), 'text-around-value');
  if (isStrict) {
    text = change(text, text.replace(VCARD, ''), 'text-around-value');
    const bare = trimWhere(text, (unit) => PUNCTUATION.includes(unit));
    text = change(text, /["”»]/.test(bare.slice(0, -1)) ? bare : withoutTrailing(bare, '"”»!'), 'final-punctuation');
  }
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

/** Marks between the values of a list, and of a table in text. No value begins or ends with them. */
const PUNCTUATION = '、､،؛।॥¦|▪►→';

/** What stands before a value in a line of a vCard, as in `item1.TEL;TYPE=CELL:`. */
const VCARD = /^(?:[a-z\d-]{1,20}\.(?:tel|email|url)(?:;[^:]{1,200})?|(?:tel|email|url);[^:]{1,200}):/;

/**
 * Removes pairs of quotes around a text, also those of Python (`b'…'`), and the marks with which a spreadsheet keeps
 * digits as text.
 */
function unquote(text: string, isStrict: boolean): string {
  let from = /^=["'“]/.test(text) || (isStrict && isLiteral(text)) ? 1 : 0;
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
  const written = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  let local = /^"[^"\\@]+"$/.test(written) ? written.slice(1, -1) : written;
  // Several addresses, or none.
  if (local === '' || /["<>(),;:@\\[\]]/.test(local)) return { text, isCanonical: false };
  change(written, local, 'text-around-value');
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

/**
 * Returns true if removing the white space of an email joins words, as in `Carl Ford carl@…`. A name may stand before
 * angle brackets or behind the address in round ones.
 */
function joinsWords(given: string): boolean {
  const written = trimWhiteSpace(withoutEntities(given.replace(INVISIBLE, '')));
  let text = /<([^<>@]*@[^<>]*)>/.exec(written)?.[1] ?? /\]\(([^()]*)\)$/.exec(written)?.[1] ?? written;
  if (text.endsWith(')') && text.lastIndexOf('(') > text.indexOf('@') && text.includes('@'))
    text = text.slice(0, text.lastIndexOf('('));
  let hasAt = false;
  const words = trimWhiteSpace(text).split(/\p{White_Space}+/u);
  return words.some((word, at) => {
    if (at === 0) return false;
    const before = words[at - 1]!;
    hasAt ||= before.includes('@');
    return hasAt
      ? /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(word)
      : !/[:@\])}]$/.test(before) && !/^[@[({]/.test(word);
  });
}

/** Returns the address of `Carl <carl@…>`, `carl@… (Carl)`, `[Carl](mailto:carl@…)` and `mailto:carl@…?subject=…`. */
function bareEmail(given: string): string {
  let text = /^\[[^\][]*\]\(([^()]*)\)$/.exec(given)?.[1] ?? given;
  if (/^[[({]/.test(text) && /[\])}]$/.test(text) && text.includes('@')) text = text.slice(1, -1);
  // Half of a pair.
  if (text.endsWith('>') && !text.includes('<')) text = withoutTrailing(text, '>');
  if (text.startsWith('<') && !text.includes('>')) text = text.slice(1);
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  // Two of them are two addresses.
  if (open >= 0 && close > open && open === text.lastIndexOf('<')) {
    const inside = text.slice(open + 1, close);
    if (inside.includes('@') && !text.slice(close).includes('@')) text = inside;
  }
  const bare = text.replace(/^(?:(?:mailto|smtp|e-?mail):(?:\/\/)?)+/, '');
  if (bare !== text) text = bare.split('?', 1)[0]!;
  const comment = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  return comment > text.indexOf('@') && text.includes('@') ? text.slice(0, comment) : text;
}

/** Words before an extension. */
const EXTENSIONS =
  'extension extn ext. ext app. app apparat nst. nst klappe kl toestel interno interne x # ,,, ,, , доб. доб durchwahl dw poste ramal anexo int. int wew. kl.'.split(
    ' ',
  );
/** Countries whose numbers begin with a zero that is part of them. */
const KEEPS_ZERO = /^\+(?:39|378|379|225|242)/;
/** A country code, and a zero with which national numbers begin there. */
const TRUNK_ZERO =
  /^(\+(?:2[07]|3[123]|4[013469]|5[1458]|6[0-46]|8[1246]|9[0-58]|35[3589]|38[0-25-7]|97[127]|99[456]))0(?=[1-9])/;
/** A country code and a zero with which no number begins there. */
const HAS_TRUNK_ZERO =
  /^\+(?:2[07]|3[0-46]|4[013-9]|5[1-8]|6[0-6]|7|8[1246]|9[0-58]|35[1-9]|38[0-25-7]|97[1-7]|99[2-68])0/;

function rewritePhone(given: string, { country, parsePhone }: CanonicalOptions, change: Change): Draft {
  let text = change(given, given.replace(/\p{Nd}/gu, toAsciiDigit), 'other-digits');
  text = change(text, barePhone(text), 'text-around-value');
  text = change(text, withoutExtension(text), 'phone-extension');
  const number = text.replace(/[[(](\+\d{1,3})[\])]/, '$1');
  const isInternational = /^\(?\+/.test(number);
  const isTrunk = isInternational && number.includes('(0)') && !KEEPS_ZERO.test(number);
  const digits = number.replace(isTrunk ? '(0)' : '', '').replace(/[().\-/\u2010-\u2015\u2212~_·•:]/g, '');
  if (!/^\+*\d+$/.test(digits)) return { text, isCanonical: false };
  if (isTrunk) change(text, digits, 'phone-trunk-zero');
  const bare = digits.replace(/^\++/, '+');
  if (bare !== text && text.replace('(0)', '') !== bare) change(text, bare, 'phone-separators');

  const bareNumber = change(bare, bare.replace(TRUNK_ZERO, '$1'), 'phone-trunk-zero');
  const parsed = parsePhone && readPhone(bareNumber, country, parsePhone);
  if (parsed) return { ...parsed, text: change(bareNumber, parsed.text, 'phone-country-code') };
  // `001` may also be the prefix of an operator in Asia, and `000` one of East Africa.
  const full = /^00[2-9]\d{6,13}$/.test(bareNumber) ? `+${bareNumber.slice(2)}` : bareNumber;
  text = change(bareNumber, full, 'phone-country-code');
  text = change(text, text.replace(TRUNK_ZERO, '$1'), 'phone-trunk-zero');
  const isShaped = /^\+[1-9]\d{5,14}$/.test(text) && !HAS_TRUNK_ZERO.test(text);
  if (isShaped && WRONG_LENGTH.test(text)) return { text, isCanonical: false, doubt: 'wrong-length' };
  // The library knows no such number.
  if (isShaped && parsePhone !== undefined) return { text, isCanonical: false, doubt: 'unused-number' };
  return { text, isCanonical: isShaped };
}

/**
 * Lengths that no number has: in North America and Russia, all have ten digits behind the code. Mexico and Brazil are
 * not all: behind +521 stood ten digits until 2019.
 */
const WRONG_LENGTH = /^\+(?:[17](?!\d{10}$)|521\d{10}$)/;

const E164 = /^\+[1-9]\d{3,14}$/;

/**
 * Returns the number in E.164 with a library. Digits without `+` may be a national number, or an international one that
 * has lost its `+`. Where both are likely, the number stays as it is. Returns undefined for no number.
 */
function readPhone(bare: string, country: string | undefined, parsePhone: ParsePhone): Draft | undefined {
  const national = parsePhone(bare, country as never);
  // In some countries `00` also begins the code of an operator.
  const abroad = /^00[1-9]/.test(bare) ? parsePhone(`+${bare.slice(2)}`) : undefined;
  if (abroad?.isValid?.() === true && national?.number !== abroad.number)
    return national?.isValid?.() === true
      ? { text: bare, isCanonical: false, doubt: 'two-readings' }
      : { text: abroad.number, isCanonical: true };
  if (national === undefined || !E164.test(national.number)) return undefined;
  const isPossible = national.isPossible?.() !== false;
  const written = `+${bare}`;
  const unsure = (doubt: CanonicalDoubt): Draft => ({ text: bare, isCanonical: false, doubt });
  const own: Draft =
    national.isValid?.() === false ? unsure('unused-number') : { text: national.number, isCanonical: true };
  if (/^[+0]/.test(bare) || national.number === written) return isPossible ? own : unsure('wrong-length');
  const international = parsePhone(written);
  const isInternational = international?.number === written && international.isValid?.() === true;
  if (bare.startsWith(national.countryCallingCode ?? '+')) {
    const isNational = isPossible && national.isValid?.() !== false;
    if (isNational === isInternational) return unsure(isNational ? 'two-readings' : 'unused-number');
    return isNational ? own : { text: written, isCanonical: true };
  }
  // Long digits without the zero that a national number has, and with the code of another country. Those that begin
  // with 1 or 8 are often mobile numbers whose zero a spreadsheet dropped.
  const isForeign = isInternational && /^(?:[18]\d|[2-79])\d{10}/.test(bare) && national.formatNational?.()[0] === '0';
  if (isForeign) return unsure('two-readings');
  return isPossible ? own : unsure('wrong-length');
}

/** Returns the number of `tel:+49-30-1234;ext=5`, and of what spreadsheets and tables of data make of digits. */
function barePhone(given: string): string {
  const decoded = given.replace(/%(?:2[b89df]|20)/g, (code) => decodeURIComponent(code)).replace(/^\++/, '+');
  const link = decoded.replace(/^(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|api\.whatsapp\.com\/send\?phone=)\+?/, '');
  if (link !== decoded) return `+${link.split(/[?&]/, 1)[0]}`;
  const named = decoded.replace(
    /^(?:(?:home|work|office|privat|büro|buero|mobil|handy|telefon|telephone|tel|phone|fon|callto|smsto|sms|mms|mobile|mob|cell|whatsapp|fax|sips?|m|p|t)[:.](?:\/\/)?)+/,
    '',
  );
  const [number = '', ...parameters] = withoutTrailing(named, ';').split(';');
  // A word is no number, and two numbers are none.
  if (parameters.length > 0 && (!/\d/.test(number) || parameters.some(isOtherNumber))) return named;
  const context = parameters.find((one) => /^phone-context=\+\d{1,15}$/.test(one))?.slice('phone-context='.length);
  let text = context === undefined || number.startsWith('+') ? number : context + number;
  const host = text.indexOf('@');
  // A name at a server of calls is a person only with its server.
  if (host > 0 && named !== decoded && !/^\+?\d[\d().-]*$/.test(text.slice(0, host))) return decoded;
  if (host > 0 && named !== decoded) text = text.slice(0, host);
  // A word about the number: `(home)`.
  const note = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  if (note > 6 && /^\([\p{L}.]{1,20}\)$/u.test(text.slice(note))) text = text.slice(0, note);
  if (/^\+?\d{6,}[.,]0{1,10}$/.test(text)) text = text.replace(/[.,]0+$/, '');
  if (/^\d{1,3}(?:,\d{3}){2,4}$/.test(text)) text = text.replaceAll(',', '');
  return trimWhere(text, (unit) => ',;:.'.includes(unit));
}

/** Returns true for digits that are neither a parameter of RFC 3966, such as `ext=5`, nor an extension. */
function isOtherNumber(parameter: string): boolean {
  return !/^[a-z][a-z-]{1,20}=/.test(parameter) && parameter.replace(/\D/g, '').length > 5;
}

/** E.164 numbers have no extension. */
function withoutExtension(text: string): string {
  const end = withoutTrailing(text, text.includes('(') ? '#)' : '#');
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
  text = change(text, text.replace(/%5b/g, '[').replace(/%5d/g, ']').replace(/%3a/g, ':'), 'text-around-value');
  text = change(text, text.replace(/^(?:[a-z]{2,6}:\/\/|for=|ip(?:v?[46])?:|\/)+/, ''), 'text-around-value');
  text = change(text, unquote(text, true), 'text-around-value');
  text = change(text, text.replace(/^[(<]([^()<>]*)[)>]$/, '$1'), 'text-around-value');
  text = change(text, bareIp(text), 'ip-port-or-zone');
  text = change(text, text.replace(/^(?:ipv?6:)+/, ''), 'text-around-value');
  if (/^\d{1,3}(?:,\d{1,3}){3}$/.test(text)) text = change(text, text.replaceAll(',', '.'), 'ip-notation');
  const address = readIp(text);
  if (hasUnclearZeros(text)) return { text, isCanonical: false, doubt: 'unclear-zeros' };
  return address === undefined
    ? { text, isCanonical: false }
    : { text: change(text, address, 'ip-notation'), isCanonical: true };
}

/** Removes brackets, port, zone (RFC 4007), a prefix length of one address, a path and final punctuation. */
function bareIp(given: string): string {
  let text = withoutTrailing(given, '.,;/');
  const bracketed = /^\[([^\][]+)\](?::\d{1,5})?(\/.*)?$/s.exec(text);
  if (bracketed) text = bracketed[1]! + (/^\/\d{1,3}$/.exec(bracketed[2] ?? '')?.[0] ?? '');
  const zone = text.indexOf('%');
  if (zone > 0 && text.includes(':')) text = text.slice(0, zone);
  text = text.replace(text.includes(':') && !text.includes('.') ? /\/128$/ : /\/(?:32|128)$/, '');
  text = withoutPrefixLength(text);
  // A path, then a port; dig writes `#53`.
  return text.replace(/^([\d.]+(?::\d{1,5})?)\/(?!\d{1,3}$).*$/s, '$1').replace(/^([\d.]+)[:#]\d{1,5}$/, '$1');
}

/** Removes the length of the network's prefix after an address in it, as in `11.22.33.44/24`. A network has no host. */
function withoutPrefixLength(text: string): string {
  const slash = text.indexOf('/');
  return slash > 0 && isNetwork(text) === false ? text.slice(0, slash) : text;
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
  const hasWww = /^www\.[^.]+\./.test(host) && !/^www\.(?:com?|ac|org?|net?|gov?|gob|edu|mil)\.[a-z]{2}$/.test(host);
  return { text: hasWww ? change(host, host.slice(4), 'www') : host, isCanonical: host.includes('.') };
}

/** Returns the host of a URL, of `<https://example.com>`, and of a host with a path or port. */
function bareHost(given: string): string {
  let text = /^\[[^\][]*\]\(([^()]*)\)$/.exec(given)?.[1] ?? given;
  if (text.endsWith('>')) text = withoutTrailing(text, '>').replace(/^</, '');
  const scheme = /^(?:https?(?::\/{0,3}|\/\/)|mailto:|(?:[a-z][a-z\d+.-]{0,15}:)?\/\/)/.exec(text);
  if (scheme) text = text.slice(scheme[0].length);
  const end = text.search(/[/?#\\]/);
  if (end >= 0) text = text.slice(0, end);
  // The user of a URL, and the local part of an email.
  text = text.slice(text.lastIndexOf('@') + 1);
  return text.replace(/:\d{1,5}$/, '');
}
