import { cover, followsLetter, rangesOf, standsAlone, wordsBefore, type Range } from './spans.ts';

/** A number with its groups of digits, e.g. `(030) 90-12` with the shape `3-2-2`. */
interface Candidate extends Range {
  readonly digits: string;
  /** Number of digits of each group. */
  readonly shape: string;
  /** True after a `+`. */
  readonly international: boolean;
}

interface Announced extends Candidate {
  /** What the words before it announce. */
  readonly word: Word | undefined;
}

type Word = 'phone' | 'code';

const DATE =
  /(?<!\d|\d[-./])(?:(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:(?:19|20)\d\d|\d\d(?!\2\d)))(?!\d)|(?<!\d)\d{1,2}:\d\d(?!\d)/g;

/**
 * Returns the phone numbers: with `+`, in the usual groups of a country, or after a word such as `phone`. A number
 * after a word such as `order` or beside a currency is none.
 */
export function findPhones(text: string): Range[] {
  const undated = cover(text, rangesOf(text, DATE));
  let last: Announced | undefined;
  return candidates(undated).filter((candidate) => {
    const { from, shape } = candidate;
    // The word before a list of numbers announces each of them.
    const listed = last?.shape === shape && from < last.to + 9 ? last.word : undefined;
    last = { ...candidate, word: nearestWord(wordsBefore(undated, from, 28)) ?? listed };
    return isPhone(undated, last);
  });
}

/** What may stand between two groups of one number. */
const GAP = /^(?:[-./]|\(|\)| ?[-/] ?|[-./ ]\(|\)[-./ ]| )$/;
/** What may stand so only in a number that `+` or a word announces. */
const WIDE_GAP = /^\s+$/;
/** What ends a number that is long enough already. */
const PAUSE = /[/(]| - /;
const MIN_DIGITS = 7;

function candidates(text: string): Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  let to = 0;
  let digits = '';
  let shape = '';
  const finish = (): void => {
    if (digits.length >= MIN_DIGITS) found.push({ ...begin(text, from), to, digits, shape });
  };
  for (const { index, 0: group } of text.matchAll(/\d+/g)) {
    const gap = text.slice(Math.max(to, index - 9), index);
    const joins = GAP.test(gap)
      ? digits.length < MIN_DIGITS || !PAUSE.test(gap)
      : digits.length <= MIN_DIGITS && WIDE_GAP.test(gap) && isAnnounced(text, from, gap);
    if (joins && digits !== '') {
      digits += group;
      shape += `-${group.length}`;
    } else {
      finish();
      from = index;
      digits = group;
      shape = `${group.length}`;
    }
    to = index + group.length;
  }
  finish();
  return found;
}

function isAnnounced(text: string, from: number, gap: string): boolean {
  if (begin(text, from).international) return true;
  return !(gap.includes('\n') && text.charAt(from) !== '0') && nearestWord(wordsBefore(text, from, 28)) === 'phone';
}

/** Moves the start of a number to its bracket or `+`. */
function begin(text: string, digit: number): { from: number; international: boolean } {
  let from = digit;
  if (text.charAt(from - 1) === '(') from--;
  const international = text.charAt(from - 1) === '+' && !followsLetter(text, from - 1);
  if (international) from--;
  if (international && text.charAt(from - 1) === '(') from--;
  return { from, international };
}

function isPhone(text: string, candidate: Announced): boolean {
  const { from, to, digits, international, word } = candidate;
  if (followsLetter(text, from) || !endsNumber(text, to) || isAmount(text, from, to)) return false;
  if (digits.length > (digits.startsWith('00') ? 17 : 15)) return false;
  if (international) return digits.length > MIN_DIGITS;
  if (word === 'phone') return true;
  const isOther = word === 'code' && !RECIPIENT.test(text.slice(Math.max(0, from - 6), from));
  return !isOther && !isPartOfCode(text, from) && hasShapeOfPhone(text, candidate);
}

/** After it, a number is where a code was sent, and not the code. */
const RECIPIENT = /\P{L}(?:to|via|von) $/u;

