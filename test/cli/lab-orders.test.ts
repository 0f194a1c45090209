import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readClearValue } from '../../src/core/identifiers/clear-value.ts';
import { isSharedHost } from '../../src/core/identifiers/platforms.ts';
import { toLabIdentifier } from '../../src/lab/event.ts';
import { messageOf } from '../../src/service/cli/errors.ts';
import { readMap } from '../../src/service/cli/lab/order-columns.ts';
import { readOrdersFile, type OrdersLayout } from '../../src/service/cli/lab/orders-file.ts';
import { parseZone } from '../../src/service/cli/lab/time-zones.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';
import { EXPORTS } from './order-exports.ts';

const folder = useFolder('orders');

const HEADER = 'time,shop,email,phone,outcome,amount,reported';
const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join('');

async function runOn(content: string | Buffer, ...args: string[]) {
  const file = join(folder, 'orders.csv');
  await writeFile(file, content);
  return runCli(['lab', 'import-orders', file, ...args]);
}

interface Event {
  readonly at: string;
  readonly do: string;
  readonly reporter?: string;
  readonly label?: number;
  readonly identifiers?: [string, string][];
  readonly name?: string;
  readonly verified?: boolean;
}
async function eventsOf(content: string | Buffer, ...args: string[]): Promise<Event[]> {
  const { code, out, err } = await runOn(content, '--events', ...args);
  expect(code, err).toBe(0);
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]));
}
/** What happens when, without the reporters. */
const historyOf = (events: readonly Event[]): string[] =>
  events.flatMap((event) =>
    event.do === 'reporter'
      ? []
      : [`${event.at.slice(0, 16)} ${event.do} ${event.reporter}${event.do === 'query' ? ` ${event.label}` : ''}`],
  );

