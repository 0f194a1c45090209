import { DAY_MS } from '../../../core/domain/day.ts';
import type { Cell } from '../csv/records.ts';
import { UsageError } from '../errors.ts';
import { readCell } from './order-cell.ts';
import type { OrderColumns } from './order-columns.ts';
import { DECIMAL_SIGNS, isNoAmount, readAmount, type DecimalSign } from './order-money.ts';
import { createTimeReader, DATE_ORDERS, FIRST_MOMENT, type DateOrder } from './order-times.ts';
import { createSettler, type Readings } from './settle.ts';
import { createZoneReader, formatZone, parseZone, type Zone } from './time-zones.ts';

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
  timeOf(text: string): { readonly at: number; readonly isDay: boolean };
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
/** Words for the smallest unit of a currency. */
const CENTS =
  /(?<!\p{L})(?:cents?|ct|centimes?|c[eé]ntimos?|centavos?|centesimi|pence|penny|pennies|minor|(?:minor|sub|smallest)[ _-]?(?:currency[ _-]?)?units?|[öø]re|groszy?e?|hal[eé]ř[eů]?|копе\p{L}{1,5}|paisa|paise|kuruş|fils)(?!\p{L})|\(分\)/iu;
const SHOWN: Readonly<Record<DateOrder, string>> = {
  'day-first': 'day/month/year',
  'month-first': 'month/day/year',
  'year-first': 'year/month/day',
};

/** Returns true for a number of days, as the column `reported` may have it. */
export function isNumberOfDays(text: string): boolean {
  return /^\d{1,4}$/.test(text);
}

/** Returns the text of the cells of a time, which may be in several columns. */
export function joinCells(texts: readonly string[]): string {
  return texts.join(' ').trim();
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
      if (amount !== undefined) decimals.add(line, readAmount(textOf(amount)));
    },
    /** Throws UsageError if two readings fit, or none. */
    settle(): OrderFormats {
      const { header, reported = -1 } = columns;
      if (saidWhen.flags > 1 && saidWhen.others === 0)
        throw new UsageError(
          `"${header[reported]}" has only 0 and 1, so it does not say when an order was reported: rename the column and add --delay DAYS, or write there a time or a number of days`,
        );
      return createFormats(columns, { ...options, dates: dates.settle(), decimal: decimals.settle() });
    },
  };
}

function withinRange(readings: Readings<DateOrder>, latest: number): Readings<DateOrder> {
  const kept = Object.entries(readings).filter(([, at = 0]) => at >= FIRST_MOMENT && at <= latest + DAY_MS);
  return Object.fromEntries(kept) as Readings<DateOrder>;
}

type Settled = FormatOptions & { readonly dates: DateOrder; readonly decimal: DecimalSign };

function createFormats({ header, time, amount }: OrderColumns, options: Settled): OrderFormats {
  const { dates, decimal, now } = options;
  const readTime = createTimeReader();
  const toUtc = createZoneReader();
  const headerZone = parseZone(/\(([^()]{1,40})\)$/.exec(header[time[0] ?? -1] ?? '')?.[1] ?? '');
  // A name that belongs to one column says more than an option for all of them.
  const zone = headerZone ?? options.zone ?? 0;
  const inCents = options.cents || CENTS.test((header[amount ?? -1] ?? '').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  const seen = new Map<string, number>();
  let hasZoneless = false;
  let hasAmounts = false;
  let hasDecimals = false;

  return {
    now,
    timeOf(text) {
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
              !isZoneless ? (written.zone as Zone) : written.zone === 'several' ? (options.zone ?? zone) : zone,
            );
      if (at < FIRST_MOMENT || at > now + DAY_MS) throw new Error('a time from 1990 to today');
      hasZoneless ||= isZoneless;
      const format = `${written.format(dates)}${isZoneless || written.zone === 'moment' ? '' : ' with a zone'}`;
      seen.set(format, (seen.get(format) ?? 0) + 1);
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
      return inCents ? value / 100 : value;
    },
    describe() {
      const formats = [...seen].sort(([, a], [, b]) => b - a).map(([format]) => format);
      const more = formats.length - MAX_FORMATS_SHOWN;
      const shown = formats.slice(0, MAX_FORMATS_SHOWN).join('; ') + (more > 0 ? `; and ${more} more` : '');
      const ignored = options.zone === undefined ? '' : ' (of the column, not of --zone)';
      const assumed = headerZone !== undefined ? ignored : options.zone === undefined ? ' (--zone sets another)' : '';
      const where = hasZoneless ? `, in the zone ${formatZone(zone)}${assumed}` : '';
      const signs = hasDecimals ? `with a decimal ${decimal === '.' ? 'point' : 'comma'}` : 'whole numbers';
      return [`Times: ${shown}${where}.`, ...(!hasAmounts ? [] : [`Amounts: ${signs}${inCents ? ', in cents' : ''}.`])];
    },
  };
}
