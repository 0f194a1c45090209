import { refuseUnknown, requireFunction, requireString } from '../domain/options.ts';
import { toAsciiDigit } from '../domain/personal-data/spans.ts';
import { withoutTrailing } from '../domain/text.ts';
import { rewritePhone } from './canonical-phone.ts';
import {
  isCountry,
  type CanonicalChange,
  type CanonicalOptions,
  type CanonicalValue,
  type Change,
  type Draft,
} from './canonical-value.ts';
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

type Note = (change: CanonicalChange) => void;

/** Number of times that a value is rewritten at most. Real values need two. */
const MAX_PASSES = 4;
/**
 * More marks in a row than any language has (UAX 15, Stream-Safe Text Format): Unicode forms take quadratic time for
 * them. The two of Katakana are marks in NFKC only.
 */
const PILE = /[\p{M}\uff9e\uff9f]{31}/u;

/** True for a text with a {@link PILE}. */
export function hasPile(text: string): boolean {
  return PILE.test(text);
}

/**
 * Returns a value in the canonical form of its kind, so that one person in two spellings has one hash. This is no part
 * of the protocol: use it for reports and for queries, or for neither. Takes linear time, and never throws for a
 * string. Canonical values do not change again. Throws TypeError for wrong arguments.
 *
 * - `phone`: E.164, with an extension as in RFC 3966 (`;ext=5`). Without `parsePhone`, only numbers with `+` or `00`
 *   get that form.
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
  if (options.country !== undefined && !isCountry(options.country))
    throw new TypeError('"country" expected two letters of ISO 3166-1, such as DE or GB');
  const form = formOfKind(kind);
  const given = squeeze(value);
  const changes = new Set<CanonicalChange>();
  let text = given;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const draft = rewrite(form, text, options, (change) => void changes.add(change));
    if (!draft) break;
    const next = squeeze(draft.text);
    // Only what stands around a value was given.
    if (next === '') break;
    if (next === text) {
      const isCanonical =
        draft.isCanonical && !(form === 'email' && joinsWords(value)) && !(form === 'domain' && joinsHost(value));
      const { doubt } = draft;
      return { value: text, changes: [...changes], isCanonical, ...(doubt !== undefined && { doubt }) };
    }
    text = next;
  }
  // Or quotes in quotes in quotes, or a pile of marks: no client writes that, so nothing is lost.
  return { value: given, changes: [], isCanonical: false };
}

/** The steps 1 to 3 of protocol 2.3, for any text. */
function squeeze(text: string): string {
  return trimWhiteSpace(text).replaceAll(' ', '').toLowerCase();
}