describe('the events of a file of orders', () => {
  it('are in order of time, whatever the order of the rows: each order is a query, then its report', async () => {
    const events = await eventsOf(
      lines(
        HEADER,
        '2021-03-01,bea,b@example.com,,good,10,',
        '2021-01-01T12:00:00Z,ami,a@example.com,+15550100199,fraud,20.50,2021-02-01T00:00:00Z',
        '2021-02-01,bea,a@example.com,,fraud,30,0',
      ),
    );
    expect(historyOf(events)).toEqual([
      '2021-01-01T12:00 query ami 1',
      '2021-02-01T00:00 query bea 1',
      '2021-02-01T00:00 report ami',
      '2021-02-01T00:00 report bea',
      '2021-03-01T00:00 query bea 0',
    ]);
    expect(events.find((event) => event.do === 'query')!.identifiers).toEqual(
      [toLabIdentifier('email', 'a@example.com'), toLabIdentifier('phone', '+15550100199')].map(({ kind, hash }) => [
        kind,
        hash,
      ]),
    );
  });

  it.each([
    ['2021-01-01', '5', '2021-01-06T00:00'],
    ['2021-01-01 10:30', '5', '2021-01-06T10:30'],
    ['2021-01-01 10:30+02:00', '0', '2021-01-01T08:30'],
    // A day is known when it is over.
    ['2021-01-01T10:30:00Z', '2021-01-01', '2021-01-02T00:00'],
    ['2021-01-01T10:30:00Z', '2021-01-01 10:30:00.500', '2021-01-01T10:30'],
    // The delay is for frauds without a time.
    ['2021-01-01', '', '2021-02-10T00:00'],
    ['2021-01-01', '3', '2021-01-04T00:00'],
  ])('an order of %s with the report %j is reported at %s', async (time, reported, at) => {
    const row = `${time},ami,a@example.com,,fraud,1,${reported}`;
    expect(historyOf(await eventsOf(lines(HEADER, row), '--delay', '40')).at(-1)).toBe(`${at} report ami`);
  });

  it('have a report about a good order only if its row says so, and about a fraud only with a time or --delay', async () => {
    const rows = [
      '2021-01-01,ami,a@example.com,,good,1,2',
      '2021-01-01,ami,b@example.com,,good,1,',
      '2021-01-01,ami,c@example.com,,fraud,1,',
    ];
    const reports = (events: readonly Event[]): number => events.filter((event) => event.do === 'report').length;
    expect(reports(await eventsOf(lines(HEADER, ...rows)))).toBe(1);
    expect(reports(await eventsOf(lines(HEADER, ...rows), '--delay', '1'))).toBe(2);
  });

  const NO_TIME =
    'NULL|NaT|\\N|-|n/a|(null)|None|0000-00-00|"0000-00-00 00:00:00"|00.00.0000|0001-01-01 00:00:00|#N/A|k.A.|' +
    '0001-01-01T00:00:00Z|1/1/0001 12:00:00 AM|01.01.0001|00/00/0000|0000-00-00T00:00:00.000Z|1970-01-01|false|' +
    '1900-01-00|9999-12-31 23:59:59|undefined|nicht angegeben';
  it('are not reported if the cell of the time says so in any way, and have an absolute amount if they are frauds', async () => {
    const rows = NO_TIME.split('|').map((said, at) => `2021-01-01,ami,a${at}@example.com,,chargeback,-1.50,${said}`);
    const { code, err, out } = await runOn(lines(HEADER, ...rows), '--events');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining('"do":"report"') as string });
    expect(err).not.toContain('is left out');
    expect(err).toContain(
      `Used: ${rows.length} of 1 shop, 2021-01-01 to 2021-01-01, ${rows.length} frauds. Reported: 0.`,
    );
    const { err: said } = await runOn(lines(HEADER, ...rows, '2021-01-01,ami,a@example.com,,fraud,1,true'), '--events');
    expect(said).toContain(`line ${rows.length + 2} is left out: "reported" expected a time`);
  });

  it('have no identifier for an empty cell or a word for nothing, and one for two equal cells', async () => {
    const header = `${HEADER},email2`;
    const map = ['--map', 'email2=email2'];
    const order = (email: string, phone: string, other: string): string =>
      lines(header, `2021-01-01,ami,${email},${phone},good,1,,${other}`, '2021-01-02,ami,a@example.com,,good,1,,');
    const kinds = async (content: string) =>
      (await eventsOf(content, ...map))
        .find((event) => event.at.startsWith('2021-01-01') && event.do === 'query')
        ?.identifiers?.map(([kind]) => kind);
    expect(await kinds(order('A@example.com', 'N/A', ' a@EXAMPLE.com'))).toEqual(['email']);
    expect(await kinds(order('-', 'null', 'b@example.com'))).toEqual(['email']);
    expect(await kinds(order('', 'unknown', '--'))).toBeUndefined();
    expect(await kinds(order('test@test.com', '4.92E+11', 'no-reply@shop.example'))).toBeUndefined();
    expect(await kinds(order('k.A.', '000-000-0000', '\u200b'))).toBeUndefined();
    for (const email of ['Invalid Request', 'john', '12345']) expect(await kinds(order(email, '', ''))).toBeUndefined();
    for (const phone of ['12', '112', '+49']) expect(await kinds(order('', phone, ''))).toBeUndefined();
    expect(await kinds(order('0123456789abcdef'.repeat(2), '', ''))).toEqual(['email']);
    const few = order('c@example.com', "'+4912345", 'none');
    const told = async (...more: string[]) => (await runOn(few, '--events', ...map, ...more)).err;
    expect(await told()).toContain('2 left out (1 no value, 1 damaged); --keep-all uses those, too.');
    expect(await told('--keep-all')).not.toContain('left out (');
    expect(await kinds(order('\u0085', '\ufeff', ' \u0085'))).toBeUndefined();
  });

  it('have the shops as reporters, all verified unless --verified has a list', async () => {
    const content = lines(HEADER, '2021-01-02,ami,a@example.com,,good,1,', '2021-01-01,bea,b@example.com,,good,1,');
    const verified = async (...args: string[]) =>
      (await eventsOf(content, ...args)).flatMap((event) =>
        event.do === 'reporter' ? [`${event.at.slice(0, 10)} ${event.name} ${event.verified}`] : [],
      );
    expect(await verified()).toEqual(['2021-01-01 ami true', '2021-01-01 bea true']);
    expect(await verified('--verified', 'bea')).toEqual(['2021-01-01 ami false', '2021-01-01 bea true']);
    expect(await verified('--verified', '')).toEqual(['2021-01-01 ami false', '2021-01-01 bea false']);
    const otherSpelling = lines(HEADER, '2021-01-01,a\u0308mi,a,,good,1,');
    expect((await eventsOf(otherSpelling, '--verified', 'a\u0308mi'))[0]).toMatchObject({ verified: true });
    expect((await runOn(content, '--verified', 'ami,cyd')).err).toBe(
      'redflag: --verified expects shops from the file, separated by commas: ami, bea\n',
    );
  });

  it('are those of --map, --fraud, --good and --delimiter, in a file with CR LF, quotes, a mark and no last line end', async () => {
    const content =
      '\ufeff"Ordered at";"Store, name";E-Mail;Status;\r\n' +
      '2021-01-02;"ami ""&"" co";"x;y@example.com";Charged Back;"two\r\nlines"\r\n' +
      '\r\n' +
      '2021-01-01;bea;z@example.com;SHIPPED;ü';
    const args = ['time=ordered at', 'shop=Store, name', 'email=E-Mail', 'outcome=Status'].flatMap((map) => [
      '--map',
      map,
    ]);
    args.push('--fraud', 'lost,charged back', '--good', 'shipped', '--delimiter', ';', '--delay', '9');
    const events = await eventsOf(content, ...args);
    expect(historyOf(events)).toEqual([
      '2021-01-01T00:00 query bea 0',
      '2021-01-02T00:00 query ami "&" co 1',
      '2021-01-11T00:00 report ami "&" co',
    ]);
    expect(events.at(-1)!.identifiers).toEqual([['email', toLabIdentifier('email', 'x;y@example.com').hash]]);
  });
});

