import { describe, expect, it } from 'vitest';
import { findColumns } from '../../src/service/cli/lab/order-columns.ts';
import { createFormatFinder, type FormatOptions } from '../../src/service/cli/lab/order-formats.ts';
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
    ...options
  }: Partial<FormatOptions> & { readonly time?: string; readonly amount?: string } = {},
  isFraud = false,
) {
  const needs = { reported: false, shop: false };
  const columns = findColumns(
    [time, 'outcome', 'email', amount],
    new Map([
      ['time', time],
      ['amount', amount],
    ]),
    needs,
  );
  const finder = createFormatFinder(columns, { ...FREE, ...options });
  for (let row = 0; row < Math.max(times.length, amounts.length); row++)
    finder.add(row + 2, [times[row] ?? '', 'good', 'a', amounts[row] ?? ''].map(cellOf));
  const formats = finder.settle();
  const attempt = <T>(parse: () => T): T | string => {
    try {
      return parse();
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    times: times.map((text) => attempt(() => new Date(formats.timeOf(text).at).toISOString())),
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
  ].map((text) => [text, AT] as const),
  ['2024-03-05T10:14:00.123Z', '2024-03-05T10:14:00.123Z'],
  ['05-Mar-24 10.14.00.123000 PM', '2024-03-05T22:14:00.123Z'],
  ['2024-3-5 9:4', '2024-03-05T09:04:00.000Z'],
  ['2024-3-5 9:4:7', '2024-03-05T09:04:07.000Z'],
  ['2024-03-05 12:14:00 AM', '2024-03-05T00:14:00.000Z'],
  ['2024-03-05 12:14 p. m.', '2024-03-05T12:14:00.000Z'],
  ['2024年3月5日 下午10:14', '2024-03-05T22:14:00.000Z'],
  ['2024-03-05 24:00', '2024-03-06T00:00:00.000Z'],
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
  '1.70963E+12|03-05|2024-03|yesterday|2024-03-05 10:14 XYZ|2024-03/05|########|1402-12-15|2024-03-05T10:14:00Z junk|638452448400000000|133542468400000000|630822816000000000|4102444800000000000|2024-03-05 10:14 Nowhere Standard Time';

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
      'beløb i øre|kwota_grosze|сумма в копейках|amount_paise|amount_subunits|unitAmountInSmallestCurrencyUnit|金额(分)'
    )
      .split('|')
      .map((name) => [name]),
  )('finds cents in the name %j', (amount) => {
    expect(read([], ['123450'], { amount })).toMatchObject({ amounts: [1234.5] });
  });

  it.each('amount|percent|center|scent|innocent_total|order_total|forecast|minority'.split('|'))(
    'finds no cents in the name %j',
    (amount) => {
      expect(read([], ['123450'], { amount })).toMatchObject({ amounts: [123450] });
    },
  );

  it('divides cents by a hundred', () => {
    expect(read([], ['123450'], { cents: true })).toMatchObject({
      amounts: [1234.5],
      said: expect.stringContaining('whole numbers, in cents.') as string,
    });
  });
});
