import { isNoValue } from '../../../core/identifiers/not-identifier.ts';
import { toPlain, type Readings } from './settle.ts';

/** The sign before the decimals of an amount. */
export type DecimalSign = '.' | ',';
export const DECIMAL_SIGNS = ['.', ','] as const satisfies readonly DecimalSign[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&euro;': '€',
  '&#8364;': '€',
  '&pound;': '£',
  '&#163;': '£',
  '&yen;': '¥',
  '&#165;': '¥',
  '&nbsp;': ' ',
};
/** Accounting formats write `$ -` for zero. */
const DASH = /^(?:|\p{Sc}? ?-+ ?\p{Sc}?)$/u;
/** Longer cells are no amount. */
const MAX_CHARACTERS = 64;
/** A sign or word of a currency, as in `$`, `R$`, `Rs.`, `S/.` and `EUR`. */
const CURRENCY = String.raw`(?:[\p{L}\p{Sc}][\p{L}\p{M}\p{Sc}.]{0,7}|[SB]/\.?)`;
/** Words after a number that multiply it, in lower case. Some are currencies, too: `12.50 K` is not read. */
const MULTIPLIERS: ReadonlySet<string> = new Set(
  (
    'k m mm mn mln b bn bln t l cr lakh lakhs lac lacs crore crores hundred thousand thousands million millions billion ' +
    'tsd tausend mio mill millionen mrd mld md milliard milliarden mille millier milliers millions mil milhão milhões ' +
    'milhao milhoes millón millones millon mila milione milioni tys tyś tysięcy tis tisíc mil. milion milioane mii ezer ' +
    'millió tkr mkr mnkr rb ribu jt juta bin milyon tr nghìn ngàn triệu tỷ к м тыс тысяч тысячи тысяча млн млрд тис хил ' +
    'хиляди hilj hiljada tuh tuhat tūkst χιλ χιλιάδες εκ אלף אלפים ألف الف آلاف مليون هزار میلیون हज़ार लाख करोड़ พัน หมื่น แสน ล้าน'
  ).split(' '),
);
/** Thousands of a currency, as in `k€`, `TEUR` and `MSEK`, and signs for ten thousand and more. */
const MULTIPLIED = /^[kmt](?:\p{Sc}|eur|usd|gbp|chf|sek|nok|dkk)$|[万萬億亿千百만억천]|^(?:พัน|หมื่น|แสน|ล้าน)/u;
const CURRENCY_BEFORE = new RegExp(`^${CURRENCY} ?(?=[-(.,\\d])`, 'u');
const CURRENCY_AFTER = new RegExp(` ?${CURRENCY}$`, 'u');
/** A currency after or before the number, as in `1234.50 (EUR)`. */
const CURRENCY_IN_BRACKETS = new RegExp(`^[([]${CURRENCY}[)\\]](?=[^()]*$)|[([]${CURRENCY}[)\\]]$`, 'u');
/** The currencies with three decimals, also in short, as in `1.234 KD`. `1.234` of another one is a thousand. */
const THREE_DECIMALS =
  /(?<!\p{L})(?:BHD|IQD|JOD|KWD|LYD|OMR|TND|(?:[BIJKLT]\.?D|R\.?O|O\.?R|D\.?T)\.?|dinars?|rials?)(?!\p{L})|\p{Script=Arabic}/iu;
