import { cover, followsLetter, wordsBefore, type Range } from './range.ts';

/** A number with its groups of digits, e.g. `(030) 90-12` with the shape `3-2-2`. */
interface Candidate extends Range {
  readonly digits: string;
  /** Number of digits of each group. */
  readonly shape: string;
  /** True after a `+`. */
  readonly international: boolean;
}

const DATE =
  /(?<!\d|\d[-./])(?:(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:(?:19|20)\d\d|\d\d(?!\2\d)))(?!\d)|(?<!\d)\d{1,2}:\d\d(?!\d)/g;

/**
 * Returns the phone numbers: with `+`, in the usual groups of a country, or after a word such as `phone`. A number
 * after a word such as `order` or beside a currency is none.
 */
export function findPhones(text: string): Range[] {
  const undated = cover(
    text,
    [...text.matchAll(DATE)].map(({ index, 0: { length } }) => ({ from: index, to: index + length })),
  );
  return candidates(undated)
    .filter((candidate) => isPhone(undated, candidate))
    .map(({ from, to }) => ({ from, to }));
}

/** What may stand between two groups of one number. */
const GAP = /^(?:[-./]|\(|\)| ?[-/] ?|[-./ ]\(|\)[-./ ]| )$/;
/** What ends a number that is long enough already. */
const PAUSE = /[/(]| - /;
const LEAST_DIGITS = 7;

function candidates(text: string): Candidate[] {
  const found: Candidate[] = [];
  let from = 0;
  let to = 0;
  let digits = '';
  let shape = '';
  const finish = (): void => {
    if (digits.length >= LEAST_DIGITS) found.push({ ...begin(text, from), to, digits, shape });
  };
  for (const { index, 0: group } of text.matchAll(/\d+/g)) {
    const gap = index - to > 3 ? '' : text.slice(to, index);
    if (shape !== '' && GAP.test(gap) && !(digits.length >= LEAST_DIGITS && PAUSE.test(gap))) {
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

/** Moves the start of a number to its bracket or `+`. */
function begin(text: string, digit: number): { from: number; international: boolean } {
  let from = digit;
  if (text.charAt(from - 1) === '(') from--;
  const international = text.charAt(from - 1) === '+' && !followsLetter(text, from - 1);
  if (international) from--;
  if (international && text.charAt(from - 1) === '(') from--;
  return { from, international };
}

function isPhone(text: string, candidate: Candidate): boolean {
  const { from, to, digits, international } = candidate;
  if (followsLetter(text, from) || !endsNumber(text, to) || isAmount(text, from, to)) return false;
  if (digits.length > (digits.startsWith('00') ? 17 : 15)) return false;
  if (international) return digits.length > LEAST_DIGITS;
  const word = nearestWord(wordsBefore(text, from, 28));
  if (word === 'phone') return true;
  return word === undefined && !isPartOfCode(text, from) && hasShapeOfPhone(text, candidate);
}

/** Returns false before a letter (`10kg`), `%`, the rest of a code (`10-A`) and decimals. An extension may follow. */
function endsNumber(text: string, to: number): boolean {
  const after = text.slice(to, to + 4);
  return /^(?:[^\p{Script=Latin}_%,/-]|$|x\d|ext|[/-](?!\p{Script=Latin})|,(?!\d{1,2}(?!\d)))/u.test(after);
}

const CURRENCY = String.raw`[€$£¥₹₽₩元円원]|(?:eur|euros?|usd|gbp|chf|jpy|idr|inr|krw|cny|pln|zł|kr|sek|nok|dkk|czk|kč|huf|ft|tl|try|rub|руб|brl|mxn|btc|eth|dollars?)(?!\p{L})`;
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
  'tel|tél|phone|fone|fon|mobil|móvil|movil|mobiel|handy|natel|cell|celul|call|rang|ring|fax|whats|wa\\.me|viber|' +
  'sms|gsm|portable|appel|llam|chiam|anruf|rückruf|rufnum|puh|τηλ|тел|звон|моб|komórk|dzwon|điện tho|sđt|hp';
const PHONE_SIGNS = '电话|電話|手机|手機|携帯|휴대|핸드폰|전화|جوال|هاتف|फोन|फ़ोन|मोबाइल|โทร|טלפון|נייד';
/** Stems of words before another kind of number. */
const CODE_STEMS =
  'order|bestell|auftrag|rechnung|invoice|ref|reference|track|sendung|paket|parcel|dhl|ups|customer|kunden|client|' +
  'konto|account|acct|ticket|case|id|sku|isbn|issn|ean|gtin|upc|asin|imei|serial|vat|ust|tax|steuer|transa|txn|' +
  'vorgang|aktenz|artikel|item|article|product|commande|facture|colis|suivi|dossier|siret|pedido|factura|seguim|' +
  'ordine|fattura|spediz|encomenda|fatura|zamów|faktur|paczk|factuur|zending|заказ|сч[её]т|наклад|sipariş|código|' +
  'code|pin|otp|voucher|coupon|batch|lot|model|part|shipment|waybill|awb|rma|zip|postcode|plz|policy|contract|' +
  'vertrag|contrat|licen|company|epoch|timestamp|wallet|hash|uuid';
const CODE_SIGNS = '订单|訂單|快递|单号|注文|伝票|주문|طلب|ऑर्डर|הזמנה';

const PHONE_WORD = toPattern(PHONE_STEMS, PHONE_SIGNS);
const CODE_WORD = toPattern(CODE_STEMS, CODE_SIGNS);

function toPattern(stems: string, signs: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${stems})|${signs}`, 'gu');
}

function nearestWord(words: string): 'phone' | 'code' | undefined {
  const phone = lastMatch(words, PHONE_WORD);
  const code = lastMatch(words, CODE_WORD);
  if (phone === code) return undefined;
  return phone > code ? 'phone' : 'code';
}

function lastMatch(words: string, pattern: RegExp): number {
  let last = -1;
  for (const { index } of words.matchAll(pattern)) last = index;
  return last;
}

/** Shapes of numbers without a leading zero, each with its first digits. */
const SHAPES: readonly (readonly [shape: RegExp, digits: RegExp])[] = [
  // North America, Italy; with 1 or, in Russia, 7 or 8 before.
  [/^3-3-4$/, /^[2-9]/],
  [/^1-3-3-4$/, /^[178]/],
  [/^1-3-3-2-2$/, /^[78]/],
  // Spain.
  [/^3-2-2-2$/, /^[6-9]/],
  [/^2-3-2-2$/, /^[89]/],
  // China, India.
  [/^(?:11|3-4-4)$/, /^1[3-9]/],
  [/^5-5$/, /^[6-9]/],
  // Brazil, Mexico.
  [/^2-5-4$/, /^[1-9]{2}9/],
  [/^2-4-4$/, /^[1-9]/],
];

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
  return SHAPES.some(([shapes, first]) => shapes.test(shape) && first.test(digits));
}
