import { requireString } from '../domain/options.ts';
import { withoutTrailing } from '../domain/text.ts';
import { canonicalise } from './canonicalise.ts';
import { isDestroyed, MISSING_CELL } from './damaged-value.ts';
import { whyNotIp } from './nobodys-address.ts';
import { formOfKind, guessForm, INVISIBLE, readHost, readIp, withoutEntities, type ValueForm } from './value-form.ts';
import type { IsHost } from './platforms.ts';
import { trimWhiteSpace } from './normalise.ts';
import {
  ANY_DOMAIN,
  CARD_KIND,
  DIGIT_ROWS,
  ERASED,
  EVERYBODYS_TAX,
  FILLED_IN,
  FILLERS,
  GIVEN,
  isMailProvider,
  keyOf,
  LONG,
  NAMES,
  NO_DEVICE,
  NO_EMAIL,
  NO_READER,
  NO_TOP_LEVEL,
  OWNERS,
  PROVIDER_FILLERS,
  ROLES,
  SHORT,
  TAX_KIND,
  TILLS,
  TOOL_WORDS,
  YES,
} from './words-for-no-value.ts';

/**
 * Why a value identifies no one. `placeholder`: it stands for no value. `destroyed`: a spreadsheet or another program
 * has damaged it. `nobody`: it is an address, but of no person. `hash`: it is a hash already.
 */
export type NotIdentifier = 'placeholder' | 'destroyed' | 'nobody' | 'hash';

/** The reasons in words, after "it". */
export const NOT_IDENTIFIER: Readonly<Record<NotIdentifier, string>> = {
  placeholder: 'stands for no value',
  destroyed: 'was damaged by a program',
  nobody: 'names no person',
  hash: 'is a hash already',
};

/** Longest value that is looked at, in UTF-16 units. A longer one is neither a word nor an address. */
const LONGEST = 1024;

/**
 * Returns why a value of this kind is no identifier of a person, as `whyNotIdentifier` of redflag/canonical does.
 * `isSharedHost` knows the hosts that many people share, beyond the most used providers of mail. That list is long,
 * and pages load it late.
 */
export function reasonAgainst(
  kind: string | undefined,
  value: string,
  isSharedHost: IsHost,
): NotIdentifier | undefined {
  if (kind !== undefined) requireString('kind', kind);
  requireString('value', value);
  if (value.length > LONGEST) return value.includes('\ufffd') ? 'destroyed' : undefined;
  const named = kind === undefined ? 'other' : formOfKind(kind);
  // Some systems have emails as names of users.
  const guessed = named === 'other' || (named === 'name' && EMAIL.test(value)) ? guessForm(value) : named;
  // A card, not a number with too many digits.
  const isLong = kind !== undefined && named === 'other' && guessed === 'phone' && value.replace(/\D/g, '').length > 15;
  const form = isLong ? 'other' : guessed;
  const written = trimWhiteSpace(isAscii(value) ? value : value.normalize('NFKC').replace(INVISIBLE, ''));
  const text = written.replaceAll(' ', '').toLowerCase();
  // An empty value is not left out: it is empty already.
  if (value.trim() === '') return undefined;
  const isLogin = kind !== undefined && named === 'name' && /user|login|nick/i.test(kind);
  if (named !== 'other' && !isLogin && HASH.test(text) && !isNothing(form, text)) return 'hash';
  const key = keyOf(text);
  if (isLogin && NO_LOGIN.test(key)) return 'placeholder';
  if (kind !== undefined && TAX_KIND.test(kind) && EVERYBODYS_TAX.some((one) => one.test(key))) return 'nobody';
  if (kind !== undefined && CARD_KIND.test(kind) && /^[\d/-]{1,11}$/.test(text)) return 'nobody';
  const reason =
    judge(form, value, written, text, isSharedHost) ??
    (named === 'phone' && isPartOfPhone(text) ? 'nobody' : undefined);
  if (reason !== undefined || PLAIN[form].test(text)) return reason;
  // What stands around a value hides it from the rules.
  const bare = canonicalise(form, value).value;
  return bare === text ? undefined : judge(form, bare, bare, bare, isSharedHost);
}

