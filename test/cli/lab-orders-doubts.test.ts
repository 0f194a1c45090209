import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFrequentValue } from '../../src/service/cli/frequent-value.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

const folder = useFolder('orders-doubts');

async function eventsOf(rows: readonly string[], ...args: string[]) {
  const file = join(folder, 'orders.csv');
  await writeFile(file, rows.map((row) => `${row}\n`).join(''));
  const { code, out, err } = await runCli(['lab', 'import-orders', file, '--include-own', '--events', ...args]);
  const events = out.split('\n').flatMap((line) => {
    const event = line === '' ? undefined : (JSON.parse(line) as { at: string; do: string; label?: number });
    return event === undefined || event.do === 'reporter' ? [] : [event];
  });
  return {
    code,
    err,
    history: events.map(({ at, do: what, label }) => [at.slice(0, 10), what, label].join(' ').trim()),
  };
}

describe('a column of 0 and 1', () => {
  it('for `reported` says whether, not when, so the command asks', async () => {
    const rows = ['2024-03-05,fraud,a@mail.example,1', '2024-03-06,good,b@mail.example,0'];
    const header = 'time,outcome,email,reported';
    for (const column of [rows, rows.map((row) => row.replace(/0$/, '')).concat(rows[0]!)])
      expect(await eventsOf([header, ...column])).toEqual({
        code: 2,
        history: [],
        err: 'redflag: "reported" has only 0 and 1, so it does not say when an order was reported: rename the column and add --delay DAYS, or write there a time or a number of days\n',
      });
    const { code, history } = await eventsOf([header, ...rows, '2024-03-06,fraud,b@mail.example,3']);
    expect([code, history.at(-1)]).toEqual([0, '2024-03-09 report']);
  });

  it('for `outcome` is asked about, unless the name of the column speaks of fraud or --fraud and --good say it', async () => {
    const run = (name: string, ...args: string[]) =>
      eventsOf(
        [`time,${name},email`, '2024-03-05,1,a@mail.example', '2024-03-06,0,b@mail.example'],
        '--delay',
        '30',
        '--map',
        `outcome=${name}`,
        ...args,
      );
    for (const name of (
      'good|is_paid|isPaid|approved|active|valid|status|not_fraud|notFraud|fraud_ok|no_chargeback|fraud_free|Bezahlt|' +
      'non_fraud|fraud passed|fraude_aprobado|isFraudChecked'
    ).split('|'))
      expect(await run(name), name).toEqual({
        code: 2,
        history: [],
        err: `redflag: "${name}" has 1 or 0, which may mean that an order is good: add --fraud 0 --good 1, or --fraud 1 --good 0\n`,
      });
    for (const name of 'is_fraud|isFraud|Fraud|fraud_flag|chargeback|Disputed?|label|class|Betrug|was scam|詐欺'.split(
      '|',
    )) {
      const { code, err } = await run(name);
      expect(code, name + err).toBe(0);
      expect(err).toContain('Read as fraud: 1 (1). Read as good: 0 (1).\n');
    }
    expect((await run('is_paid', '--fraud', '0', '--good', '1')).err).toContain(
      'Read as fraud: 0 (1). Read as good: 1 (1).\n',
    );
    expect((await run('is_paid', '--fraud', '1', '--good', '0')).code).toBe(0);
    // One of the lists is still a guess.
    expect((await run('is_paid', '--fraud', 'chargeback')).code).toBe(2);
  });
});

it('a number of days gives a report of today at the latest, and of three years after the order', async () => {
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const { history, err } = await eventsOf([
    'time,outcome,email,reported',
    '2020-03-05,fraud,a@mail.example,2024',
    `${day(50)},fraud,b@mail.example,60`,
    '2020-03-06,fraud,c@mail.example,1095',
  ]);
  expect(history.filter((event) => event.includes('report'))).toEqual(['2023-03-06 report']);
  for (const line of [2, 3])
    expect(err).toContain(
      `redflag: line ${line} is left out: "reported" expected a number of days after the order, at most 1,095 and until today\n`,
    );
});

describe('the summary of outcomes', () => {
  it('names each word that was read, with its orders', async () => {
    const words = ['Chargeback', 'paid', 'ok', 'paid', 'fraud', 'chargeback'];
    const rows = words.map((word, at) => `2024-03-0${at + 1},${word},a${at}@mail.example`);
    expect((await eventsOf(['time,outcome,email', ...rows], '--delay', '3')).err).toContain(
      '\nRead as fraud: chargeback (2), fraud (1). Read as good: paid (2), ok (1).\n',
    );
  });
});

