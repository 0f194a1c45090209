import { withoutMarks } from '../../../core/domain/text.ts';
import { spaceWords } from '../../../core/identifiers/value-form.ts';

/** Words for a hundredth of a currency, or for its smallest unit. */
const HUNDREDTHS = toPattern(
  'cents? ct cts centimes? c[eé]ntimos? centavos? centesimi? pence penny pennies minor ' +
    '(?:minor|sub|smallest|lowest)[\\s_-]?(?:currency[\\s_-]?)?(?:units?|denom(?:ination)?s?) ' +
    '[öø]re ore oere grosz groszy grosze gr hal[eé]ř[eů]? haler[euy]? halier(?:e|ov)? kuruş kurus rappen ' +
    'pfennige? копе\\p{L}{1,5} копій\\p{L}{1,3} коп kop kope[cijky]\\p{L}{0,4} paisa paise kobo halalah?s? sen fen bani ' +
    'stotink[ai] стотинк[аи] satang pesewas? tetri tiyin tyiyn ти[йи]ин\\p{L}{0,3} тыйын\\p{L}{0,3} тиын\\p{L}{0,3} ' +
    'qəpik qepik ngwee thebe sant[iī]m[iuw]? santimes? agorot aurar fillér λεπτά هللة هللات قرش',
  '\\(分\\)|[_:]分$',
);
const THOUSANDTHS = toPattern('milli[eè]?mes? baisas? baizas?');
/** Hundredths in the Emirates, thousandths in Kuwait, Bahrain and Jordan. */
const FILS = toPattern('fils fulus فلس');
const MICROS = toPattern('micros');

/** Decimals of currencies that do not have two (ISO 4217). */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);
const CURRENCY = /currency|währung|devise|moneda|moeda|valuta|waluta|валюта|通貨|通货|币种|幣別|통화/iu;

/** Returns the first column whose name says that it has currencies; -1 without one. */
export function findCurrency(header: readonly string[]): number {
  return header.findIndex((name) => CURRENCY.test(name));
}

/** Returns how many decimals a currency has; undefined for what is no code of a currency. */
export function decimalsOf(code: string): number | undefined {
  return /^[A-Z]{3}$/i.test(code) ? (DECIMALS.get(code.toUpperCase()) ?? 2) : undefined;
}

/**
 * Returns how many units of a column are one of its currency: 1 unless its name has a word for a smaller unit. Returns
 * undefined if name and currencies leave it open.
 *
 * @param decimals those of the currencies in the file
 */
export function unitsOf(name: string, decimals: ReadonlySet<number>): number | undefined {
  const words = spaceWords(withoutMarks(name).normalize('NFKC'));
  if (MICROS.test(words)) return 1_000_000;
  if (THOUSANDTHS.test(words)) return 1000;
  const isFils = FILS.test(words);
  if (!isFils && !HUNDREDTHS.test(words)) return 1;
  const [only = isFils ? undefined : 2, ...others] = decimals;
  return only === undefined || others.length > 0 ? undefined : 10 ** only;
}

function toPattern(words: string, other = '(?!)'): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.replaceAll(' ', '|')})(?!\\p{L})|${other}`, 'iu');
}