const EMAIL = /^[^@\s]+@[^@\s.]+\.[^@\s]+$/;
/** MD5, SHA-1 (also that of the protocol) and SHA-256. */
const HASH = /^(?=.*[a-f])(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/;
/** Words for no value that are no names of users, though some are names of people. */
const NO_LOGIN = /^(?:none|null|array|unset|hidden|notset)$/;

/** Values that canonicalising does not change much. Most are, and this is faster. */
const PLAIN: Readonly<Record<ValueForm, RegExp>> = {
  email: /^[a-z\d][\w.+-]*@[a-z\d.-]+[a-z]$/,
  phone: /^\+?[1-9][\d().-]*$/,
  ip: /^(?:[\d.]+|[\da-f:]+)$/,
  domain: /^[a-z\d][a-z\d.-]*[a-z]$/,
  name: /^/,
  other: /^/,
};

function judge(
  form: ValueForm,
  raw: string,
  written: string,
  text: string,
  isSharedHost: IsHost,
): NotIdentifier | undefined {
  if (isDestroyed(form, raw, text)) return 'destroyed';
  return isNothing(form, text) || isWords(form, written) ? 'placeholder' : whyNot(form, written, text, isSharedHost);
}

/** Without control characters. */
function isAscii(value: string): boolean {
  return /^[\t-\r -~]*$/.test(value);
}

function whyNot(form: ValueForm, written: string, text: string, isSharedHost: IsHost): NotIdentifier | undefined {
  switch (form) {
    case 'email':
      return isSeveralEmails(written.toLowerCase()) ? 'nobody' : whyNotEmail(text);
    case 'phone':
      if (isNoPhone(text)) return 'placeholder';
      return isSeveralPhones(written) ? 'nobody' : undefined;
    case 'ip':
      return whyNotIp(text);
    case 'domain':
      return isSeveralHosts(written.toLowerCase()) ? 'nobody' : whyNotDomain(text, isSharedHost);
    case 'name':
      return isNoName(written.replace(/^"(.*)"$/s, '$1')) ? 'placeholder' : undefined;
    default:
      if (/^\p{Lu}\p{Ll}+$/u.test(written) && GIVEN.has(keyOf(text))) return undefined;
      return isWord(text) ? 'placeholder' : undefined;
  }
}

/** Returns true for several addresses. One may have itself as its name: `carl@… <carl@…>`. */
function isSeveralEmails(text: string): boolean {
  const parts = text.split(/[\s\u0085,;|/&]+/).filter((part) => /^<?[^@<(?]+@[^@?]+\.[^@?.]+$/.test(part));
  return new Set(parts.map((part) => part.replace(/[<>'"]/g, ''))).size > 1;
}

/** Returns true for several hosts. */
function isSeveralHosts(text: string): boolean {
  const parts = text
    .split(/[\s,;|]+/)
    .map((part) => part.replace(/^(?:https?:\/\/)?(?:www\.)?/, '').split(/[/?#:]/, 1)[0]!);
  return new Set(parts.filter((part) => /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,24}$/u.test(part))).size > 1;
}

/**
 * Returns true for several numbers. Two commas are a pause before an extension, and a slash may stand behind an area:
 * a part has more than six digits behind its country code.
 */
function isSeveralPhones(text: string): boolean {
  const parts = text.split(/[;/|&\r\n\t]|(?<!,),(?!,)|\s(?:or|and|oder|und|ou|et|o|y|e)\s|(?=\+)/i);
  const digitsOf = (part: string): string => part.replace(/^\s*\(?(?:\+|00)\s?[2-9]\d/, '').replace(/\P{Nd}/gu, '');
  return parts.filter((part) => !/[=#]/.test(part) && digitsOf(part).length > 6).length > 1;
}

/** The day that databases and languages write for none, with a time or without. */
const NO_DAY =
  /^(?:(?:0000([-/.])00\1|0001([-/.])0?1\2)0?[01]|00([-/.])00\3(?:00)?00|0?1([-/.])0?1\4(?:00)?01)(?:[t,]?\d{1,2}:.{0,24})?$/;

/** Returns true for text without letters and digits, for a zero, and for what templates and languages leave behind. */
function isNothing(form: ValueForm, text: string): boolean {
  if (!/[\p{L}\p{N}\p{So}]/u.test(text)) return form !== 'ip' || !text.includes('::');
  if (/^[+-]?0+(?:[.,]0+)?$|^-1(?:\.0)?$|^0x0+$/.test(text)) return true;
  if (NO_DAY.test(text) || MISSING_CELL.test(text) || /^\\+n$/.test(text)) return true;
  return NO_DEVICE.some((one) => one.test(text)) || isTemplate(text);
}

const BRACKETS: readonly string[] = ['()', '[]', '{}', '<>', '«»', '%%', '__', '||', '（）', '【】', '「」'];

/** Returns true for `{{email}}`, `%EMAIL%`, `[object Object]`, `<redacted>` and other text that should be replaced. */
function isTemplate(text: string): boolean {
  if (/\{\{|\}\}|[$#]\{|<%|%>|\*\||\{%|\[\[/.test(text)) return true;
  if (/^#<|^(?:function\b.*|\[email.protected\])$/.test(text) || PRINTED.some((one) => one.test(text))) return true;
  if (FIELD.test(text)) return true;
  // An address or number in brackets is a value.
  return (
    text.length > 2 && BRACKETS.includes(text.charAt(0) + text.charAt(text.length - 1)) && !/[@\d]|:\/\//.test(text)
  );
}

/** The place of a value in a text: `%s`, `%(name)s`, `{0}`, `##name##`, `$name`. */
const FIELD =
  /^(?:%(?:\(\w{1,40}\))?[sd]|\{\d\}|(##|[-@])(?:first|last|user)?(?:name|email|phone)\1|\$(?:first|last|user)?(?:name|email|phone))$/;

/** What languages print for an object or for nothing: .NET, Java, Go, Perl, Python, C, JavaScript and Razor. */
const PRINTED: readonly RegExp[] = [
  /^(?:system\.[a-z.]+(?:`\d.*|\[.*\])?|(?:class)?java\.[a-z.]+(?:@[\da-f]+)?|\[+(?:l[a-z.$]+;|[a-z])@[\da-f]+|%![a-z]\(.*\))$/,
  /^(?:(?:hash|array|code|scalar|ref|glob)\(0x[\da-f]+\)|<.*at0x[\da-f]+>|[+-]?1\.#(?:[qs]?nan|ind|inf)\d*)$/,
  /^(?:[a-z]\w*\.){2,9}[a-z]\w*@[\da-f]{5,8}$|^map\[.*\]$/,
  /^(?:void0|optional\.empty|@(?:model|viewbag|viewdata|html)\.[a-z.]+)$/,
];

const DOCUMENTATION: readonly string[] = ['example.com', 'example.net', 'example.org', 'example.edu'];

function isWord(text: string): boolean {
  const key = keyOf(text);
  return SHORT.has(text) || LONG.has(key) || YES.has(key);
}

/** Returns true for a text that is no name. Longer words for no value are no name in any spelling; `Null` is one. */
function isNoName(text: string): boolean {
  const key = keyOf(text.toLowerCase());
  return [text, text.replaceAll(' ', '')].some((one) => TOOL_WORDS.has(one)) || (key.length > 8 && LONG.has(key));
}

/** Returns true for several words for no value, such as `null,null`. */
function isWords(form: ValueForm, written: string): boolean {
  return [/[,;|\s]+/, /\//].some((between) => {
    const words = written.split(between);
    const isNo = (word: string): boolean =>
      form !== 'name' && isWord(word.toLowerCase()) && !NAMES.has(keyOf(word.toLowerCase()));
    return words.length > 1 && words.every((word) => TOOL_WORDS.has(word) || isNo(word));
  });
}

/** Returns true for a text that stands for no value in any column, such as `NULL`, `k.A.` and `0000-00-00`. */
export function isNoValue(value: string): boolean {
  if (value.length > LONGEST) return false;
  const text = trimWhiteSpace(value).replaceAll(' ', '').toLowerCase();
  return isNothing('other', text) || isWord(text);
}

/** A text of one character, such as `aaa`. */
function isOneCharacter(text: string): boolean {
  return text.replaceAll(text.charAt(0), '') === '';
}

function whyNotEmail(given: string): NotIdentifier | undefined {
  const text = withoutEntities(given)
    .replaceAll('%40', '@')
    .replace(/[[({](?:at|@)[\])}]/g, '@');
  const at = text.lastIndexOf('@');
  const local = localPart(text.slice(0, Math.max(at, 0)));
  const domain = withoutTrailing(text.slice(at + 1), `>)'",;.`);
  if (local === '' || domain === '') return 'placeholder';
  const key = keyOf(local);
  const word = withoutTrailing(key, '0123456789');
  if (NO_EMAIL.has(word) || ERASED.test(local) || FILLED_IN.has(`${local}@${domain}`)) return 'placeholder';
  const isProvider = isMailProvider(domain);
  if (ROLES.has(local)) return 'nobody';
  if (
    NO_READER.has(word) ||
    /noreply|donotreply|^bounces?[-_.=].*[\d=]|^(?:srs[01]|(?:ms)?prvs\d?|btv1=)=/.test(local + key)
  )
    return 'nobody';
  const [label = ''] = domain.split('.', 1);
  const first = keyOf(label);
  if (NO_EMAIL.has(first)) return 'placeholder';
  const isDocumentation = DOCUMENTATION.includes(domain);
  // `nicht@vorhanden.de` and `john@doe.com`.
  const whole = key + first;
  if (!isDocumentation && whole.length > 5 && (NO_EMAIL.has(whole) || LONG.has(whole) || FILLERS.has(whole)))
    return 'placeholder';
  const isNoValue = key === '' || SHORT.has(key) || LONG.has(key);
  const isFiller =
    (isNoValue && !(key === first ? OWNERS : NAMES).has(key)) || FILLERS.has(key) || isOneCharacter(local);
  if (isFiller && !isDocumentation && (key === first || ANY_DOMAIN.has(first))) return 'placeholder';
  // Documents use test@example.com and nobody@example.org for people.
  if (isDocumentation && /^(?:none|null|undefined|nan|na|unknown)$/.test(key)) return 'placeholder';
  const isTyped = (isNoValue && !NAMES.has(key)) || PROVIDER_FILLERS.has(key);
  // Providers give out no names of one letter, and none of their own.
  const isImpossible = local.length === 1 || key === first || (local.length > 5 && DIGIT_ROWS.includes(local));
  if ((isTyped || isImpossible) && isProvider) return 'placeholder';
  if (TILLS.has(local.replace(/[-_.]?\d{1,3}$/, '')) && !isProvider && key !== first) return 'nobody';
  if (domain.startsWith('[')) return undefined;
  return isNobodysHost(domain) ? 'nobody' : undefined;
}

/** Returns a local part without a name, a quote or `mailto:` before it, and without its tag. */
function localPart(text: string): string {
  const start = Math.max(
    text.lastIndexOf('<'),
    text.lastIndexOf(':'),
    text.lastIndexOf('"') === text.length - 1 ? -1 : text.lastIndexOf('"'),
  );
  const bare = text.slice(start + 1).replace(/^['"]|["']$/g, '');
  const tag = bare.indexOf('+');
  return tag > 0 ? bare.slice(0, tag) : bare;
}

/** Returns true for a host outside the public DNS. `.example` is for documents, which use it for people too. */
function isNobodysHost(text: string): boolean {
  const host = readHost(text);
  if (host === undefined) return false;
  if (/^[\d.]+$/.test(host)) return whyNotIp(host) !== undefined;
  const top = host.slice(host.lastIndexOf('.') + 1);
  return !host.includes('.') || NO_TOP_LEVEL.has(top) || top.length < 2;
}

function whyNotDomain(given: string, isSharedHost: IsHost): NotIdentifier | undefined {
  const scheme = /^<?(?:https?(?::\/{0,3}|\/\/)|mailto:|(?:[a-z][a-z\d+.-]{0,15}:)?\/\/)/.exec(given);
  const [host = ''] = given
    .slice(scheme?.[0].length ?? 0)
    .replace(/^(?:\*?\.)+/, '')
    .split(/[/?#\\]/, 1);
  const [, six] = /^\[([\da-f:.]+)\]/.exec(host) ?? [];
  if (six !== undefined) return whyNotIp(six);
  const bare = withoutTrailing(host.replace(/:\d{1,5}$/, ''), '.,;>')
    .replaceAll('[.]', '.')
    .replaceAll('\u3002', '.');
  if (bare === 'localhost' || isMailProvider(bare.replace(/^www\./, '')) || isSharedHost(bare)) return 'nobody';
  if (bare.startsWith('[') || bare.includes('@')) return undefined;
  if (!bare.includes('.')) return 'placeholder';
  if (bare.lastIndexOf('.') === bare.length - 2 && /\D$/.test(bare)) return 'placeholder';
  if (/^(?:domain|yourdomain|mydomain)\.com$/.test(bare.replace(/^www\./, ''))) return 'placeholder';
  return isNobodysHost(bare) ? 'nobody' : undefined;
}

/**
 * A group again and again, as in 1231231234. Numbers with another beginning have owners: 98989 89898 in India,
 * 0909 090 909 in Vietnam, 131 3131 3131 in China, (212) 212-2122 in New York.
 */
const REPEATED = /^(?=1[0-2])(?=\d{6,12}$)(?:(\d\d\d?)\1{2,}|(\d{4,5})\2+)\d{0,2}$/;

/** Returns true for fewer digits than a number has without its country. Some files have a number in several columns. */
function isPartOfPhone(text: string): boolean {
  return /^[^+a-z@]*$/.test(text) && text.replace(/\P{Nd}/gu, '').length < 7;
}

function isNoPhone(given: string): boolean {
  const text = given.replace(/;ext=\d+$/, '');
  // An email or address of another column, but a name at a messenger, and a number at its server.
  if (/^[^@:]+@[^@]+\.[a-z]{2,}$/.test(text) && text.replace(/\D/g, '').length < 6) return true;
  if (text.includes('@')) return false;
  if (!/^\d\d(?:\.\d\d){3}$/.test(text) && /^(?:[1-9]\d*\.|0\.){3}\d|:.*:/.test(text) && readIp(text)) return true;
  const digits = text.replace(/\P{Nd}/gu, '');
  if (digits.length < 4) return true;
  const isInternational = text.startsWith('+');
  if (
    /^0+$|^1{6,}$|^0[1-9]\d?0{8,}$/.test(digits) ||
    (isInternational && /^[1-9]\d{0,3}0{8,}$/.test(digits)) ||
    (isInternational && /^[1-9]\d?0{6,}$/.test(digits) && /^\+\d{1,2}[^1-9]*$/.test(text))
  )
    return true;
  if (digits.length > 6 && isOneCharacter(digits)) return true;
  // Directory assistance of North America, and the numbers of French samples.
  if (/^(?:1?\d{3})?5551212$|^(?:0|33)102030405$/.test(digits)) return true;
  // Masks of forms: few people have nine times one digit.
  if (isInternational && /(\d)\1{8}$/.test(digits)) return true;
  // Ten times one digit is no number of North America, but one of India.
  if (/^1\d{10}$/.test(digits) && isOneCharacter(digits.slice(1))) return true;
  if (isInternational && /^\d{1,3}1{7,}$|^\d\d9876543210$/.test(digits)) return true;
  // No area of North America begins with 1.
  const national = isInternational ? /^1(1\d{9})$/.exec(digits)?.[1] : digits;
  if (national !== undefined && REPEATED.test(national)) return true;
  return DIGIT_ROWS.includes(digits) || (isInternational && /^(?!44)\d{1,2}1234567890$/.test(digits));
}