/** Returns what a value becomes; undefined if it has a {@link PILE}. */
function rewrite(form: ValueForm, given: string, options: CanonicalOptions, note: Note): Draft | undefined {
  const change = (text: string, next: string, why: CanonicalChange): string => {
    if (next !== text) note(why);
    return next;
  };
  let text = change(given, given.replace(INVISIBLE, ''), 'invisible-characters');
  text = change(text, text.replace(/\p{White_Space}/gu, ''), 'other-white-space');
  if (hasPile(text)) return undefined;
  text = change(text, toUnicodeForm(form, text), 'unicode-form');
  const isStrict = form !== 'name' && form !== 'other';
  text = change(text, unquote(isStrict ? withoutEntities(text) : text, isStrict), 'text-around-value');
  if (isStrict) {
    text = change(text, text.replace(VCARD, ''), 'text-around-value');
    const bare = trimWhere(text, (unit) => PUNCTUATION.includes(unit));
    text = change(
      text,
      /["”»]/.test(bare.slice(0, -1)) ? bare : withoutTrailing(bare, '"”»!’‘“„´`'),
      'final-punctuation',
    );
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
const PUNCTUATION = '、､،؛।॥¦|▪►→–—「」『』【】〈〉《》';

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

/** Replaces the hyphens and apostrophes that word processors and phones make of those of a keyboard. */
function withPlainMarks(text: string): string {
  return text.replace(/[\u2010-\u2015\u2212\ufe63]/g, '-').replace(/[´‘’]/g, "'");
}

function rewriteEmail(given: string, mailbox: boolean, change: Change): Draft {
  let text = change(given, refang(given), 'defanged');
  text = change(text, text.replace(/(\.[a-z]{2,24})(?:様|殿|さま|さん)$/u, '$1'), 'text-around-value');
  if (!text.includes('@')) text = change(text, text.replaceAll('%40', '@'), 'text-around-value');
  text = change(text, bareEmail(text), 'text-around-value');
  text = change(
    text,
    trimWhere(text, (unit) => ',;:'.includes(unit)),
    'final-punctuation',
  );
  text = change(text, withoutTrailing(text, '.,;:'), 'final-punctuation');
  text = change(text, withPlainMarks(text), 'unicode-form');
  const at = text.lastIndexOf('@');
  const written = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  let local = /^"[^"\\@]+"$/.test(written) ? written.slice(1, -1) : written;
  // Several addresses, or none.
  if (local === '' || /["<>(),;:@\\[\]]/.test(local)) return { text, isCanonical: false };
  change(written, local, 'text-around-value');
  let host = readHost(domain);
  const isClear = host !== undefined && isClearHost(domain, host) && !UNCLEAR_LOCAL.test(local);
  if (host === undefined || !isClear) return { text: `${local}@${domain}`, isCanonical: false };
  if (host !== domain) change(domain, host, 'domain-not-ascii');
  if (mailbox) {
    const isGmail = host === 'gmail.com' || host === 'googlemail.com';
    const tag = local.indexOf('+');
    if (tag > 0 && !RELAYS.test(host) && !DUTIES.has(local.slice(0, tag)))
      local = change(local, local.slice(0, tag), 'plus-tag');
    if (isGmail) {
      local = change(local, local.replaceAll('.', '') || local, 'gmail-spelling');
      host = change(host, 'gmail.com', 'gmail-spelling');
    }
  }
  return { text: `${local}@${host}`, isCanonical: host.includes('.') };
}

/** Signs in which another address may be, or that stand before one, and an `i` that lost its case in Turkish. */
const UNCLEAR_LOCAL = /[=%#$\p{So}\u2022]|i\u0307/u;

/**
 * Returns false for a host that is likely another one: with an `ı` of a Turkish keyboard among letters of ASCII, with a
 * top-level name in two scripts, or with other signs. `host` is `written` as in the DNS.
 */
function isClearHost(written: string, host: string): boolean {
  const top = written.slice(written.lastIndexOf('.') + 1);
  const isMixed = /[a-z]/.test(top) && /[^\p{sc=Latn}\p{M}\d-]/u.test(top);
  const ascii = written.replace(/\u0131|i\u0307/g, '');
  return /^[a-z\d._-]+$/.test(host) && !isMixed && (ascii === written || !/^[ -~]*$/.test(ascii));
}

/** Hosts at which the part after `+` is the person: marketplaces, help desks and addresses for replies. */
const RELAYS =
  /(?:^|\.)(?:trendyolmail|zendesk|freshdesk|shopifyemail|intercom-mail|helpscout|gorgias)\.(?:com|net|io)$|^(?:reply|replies|inbound|bounces?|mailer|tickets?|parse)\.[^.]+\.[^.]/;
/** Boxes of a duty: the part after `+` is a case or a person. */
const DUTIES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'support info sales service contact kontakt help helpdesk hello hallo office admin team billing invoice invoices ' +
    'accounts order orders bestellung shop store reply replies case cases ticket tickets returns feedback inbox ' +
    'customerservice kundenservice'
  ).split(' '),
);

/** Returns true if removing the white space of a host joins words, as in `shop.example - Shop`. */
function joinsHost(given: string): boolean {
  const [host = ''] = trimWhiteSpace(given)
    .replace(/^[a-z]{2,8}:\/\/\s*/i, '')
    .split(/[/?#]/, 1);
  return /[^\s.:@,;<("'][\p{White_Space}]+[^\s.:@,;>)"']/u.test(trimWhiteSpace(host));
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

function rewriteIp(given: string, change: Change): Draft {
  let text = change(given, given.replace(/\p{Nd}/gu, toAsciiDigit), 'other-digits');
  text = change(text, refang(text), 'defanged');
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
  text = change(text, withPlainMarks(text), 'unicode-form');
  const name = text.replace(/^(?:\*?\.)+/, '');
  const host = readHost(name);
  if (host === undefined || !isClearHost(name, host)) return { text, isCanonical: false };
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
