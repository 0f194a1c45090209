import { standsAlone, type Range } from './range.ts';

/** Length of an IBAN in each country of the registry of SWIFT (ISO 13616). */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  [
    ...(
      'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27' +
      'GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22' +
      'MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28' +
      'TL23TN24TR26UA29VA22VG24XK20YE30'
    ).matchAll(/([A-Z]{2})(\d\d)/g),
  ].map(([, country, length]) => [country!, Number(length)]),
);

/** Returns the IBANs: known country and its length, valid check digits (mod 97), with or without spaces or hyphens. */
export function findIbans(text: string): Range[] {
  const found: Range[] = [];
  const starts = /[A-Z]{2}\d\d/gi;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const to = ibanEnd(text, start.index, IBAN_LENGTHS.get(start[0].slice(0, 2).toUpperCase()) ?? 0);
    if (to === undefined || !standsAlone(text, start.index, to)) continue;
    found.push({ from: start.index, to });
    starts.lastIndex = to;
  }
  return found;
}

/** Returns the end of the IBAN of `length` characters that begins at `from`; undefined if there is none. */
function ibanEnd(text: string, from: number, length: number): number | undefined {
  let iban = '';
  let at = from;
  for (; iban.length < length; at++) {
    const character = text.charAt(at);
    if (/[0-9A-Za-z]/.test(character)) iban += character;
    else if (!/[ -]/.test(character) || !/[0-9A-Za-z]/.test(text.charAt(at - 1))) return undefined;
  }
  // An account number is mostly digits. Without this rule, one in 97 sentences after a text like `at20` would match.
  if (iban.replace(/\D/g, '').length * 2 < length) return undefined;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1 ? at : undefined;
}

/** First digits of the card networks with their lengths (ISO 7812). Visa numbers of 13 digits are no longer issued. */
const NETWORKS =
  /^(?:4(?:\d{15}|\d{18})|5[0-8]\d{14}|2(?:20[0-4]|22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12,15}|6\d{15,18})$/;

const GROUPS = /^(?:4-4-4-4(?:-[1-3])?|4-6-[45]|1[4-9])$/;

/** Returns the card numbers: of a known network, with a valid check digit (Luhn), in one piece or as on a card. */
export function findCards(text: string): Range[] {
  const found: Range[] = [];
  const groups = [...text.matchAll(/\d+/g)];
  for (let first = 0; first < groups.length; first++) {
    const last = cardEnd(text, groups, first);
    if (last === undefined) continue;
    const end = groups[last]!;
    found.push({ from: groups[first]!.index, to: end.index + end[0].length });
    first = last;
  }
  return found;
}

/** Returns the index of the last group of the longest card number that begins with the group `first`. */
function cardEnd(text: string, groups: readonly RegExpExecArray[], first: number): number | undefined {
  let longest: number | undefined;
  let digits = '';
  let shape = '';
  const from = groups[first]!.index;
  const separator = text.charAt(from + groups[first]![0].length);
  let end = from;
  for (let last = first; last < groups.length && last < first + 5; last++) {
    const group = groups[last]!;
    if (last > first && (group.index !== end + 1 || !/[ .-]/.test(separator) || text.charAt(end) !== separator)) break;
    if (digits.length + group[0].length > 19) break;
    digits += group[0];
    shape += `${last > first ? '-' : ''}${group[0].length}`;
    end = group.index + group[0].length;
    if (GROUPS.test(shape) && NETWORKS.test(digits) && hasLuhnDigit(digits) && standsAlone(text, from, end))
      longest = last;
  }
  return longest;
}

/** Returns true if the last digit is the check digit of the others (ISO 7812, Luhn). */
function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits.charAt(digits.length - 1 - place));
    sum += place % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10 === 0;
}
