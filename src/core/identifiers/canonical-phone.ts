import { toAsciiDigit } from '../domain/personal-data/spans.ts';
import { withoutTrailing } from '../domain/text.ts';
import type { CanonicalDoubt, CanonicalOptions, Change, Draft, ParsedPhone, ParsePhone } from './canonical-value.ts';
import { trimWhere } from './normalise.ts';

/** Words before an extension. */
const EXTENSIONS =
  'extension extn ext. ext 内線 分机 分機 app. app apparat nst. nst klappe kl toestel interno interne x # ,,, ,, , доб. доб durchwahl dw poste ramal anexo int. int wew. kl.'.split(
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

/** Rewrites a phone number to E.164. `given` is squeezed. */
export function rewritePhone(given: string, options: CanonicalOptions, change: Change): Draft {
  let text = change(given, given.replace(/\p{Nd}/gu, toAsciiDigit), 'other-digits');
  text = change(text, barePhone(text), 'text-around-value');
  const [number, extension] = splitExtension(text);
  const draft = rewriteNumber(number, options, change);
  if (extension === undefined) return draft;
  if (!/^\+?\d+$/.test(draft.text)) return { text, isCanonical: false };
  if (!text.endsWith(`;ext=${extension}`)) change(text, number, 'phone-extension');
  return { text: `${draft.text};ext=${extension}`, isCanonical: false, doubt: 'extension' };
}

function rewriteNumber(given: string, { country, parsePhone }: CanonicalOptions, change: Change): Draft {
  const number = given.replace(/[[(](\+\d{1,3})[\])]/, '$1');
  const isInternational = /^\(?\+/.test(number);
  const isTrunk = isInternational && number.includes('(0)') && !KEEPS_ZERO.test(number);
  const digits = number.replace(isTrunk ? '(0)' : '', '').replace(/[().\-/\u2010-\u2015\u2212~_·•:]/g, '');
  if (!/^\+*\d+$/.test(digits) || IS_DAMAGED.test(given)) return { text: given, isCanonical: false };
  if (isTrunk) change(given, digits, 'phone-trunk-zero');
  const bare = digits.replace(/^\++/, '+');
  if (bare !== given && given.replace('(0)', '') !== bare) change(given, bare, 'phone-separators');

  const bareNumber = change(bare, bare.replace(TRUNK_ZERO, '$1'), 'phone-trunk-zero');
  const parsed = parsePhone && readPhone(bareNumber, country?.toUpperCase(), parsePhone);
  if (parsed) return { ...parsed, text: change(bareNumber, parsed.text, 'phone-country-code') };
  // `001` may also be the prefix of an operator in Asia, and `000` one of East Africa.
  const full = /^00[2-9]\d{6,13}$/.test(bareNumber) ? `+${bareNumber.slice(2)}` : bareNumber;
  let text = change(bareNumber, full, 'phone-country-code');
  text = change(text, text.replace(TRUNK_ZERO, '$1'), 'phone-trunk-zero');
  const isShaped = /^\+[1-9]\d{5,14}$/.test(text) && !HAS_TRUNK_ZERO.test(text);
  const doubt = isShaped ? doubtOf(text) : undefined;
  if (doubt !== undefined) return { text, isCanonical: false, doubt };
  // The library knows no such number.
  if (isShaped && parsePhone !== undefined) return { text, isCanonical: false, doubt: 'unused-number' };
  return { text, isCanonical: isShaped };
}

/** What a spreadsheet computed of a number with hyphens, and a mask that was not filled. */
export const IS_DAMAGED = /^[-\u2212][1-9]\d*(?:[.,]\d+)?$|_$/;

/**
 * Country codes by how many digits stand behind them in numbers of people, with the area. A country is only here if all
 * its numbers are so: the library takes some shorter ones for possible, because they are numbers of services, or are
 * called so inside one town.
 */
const WRONG_LENGTH = new RegExp(
  `^\\+(?:${[
    [7, '238 239 246 291 297 592 673 679 691 692'],
    [
      8,
      '45 47 65 216 222 223 226 227 228 232 235 253 257 266 350 356 357 370 371 373 374 386 389 502 503 504 505 506 509 ' +
        '591 598 852 853 965 968 973 974 993',
    ],
    [
      9,
      '27 33 34 41 48 56 61 93 94 211 212 218 221 233 237 240 242 244 249 251 255 256 260 261 262 351 380 420 421 ' +
        '590 594 596 992 994 995 996 998',
    ],
    [10, '1 7 30 52 57 58 90 91 98 225 229'],
    ['8,9', '32 36 51 66 213 250 258 264 268 377 385 387 593 962 963 970 971 972'],
    ['9,10', '44 81 84 92'],
    ['10,11', '54 55 86'],
    ['8,10', '20 60 64 82 963 964'],
    ['9,11', '31'],
    [9, '40'],
    ['7,9', '46 254'],
    ['8,12', '62'],
  ]
    .map(([length, codes]) => `(?:${String(codes).replaceAll(' ', '|')})(?!\\d{${length}}$)`)
    .join('|')}|447(?!\\d{9}$)|841(?:2\\d|6[2-9]|8[68]|99)\\d{7}$)`,
);

/** Returns why a number in E.164 is none of a person. No area of North America begins with 0 or 1, or is 911. */
function doubtOf(number: string): CanonicalDoubt | undefined {
  if (WRONG_LENGTH.test(number)) return 'wrong-length';
  return /^\+1(?:[01]|\d11)/.test(number) ? 'unused-number' : undefined;
}

/** Countries that write a zero before the area, and where numbers without the area have up to eight digits. */
const LONG_LOCAL: readonly string[] = '20 43 46 49 60 62 82 86 358 880 886'.split(' ');

/** Returns true for digits that may be a number without its area: those without the zero that stands before an area. */
function mayLackArea(bare: string, national: ParsedPhone): boolean {
  const { countryCallingCode: code = '' } = national;
  if (/^[+0]/.test(bare) || bare.length > 8) return false;
  // Only a few small countries have shorter numbers.
  if (bare.length < 7 && code.length < 3) return true;
  return LONG_LOCAL.includes(code) || (bare.length < 8 && national.formatNational?.()[0] === '0');
}

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
  const wrong = national.isValid?.() === false ? 'unused-number' : doubtOf(national.number);
  const isLocal = mayLackArea(bare, national) || (wrong === 'wrong-length' && !/^[+0]/.test(bare));
  const doubt = isLocal ? 'no-area-code' : wrong;
  const own: Draft = doubt === undefined ? { text: national.number, isCanonical: true } : unsure(doubt);
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
  text = trimWhere(text, (unit) => ',;:.'.includes(unit));
  const extension = parameters.find((one) => /^ext=\d{1,8}$/.test(one));
  return extension === undefined ? text : `${text};${extension}`;
}

/** Returns true for digits that are neither a parameter of RFC 3966, such as `ext=5`, nor an extension. */
function isOtherNumber(parameter: string): boolean {
  return !/^[a-z][a-z-]{1,20}=/.test(parameter) && parameter.replace(/\D/g, '').length > 5;
}

/** Returns a number and its extension, if it has one. */
function splitExtension(text: string): [number: string, extension?: string] {
  const end = withoutTrailing(text, text.includes('(') ? '#)' : '#');
  const before = withoutTrailing(end, '0123456789');
  const length = end.length - before.length;
  if (length === 0 || length > 8) return [text];
  const named = withoutTrailing(before, ':=');
  const word = EXTENSIONS.find((one) => named.endsWith(one));
  if (word === undefined) return [text];
  const number = named.slice(0, -word.length);
  return number.replace(/\D/g, '').length < 6 ? [text] : [withoutTrailing(number, '.,;-/('), end.slice(-length)];
}
