import { DAY_MS } from '../../../core/domain/day.ts';
import { withoutTrailing } from '../../../core/domain/text.ts';
import { createNames, type Names } from './month-names.ts';
import { toPlain, type Readings } from './settle.ts';
import { isAmbiguousZone, parseZone, type Zone } from './time-zones.ts';

/** The order of the numbers in a date such as 05/03/24. */
export type DateOrder = 'day-first' | 'month-first' | 'year-first';
export const DATE_ORDERS = ['day-first', 'month-first', 'year-first'] as const satisfies readonly DateOrder[];

/** A time as a cell has it. */
export interface WrittenTime {
  /** What the clock shows, in milliseconds as if it were in UTC; for a moment, milliseconds UTC. */
  readonly readings: Readings<DateOrder>;
  /** Undefined if the cell has none. `several`: its name belongs to several zones. `moment`: it needs none. */
  readonly zone: Zone | undefined | 'several' | 'moment';
  /** True for a day without a time. */
  readonly isDay: boolean;
  /** Describes how the time is written, as in `day.month.year hour:minute`. */
  format(order: DateOrder): string;
}

/** The first online shops opened in 1994. An earlier time is a zero or a mistake. */
export const FIRST_MOMENT = Date.UTC(1990, 0);
/** No program wrote nanoseconds before 2000. */
const FIRST_NANOSECONDS = Date.UTC(2000, 0);
/** Longer cells are no time. */
const MAX_CHARACTERS = 80;

const EVENING = /^(?:pm?|下午|午後|오후|م|μμ|ös|ch)$/u;
const PERIOD = String.raw`(?:[ap]\.? ?m\.?|上午|午前|오전|凌晨|下午|午後|오후|[صم]|[πμ]\.?μ\.?|ö[ös]|sa|ch)`;
const PERIOD_BEFORE = new RegExp(`(?<!\\p{L})${PERIOD} ?$`, 'iu');
/** QuickBooks and old tills of the United States write `2:14p`. */
const PERIOD_AFTER = new RegExp(`^ ?(?:${PERIOD}|[ap]\\.?)(?!\\p{L})`, 'iu');
const CLOCK = /(?<![\d+-])(\d{1,2})[:h](\d{1,2})(?:[:m](\d{1,2})(?:[.,:](\d{1,9}))?)?(?!\d)/i;
/** The time of Finland, Denmark and Oracle, after a date: `5.3.2024 10.14`, `05-Mar-24 10.14.00.000000 AM`. */
const CLOCK_OF_DOTS = /(?<=[\d.] )(?:kl(?:o|\.)? )?(\d{1,2})\.(\d{2})(?:\.(\d{2})(?:[.,](\d{1,9}))?)?(?=$| )/;
const HOUR_WORD = /^ ?(?:uhr|hod|hrs?|hs|ч|h)(?!\p{L})\.?/iu;
/** Words of a date that are neither its month nor its day of the week, as in `5 de marzo de 2024` and `March 5th`. */
const FILLERS =
  /^(?:de|del|do|di|of|the|den|der|le|el|am|um|at|à|o|kl|klo|г|р|року|года|в|о|às|as|gada|m|d|st|nd|rd|th|er|og|i)$/u;
/** A time whose numbers run together, after such a day or another one: `20240305T101400`, `05.03.2024 101400`. */
const COMPACT = /^(\d{8}|\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}(?= ))[T ]?(\d{2})(\d{2})(?:(\d{2})(\d{3})?)?(?!\d)/;
const NUMBERS = /^(\d{1,4})( ?[-/.] ?| )(\d{1,2})( ?[-/.] ?| )(\d{1,4})(\.?)$/;
/**
 * Units of a Unix time by its digits: those of the years from 2001 on. Nine digits may be seconds since 2001 (Apple),
 * too.
 */
const UNIX = [
  { digits: /^\d{10}$/, perMs: 0.001, name: 'seconds' },
  { digits: /^\d{12,13}$/, perMs: 1, name: 'milliseconds' },
  { digits: /^\d{15,16}$/, perMs: 1e3, name: 'microseconds' },
  { digits: /^\d{18,19}$/, perMs: 1e6, name: 'nanoseconds' },
];
/** Days from 1899-12-30, where spreadsheets count from, to 1970. */
export const SPREADSHEET_DAYS = 25_569;

