import { describe, expect, it } from 'vitest';
import { findColumns } from '../../src/service/cli/lab/order-columns.ts';
import { createFormatFinder, type FormatOptions } from '../../src/service/cli/lab/order-formats.ts';
import { joinCells } from '../../src/service/cli/lab/time-cells.ts';
import type { Cell } from '../../src/service/cli/csv/records.ts';

const NOW = Date.UTC(2026, 5, 30);
const FREE = { dates: undefined, zone: undefined, decimal: undefined, cents: false, now: NOW };

const cellOf = (text: string): Cell => ({
  start: 0,
  end: 0,
  isQuoted: true,
  latin1: Buffer.from(text).toString('latin1'),
});

/** Reads a column of times and one of amounts, as `import-orders` does. */
function read(
  times: readonly string[],
  amounts: readonly string[] = [],
  {
    time = 'time',
    amount = 'amount',
    currency = '',
    currencies = [],
    clock,
    ...options
  }: Partial<FormatOptions> & {
    readonly time?: string;
    readonly amount?: string;
    readonly currency?: string;
    readonly currencies?: readonly string[];
    readonly clock?: { readonly name: string; readonly text: string };
  } = {},
  isFraud = false,
) {
  const needs = { reported: false, shop: false };
  const columns = findColumns(
    [time, 'outcome', 'email', amount, 'Currency', clock?.name ?? ''],
    new Map([['time', time], ...(clock === undefined ? [] : [['time2', clock.name] as const]), ['amount', amount]]),
    needs,
  );
  const finder = createFormatFinder(columns, { ...FREE, ...options });
  for (let row = 0; row < Math.max(times.length, amounts.length); row++)
    finder.add(
      row + 2,
      [times[row] ?? '', 'good', 'a', amounts[row] ?? '', currencies[row] ?? currency, clock?.text ?? ''].map(cellOf),
    );
  const formats = finder.settle();
  const attempt = <T>(parse: () => T): T | string => {
    try {
      return parse();
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    times: times.map((text) =>
      attempt(() =>
        new Date(formats.timeOf(clock === undefined ? text : joinCells([text, clock.text])).at).toISOString(),
      ),
    ),
    amounts: amounts.map((text) => attempt(() => formats.amountOf(text, isFraud))),
    said: formats.describe().join('\n'),
  };
}

const AT = '2024-03-05T10:14:00.000Z';
/** What shop systems, databases, languages and spreadsheets write for 10:14 on 5 March 2024. */
const TIMES: readonly (readonly [text: string, at: string])[] = [
  ...[
    '2024-03-05T10:14:00Z',
    '2024-03-05T10:14Z',
    '2024-03-05 10:14:00',
    '2024-03-05 10:14',
    '2024-03-05 10:14:00 UTC',
    '2024-03-05 10:14:00+00',
    '2024-03-05 10:14:00 +0000 UTC',
    '2024-03-05 05:14:00 -0500',
    '2024-03-05T11:14:00+01:00[Europe/Berlin]',
    '2024-03-05T10:14:00.000000',
    '2024-03-05 10:14:00,000',
    '2024/03/05 10:14:00',
    '2024.03.05 10:14',
    '2024-Mar-05 10:14',
    '20240305T101400Z',
    '20240305 10:14:00',
    '20240305101400',
    '202403051014',
    '05.03.2024 10:14',
    '5.3.2024 10.14',
    '05.03.24, 10:14',
    '05.03.2024 10:14 Uhr',
    '5 de marzo de 2024 10:14 hs.',
    '5 mar 2024 10:14hrs',
    '05.03.2024 в 10:14',
    'Dienstag, 5. März 2024 um 11:14 MEZ',
    '5. März 2024 10:14',
    '5 mars 2024 10:14:00 UTC',
    'mardi 5 mars 2024 à 10:14',
    '5 mars 2024 10h14',
    '5 de marzo de 2024, 10:14',
    'mar, 5 mar 2024 10:14',
    '5 de mar. de 2024 10:14',
    '5 marca 2024 10:14',
    '5 marzo 2024 10:14',
    '5. maaliskuuta 2024 klo 10.14',
    '5 Μαρτίου 2024, 10:14 π.μ.',
    '5 марта 2024 г., 10:14',
    '5 Mart 2024 10:14',
    '2024. 03. 05. 10:14',
    '2024年3月5日 10時14分',
    '2024年3月5日 10时14分00秒',
    '2024/03/05 19:14:00 JST',
    '2024/03/05 19:14:00JST',
    '2024년 3월 5일 오전 10:14',
    '2024. 3. 5. 오전 10:14:00',
    '٥ مارس ٢٠٢٤ ١٠:١٤',
    '２０２４／０３／０５　１０：１４',
    'Mar 5, 2024 10:14 AM',
    'Mar 5, 2024 02:14:00 AM PST',
    'Mar-05-24 02:14:00 PST',
    'March 5th, 2024 at 10:14am',
    '05-MAR-24 10.14.00 AM',
    '05-Mar-2024 10:14:00',
    '05-Mar-24 10.14.00.000000 AM',
    '05-MAR-24 11.14.00.000000000 AM +01:00',
    '05/Mar/2024:10:14:00 +0000',
    '[05/Mar/2024:10:14:00 +0000]',
    '/Date(1709633640000)/',
    String.raw`\/Date(1709633640000+0100)\/`,
    '2024-03-05T11:14:00[Europe/Berlin]',
    '2024-03-05T10:14:00Z[UTC]',
    '="2024-03-05 10:14"',
    'Tue, 05 Mar 2024 10:14:00 GMT',
    'Tue Mar 05 10:14:00 UTC 2024',
    'Tue Mar  5 10:14:00 2024',
    'Tue Mar 05 2024 11:14:00 GMT+0100 (Central European Standard Time)',
    '02:14:00 Mar 05, 2024 PST',
    '2024-03-05 04:14:00 Central Time (US & Canada)',
    '2024-03-05 05:14:00 Eastern Time',
    '2024-03-05 05:14:00 Eastern Standard Time',
    '2024-03-05 02:14:00 PST8PDT',
    '2024-03-05 11:14:00 W. Europe Standard Time',
    '2024-03-05 11:14:00 Romance Standard Time',
    '2024-03-05 15:44:00 India Standard Time',
    '1709633640000000000',
    '2024-03-05 11:14:00 Europe/Berlin',
    '\u200e2024-03-05\u00a010:14\u202f',
    "'2024-03-05 10:14",
    '1709633640',
    '1709633640.000',
    '1709633640000',
    '1709633640000000',
    '45356.42639',
    '45356,42639',
    '`2024-03-05 10:14:00',
    '#2024-03-05 10:14:00#',
    '2024-03-05-10.14.00.000000',
    '2024-03-05-10.14.00',
    '{"$date":"2024-03-05T10:14:00Z"}',
    '{"$date": 1709633640000}',
    '{"$date":{"$numberLong":"1709633640000"}}',
    '5 III 2024 10:14',
    '5 de março de 2024 às 10:14',
    '2024. gada 5. marts 10:14',
    '5 tháng 3, 2024 10:14',
    '2024-03-05 13:14 МСК',
    '2024-03-05 18:14 北京时间',
  ].map((text) => [text, AT] as const),
  ['2024-03-05T10:14:00.123Z', '2024-03-05T10:14:00.123Z'],
  ['05-Mar-24 10.14.00.123000 PM', '2024-03-05T22:14:00.123Z'],
  ['2024-3-5 9:4', '2024-03-05T09:04:00.000Z'],
  ['2024-3-5 9:4:7', '2024-03-05T09:04:07.000Z'],
  ['2024-03-05 12:14:00 AM', '2024-03-05T00:14:00.000Z'],
  ['2024-03-05 12:14 p. m.', '2024-03-05T12:14:00.000Z'],
  ['2024年3月5日 下午10:14', '2024-03-05T22:14:00.000Z'],
  ['2024-03-05 24:00', '2024-03-06T00:00:00.000Z'],
  ['3/25/2024 2:14p', '2024-03-25T14:14:00.000Z'],
  ['3/25/2024 9:14a', '2024-03-25T09:14:00.000Z'],
  ['3/25/2024 12:14 A', '2024-03-25T00:14:00.000Z'],
  ['3/25/2024 9:14:05P', '2024-03-25T21:14:05.000Z'],
  ['3/25/2024 9:14 p.', '2024-03-25T21:14:00.000Z'],
  ['R6.3.5', '2024-03-05T00:00:00.000Z'],
  ['R6.3.25 10:14', '2024-03-25T10:14:00.000Z'],
  ['R06/12/24', '2024-12-24T00:00:00.000Z'],
  ['r6-3-25', '2024-03-25T00:00:00.000Z'],
  ['R6年3月5日', '2024-03-05T00:00:00.000Z'],
  ['Ｒ６．３．２５', '2024-03-25T00:00:00.000Z'],
  ['H31.3.25', '2019-03-25T00:00:00.000Z'],
  ['令和6年3月5日 10時14分', AT],
  ['令和元年5月5日', '2019-05-05T00:00:00.000Z'],
  ['令和6.3.25', '2024-03-25T00:00:00.000Z'],
  ['平成31年3月25日', '2019-03-25T00:00:00.000Z'],
  ['㋿6.3.25', '2024-03-25T00:00:00.000Z'],
  ['P, 2024.03.08. 10:14', '2024-03-08T10:14:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-03-05Z', '2024-03-05T00:00:00.000Z'],
  ['2024-03-05+01:00', '2024-03-04T23:00:00.000Z'],
  ['20240305', '2024-03-05T00:00:00.000Z'],
  ['45356', '2024-03-05T00:00:00.000Z'],
];

/** Cells that are no time, or one at which no shop took an order. */
const NO_TIMES =
  '0|1|0000-00-00 00:00:00|0001-01-01T00:00:00|1900-02-29|1900-01-01|1970-01-01 00:00:00|2023-02-29|2024-13-05|' +
  '2024-00-05|2024-03-32|20245-03-05|02024-03-05|2024-03-05 25:00|2024-03-05 10:60|2024-03-05 13:14 PM|2567-03-05|' +
  '2099-01-01|2026-07-02|31.02.2024|5 Foo 2024|March 2024|10:14|2024|2024-03-05 10:14 +25:00|4102444800|99999|' +
  '1.70963E+12|03-05|2024-03|yesterday|2024-03-05 10:14 XYZ|2024-03/05|########|1402-12-15|2024-03-05T10:14:00Z junk|638452448400000000|133542468400000000|630822816000000000|4102444800000000000|2024-03-05 10:14 Nowhere Standard Time|' +
  '731369640|631152000|R6.13.25|H40.3.25|S64.3.25|R6.2.30|K6.3.25|P 08.03.24|R 6.3.25|V6.3.25|3/25/2024 14:14p|1402/12/15 10:14|05/03/2567';

describe('the times of orders', () => {
  it.each(TIMES)('reads %j as %s', (text, at) => {
    expect(read([text]).times).toEqual([at]);
  });

  it.each(NO_TIMES.split('|'))('refuses %j', (text) => {
    expect(read(['2024-03-05', text]).times[1]).toMatch(/^a time (?:such as 2021-01-31|from 1990 to today)/);
  });

  it('reads 05/03/2024 as another row of the file shows', () => {
    expect(read(['05/03/2024 10:14', '25/03/2024 10:14'])).toMatchObject({
      times: [AT, '2024-03-25T10:14:00.000Z'],
      said: 'Times: day/month/year hour:minute, in the zone UTC (--zone sets another).',
    });
    expect(read(['3/5/2024 10:14 AM', '3/25/2024 10:14 PM']).times).toEqual([AT, '2024-03-25T22:14:00.000Z']);
    expect(read(['3/5/24', '12/31/23']).times[0]).toBe('2024-03-05T00:00:00.000Z');
    // No order is from the future: 2031 shows that the year is not first.
    expect(read(['05/03/24', '31/03/24']).times[0]).toBe('2024-03-05T00:00:00.000Z');
    expect(read(['24/03/05', '24/03/31']).times[0]).toBe('2024-03-05T00:00:00.000Z');
    expect(read(['05032024', '25032024']).times[0]).toBe('2024-03-05T00:00:00.000Z');
    // A year first among slashes is unusual, so an older year there is none. A newer one may be.
    expect(read(['13/03/24 10:14']).times).toEqual(['2024-03-13T10:14:00.000Z']);
    expect(read(['13/03/24'], [], { dates: 'year-first' }).times).toEqual(['2013-03-24T00:00:00.000Z']);
    expect(() => read(['24/03/05'])).toThrow(
      'fits two readings: a date of day/month/year and a date of year/month/day',
    );
    // Equal numbers say nothing, and ask nothing.
    expect(read(['05/05/2024']).times).toEqual(['2024-05-05T00:00:00.000Z']);
  });

  it.each(
    (
      '24 Mar 05|24-Mar-05 10:14|24 mars 05|24. März 05|24/Mar/05|Thu, 24 Mar 05 10:14|24 Mar 05 10:14 +0000|' +
      '24.03.05|24.03.05 10:14'
    ).split('|'),
  )('asks whether the day or the year of %j comes first', (text) => {
    expect(() => read([text])).toThrow(
      'line 2 fits two readings: a date of day/month/year and a date of year/month/day; add --dates day-first or --dates year-first',
    );
    const dayOf = (...order: ['day-first' | 'month-first' | 'year-first']) =>
      read([text], [], { dates: order[0] }).times[0]!.slice(0, 10);
    expect([dayOf('day-first'), dayOf('year-first')]).toEqual(['2005-03-24', '2024-03-05']);
    // Another row shows it.
    expect(read([text, text.replace('05', '31')]).times[0]).toMatch(/^2024-03-05/);
  });

  it.each([
    ["24 Mar '05", '2005-03-24'],
    ['Mar 24, 05', '2005-03-24'],
    ['05 Mar 24', '2024-03-05'],
    ['31 Mar 05', '2005-03-31'],
    ['24年3月5日', '2024-03-05'],
    ['24년 3월 5일', '2024-03-05'],
  ])('does not ask about %j', (text, day) => {
    expect(read([text]).times[0]!.slice(0, 10)).toBe(day);
  });

  it('asks when two readings fit, and when none does', () => {
    expect(() => read(['2024-01-01', '05/03/2024'])).toThrow(
      'line 3 fits two readings: a date of day/month/year and a date of month/day/year; add --dates day-first or --dates month-first',
    );
    expect(() => read(['25/03/2024', '03/25/2024'])).toThrow(
      /^no reading fits all lines: line 3 is not a date of day\/month\/year, line 2 is not a date of month\/day\/year, .*; add --dates day-first or --dates month-first/,
    );
    expect(read(['05/03/2024'], [], { dates: 'day-first' }).times).toEqual(['2024-03-05T00:00:00.000Z']);
    expect(read(['05/03/2024'], [], { dates: 'month-first' }).times).toEqual(['2024-05-03T00:00:00.000Z']);
    expect(read(['25/03/2024', '03/25/2024'], [], { dates: 'day-first' }).times).toEqual([
      '2024-03-25T00:00:00.000Z',
      'a time such as 2021-01-31 or 2021-01-31T12:00:00Z',
    ]);
  });

  it('reads a time without a zone in that of --zone, also around the change to summer time', () => {
    const inZone = (zone: string | number, ...times: string[]) => read(times, [], { zone });
    expect(inZone(3_600_000, '05.03.2024 11:14')).toMatchObject({
      times: [AT],
      said: expect.stringContaining('Times: day.month.year hour:minute, in the zone +01:00.') as string,
    });
    expect(inZone('Europe/Berlin', '2024-03-31 01:59', '2024-03-31 03:00', '2024-07-01 00:00').times).toEqual([
      '2024-03-31T00:59:00.000Z',
      '2024-03-31T01:00:00.000Z',
      '2024-06-30T22:00:00.000Z',
    ]);
    expect(inZone('America/New_York', '2024-03-05 10:14', '2024-03-05T10:14Z').times).toEqual([
      '2024-03-05T15:14:00.000Z',
      AT,
    ]);
    // The name of a column says more about it than an option for all.
    const named = { time: 'Created (UTC)', zone: 'Europe/Berlin' };
    expect(read(['2024-03-05 10:14', '2024-03-05 11:14 +01:00'], [], named)).toMatchObject({
      times: [AT, AT],
      said: 'Times: year-month-day hour:minute; year-month-day hour:minute with a zone, in the zone UTC (of the column, not of --zone).',
    });
    expect(read(['2024-03-05 10:14'], [], { time: 'Created (UTC)' }).said).toMatch(/in the zone UTC\.$/);
    expect(read(['2024-03-05 11:14'], [], { time: 'Created (Europe/Berlin)' }).times).toEqual([AT]);
    // CST is Chicago and China.
    expect(read(['2024-03-05 10:14 CST']).times[0]).toContain('add --zone');
    expect(inZone('Asia/Shanghai', '2024-03-05 18:14 CST').times).toEqual([AT]);
  });
});

/** Amounts, as countries and programs write them. */
const AMOUNTS: Readonly<Record<number, string>> = {
  1234.5:
    "1234.50|1,234.50|1 234,50|1\u202f234,50|1\u00a0234,50 €|1.234,50 €|1.234,50|€ 1.234,50|1'234.50|1’234.50|CHF 1'234.50|$1,234.50|$1,234.50 USD|US$ 1,234.50|R$ 1.234,50|1,234.5000|1234.5|1_234.50|1_234,50|1.2345E3|1234.50 (EUR)|1.234,50 (€)|(EUR) 1234.50|=1234.50|'=1234.50|1234,50 [SEK]|１，２３４．５０|١٬٢٣٤٫٥٠|1234,50 kr.|kr 1.234,50|1 234,50 zł|+1234.50|EUR1234.50|1234.500000",
  1234: '1234|¥1,234|1,234円|₩1,234|$1,234|1.234 €|€1.234|1234.-|1’234.–|1234,--|1.234,-|1.234,- €|€ 1.234,--|1,234.-|1234/-|Rs. 1,234/-|1 234 Ft|1.234 ₫',
  123456: '₹1,23,456.00|₹1,23,456|INR 1,23,456.00|123,456.00|123.456,00|123 456,00',
  1234567.5: "1,234,567.50|1.234.567,50|12,34,567.50|1 234 567,50|1'234'567.50",
  12.5: '12.50|="12.50"|12,50|12.5|$12.50|12,5 €|USD 12.50|12.500000000000',
  12: 'USD 12|12|12.00|12,00|12.-|$12|00012',
  0.5: '0.50|.50|,50|0,50|0.500',
  0: '0|0.00|0,00 €|-0|-0.00|$0',
};

describe('the zone in the name of a column', () => {
  const at = (time: string, ...more: [Partial<FormatOptions>?]) =>
    read(['2024-03-05 10:14'], [], { time, ...more[0] }).times[0]!.slice(0, 16);
  it.each([
    ['Created (UTC)', '10:14'],
    ['Purchase Time (PST)', '18:14'],
    ['post_date_gmt', '10:14'],
    ['date_gmt', '10:14'],
    ['CreatedOnUtc', '10:14'],
    ['createdUTC', '10:14'],
    ['created_utc', '10:14'],
    ['UTC Time', '10:14'],
    ['utc_timestamp_ms', '10:14'],
    ['Date [UTC-5]', '15:14'],
    ['Date UTC-5', '15:14'],
    ['Date (GMT+5)', '05:14'],
    ['Order Date PST', '18:14'],
    ['Дата (МСК)', '07:14'],
    ['Дата, МСК', '07:14'],
    ['下单时间(北京时间)', '02:14'],
    ['下单时间（北京时间）', '02:14'],
    ['注文日時（日本時間）', '01:14'],
    ['注文日時 (JST)', '01:14'],
    ['주문일시(KST)', '01:14'],
    ['Date (Europe/Berlin)', '09:14'],
    ['Date (Eastern Time)', '15:14'],
    ['Created (UTC) at', '10:14'],
  ])('%s counts, also beside --zone', (name, hour) => {
    expect([at(name), at(name, { zone: 14_400_000 })]).toEqual([`2024-03-05T${hour}`, `2024-03-05T${hour}`]);
  });

  it.each(
    'time|Estimated|UTC offset|Time zone (GMT offset)|Date (local)|best date|Bestelldatum|dutch_date|Est. date'.split(
      '|',
    ),
  )('%s is none', (name) => {
    expect(at(name, { zone: 3_600_000 })).toBe('2024-03-05T09:14');
  });

  it('is asked about if it has several meanings', () => {
    for (const name of ['Created (CST)', 'Date IST', 'Sale Date (ET)', 'Date (PT)']) {
      expect(() => read(['2024-03-05 10:14'], [], { time: name }), name).toThrow(
        `the zone in the name of "${name}" has several meanings: add --zone, such as --zone America/Chicago`,
      );
      expect(at(name, { zone: 'America/Chicago' })).toBe('2024-03-05T16:14');
    }
  });

  it('of a further column of the time counts, and two different ones are an error', () => {
    const inTwo = (first: string, second: string) =>
      read(['2024-03-05'], [], { time: first, clock: { name: second, text: '14:14:00' } }).times[0];
    expect(inTwo('Date', 'Time (PST)')).toBe('2024-03-05T22:14:00.000Z');
    expect(inTwo('Date (PST)', 'Time (PST)')).toBe('2024-03-05T22:14:00.000Z');
    expect(() => inTwo('Date (UTC)', 'Time (PST)')).toThrow(
      'the columns of the time have two zones in their names: rename one of them',
    );
  });
});

describe('a day and a clock in two columns', () => {
  it.each([
    ['2024-03-05 00:00:00', '10:14:00'],
    ['2024-03-05 00:00:00.000', '1899-12-30 10:14:00'],
    ['2024-03-05T00:00:00', '1900-01-01T10:14:00'],
    ['05.03.2024', '30.12.1899 10:14:00'],
    ['3/5/2024 12:00:00 AM', '12/30/1899 10:14:00 AM'],
    ['2024-03-05', '0.426389'],
    ['2024-03-05', ',426389'],
    ['2024-03-05 00:00', '0,42638889'],
    ['45356', '0.426389'],
    ['45356', '10:14'],
    ['2024-03-05', '1970-01-01 10:14:00'],
    ['2024-03-05', '0001-01-01 10:14:00'],
  ])('%s and %s are one time', (day, clock) => {
    const { times } = read([day, '2024-03-05'], [], { dates: 'month-first', clock: { name: 'Clock', text: clock } });
    expect(times[0]).toBe(AT);
  });
  it.each([
    ['2024-03-05 08:00:00', '10:14:00'],
    ['2024-03-05', '1.426389'],
    ['2024-03-05', '2024-03-06 10:14:00'],
    ['2024-03-05', '930'],
    ['2024-03-05', '91400'],
  ])('%s and %s are refused', (day, clock) => {
    expect(read([day], [], { clock: { name: 'Clock', text: clock } }).times[0]).toMatch(/^a time such as/);
  });
});

describe('two formats of dates in one column', () => {
  const WARNING =
    'Check the days: those of day/month/year are all after the 12th, and those of year-month-day all until then. A spreadsheet may have swapped day and month.';
  it('are named if a spreadsheet may have swapped day and month', () => {
    expect(read(['13/03/2024 10:00', '2024-04-03 10:00:00']).said).toContain(WARNING);
    expect(read(['03/13/2024', '2024-04-03', '03/14/2024']).said).toContain('those of month/day/year are all after');
    expect(read(['13.03.2024', '45385']).said).toContain('those of days of a spreadsheet all until then');
    for (const fine of [
      ['13/03/2024', '2024-04-13'],
      ['13/03/2024', '05/03/2024', '2024-04-03'],
      ['13/03/2024', '14/03/2024'],
      ['2024-03-13', '2024-04-03'],
      ['13 Mar 2024', '2024-04-03'],
    ])
      expect(read(fine).said).not.toContain('Check the days');
  });
});

describe('the amounts of orders', () => {
  it.each(Object.entries(AMOUNTS).flatMap(([value, texts]) => texts.split('|').map((text) => [text, Number(value)])))(
    'reads %j as %d',
    (text, value) => {
      expect(read([], [String(text)]).amounts).toEqual([value]);
    },
  );

  it.each('-12.50|(12.50)|12.50-|−12.50|-$12.50|$-12.50|($12.50)|12,50- EUR|(12,50 €)'.split('|'))(
    'knows that %j is negative',
    (text) => {
      expect(read([], [text]).amounts).toEqual(['an amount that is not negative: a refund is no order']);
    },
  );

  it.each('|-|n/a|NULL|nan|\\N|None|NaT|(null)|#N/A|k.A.|unbekannt|{{amount}}|$ -|?'.split('|'))(
    'counts %j as no amount',
    (text) => {
      expect(read([], [text]).amounts).toEqual([undefined]);
    },
  );

  it.each(
    'free|1.2.3|1,2,3|12.50.00|1 2|12%|1,23,4|12 apples and 3|1e15|--5|1234567890123|0x10|12.50 12.50|€'.split('|'),
  )('refuses %j', (text) => {
    expect(read([], ['1', text]).amounts[1]).toBe('a number such as 1234.50');
  });

  it.each(
    (
      '1.2k|125K|1.2 K|12.5M|5m|5 mm|1.5 bn|1.5B|3.2万|1.2万円|5萬|3億|2亿元|5千|3만원|5천원|125rb|IDR 125rb|125 ribu|1,5 jt|' +
      '1,5 juta|5 lakh|₹5 lakhs|5L|1.5 crore|1.5 Cr|12.50 CR|12,5 тыс.|12,5 тыс. руб.|12,5 тыс.руб.|1,5 млн ₽|1,5 tys.|' +
      '1,5 tys. zł|1.5 Mio|1,5 Mio. €|3 Mrd|12,5 Tsd. €|12 T€|12 TEUR|12 k€|12 kEUR|1.2 MUSD|12 MSEK|12 tkr|5 mkr|' +
      'R$ 12 mil|3 milhões|1,2 millones|12 mila|3 milioni|5 bin TL|1,2 milyon|5 nghìn|2 triệu|5 tr|12 tis. Kč|5 ezer Ft|' +
      '5 ألف|5 هزار|5 พัน|5 thousand|5 hundred|-1.2k|(1.2k)|1.2K USD|Infinity|-Infinity|inf|∞'
    ).split('|'),
  )('refuses %j, whose word or sign multiplies', (text) => {
    expect(read([], ['1', text]).amounts[1]).toBe('a number such as 1234.50');
  });

  it.each([
    ['K 12.50', 12.5],
    ['12.50 Kč', 12.5],
    ['12.50 kr', 12.5],
    ['12,50 zł', 12.5],
    ['12.50 TL', 12.5],
    ['12.50 MXN', 12.5],
    ['12.50 BRL', 12.5],
    ['12.50 ден', 12.5],
    ['12.50 RM', 12.5],
    ['M 12.50', 12.5],
    ['12.50 MKD', 12.5],
    ['12.50 KES', 12.5],
    ['12.50 грн', 12.5],
    ['12.50 Mex$', 12.5],
    ['12.50 K.D.', 12.5],
    ['12.50 B.D.', 12.5],
    ['`12.50', 12.5],
    ['&euro;12.50', 12.5],
    ['12,50&nbsp;&euro;', 12.5],
    ['S/.1,234.50', 1234.5],
    ['B/.12.50', 12.5],
    ['S/ 12.50', 12.5],
  ])('reads the currency of %j', (text, amount) => {
    expect(read([], [text]).amounts).toEqual([amount]);
  });

  it('reads 1,234 as another row of the file shows, and asks if none does', () => {
    expect(read([], ['1,234', '1,234.50']).amounts).toEqual([1234, 1234.5]);
    expect(read([], ['1,234', '12,5'])).toMatchObject({
      amounts: [1.234, 12.5],
      said: expect.stringMatching(/\nAmounts: with a decimal comma\.$/) as string,
    });
    expect(() => read([], ['5', '1,234'])).toThrow(
      'line 3 fits two readings: an amount with a decimal point and an amount with a decimal comma; add --decimal . or --decimal ,',
    );
    expect(read([], ['1,234'], { decimal: '.' }).amounts).toEqual([1234]);
    for (const money of [
      '1.234 KWD',
      '1.234 KD',
      'KD 1.234',
      'K.D. 1.234',
      '1.234 BD',
      'JD 1.234',
      'R.O. 1.234',
      '1.234 DT',
    ])
      expect(() => read([], [money]), money).toThrow('fits two readings');
    for (const money of ['1.234 USD', '1.234 kr', 'DKK 1.234', '1.234 €'])
      expect(read([], [money]).amounts).toEqual([1234]);
    expect(() => read([], ['12.50', '12,50'])).toThrow(
      /^no reading fits all lines: line 3 is not .* point, line 2 is not/,
    );
  });

  it('counts the absolute amount of a fraud, which PayPal writes as negative', () => {
    expect(read([], ['-12.50', '(0.50)', '12.50'], {}, true).amounts).toEqual([12.5, 0.5, 12.5]);
  });

  it.each(
    (
      'amount_cents|amountCents|Total (cents)|amount_in_cents|amountInCents|total_minor|amount_minor_units|minorUnits|' +
      'amountMinor|price_pence|Betrag in Cent|Betrag (ct)|montant_centimes|importe_céntimos|total_centavos|belopp_öre|' +
      'beløb i øre|kwota_grosze|сумма в копейках|amount_paise|amount_subunits|unitAmountInSmallestCurrencyUnit|金额(分)|' +
      'amount_kobo|amount_halalas|amount_ore|amount_sen|amount_fen|betrag_rappen|tutar_kurus|castka_haleru|amountKopecks|' +
      'amount_kopeks|amount_lowest_denomination|lowestDenomination|金额（分）|amount_pesewas|amount_satang|suma_bani|' +
      'сума_стотинки|сумма_в_тийинах|betrag_pfennig|amount_agorot|المبلغ_هللة|kwota_gr|сума_копійок|сумма_коп'
    )
      .split('|')
      .map((name) => [name]),
  )('finds cents in the name %j', (amount) => {
    expect(read([], ['123450'], { amount })).toMatchObject({ amounts: [1234.5] });
  });

  it.each(
    'amount|percent|center|scent|innocent_total|order_total|forecast|minority|store_total|sender|fence|score|micro_shop'.split(
      '|',
    ),
  )('finds no cents in the name %j', (amount) => {
    expect(read([], ['123450'], { amount })).toMatchObject({ amounts: [123450] });
  });

  it.each([
    ['amount_micros', 'USD', 1.2345, ', in millionths of the currency'],
    ['montant_millimes', 'TND', 1234.5, ', in thousandths of the currency'],
    ['amount_baisa', '', 1234.5, ', in thousandths of the currency'],
    ['amount_fils', 'AED', 12345, ', in cents'],
    ['amount_fils', 'KWD', 1234.5, ', in thousandths of the currency'],
    ['amount_minor', 'BHD', 1234.5, ', in thousandths of the currency'],
    ['amount_minor', 'jpy', 1234500, ''],
    ['amount_cents', 'KRW', 1234500, ''],
    ['amount_cents', 'EUR', 12345, ', in cents'],
    ['amount', 'JPY', 1234500, ''],
  ])('reads %s in %j as the currency needs', (amount, currency, value, said) => {
    const found = read([], ['1234500'], { amount, currency });
    expect(found.amounts).toEqual([value]);
    expect(found.said).toMatch(new RegExp(`whole numbers${said}\\.$`));
  });

  it('asks if the name does not say which part of the currency it is', () => {
    expect(() => read([], ['1250'], { amount: 'amount_fils' })).toThrow(
      'amounts of "amount_fils" are hundredths of some currencies and thousandths of others: add --cents if they are hundredths, or write whole units under another name',
    );
    expect(() => read([], ['1250', '1250'], { amount: 'amount_minor', currencies: ['EUR', 'JPY'] })).toThrow(
      'amounts of "amount_minor" are hundredths of some currencies and thousandths of others',
    );
    expect(read([], ['1250'], { amount: 'amount_fils', cents: true }).amounts).toEqual([12.5]);
    expect(() => read([], ['1250', '12.50'], { amount: 'amount_cents' })).toThrow(
      'line 3 has a part of a cent, so "amount_cents" may not be in cents: add --cents if it is, or rename the column',
    );
    expect(read([], ['1250.0'], { amount: 'amount_cents' }).amounts).toEqual([12.5]);
    expect(read([], ['12.50'], { amount: 'amount_cents', cents: true }).amounts).toEqual([0.125]);
  });

  it('divides cents by a hundred', () => {
    expect(read([], ['123450'], { cents: true })).toMatchObject({
      amounts: [1234.5],
      said: expect.stringContaining('whole numbers, in cents.') as string,
    });
  });
});