/** Returns false before a letter (`10kg`), `%`, the rest of a code (`10-A`) and decimals. An extension may follow. */
function endsNumber(text: string, to: number): boolean {
  const after = text.slice(to, to + 4);
  return /^(?:[^\p{sc=Latn}_%,/-]|$|x\d|ext|[/-](?!\p{sc=Latn})|,(?!\d{1,2}(?!\d)))/u.test(after);
}

const CURRENCY =
  '[€$£¥₹₽₩元円원]|(?:euro?s?|usd|gbp|chf|jpy|idr|inr|krw|cny|pln|zł|kr|sek|nok|dkk|czk|kč|huf|ft|tl|try|rub|руб|brl|mxn|btc|eth|dollars?)(?!\\p{L})';
const AMOUNT_AFTER = new RegExp(`^ ?(?:${CURRENCY})`, 'iu');
const AMOUNT_BEFORE = new RegExp(`(?:^|[^\\p{L}])(?:${CURRENCY}) ?$`, 'iu');

function isAmount(text: string, from: number, to: number): boolean {
  return AMOUNT_AFTER.test(text.slice(to, to + 9)) || AMOUNT_BEFORE.test(text.slice(Math.max(0, from - 9), from));
}

/** Returns true after `-`, `_`, `.`, `/` or `=` inside a code or link, and after `#`. */
function isPartOfCode(text: string, from: number): boolean {
  const before = text.charAt(from - 1);
  return before === '#' || (/[-_./=]/.test(before) && followsLetter(text, from - 1));
}

/** Stems of words before a phone number. */
const PHONE_STEMS =
  'tel|tél|phone|fon|m[oó][bv]i|handy|natel|call|cell|celu|r[ai]ng|fax|whats|wa\\.me|viber|sms|gsm|portable|' +
  'appel|llam|chiam|anruf|rückruf|rufnum|puh|τηλ|тел|звон|моб|komórk|dzwon|điện tho|sđt|hp|tlf';
const PHONE_SIGNS = '电话|電話|手机|手機|携帯|휴대|핸드폰|전화|جوال|هاتف|फोन|फ़ोन|मोबाइल|โทร|טלפון|נייד';
/** Stems of words before another kind of number. */
const CODE_STEMS =
  'order|best[eiä]l|auftrag|rechnung|invoice|ref|track|sendung|paket|parcel|dhl|ups|customer|kunden|client|' +
  'konto|acc(?:oun)?t|ticket|case|id|sku|is[bs]n|ean|gtin|upc|asin|imei|serial|vat|ust|tax|steuer|transa|txn|' +
  'vorgang|aktenz|arti[ck]|item|product|commande|fa[ck]?t+u+r|colis|suivi|dossier|siret|pedido|seguim|' +
  'code|pin|otp|voucher|coupon|batch|lot|model|part|ship|waybill|awb|rma|zip|postcode|plz|policy|' +
  'contrac?t|vertrag|licen|company|epoch|timestamp|wallet|hash|uuid|ordine|spediz|encomenda|' +
  'zamów|paczk|zending|заказ|сч[её]т|наклад|sipariş|código|tila|lasku|viite|замов|рахун|objedn|rendel|liefers|παραγγ';
const CODE_SIGNS = '订单|訂單|快递|单号|注文|伝票|주문|طلب|ऑर्डर|הזמנה';

const ANNOUNCING = new RegExp(
  `(?<!\\p{L})(?:${CODE_STEMS})|${CODE_SIGNS}|((?<!\\p{L})(?:${PHONE_STEMS})|${PHONE_SIGNS})`,
  'gu',
);

/** Says what the last word that announces a number announces. */
function nearestWord(words: string): Word | undefined {
  const last = [...words.matchAll(ANNOUNCING)].at(-1);
  return last && (last[1] ? 'phone' : 'code');
}

/** Shapes of numbers without a leading zero, each with its first digits: */
const SHAPES = new RegExp(
  // North America, Italy; with 1 or, in Russia, 7 or 8 before.
  '^(?:3-3-4:[2-9]|1-3-3-4:[178]|1-3-3-2-2:[78]' +
    // Spain.
    '|3-2-2-2:[6-9]|2-3-2-2:[89]' +
    // China, India.
    '|(?:11|3-4-4):1[3-9]|5-5:[6-9]' +
    // Brazil, Mexico.
    '|2-5-4:[1-9]{2}9|2-4-4:[1-9])',
);