/** Returns a reader of times. It returns undefined for what is no time: a word, or a day that does not exist. */
export function createTimeReader(): (cell: string) => WrittenTime | undefined {
  let names: Names | undefined;
  // Most files need no names of months, and collecting them takes a moment.
  const namesOf = (): Names => (names ??= createNames());
  return (cell) => {
    const plain = toPlain(cell, MAX_CHARACTERS);
    if (plain === undefined) return undefined;
    const text = plain
      .trim()
      .replace(/^['`]/, '')
      // Access, and the log of a database.
      .replace(/^#([^#]{1,60})#$/, '$1')
      .replace(/^(\d{4}-\d{2}-\d{2})-(\d{2})\.(\d{2})\.(\d{2})(?=$|\.)/, '$1 $2:$3:$4')
      // JSON of MongoDB.
      .replace(/^\{ ?"\$date" ?: ?(?:\{ ?"\$numberLong" ?: ?)?"?([^"{}]{1,40})"? ?\}{1,2}$/, '$1')
      // JSON of .NET, and the log of a web server.
      .replace(/^\\?\/Date\((\d{12,13})(?:[+-]\d{4})?\)\\?\/$/, '$1')
      .replace(/^\[([^\][]{1,60})\]$/, '$1')
      .replace(/\s{1,80}/g, ' ');
    return readNumber(text.replace(',', '.')) ?? readClockTime(withoutSigns(text), namesOf);
  };
}

/** Years of Japan: of Reiwa from 2019, and of Heisei from 1989 to 2019. */
const ERA = /^(?:(令和|R)|平成|H) ?(元|\d{1,2})(?=年|[-/.]\d)/iu;

/** Replaces a year of Japan: `令和6年3月5日`, `R6.3.5`. A letter with a space is the day of the week elsewhere. */
function withoutEra(text: string): string {
  return text.replace(ERA, (whole, reiwa: string | undefined, year: string) => {
    const count = year === '元' ? 1 : Number(year);
    const isValid = count > 0 && (reiwa !== undefined || count <= 31) && !/^[rh] /i.test(whole);
    return isValid ? String(count + (reiwa === undefined ? 1988 : 2018)) : whole;
  });
}

/** Replaces the signs of Chinese, Japanese and Korean: `2024年3月5日 10時14分`. */
function withoutSigns(text: string): string {
  return withoutEra(text)
    .replace(/(\d{1,2}) tháng (\d{1,2}),? (?:năm )?(\d{4})/i, '$3-$2-$1')
    .replace(
      /(\d{1,4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/,
      (_, year: string, month: string, day: string) => `${year.length === 2 ? '20' : ''}${year}-${month}-${day} `,
    )
    .replace(
      /(\d{1,2}) ?[時时点點시] ?(\d{1,2}) ?[分분]/,
      (_, hour: string, minute: string) => `${hour}:${pad(minute)}`,
    )
    .replace(/(:\d{2}) ?(\d{1,2}) ?[秒초]/, (_, minute: string, second: string) => `${minute}:${pad(second)}`)
    .replace(/ {1,80}/g, ' ')
    .trim();
}

/** Reads a Unix time, or a day of a spreadsheet. */
function readNumber(text: string): WrittenTime | undefined {
  const [, whole = '', decimals] = /^(\d{5,19})(?:\.(\d{1,20}))?$/.exec(text) ?? [];
  const unit = UNIX.find(({ digits }) => digits.test(whole));
  const moment = unit && Math.round(Number(text) / unit.perMs);
  // Ticks of .NET have 18 digits, too, and would be of 1990.
  const isTicks =
    unit?.perMs === 1e6 && !(Number(moment) >= FIRST_NANOSECONDS && Number(moment) <= Date.now() + DAY_MS);
  if (isTicks) return undefined;
  if (unit && moment !== undefined && moment >= FIRST_MOMENT) {
    return { readings: always(moment), zone: 'moment', isDay: false, format: () => `${unit.name} since 1970` };
  }
  if (whole.length !== 5) return undefined;
  const seconds = Math.round((Number(text) - SPREADSHEET_DAYS) * 86_400);
  const format = (): string => 'days of a spreadsheet';
  return { readings: always(1000 * seconds), zone: undefined, isDay: decimals === undefined, format };
}

function readClockTime(given: string, namesOf: () => Names): WrittenTime | undefined {
  const text = given.replace(
    COMPACT,
    (_, day: string, hour: string, minute: string, second?: string, ms?: string) =>
      `${day} ${hour}:${minute}${second === undefined ? '' : `:${second}`}${ms === undefined ? '' : `.${ms}`}`,
  );
  const clock = CLOCK.exec(text) ?? CLOCK_OF_DOTS.exec(text);
  if (clock === null) {
    const [, day = text, zone = ''] = /^(.*\d) ?(Z|UTC|GMT|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
    const date = readDate(day, namesOf);
    return date && { ...date, zone: zone === '' ? undefined : parseZone(zone), isDay: true };
  }
  let before = text.slice(0, clock.index).replace(/[T,:]? ?$/, '');
  let after = text.slice(clock.index + clock[0].length);
  const period = (PERIOD_AFTER.exec(after) ?? PERIOD_BEFORE.exec(before))?.[0];
  after = after.replace(PERIOD_AFTER, '').replace(HOUR_WORD, '');
  if (period !== undefined) before = before.replace(PERIOD_BEFORE, '');
  const time = toClock(clock, period);
  const { zone, rest } = takeZone(after);
  const date = readDate(`${before} ${rest}`, namesOf);
  if (time === undefined || date === undefined) return undefined;
  const readings = mapReadings(date.readings, (day) => day + time);
  const shown = clock[3] === undefined ? 'hour:minute' : 'hour:minute:second';
  return { readings, zone, isDay: false, format: (order) => `${date.format(order)} ${shown}` };
}

/** Returns milliseconds since midnight; undefined if no clock shows this time. */
function toClock([, hours, minutes, seconds = '0', fraction = '']: string[], period?: string): number | undefined {
  let hour = Number(hours);
  if (period !== undefined) {
    if (hour > 12) return undefined;
    hour = (hour % 12) + (EVENING.test(period.toLowerCase().replace(/[ .]/g, '')) ? 12 : 0);
  }
  const [minute, second] = [Number(minutes), Number(seconds)];
  const isMidnight = hour === 24 && minute === 0 && second === 0;
  if ((hour > 23 && !isMidnight) || minute > 59 || second > 59) return undefined;
  return ((hour * 60 + minute) * 60 + second) * 1000 + Math.floor(Number(`0.${fraction || '0'}`) * 1000);
}

/** Takes the zone from what follows the time. The rest belongs to the date, such as the year of `10:14:00 UTC 2024`. */
function takeZone(after: string): { zone: Zone | 'several' | undefined; rest: string } {
  const named = (text: string): Zone | 'several' | undefined => (isAmbiguousZone(text) ? 'several' : parseZone(text));
  // A name in brackets repeats the offset: `+01:00[Europe/Berlin]`, `GMT+0100 (Central European Standard Time)`.
  // Java writes the name without an offset too: `10:14:00[Europe/Berlin]`.
  const text = (/^ ?\[([^\][]{1,60})\]$/.exec(after)?.[1] ?? after)
    .trim()
    .replace(/(?<=[\dZ]) ?[[(][^\][()]{0,60}[\])]$/, '');
  const whole = named(text);
  if (whole !== undefined || text === '') return { zone: whole, rest: '' };
  const words = text.split(' ');
  const first = named(words[0]!);
  // Go writes an offset and its name: `+0000 UTC`.
  if (first !== undefined)
    return { zone: first, rest: words.slice(1 + Number(/^[A-Z]/.test(words[1] ?? ''))).join(' ') };
  const last = named(words.at(-1)!);
  return { zone: last, rest: last === undefined ? text : words.slice(0, -1).join(' ') };
}

type WrittenDate = Pick<WrittenTime, 'readings' | 'format'>;

function readDate(given: string, namesOf: () => Names): WrittenDate | undefined {
  const text = withoutTrailing(given, ' ,').replace(/^[ ,]+/, '');
  const words: string[] = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  if (words.length === 0) return readDigits(text);
  const names = namesOf();
  const numbers = text.match(/\d+/g) ?? [];
  // One letter before a short year may be an era of Japan.
  const isLong = numbers.some((number) => number.length === 4);
  const isWeekday = (word: string): boolean => names.isWeekday(word) && (word.length > 1 || isLong);
  const isOther = (word: string): boolean => isWeekday(word) || FILLERS.test(word.toLowerCase());
  if (numbers.length === 3) {
    const digits = text.replace(/[\p{L}\p{M}]+[.,]?/gu, '').trim();
    return words.every(isOther) ? readDigits(digits) : undefined;
  }
  // The last of the words: `mar` is a Tuesday of Spain too.
  const month = words.filter((word) => names.monthOf(word) !== undefined).at(-1);
  if (numbers.length !== 2 || month === undefined || !/^[\p{L}\p{M}\d .,/'’-]+$/u.test(text)) return undefined;
  if (!words.every((word, at) => at === words.lastIndexOf(month) || isOther(word))) return undefined;
  const isYearFirst = numbers[0]!.length === 4;
  const [year, day] = isYearFirst ? numbers : [numbers[1], numbers[0]];
  const at = toDay(year!, names.monthOf(month)!, Number(day));
  const isMonthFirst = text.lastIndexOf(month) < text.indexOf(numbers[0]!);
  // `24 Mar 05` may be of 2005 or of 2024. Beside a month that is first, and behind an apostrophe, the year is last.
  const isSettled = isYearFirst || isMonthFirst || /['’]\d\d$/.test(text);
  const yearFirst = isSettled ? at : toDay(numbers[0]!, names.monthOf(month)!, Number(numbers[1]));
  if (at === undefined && yearFirst === undefined) return undefined;
  const order = isYearFirst ? 'year month day' : isMonthFirst ? 'month day year' : 'day month year';
  return {
    readings: { 'day-first': at, 'month-first': at, 'year-first': yearFirst },
    format: (by) => (!isSettled && by === 'year-first' ? 'year month day' : order).replace('month', 'month (name)'),
  };
}

/** Reads a date in numbers. A four-digit year shows where it is, and dates with dots begin with the day. */
function readDigits(text: string): WrittenDate | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  const spread = compact && Number(compact[2]) <= 12 ? compact : /^(\d{2})(\d{2})(\d{4})$/.exec(text);
  const [, first = '', one = '', second = '', other = '', third = '', end] = spread
    ? ['', spread[1]!, '', spread[2]!, '', spread[3]!, '']
    : (NUMBERS.exec(text) ?? []);
  const sign = one.trim();
  if (first === '' || sign !== other.trim()) return undefined;
  const isYearFirst = first.length === 4 || (third.length < 4 && end === '.');
  const isShort = first.length === 2 && third.length === 2;
  const settled = isYearFirst ? 'year-first' : sign === '.' && !isShort ? 'day-first' : undefined;
  const orders: Readings<DateOrder> = {
    'day-first': toDay(third, Number(second), Number(first)),
    'month-first':
      sign === '.' ? toDay(third, Number(second), Number(first)) : toDay(third, Number(first), Number(second)),
    'year-first': third.length === 4 ? undefined : toDay(first, Number(second), Number(third)),
  };
  const at = settled && orders[settled];
  const readings = settled === undefined ? orders : at === undefined ? {} : always(at);
  if (Object.values(readings).every((reading) => reading === undefined)) return undefined;
  const parts = { 'day-first': 'day month year', 'month-first': 'month day year', 'year-first': 'year month day' };
  const shown = (order: DateOrder): DateOrder =>
    settled ?? (sign === '.' && order === 'month-first' ? 'day-first' : order);
  return { readings, format: (order) => parts[shown(order)].replaceAll(' ', sign) };
}

/** Returns the midnight of a day, in milliseconds as if in UTC; undefined if there is no such day. */
function toDay(year: string, month: number, day: number): number | undefined {
  if (year.length !== 4 && year.length !== 2) return undefined;
  const short = Number(year) < 90 ? 2000 : 1900;
  const full = Number(year) + (year.length === 2 ? short : 0);
  const at = Date.UTC(full, month - 1, day);
  const found = new Date(at);
  const isThere = full >= 1000 && found.getUTCMonth() === month - 1 && found.getUTCDate() === day;
  return isThere ? at : undefined;
}

function always(at: number): Readings<DateOrder> {
  return { 'day-first': at, 'month-first': at, 'year-first': at };
}

function mapReadings(readings: Readings<DateOrder>, to: (at: number) => number): Readings<DateOrder> {
  const mapped: Partial<Record<DateOrder, number>> = {};
  for (const order of DATE_ORDERS) {
    const at = readings[order];
    if (at !== undefined) mapped[order] = to(at);
  }
  return mapped;
}

function pad(digits: string): string {
  return digits.padStart(2, '0');
}
