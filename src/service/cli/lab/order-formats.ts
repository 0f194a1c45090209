import { DAY_MS } from '../../../core/domain/day.ts';
import type { Cell } from '../csv/records.ts';
import { UsageError } from '../errors.ts';
import { readCell } from './order-cell.ts';
import type { OrderColumns } from './order-columns.ts';
import { decimalsOf, findCurrency, unitsOf } from './minor-units.ts';
import { DECIMAL_SIGNS, isNoAmount, readAmount, type DecimalSign } from './order-money.ts';
import { createTimeReader, DATE_ORDERS, FIRST_MOMENT, type DateOrder } from './order-times.ts';
import { createSettler, type Readings } from './settle.ts';
import { joinCells } from './time-cells.ts';
import { createZoneReader, formatZone, zoneOfName, type Zone } from './time-zones.ts';

/** What the user says about the formats of a file. Undefined: the file decides. */
export interface FormatOptions {
  readonly dates: DateOrder | undefined;
  /** Of times without a zone. */
  readonly zone: Zone | undefined;
  readonly decimal: DecimalSign | undefined;
  readonly cents: boolean;
  /** Milliseconds UTC. */
  readonly now: number;
}

/** How the times and amounts of a file are written: one way for all of its rows. */
export interface OrderFormats {
  /** Milliseconds UTC. */
  readonly now: number;
  /** Returns milliseconds UTC. Throws Error that says what was expected. */
  timeOf(text: string, column?: 'time' | 'reported'): { readonly at: number; readonly isDay: boolean };
  /**
   * Returns undefined for an amount that is not there. That of a fraud may be negative, as PayPal writes chargebacks.
   * Throws Error that says what was expected.
   */
  amountOf(text: string, isFraud: boolean): number | undefined;
  /** Describes what was read so far, in a line for times and one for amounts. */
  describe(): string[];
}

const MOMENT = 'a time such as 2021-01-31 or 2021-01-31T12:00:00Z';
const MAX_FORMATS_SHOWN = 3;
/** Dates that a spreadsheet reads with day and month swapped, if the day is until the 12th. */
const IN_DOUBT = /^(?:day.month|month.day).year$/;
/** What an amount is in, by how many make one unit of its currency. */
const UNITS: Readonly<Record<number, string>> = {
  100: ', in cents',
  1000: ', in thousandths of the currency',
  1_000_000: ', in millionths of the currency',
};
const SHOWN: Readonly<Record<DateOrder, string>> = {
  'day-first': 'day/month/year',
  'month-first': 'month/day/year',
  'year-first': 'year/month/day',
};

/** Returns true for a number of days, as the column `reported` may have it. */
export function isNumberOfDays(text: string): boolean {
  return /^\d{1,4}$/.test(text);
}

/** Finds the formats of a file from all of its rows. */
export function createFormatFinder(columns: OrderColumns, options: FormatOptions) {
  const readTime = createTimeReader();
  const latest = options.now + DAY_MS;
  const dates = createSettler(options.dates === undefined ? DATE_ORDERS : [options.dates], {
    describe: (order) => `a date of ${SHOWN[order]}`,
    option: 'dates',
    // Nobody writes 13/03/24 for a day of 2013, but some write 24/03/05 for one of 2024.
    isOpen: (at, other, name) => name !== 'year-first' || other > at,
  });
  const decimals = createSettler(options.decimal === undefined ? DECIMAL_SIGNS : [options.decimal], {
    describe: (sign) => `an amount with a decimal ${sign === '.' ? 'point' : 'comma'}`,
    option: 'decimal',
  });
  /** Counts of cells of `reported`: 0 or 1, and others. */
  const saidWhen = { flags: 0, others: 0 };
  const currency = findCurrency(columns.header);
  const currencies = new Set<number>();
  /** The first line whose amount is no whole number, by decimal sign. */
  const parts = new Map<DecimalSign, number>();
  return {
    add(line: number, cells: readonly Cell[]): void {
      const textOf = (column: number): string => readCell(cells[column]) ?? '';
      const { time, reported, amount } = columns;
      const texts = [joinCells(time.map(textOf)), ...(reported === undefined ? [] : [textOf(reported)])];
      const said = texts[1] ?? '';
      if (said !== '') saidWhen[/^[01]$/.test(said) ? 'flags' : 'others']++;
      for (const text of texts) {
        const readings = isNumberOfDays(text) ? {} : (readTime(text)?.readings ?? {});
        // An order from the future shows that its date is read the wrong way round.
        dates.add(line, withinRange(readings, latest));
      }
      if (amount === undefined) return;
      const readings = readAmount(textOf(amount));
      decimals.add(line, readings);
      for (const sign of DECIMAL_SIGNS) {
        const value = readings[sign] ?? 0;
        if (Math.abs(value - Math.round(value)) > 1e-6 && !parts.has(sign)) parts.set(sign, line);
      }
      const digits = decimalsOf(textOf(currency));
      if (digits !== undefined) currencies.add(digits);
    },
    /** Throws UsageError if two readings fit, or none. */
    settle(): OrderFormats {
      const { header, reported = -1, amount = -1 } = columns;
      if (saidWhen.flags > 1 && saidWhen.others === 0)
        throw new UsageError(
          `"${header[reported]}" has only 0 and 1, so it does not say when an order was reported: rename the column and add --delay DAYS, or write there a time or a number of days`,
        );
      const settled = { ...options, dates: dates.settle(), decimal: decimals.settle() };
      const units = options.cents ? 100 : unitsOf(header[amount] ?? '', currencies);
      if (units === undefined)
        throw new UsageError(
          `amounts of "${header[amount]}" are hundredths of some currencies and thousandths of others: add --cents if they are hundredths, or write whole units under another name`,
        );
      const part = units === 1 || options.cents ? undefined : parts.get(settled.decimal);
      if (part !== undefined)
        throw new UsageError(
          `line ${part} has a part of a cent, so "${header[amount]}" may not be in cents: add --cents if it is, or rename the column`,
        );
      return createFormats(columns, { ...settled, units });
    },
  };
}