describe('the rows of one order', () => {
  const queriesOf = async (content: string, ...args: string[]) => {
    const { code, out, err } = await runOn(content, '--events', '--include-own', '--delay', '9', ...args);
    expect(code, err).toBe(0);
    const events = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]));
    return { queries: events.filter((event) => event.do === 'query'), events, err };
  };
  const kindsOf = ({ identifiers = [] }: Event = { at: '', do: '' }): string[] => identifiers.map(([kind]) => kind);

  it('are one order: empty cells take the value of another row, as in Shopify', async () => {
    const content = lines(
      'Name,Email,Created at,Lineitem name,Total,Phone,Risk',
      '#1001,a@example.com,2024-03-05,Hat,40,,high',
      '#1001,a@example.com,2024-03-05,Scarf,,+15550100199,',
      '#1001,a@example.com,2024-03-05,Glove,,,',
      '#1002,b@example.com,2024-03-06,Hat,40,,low',
    );
    const maps = ['time=Created at', 'amount=Total', 'outcome=Risk'].flatMap((map) => ['--map', map]);
    const { queries, events, err } = await queriesOf(content, ...maps, '--fraud', 'high', '--good', 'low');
    expect(historyOf(events)).toEqual([
      '2024-03-05T00:00 query shop 1',
      '2024-03-06T00:00 query shop 0',
      '2024-03-14T00:00 report shop',
    ]);
    expect(kindsOf(queries[0])).toEqual(['email', 'phone']);
    expect(kindsOf(events.at(-1))).toEqual(['email', 'phone']);
    expect(err).toContain('orders.csv: 2 orders in 4 rows. Used: 2 of 1 shop');
    expect(err).toContain(' order=Name, ');
    expect(err).not.toContain('Without an amount');
  });

  it.each(
    (
      'order_id|Order ID|orderNumber|Order No.|order-id|amazon-order-id|increment_id|Bestellnummer|Bestell-Nr.|' +
      'Auftragsnummer|Numéro de commande|N° commande|Número de pedido|Numero ordine|Bestelnummer|Numer zamówienia|' +
      'Номер заказа|注文番号|订单编号|주문번호|Sales Record Number|Número de orden|Número do Pedido|N.º de venta|# de venta|' +
      'Ordernummer|No. Pesanan|Mã đơn hàng|หมายเลขคำสั่งซื้อ|Nr. comandă|رقم الطلب|מספר הזמנה|Αριθμός παραγγελίας'
    )
      .split('|')
      .map((name) => [name]),
  )('are found by the column %s', async (name) => {
    const content = lines(
      `${name},time,email,outcome,sku`,
      '7,2024-03-05,a@example.com,good,x',
      '8,2024-03-05,b@example.com,good,x',
      '7,2024-03-05,a@example.com,good,y',
    );
    const { queries, err } = await queriesOf(content);
    expect(queries).toHaveLength(2);
    expect(err).toContain('orders.csv: 2 orders in 3 rows.');
  });

  it('may have the id in the first row only, and have the shop and time in common', async () => {
    const content = lines(
      'order,shop,time,email,outcome',
      '7,ami,2024-03-05,a@example.com,good',
      ',,,,',
      '7,bea,2024-03-05,b@example.com,good',
      '7,bea,2024-04-05,c@example.com,good',
      ',bea,2024-04-06,d@example.com,good',
    );
    const { queries, err } = await queriesOf(content);
    expect(queries).toHaveLength(4);
    expect(err).toContain('orders.csv: 4 orders in 5 rows.');
  });

  it('are named if they contradict each other, and counted if they differ', async () => {
    const content = lines(
      'order_id,time,email,outcome,amount',
      '7,2024-03-05,a@example.com,good,5',
      '7,2024-03-05,a@example.com,shipped,5',
      '7,2024-03-05,a@example.com,fraud,5',
      '8,2024-03-05,b@example.com,shipped,5',
      '8,2024-03-05,b@example.com,good,6',
    );
    const { queries, err } = await queriesOf(content);
    expect(queries).toHaveLength(1);
    expect(err).toMatch(
      /^redflag: line 2 is left out: one row of the order says that it is a fraud, and another that it is good\n/,
    );
    expect(err).toContain('Rows of one order differ in amount, in 1 order: the first row counts.');
  });

  it('are suspected where rows repeat each other and no column is an id', async () => {
    const content = lines(
      'time,email,outcome,sku',
      '2024-03-05,a@example.com,good,x',
      '2024-03-05,a@example.com,good,y',
      '2024-03-06,b@example.com,good,y',
    );
    const { queries, err } = await queriesOf(content);
    expect(queries).toHaveLength(3);
    expect(err).toContain('Rows that repeat the row before: 1. If they are items of one order, add --map order=COLUMN');
    expect((await queriesOf(content, '--map', 'order=sku')).err).not.toContain('repeat');
  });
});

