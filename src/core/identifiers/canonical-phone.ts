import { toAsciiDigit } from '../domain/personal-data/spans.ts';
import { withoutTrailing } from '../domain/text.ts';
import type { CanonicalDoubt, CanonicalOptions, Change, Draft, ParsePhone } from './canonical-value.ts';
import { trimWhere } from './normalise.ts';

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

/** Rewrites a phone number to E.164. `given` is squeezed. */
export function rewritePhone(given: string, { country, parsePhone }: CanonicalOptions, change: Change): Draft {
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