/** Returns the zone in the names of columns. Throws UsageError if they leave it open, unless there is `--zone`. */
function findZone(names: readonly string[], given: Zone | undefined): Zone | undefined {
  const found = new Map(names.map((name) => [zoneOfName(name), name]));
  found.delete(undefined);
  if (found.size > 1) throw new UsageError('the columns of the time have two zones in their names: rename one of them');
  const [[zone, name] = []] = found;
  if (zone !== 'several') return zone;
  if (given !== undefined) return undefined;
  throw new UsageError(
    `the zone in the name of "${name}" has several meanings: add --zone, such as --zone America/Chicago`,
  );
}

function withinRange(readings: Readings<DateOrder>, latest: number): Readings<DateOrder> {
  const kept = Object.entries(readings).filter(([, at = 0]) => at >= FIRST_MOMENT && at <= latest + DAY_MS);
  return Object.fromEntries(kept) as Readings<DateOrder>;
}

type Settled = FormatOptions & {
  readonly dates: DateOrder;
  readonly decimal: DecimalSign;
  /** How many units of an amount are one of its currency. */
  readonly units: number;
};

function createFormats({ header, time, reported }: OrderColumns, options: Settled): OrderFormats {
  const { dates, decimal, units, now } = options;
  const readTime = createTimeReader();
  const toUtc = createZoneReader();
  const nameOf = (column = -1): string => header[column] ?? '';
  const headerZone = findZone(time.map(nameOf), options.zone);
  // A name that belongs to one column says more than an option for all of them.
  const zone = headerZone ?? options.zone ?? 0;
  const zones = { time: zone, reported: findZone([nameOf(reported)], options.zone) ?? zone };
  /** Of each format of dates, whether it has a day until the 12th, and one after it. */
  const days = new Map<string, { early: boolean; late: boolean }>();
  const seen = new Map<string, number>();
  let hasZoneless = false;
  let hasAmounts = false;
  let hasDecimals = false;

  return {
    now,
    timeOf(text, column = 'time') {
      const written = readTime(text);
      const local = written?.readings[dates];
      if (written === undefined || local === undefined) throw new Error(MOMENT);
      if (written.zone === 'several' && options.zone === undefined)
        throw new Error('a zone with one meaning; its short name belongs to several zones, so add --zone');
      const isZoneless = written.zone === undefined || written.zone === 'several';
      const at =
        written.zone === 'moment'
          ? local
          : toUtc(
              local,
              !isZoneless
                ? (written.zone as Zone)
                : written.zone === 'several'
                  ? (options.zone ?? zone)
                  : zones[column],
            );
      if (at < FIRST_MOMENT || at > now + DAY_MS)
        throw new Error('a time from 1990 to today in the Gregorian calendar');
      hasZoneless ||= isZoneless;
      const format = `${written.format(dates)}${isZoneless || written.zone === 'moment' ? '' : ' with a zone'}`;
      seen.set(format, (seen.get(format) ?? 0) + 1);
      const date = written.format(dates).split(' hour:', 1)[0]!;
      const { early, late } = days.get(date) ?? { early: false, late: false };
      const isEarly = new Date(local).getUTCDate() <= 12;
      if (column === 'time') days.set(date, { early: early || isEarly, late: late || !isEarly });
      return { at, isDay: written.isDay };
    },
    amountOf(text, isFraud) {
      const read = readAmount(text)[decimal];
      if (read === undefined && isNoAmount(text)) return undefined;
      if (read === undefined) throw new Error('a number such as 1234.50');
      const value = isFraud ? Math.abs(read) : read;
      if (value < 0) throw new Error('an amount that is not negative: a refund is no order');
      hasAmounts = true;
      hasDecimals ||= /[.,]/.test(text);
      return value / units;
    },
    describe() {
      const formats = [...seen].sort(([, a], [, b]) => b - a).map(([format]) => format);
      const more = formats.length - MAX_FORMATS_SHOWN;
      const shown = formats.slice(0, MAX_FORMATS_SHOWN).join('; ') + (more > 0 ? `; and ${more} more` : '');
      const ignored = options.zone === undefined ? '' : ' (of the column, not of --zone)';
      const assumed = headerZone !== undefined ? ignored : options.zone === undefined ? ' (--zone sets another)' : '';
      const others = zones.reported === zone ? '' : `, those of reports in ${formatZone(zones.reported)}`;
      const where = hasZoneless ? `, in the zone ${formatZone(zone)}${assumed}${others}` : '';
      const signs = hasDecimals ? `with a decimal ${decimal === '.' ? 'point' : 'comma'}` : 'whole numbers';
      const late = [...days].find(([format, has]) => IN_DOUBT.test(format) && !has.early)?.[0];
      const early = [...days].find(([format, has]) => format !== late && !has.late)?.[0];
      const isSwapped = late !== undefined && early !== undefined;
      const doubt = `Check the days: those of ${late} are all after the 12th, and those of ${early} all until then. A spreadsheet may have swapped day and month.`;
      return [
        `Times: ${shown}${where}.`,
        ...(isSwapped ? [doubt] : []),
        ...(!hasAmounts ? [] : [`Amounts: ${signs}${UNITS[units] ?? ''}.`]),
      ];
    },
  };
}