describe('the values of orders', () => {
  const content = lines(
    HEADER,
    "2021-01-01,ami,a@example.com,'+1 555 010 0199,good,1,",
    '2021-01-02,ami,A@example.com.,+1 (555) 010-0199,good,1,',
  );
  const phones = (events: readonly Event[]) =>
    events.flatMap(({ identifiers = [] }) => identifiers.flatMap(([kind, hash]) => (kind === 'phone' ? [hash] : [])));

  it('have the canonical form of their kind with --canonical', async () => {
    const { hash } = toLabIdentifier('phone', '+15550100199');
    expect(phones(await eventsOf(content, '--canonical'))).toEqual([hash, hash]);
    expect(phones(await eventsOf(content))).toHaveLength(1);
    const { err } = await runOn(content, '--events', '--canonical', '--country', 'DE');
    expect(err).not.toContain('--canonical');
    expect((await runOn(content, '--country', 'DE')).err).toBe('redflag: --country expects --canonical\n');
  });

  it('are counted if --canonical would change them', async () => {
    const { err } = await runOn(content, '--events');
    expect(err).toContain('Written in another form than the canonical one: 2 values; --canonical changes them.\n');
  });
});

describe('outcomes that are neither a fraud nor good', () => {
  it('are named with their counts, unless they may be of a person', async () => {
    const rows = ['Refunded', 'open', 'refunded', '', 'good', 'a@example.com', '+1555010'].map(
      (outcome, at) => `2021-01-0${at + 1},ami,a@example.com,,${outcome},1,`,
    );
    const { err } = await runOn(lines(HEADER, ...rows), '--events');
    expect(err).toContain(
      'neither in --fraud nor in --good (2 refunded, 1 open, 1 empty, 1 not shown, 1 not shown), 0 with a problem',
    );
    const many = Array.from({ length: 30 }, (_, at) => `2021-01-01,ami,a@example.com,,Ada ${'x'.repeat(at)},1,`);
    expect((await runOn(lines(HEADER, ...many), '--events')).err).toContain(
      'none of 30 orders can be used: 0 have a problem, and 30 have an outcome that is neither in --fraud nor in --good (20 outcomes and more; check the column of the outcome)',
    );
  });
});

/** Each fraudster orders at two shops; the first order is reported after ten days. */
const PAIRS = Array.from({ length: 80 }, (_, i) => {
  const at = (days: number): string => new Date(Date.UTC(2021, 0, 1 + 5 * i + days)).toISOString();
  return [
    `${at(0)},ami,f${i}@example.com,,fraud,100,10`,
    `${at(9)},bea,f${i}@example.com,,fraud,40,`,
    `${at(11)},bea,f${i}@example.com,,fraud,60,`,
    `${at(13)},ami,f${i}@example.com,,fraud,80,`,
    `${at(12)},bea,g${i}@example.com,,good,200,`,
  ];
}).flat();