describe('one value in many orders', () => {
  const rows = (count: number, ip: (at: number) => string): string[] => [
    'time,outcome,email,ip',
    ...Array.from(
      { length: count },
      (_, at) => `2024-03-05,${at % 3 ? 'good' : 'fraud'},a${at}@mail.example,${ip(at)}`,
    ),
  ];
  it('is asked about, and not shown', async () => {
    const { err } = await eventsOf(
      rows(300, () => '104.28.1.2'),
      '--delay',
      '3',
    );
    expect(err).toContain(
      '\nOne value of ip is in 300 of 300 orders: is it the customer’s, or of your shop, a proxy or a service?\n',
    );
    expect(err).not.toContain('104.28.1.2');
    expect(err).not.toContain('One value of email');
  });
  it('is a twentieth of the orders, and twenty at least', () => {
    const of = (count: number, same: number): number | undefined => {
      const values = createFrequentValue();
      for (let at = 0; at < count; at++) values.add(at % Math.floor(count / same) === 0 ? 'same' : `other ${at}`);
      return values.rows(count);
    };
    expect([of(100, 10), of(100, 20), of(4000, 200), of(100_000, 5000)]).toEqual([undefined, 20, 200, 5000]);
    expect([of(4000, 80), of(100_000, 1000), of(0, 1)]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the number of an order', () => {
  it.each('#N/A|n/a|0|000|POS|1.00E+12|1E+12|1,00E+12|web|NULL|########|-'.split('|'))(
    'is not %s: rows with it are orders of their own',
    async (id) => {
      const { history, err } = await eventsOf(
        [
          'order_id,time,outcome,email',
          ...['a', 'b', 'c'].map((who, at) => `"${id}",2024-03-05,${at === 0 ? 'fraud' : 'good'},${who}@mail.example`),
        ],
        '--delay',
        '3',
      );
      expect(history.filter((event) => event.includes('query'))).toHaveLength(3);
      expect(err).toContain('Rows whose order_id is no number of an order, and which are orders of their own: 3.\n');
    },
  );
  it.each('7|#1001|XKBKNABJK|000000101|12E3|WEB-1|1E'.split('|'))('is %s', async (id) => {
    const { history } = await eventsOf(
      ['order_id,time,outcome,email', ...['a', 'b'].map((who) => `${id},2024-03-05,good,${who}@mail.example`)],
      '--delay',
      '3',
    );
    expect(history).toHaveLength(1);
  });
});

describe('an order at two times', () => {
  const header = 'Order ID,time,Type,amount,email';
  const run = (...rows: string[]) =>
    eventsOf(
      [header, ...rows],
      '--delay',
      '99',
      '--map',
      'outcome=Type',
      '--good',
      'sale,settled',
      '--fraud',
      'chargeback',
    );

  it('is one fraud, reported at the time at which it stands as one', async () => {
    const { history, err } = await run(
      '2,2024-03-06,Sale,50,b@mail.example',
      '1,2024-04-05,Chargeback,-100,A@mail.example',
      '1,2024-03-05,Sale,100,a@mail.example',
      '1,2024-03-07,Settled,100,a@mail.example',
      '3,2024-03-08 10:00,Sale,50,c@mail.example',
      '3,2024-03-09 10:00,Chargeback,50,',
    );
    expect(history).toEqual([
      '2024-03-05 query 1',
      '2024-03-06 query 0',
      '2024-03-08 query 1',
      '2024-03-09 report',
      // A day is known when it is over.
      '2024-04-06 report',
    ]);
    expect(err).toContain(
      'orders.csv: 3 orders in 6 rows. Used: 3 of 1 shop, 2024-03-05 to 2024-03-08, 2 frauds. Reported: 2,',
    );
    expect(err).toContain(
      'Good orders whose number stands at a later time as a fraud: 2. Each is one fraud, reported then.\n',
    );
    expect(err).toContain('Read as fraud: chargeback (2). Read as good: sale (1).\n');
    expect(err).not.toContain('at several times');
  });

  it('is two orders if it has two customers, or if it is not a later fraud, and this is said', async () => {
    const { history, err } = await run(
      '1,2024-03-05,Sale,100,a@mail.example',
      '1,2024-04-05,Chargeback,100,b@mail.example',
      '2,2024-03-05,Chargeback,100,c@mail.example',
      '2,2024-04-05,Sale,100,c@mail.example',
      '3,2024-03-05,Sale,100,d@mail.example',
      '3,2024-04-05,Sale,100,d@mail.example',
    );
    expect(history.filter((event) => event.includes('query'))).toHaveLength(6);
    expect(err).toContain(
      'Numbers of orders that stand at several times: 3. Each time counts as an order; if they are one, keep one row.\n',
    );
  });
});

describe('times in several columns', () => {
  it('are named together in a problem, and a report has the zone of its own column', async () => {
    const { err, history } = await eventsOf(
      [
        'Date,Clock,outcome,email,Disputed UTC',
        '2024-03-05 00:00:00,1899-12-30 23:14:00,fraud,a@mail.example,2024-03-06 09:00',
        '2024-03-05 00:00:00,noon,good,b@mail.example,',
      ],
      ...['time=Date', 'time2=Clock', 'reported=Disputed UTC'].flatMap((map) => ['--map', map]),
      '--zone',
      'America/New_York',
    );
    expect(history).toEqual(['2024-03-06 query 1', '2024-03-06 report']);
    expect(err).toContain('redflag: line 3 is left out: "Date" with "Clock" expected a time such as');
    expect(err).toContain(', in the zone America/New_York, those of reports in UTC.\n');
  });

  it('have a zone with its summer time', async () => {
    for (const zone of ['CET', 'EST', 'PST'])
      expect(await eventsOf(['time,outcome,email'], '--zone', zone, '--delay', '1')).toMatchObject({
        code: 2,
        err: 'redflag: --zone expects a zone with its summer time, such as Europe/Berlin, or an offset such as +01:00\n',
      });
  });
});

it('a backtick before each text, as in bills of WeChat Pay, is no part of it', async () => {
  const run = async (...cells: string[]) => {
    const { err, history } = await eventsOf(
      ['time,outcome,amount,openid', cells.join()],
      '--delay',
      '1',
      '--map',
      'openid=openid',
    );
    return [history, err.slice(err.indexOf('Read as'))];
  };
  const plain = ['2024-03-05 10:14', 'paid', '12.50', 'oX1'];
  expect(await run(...plain.map((cell) => `\`${cell}`))).toEqual(await run(...plain));
});
