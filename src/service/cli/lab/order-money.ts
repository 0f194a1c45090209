import { isNoValue } from '../../../core/identifiers/not-identifier.ts';
import { toPlain, type Readings } from './settle.ts';

/** The sign before the decimals of an amount. */
export type DecimalSign = '.' | ',';
export const DECIMAL_SIGNS = ['.', ','] as const satisfies readonly DecimalSign[];

/** Accounting formats write `$ -` for zero. */
const DASH = /^(?:|\p{Sc}? ?-+ ?\p{Sc}?)$/u;
/** Longer cells are no amount. */
const MAX_CHARACTERS = 64;
/** A sign or word of a currency, as in `$`, `R$`, `Rs.` and `EUR`. */
const CURRENCY = String.raw`[\p{L}\p{Sc}][\p{L}\p{M}\p{Sc}.]{0,7}`;
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
  return DASH.test(cell) || (isNoValue(cell) && !/\p{Sc}/u.test(cell));
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
    .replace(/^['’]?=?/, '')
    .replaceAll('\u066c', '’');
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