describe('the result for a file of orders', () => {
  it('names the formats that it found, and counts an order without an amount by its identifiers', async () => {
    const content = lines(
      'Created at,shop,email,outcome,amount',
      '2024-03-05 10:14:00 -0500,s1,a@example.com,fraud,"1,234.50"',
      '2024-03-06 10:14:00 -0500,s1,b@example.com,good,',
    );
    const { code, out, err } = await runOn(content, '--delay', '30', '--events', '--map', 'time=created at');
    expect(code, err).toBe(0);
    expect(out.match(/"at":"2024-03-05T15:14:00.000Z","do":"query"/g)).toHaveLength(1);
    expect(out.match(/"do":"query"/g)).toHaveLength(2);
    expect(err).toContain(
      'Times: year-month-day hour:minute:second with a zone.\nAmounts: with a decimal point.\n' +
        'Without an amount, counted as 0: 1.\n',
    );
  });

  it('asks which of two readings is right, before it shows anything', async () => {
    const content = lines('time,shop,email,outcome,amount', '05/03/2024,s1,a@example.com,good,5');
    expect(await runOn(content, '--delay', '30', '--events')).toEqual({
      code: 2,
      out: '',
      err: 'redflag: line 2 fits two readings: a date of day/month/year and a date of month/day/year; add --dates day-first or --dates month-first\n',
    });
  });

  it('counts a fraud only after another shop has reported it, and ends with a sentence about money', async () => {
    const split = '2021-07-20';
    const { code, out, err } = await runOn(lines(HEADER, ...PAIRS), '--split', split);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const later = (part: string) =>
      PAIRS.filter((row) => row >= split && row.includes(part)).map((row) => Number(row.split(',')[5]));
    const sum = (amounts: readonly number[]): string => amounts.reduce((a, b) => a + b, 0).toLocaleString('en-US');
    // Of four orders of a fraudster, only the third is from another shop and after the report.
    const [stopped, frauds, goods] = [later(',fraud,60,'), later(',fraud,'), later(',good,')];
    expect(out).toMatch(/^Blocking from \d+ Points would have stopped .*\n$/m);
    expect(out.slice(out.indexOf(' Points would'))).toBe(
      ` Points would have stopped ${stopped.length} of ${frauds.length} frauds (${sum(stopped)} of ${sum(frauds)}) and refused 0 of ${goods.length} good orders (0 of ${sum(goods)}).\n`,
    );
    expect(stopped.length).toBe(42);
    expect(out).toContain('orders.csv: 400 orders. Used: 400 of 2 shops, 2021-01-01 to 2022-02-13, 320 frauds.');
    expect(out).toContain('Reported: 80, half of them within 10 days.');
  });

  it('counts a shop’s own reports only with --include-own, and then needs no shops', async () => {
    const stopped = async (content: string, ...args: string[]) => {
      const { code, out, err } = await runOn(content, '--json', ...args);
      expect(code, err).toBe(0);
      return (JSON.parse(out) as { stoppedFrauds: { value: number } }).stoppedFrauds.value;
    };
    expect(await stopped(lines(HEADER, ...PAIRS))).toBe(40);
    expect(await stopped(lines(HEADER, ...PAIRS), '--include-own')).toBe(81);
    const twoSpellings = PAIRS.map((row, i) => row.replace(',ami,', i % 2 ? ',\u00e4mi,' : ',a\u0308mi,'));
    expect(await stopped(lines(HEADER, ...twoSpellings))).toBe(40);
    const cut = (row: string): string => row.replace(/,(shop|ami|bea),/, ',');
    expect(await stopped(lines(cut(HEADER), ...PAIRS.map(cut)), '--include-own')).toBe(81);
  });

  it('is the same for any order of the rows', async () => {
    const sorted = await runOn(lines(HEADER, ...PAIRS));
    const shuffled = await runOn(lines(HEADER, ...PAIRS.map((_, i) => PAIRS[(i * 7) % PAIRS.length]!)));
    expect(shuffled).toEqual(sorted);
  });

  it('is chosen before --split and stated for the rest', async () => {
    const { out } = await runOn(lines(HEADER, ...PAIRS), '--split', '2021-03-01');
    expect(out).toContain('(42 frauds) before 2021-03-01T00:00:00.000Z.');
    expect(out).toMatch(/ of 278 frauds /);
  });

  it('says when no number of Points saves money, and when orders are few', async () => {
    const few = [
      '2021-01-01,ami,a@example.com,,fraud,9,',
      '2021-01-01,bea,b@example.com,,good,9,',
      '2021-01-03,ami,c@example.com,,fraud,9,',
      '2021-01-03,bea,d,,good,9,',
    ];
    const { code, out } = await runOn(lines(HEADER, ...few));
    expect(code).toBe(0);
    expect(out).toMatch(/\nWarning: with fewer than 30 frauds or good orders, the result may be due to chance\.\n/);
    expect(out).toMatch(/\nNo number of Points would have saved more than it cost: do not block by Points alone\.\n$/);
  });

  it('counts orders if the file has no amounts, and names what was used and what was left out', async () => {
    const cut = (row: string): string => row.replace(/,[^,]*(,[^,]*)$/, '$1');
    const { out } = await runOn(
      lines(cut(HEADER), ...PAIRS.map(cut), '2023-01-01,ami,,,good,', '2023-01-01,ami,x,,open,'),
    );
    expect(out).toMatch(/stopped 40 of 159 frauds and refused 0 of 42 good orders\.\n$/);
    expect(out).toContain(
      'Left out: 1 whose outcome is neither in --fraud nor in --good (1 open), 0 with a problem.\n',
    );
    expect(out).toContain('Used, but never blocked: 1 without an identifier.\n');
    expect(out).toContain('Columns: time, outcome, shop, reported, email, phone.\n');
    expect(out).toContain('No column is an amount: each order counts as 1. Add --map amount=COLUMN.\n');
    expect(out).not.toContain('Saved');
  });

  it('shows the names of at most thirty unused columns, without characters that change a terminal', async () => {
    const more = Array.from({ length: 31 }, (_, i) => `note ${i}`);
    const widened = PAIRS.map((row) => row + ','.repeat(more.length));
    const { out } = await runOn(lines(`${HEADER},x\u202ey,${more.slice(1).join(',')}`, ...widened));
    expect(out).toContain(` Not used: x\ufffdy, ${more.slice(1, 30).join(', ')} and 1 more.\n`);
  });

  it('says one order and one day, and nothing about amounts if there are none', async () => {
    const { err } = await runOn(lines(HEADER, '2021-01-01,ami,a@example.com,,fraud,,1'), '--events');
    expect(err).toContain('orders.csv: 1 order. Used: 1 of 1 shop, ');
    expect(err).toContain('half of them within 1 day.');
    expect(err).not.toContain('Amounts:');
  });

  it('names columns in warnings without characters that change a terminal', async () => {
    const header = HEADER.replace('amount', 'a\u202eb');
    const { err } = await runOn(
      lines(header, ...PAIRS, PAIRS[0]!.replace(',100,', ',much,')),
      '--map',
      'amount=a\u202eb',
    );
    expect(err).toContain('"a\ufffdb" expected a number such as 1234.50');
  });
});