function hasShapeOfPhone(text: string, { from, to, digits, shape }: Candidate): boolean {
  const { length } = digits;
  if (/^00[1-9]/.test(digits)) return length >= 10;
  const area = /^(?:\d ?)?\((\d{2,5})\)/.exec(text.slice(from, Math.min(to, from + 10)))?.[1];
  if (area !== undefined && !/^(?:19|20)\d\d$/.test(area)) return length >= 8 && length <= 12;
  if (/^0[1-9]/.test(digits)) {
    // The other two are the number of a social insurance and a postal code of the United States.
    if (shape.includes('-')) return length >= 9 && length <= 12 && /^[2-6]-(?!2-4$|4$)/.test(shape);
    return length >= 10 && length <= 12;
  }
  return SHAPES.test(`${shape}:${digits}`);
}

/** Countries of the registry of SWIFT (ISO 13616), by the length of their IBANs: 15 characters, 16 and so on. */
const IBAN_COUNTRIES = (
  'NO,BE,,DKFIFKFOGLNLSD,MKSI,ATBAEEKZLTLUMNXK,CHHRLILV,BGBHCRDEGBGEIEMERSVA,AEGIILIQOMSOTL,ADCZESMDPKROSASESKTNVG,' +
  'LYPTST,ISTR,BIDJFRGRITMCMRSM,ALAZBYCYDOGTHNHULBNIPLSV,BREGPSQAUA,JOKWMUYE,MTSC,LC,RU'
).split(',');
const SHORTEST_IBAN = 15;

/** Returns the IBANs: known country and its length, valid check digits (mod 97), with or without spaces or hyphens. */
export function findIbans(text: string): Range[] {
  const found: Range[] = [];
  const starts = /[A-Z]{2}\d\d/gi;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const country = start[0].slice(0, 2).toUpperCase();
    const place = IBAN_COUNTRIES.findIndex((codes) => codes.match(/../g)?.includes(country));
    const to = place < 0 ? undefined : ibanEnd(text, start.index, place + SHORTEST_IBAN);
    if (to === undefined || !standsAlone(text, start.index, to)) continue;
    found.push({ from: start.index, to });
    starts.lastIndex = to;
  }
  return found;
}

/** What never stands between two groups of a card number or IBAN; up to three other characters may. */
const NO_GAP = /[^\s./_-]/;

/** Returns the end of the IBAN of `length` characters that begins at `from`; undefined if there is none. */
function ibanEnd(text: string, from: number, length: number): number | undefined {
  let iban = '';
  let at = from;
  for (; iban.length < length; at++) {
    const character = text.charAt(at);
    if (/[0-9A-Za-z]/.test(character)) iban += character;
    else if (NO_GAP.test(character) || !/[0-9A-Za-z]/.test(text.slice(at - 3, at))) return undefined;
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
  /^(?:4\d{15}(?:\d{3})?|5[0-8]\d{14}|2(?:2[02-9]|[3-6]\d|7[0-2])\d{13}|3[47]\d{13}|3[0689]\d{12}|35[2-8]\d{13,16}|6\d{15,18})$/;

const GROUPS = /^-(?:4-4-4-4(?:-[1-3])?|4-6-[45]|1[4-9])$/;

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
  let end = from;
  for (let last = first; last < groups.length && last < first + 5; last++) {
    const group = groups[last]!;
    if (group.index > end + 3 || NO_GAP.test(text.slice(end, group.index))) break;
    if (digits.length + group[0].length > 19) break;
    digits += group[0];
    shape += `-${group[0].length}`;
    end = group.index + group[0].length;
    if (GROUPS.test(shape) && NETWORKS.test(digits) && hasLuhnDigit(digits) && standsAlone(text, from, end))
      longest = last;
  }
  return longest;
}

/** Returns true if the last digit is the check digit of the others (ISO 7812, Luhn). */
function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  // Of every second digit from the right, the double counts, whose own digits are added.
  for (const [place, digit] of [...digits].entries())
    sum += Number((digits.length - place) % 2 ? digit : '0246813579'.charAt(Number(digit)));
  return sum % 10 === 0;
}