const SCIENTIFIC = /^(\d+(?:[.,]\d+)?)e([+-]?\d{1,2})$/i;
/** Thousands, also of India: `12,34,567`. */
const GROUPED = /^[1-9]\d{0,2}(?:([ '’.,_])\d{3})(?:\1\d{3})*$|^[1-9]\d?(?:,\d{2})+,\d{3}$/;

/** Returns true for a cell without a number that says that there is no amount. */
export function isNoAmount(cell: string): boolean {
  return DASH.test(cell) || (isNoValue(cell) && !/\p{Sc}|∞|^[+-]?inf/iu.test(cell));
}

/**
 * Returns the amount in a cell under both decimal signs: with or without thousands, currency and sign, in digits of any
 * script. `1,234` is a thousand or one and a bit; beside the sign of a currency with two decimals it is a thousand.
 */
export function readAmount(cell: string): Readings<DecimalSign> {
  const plain = toPlain(cell, MAX_CHARACTERS);
  if (plain === undefined) return {};
  const text = plain
    .trim()
    .replace(/^['’`]?=?/, '')
    .replace(/&(?:euro|pound|yen|nbsp|#8364|#163|#165);/gi, (entity) => ENTITIES[entity.toLowerCase()] ?? entity)
    .replaceAll('\u066c', '’');
  if (isMultiplied(text)) return {};
  const { money, isNegative, hasCurrency, ending } = withoutMarks(text);
  const isSettled = hasCurrency && !THREE_DECIMALS.test(text);
  const found: Partial<Record<DecimalSign, number>> = {};
  for (const sign of DECIMAL_SIGNS) {
    // `1.234,-` shows its decimal sign.
    const by = ending ?? sign;
    const value = parseMoney(money.replace('\u066b', by), by, isSettled);
    if (value !== undefined) found[sign] = isNegative && value !== 0 ? -value : value;
  }
  return found;
}

/** Returns true if a word or sign after the number stands for thousands or more: `1.2k`, `5 lakh`, `1.2万`. */
function isMultiplied(text: string): boolean {
  const words =
    text
      .split(/\d/)
      .at(-1)!
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{Sc}.]+/gu) ?? [];
  return words.some((word) => {
    const [first = ''] = word.split('.');
    const isWord = MULTIPLIERS.has(word.replace(/\.$/, '')) || (first.length > 1 && MULTIPLIERS.has(first));
    return isWord || MULTIPLIED.test(word);
  });
}

interface Marked {
  readonly money: string;
  readonly isNegative: boolean;
  readonly hasCurrency: boolean;
  /** The decimal sign, if the marks show it. */
  readonly ending: DecimalSign | undefined;
}

/** Takes off brackets, a sign before or after, and currencies, in any order. */
function withoutMarks(text: string): Marked {
  let money = text.replace(CURRENCY_IN_BRACKETS, '').trim();
  let signs = 0;
  let hasCurrency = money !== text;
  for (let before = ''; before !== money;) {
    before = money;
    const isSigned = /^\(.*\)$|^-/.test(money) || /[^.,/-]-$/.test(money);
    if (isSigned) {
      signs++;
      money = money.replace(/^[(-]|\)$/g, '').replace(/([^.,/-])-$/, '$1');
    }
    const bare = money.replace(CURRENCY_BEFORE, '').replace(CURRENCY_AFTER, '');
    hasCurrency ||= bare !== money;
    money = bare.trim();
  }
  // `12.-` of Switzerland, and `12/-` of India.
  money = money.replace(/^\+ ?/, '');
  const bare = money.replace(/[.,]-{1,2}$|\/-$/, '');
  const last = money.charAt(bare.length);
  const ending = (last === ',' && bare.includes('.')) || (last === '.' && bare.includes(',')) ? last : undefined;
  return { money: signs > 1 ? '' : bare, isNegative: signs === 1, hasCurrency, ending };
}

function parseMoney(text: string, sign: DecimalSign, isSettled: boolean): number | undefined {
  const [, mantissa, exponent] = SCIENTIFIC.exec(text) ?? [];
  if (mantissa !== undefined) {
    const value = parseMoney(mantissa, sign, isSettled);
    return value === undefined ? undefined : toLimit(Number(`${value}e${exponent}`));
  }
  const parts = text.split(sign);
  const [whole = '', decimals = ''] = parts;
  if (parts.length > 2 || !/^\d{0,20}$/.test(decimals) || whole + decimals === '') return undefined;
  if (!/^\d*$/.test(whole) && !GROUPED.test(whole)) return undefined;
  if (isSettled && decimals.length === 3 && GROUPED.test(text)) return undefined;
  return toLimit(Number(`${whole.replace(/\D/g, '') || '0'}.${decimals || '0'}`));
}

function toLimit(value: number): number | undefined {
  return value < 1e12 ? value : undefined;
}