const SECRET = 'secret@example.com';

describe('a problem in a file of orders', () => {
  it.each([
    [`yesterday,ami,${SECRET},,good,1,`, '"time" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
    [`2021-02-30,ami,${SECRET},,good,1,`, '"time" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
    ...['', 'x'.repeat(81), 'a\u202eb', 'a\u0007b'].map((shop): [string, string] => [
      `2021-01-01,${shop},${SECRET},,good,1,`,
      '"shop" expected a name of 1 to 80 characters, without invisible characters',
    ]),
    [`2021-01-01,ami,${SECRET},,good,much,`, '"amount" expected a number such as 1234.50'],
    [`2099-01-01,ami,${SECRET},,good,1,`, '"time" expected a time from 1990 to today in the Gregorian calendar'],
    [`0000-01-01,ami,${SECRET},,good,1,`, '"time" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z'],
    [`2021-01-01,ami,${SECRET},,good,-5,`, '"amount" expected an amount that is not negative: a refund is no order'],
    [`2021-01-01,ami,${SECRET},,good,"1,5,2",`, '"amount" expected a number such as 1234.50'],
    [`2021-01-02,ami,${SECRET},,fraud,1,2020-12-31`, '"reported" expected a time after the order'],
    [
      `2021-01-02,ami,${SECRET},,fraud,1,soon`,
      '"reported" expected a time such as 2021-01-31 or 2021-01-31T12:00:00Z, or a number of days after the order',
    ],
    [`2021-01-01,ami,${SECRET},good`, 'it has 4 cells, but the header has 7'],
  ])('leaves out the row %j, named by its line', async (row, problem) => {
    const { code, out, err } = await runOn(lines(HEADER, PAIRS[0]!, row, PAIRS[1]!), '--events');
    expect(code).toBe(0);
    expect(out.match(/"do":"query"/g)).toHaveLength(2);
    expect(err.split('\n').slice(0, 3)).toEqual([
      `redflag: line 3 is left out: ${problem}`,
      'orders.csv: 3 orders. Used: 2 of 2 shops, 2021-01-01 to 2021-01-10, 2 frauds. Reported: 1, half of them within 10 days.',
      'Left out: 0 whose outcome is neither in --fraud nor in --good, 1 with a problem.',
    ]);
    expect(err).not.toContain(SECRET);
  });

  it('refuses a header that is not UTF-8 before all else', async () => {
    for (const header of ['time;Stra\xdfe', 'Stra\xdfe', HEADER + ',Stra\xdfe'])
      expect(await runOn(Buffer.from(`${header}\n1,2\n`, 'latin1'))).toEqual({
        code: 1,
        out: '',
        err: 'redflag: line 1 is not UTF-8: save as CSV UTF-8\n',
      });
  });

  it('finds E-Mail, says which kind is not known, and joins the lines of a shop', async () => {
    const content = lines(
      'time,shop,E-Mail,Client,outcome',
      '2021-01-01,"Main Website\n   Main Store\r\n      Default View",a@example.com,Ada,good',
    );
    const { err, out } = await runOn(content, '--events', '--delay', '1', '--map', 'customer=Client');
    expect(err).toContain('\nColumns: time, outcome, shop, customer=Client, email=E-Mail. No known kind: customer.\n');
    expect(out).toContain('"Main Website Main Store Default View"');
  });

  it('leaves out a row that is not UTF-8', async () => {
    const bad = [lines(HEADER, PAIRS[0]!), '2021-01-01,ami,', Buffer.of(0xff), ',,good,1,\n'].map((part) =>
      Buffer.from(part),
    );
    const { err } = await runOn(Buffer.concat(bad), '--events');
    expect(err.split('\n')[0]).toBe('redflag: line 3 is left out: "email" is not UTF-8: save as CSV UTF-8');
  });

  it('is shown twenty times', async () => {
    const rows = Array.from({ length: 25 }, () => 'x,ami,a@example.com,,good,1,');
    const { err } = await runOn(lines(HEADER, PAIRS[0]!, ...rows), '--events');
    expect(err.match(/ is left out: /g)).toHaveLength(20);
    expect(err).toMatch(/line 22 is left out: [^\n]*\nredflag: 5 more lines are left out\n/);
  });

  it.each<[string, string[], number, string]>([
    [
      lines('id,shop,mail,status', '1,ami,a@example.com,good'),
      [],
      2,
      'no column is the time of an order: add --map time=COLUMN\n' +
        'redflag: no column says whether an order was a fraud: add --map outcome=COLUMN\n' +
        'redflag: no column is the time of a report, and --delay is not given: add --map reported=COLUMN\n' +
        'redflag: no column is an identifier: add --map email=COLUMN, phone=, ip= or another kind\n' +
        'redflag: the columns are id, shop, mail, status',
    ],
    [
      lines('time,outcome,email,reported', '1,ami,a@example.com,good'),
      ['--map', 'phone=mobile'],
      2,
      'no column names the shop, and --include-own is not given: add --map shop=COLUMN\n' +
        'redflag: the column for phone (--map phone=…) is not there\n' +
        'redflag: the columns are time, outcome, email, reported',
    ],
    [
      lines(`${HEADER},Email`, 'x'),
      [],
      2,
      'two columns have the name for email; rename one of them\n' +
        `redflag: the columns are ${HEADER.replaceAll(',', ', ')}, Email`,
    ],
    [
      lines(`2021-01-01,ami,${SECRET},good`, '2021-01-01,ami,a@example.com,good'),
      [],
      1,
      'line 1 is not a header: write the names of the columns there, without @ and with at most three digits each',
    ],
    ...['01.02.21', '1/2/2021', '030 123 456', '(030) 12-34', '192.0.2.1'].map(
      (cell): [string, string[], number, string] => [
        lines(`time,email,Anna Mueller,${cell},good`, 'x'),
        [],
        1,
        'line 1 is not a header: write the names of the columns there, without @ and with at most three digits each',
      ],
    ),
    [
      lines(`Anna Mueller,${SECRET.split('@')[0]},DE12,good`, 'x'),
      ['--include-own', '--delay', '3', '--map', 'email=customer'],
      2,
      'no column is the time of an order: add --map time=COLUMN\n' +
        'redflag: no column says whether an order was a fraud: add --map outcome=COLUMN\n' +
        'redflag: the column for email (--map email=…) is not there\n' +
        'redflag: line 1 has no known column name, so it may be an order and is not shown; check the header and --delimiter\n',
    ],
    ...[
      ['time;shop;email;outcome', "';'"],
      ['Datum;Ergebnis;E-Mail', "';'"],
      ['Datum\tErgebnis\tE-Mail', "'\\t'"],
      ['Date;Total, EUR;outcome;line1;line2;line3;line4', "';'"],
    ].map(([header = '', by]): [string, string[], number, string] => [
      lines(header, 'x'),
      ['--include-own', '--delay', '3', '--map', 'email=customer'],
      2,
      'no column is the time of an order: add --map time=COLUMN\n' +
        'redflag: no column says whether an order was a fraud: add --map outcome=COLUMN\n' +
        'redflag: the column for email (--map email=…) is not there\n' +
        `redflag: its header seems to separate cells by another character: use --delimiter ${by}\n`,
    ]),
    [
      lines('a\u202eb,Customer', 'x'),
      ['--include-own', '--delay', '3', '--map', 'email=customer'],
      2,
      'no column is the time of an order: add --map time=COLUMN\n' +
        'redflag: no column says whether an order was a fraud: add --map outcome=COLUMN\n' +
        'redflag: the columns are a\ufffdb, Customer\n',
    ],
    [lines(HEADER.replaceAll(',', ';')), [], 2, 'no column is the time of an order: add --map time=COLUMN'],
    ['', [], 1, 'the file of orders is empty: there is no header'],
    [
      lines(HEADER, 'x,ami,a@example.com,,good,1,', '2021-01-01,ami,a@example.com,,open,1,'),
      [],
      1,
      'none of 2 orders can be used: 1 have a problem, and 1 have an outcome that is neither in --fraud nor in --good',
    ],
    [
      lines(HEADER, `2021-01-01,ami,"${SECRET}`),
      [],
      1,
      'the row that begins on line 2 is malformed: a quote is not closed',
    ],
    [
      lines(HEADER, PAIRS[0]!, PAIRS[1]!),
      [],
      1,
      'of the 1 earlier orders, 1 are frauds: the choice and the check need frauds and good orders',
    ],
    [
      lines(HEADER),
      ['--map', 'email'],
      2,
      '--map expects time, outcome, shop, amount, reported, order or a kind of identifier, then = and a column, as in email=customer_email',
    ],
    [
      lines(HEADER),
      ['--map', 'email=a', '--map', 'email=b'],
      2,
      '--map sets email twice; a second column of a kind is email2',
    ],
    [lines(HEADER), ['--margin', '0.2'], 2, '--margin expects a whole number from 0 to 1000'],
    [lines(HEADER), ['--delay', '-1'], 2, '--delay expects a value'],
    [lines(HEADER), ['--split', 'May'], 2, '--split expects a day as in 2030-01-31'],
    [
      lines(HEADER),
      ['another.csv'],
      2,
      'lab import-orders expects one CSV file of orders; see redflag lab import-orders --help',
    ],
  ])('ends the run: %j %j', async (content, args, code, message) => {
    const { err, ...rest } = await runOn(content, ...args);
    expect(err.startsWith('redflag: line 2 is left out') ? err.slice(err.indexOf('\n') + 1) : err).toMatch(
      new RegExp(`^redflag: ${message.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`),
    );
    expect(err).not.toContain('secret');
    expect(rest).toEqual({ code, out: '' });
  });

  it('is a file that is not there, packed, or not a file', async () => {
    const of = async (path: string) => (await runCli(['lab', 'import-orders', path])).err;
    expect(await of(join(folder, 'nothing.csv'))).toBe('redflag: the file of orders does not exist; check its path\n');
    expect(await of('orders.csv.gz')).toBe('redflag: unpack the file of orders first, because it is read twice\n');
    expect(await of(folder)).toBe(`redflag: ${folder} is a folder; name a file in it\n`);
  });
});

describe('an export of', () => {
  it.each(EXPORTS.map((one) => [one.system, one] as const))('%s has each row read or named', async (_, one) => {
    const file = join(folder, 'export.csv');
    await writeFile(file, one.csv, one.encoding ?? 'utf8');
    const words = (list: string): Set<string> => new Set(list.split(','));
    const problems: string[] = [];
    const layout: OrdersLayout = {
      delimiter: one.delimiter ?? ',',
      map: readMap(one.map.split('; ')),
      needs: { shop: false, reported: false },
      rules: {
        frauds: words(one.fraud),
        goods: words(one.good),
        delayDays: 30,
        readClear: (kind, text) => readClearValue(kind, text, { isSharedHost }),
      },
      guessesOutcomes: false,
      formats: { dates: undefined, zone: parseZone(one.zone ?? ''), decimal: undefined, cents: false, now: Date.now() },
      onProblem: (line, problem) => problems.push(`line ${line}: ${problem}`),
    };
    const read = await readOrdersFile(file, layout).catch((error: unknown) => void problems.push(messageOf(error)));
    const orders = [...(read?.times ?? [])].map((at, rank) => {
      const time = new Date(at).toISOString().replace('.000', '');
      return `${time} ${read!.orders.amounts[rank]} ${read!.orders.labels[rank] === 1 ? 'fraud' : 'good'}`;
    });
    expect({ orders: orders.join(', '), problems }).toEqual({ orders: one.orders, problems: one.problems ?? [] });
    expect(read?.counts.withoutIdentifier ?? 0).toBe(0);
  });
});
