import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { measureBlocking } from '../../../../lab/blocking.ts';
import { renderOrders } from '../../../../lab/page/orders.ts';
import { formatEvent } from '../../../../lab/read-events.ts';
import { command, form } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { choice, flag, parseMoment, repeated, text, value, whole } from '../../option.ts';
import { CLEAR_VALUES, openReading } from '../../clear-values.ts';
import { DELIMITER } from '../../csv/rows.ts';
import { DELIVER_OPTIONS, validatePage } from '../../lab/deliver.ts';
import { CONFIG, readModels } from '../../lab/models-option.ts';
import { readMap } from '../../lab/order-columns.ts';
import { describeOrders, formatBlocking, formatOrders, warningsOf } from '../../lab/format-orders.ts';
import { DECIMAL_SIGNS } from '../../lab/order-money.ts';
import { DATE_ORDERS } from '../../lab/order-times.ts';
import { isWinterOnly, parseZone, type Zone } from '../../lab/time-zones.ts';
import { readOrdersFile } from '../../lab/orders-file.ts';
import { DEFAULT_FRAUDS, DEFAULT_GOODS } from '../../lab/outcome-words.ts';
import { replayEvents, withFormattedErrors } from '../../lab/replay-file.ts';
import { formatNames, printAnswer, printWarnings } from '../../output.ts';

const SEED = 1;
const PROBLEMS_SHOWN = 20;

export const importOrders = command({
  name: 'lab import-orders',
  title: 'what blocking by Points would have saved, from past orders',
  about: `ORDERS is a CSV file with a header. Each row is an order, or a part of the order whose number it has. A column is used if it has one of these names,
or if --map names it:
  time       when the order was placed, as the shop system writes it; without a zone, in that of --zone
  shop       the shop that took the order
  email, phone, ip, domain, or another kind with --map: identifiers of the customer
  outcome    fraud or good, or the words of --fraud and --good; orders with another outcome are left out
  reported   when the shop reported the order: a time, or a number of days after the order
  amount     money, as in 1234.50, $1,234.50 or 1.234,50 €
  order      the order's number or id; order_id and other usual names are found. Rows with one id are one order:
             an empty cell takes the value of another row
The formats of times and amounts are found from the whole file. If two fit, the command asks which one is right.
Each order is scored as of its own time. It sees only reports that other shops had made by then.
`,
  forms: {
    '': form({
      value: value('ORDERS', 'one CSV file of orders; see redflag lab import-orders --help', String),
      options: {
        map: repeated('NAME=COLUMN', 'use another column for one of these names, as in email=customer_email', readMap),
        fraud: text('LIST', 'outcomes that are frauds', { default: DEFAULT_FRAUDS, read: wordsOf }),
        good: text('LIST', 'outcomes that are good orders', { default: DEFAULT_GOODS, read: wordsOf }),
        delay: whole(
          'DAYS',
          [0, 36_500],
          'a fraud without "reported" is reported after so many days (default: it is not reported)',
        ),
        verified: text('LIST', 'shops that you know and would verify; an empty list: none (default all)', {
          read: shopsOf,
        }),
        'include-own': flag('orders also see earlier reports of the same shop'),
        margin: whole('PERCENT', [0, 1000], 'cost of a refused good order, in percent of its amount', 20),
        split: text(
          'TIME',
          'choose the number of Points on orders before this day or time, and check it on the others (default half of the orders)',
          { read: parseMoment },
        ),
        dates: choice(
          'ORDER',
          DATE_ORDERS,
          'what comes first in dates such as 05/03/2024 (default: as the file shows)',
        ),
        zone: text('ZONE', 'zone of times without one, such as Europe/Berlin or -05:00 (default UTC)', {
          read: zoneOf,
        }),
        decimal: choice('SIGN', DECIMAL_SIGNS, 'what amounts have before the decimals (default: as the file shows)'),
        cents: flag('amounts are in cents; found without it if the column says so'),
        ...CLEAR_VALUES,
        ...DELIMITER,
        ...CONFIG,
        events: flag('print the events for redflag lab run --exclude-own, instead of the result'),
        ...DELIVER_OPTIONS,
      },
      async run(values, path) {
        if (path.endsWith('.gz')) throw new UsageError('unpack the file of orders first, because it is read twice');
        if (values.events && values.html !== undefined)
          throw new UsageError('--html expects a result, and --events prints none: run the command twice');
        await validatePage(values.html, [path, values.config]);
        const { map, fraud: frauds, good: goods, delay: delayDays, verified, 'include-own': own, delimiter } = values;
        const { dates, zone, decimal, cents } = values;
        const margin = values.margin / 100;
        const models = await readModels({ model: 'link-claim', config: values.config });
        let problems = 0;
        const file = await readOrdersFile(path, {
          delimiter,
          map,
          needs: { shop: !own, reported: delayDays === undefined },
          rules: { frauds, goods, delayDays, readClear: await openReading(values) },
          guessesOutcomes: [...frauds].join() === DEFAULT_FRAUDS || [...goods].join() === DEFAULT_GOODS,
          formats: { dates, zone, decimal, cents, now: Date.now() },
          onProblem: (line, problem) => {
            if (++problems <= PROBLEMS_SHOWN) printWarnings([`line ${line} is left out: ${problem}`]);
          },
        });
        if (problems > PROBLEMS_SHOWN) printWarnings([`${problems - PROBLEMS_SHOWN} more lines are left out`]);
        if (verified?.some((shop) => !file.shops.includes(shop)))
          throw new UsageError(
            `--verified expects shops from the file, separated by commas: ${formatNames(file.shops)}`,
          );
        const events = file.events((shop) => verified?.includes(shop) ?? true);
        const title = basename(path);
        if (values.events) {
          for await (const event of events)
            if (!process.stdout.write(`${formatEvent(event)}\n`)) await once(process.stdout, 'drain');
          process.stderr.write(formatOrders(title, file));
          return;
        }

        const { times, orders, columns } = file;
        const splitAt = values.split ?? times[times.length >> 1] ?? 0;
        const later = times.findIndex((at) => at >= splitAt);
        const blocking = await withFormattedErrors(async () => {
          await replayEvents(events, { models, excludeOwn: !own, maxSamples: 1, misses: 0, onJudged: file.answer });
          return measureBlocking(orders, { earlier: later < 0 ? times.length : later, margin, seed: SEED });
        });
        const answer = {
          title,
          formats: file.formats.describe(),
          ...file.counts,
          outcomes: { fraud: Object.fromEntries(file.frauds), good: Object.fromEntries(file.goods) },
          frequent: file.frequent,
          splitAt: new Date(splitAt).toISOString(),
          margin,
          ...blocking,
        };
        if (values.html !== undefined)
          await writeFile(
            values.html,
            renderOrders({
              title,
              blocking,
              splitAt: answer.splitAt,
              hasAmounts: columns.amount !== undefined,
              assumed: assumptionsOf(values, file.shops.length),
              read: describeOrders(title, file),
              warnings: warningsOf(blocking),
            }),
          );
        printAnswer(
          answer,
          values.json,
          () =>
            `${formatOrders(title, file)}\n${formatBlocking(blocking, splitAt, margin, columns.amount !== undefined)}`,
        );
      },
    }),
  },
});

/** Returns what the result takes for granted, by name, for the page. */
function assumptionsOf(
  {
    margin,
    fraud,
    good,
    delay,
    verified,
    config,
    'include-own': own,
  }: {
    readonly margin: number;
    readonly fraud: ReadonlySet<string>;
    readonly good: ReadonlySet<string>;
    readonly delay: number | undefined;
    readonly verified: readonly string[] | undefined;
    readonly config: string | undefined;
    readonly 'include-own': boolean;
  },
  shops: number,
): Record<string, string> {
  return {
    'A held order that is a fraud': 'saves its whole amount.',
    'A held order that is good': `is refused and costs ${margin} % of its amount, the profit that is lost.`,
    'Counts as fraud': `an outcome of ${[...fraud].join(', ')}.`,
    'Counts as good': `an outcome of ${[...good].join(', ')}.`,
    'Reported frauds':
      delay === undefined
        ? 'those with a time in the file; others are never reported.'
        : `those with a time in the file; others ${delay} days after the order.`,
    'Verified shops': `${new Set(verified).size === 0 && verified === undefined ? 'all' : new Set(verified).size} of ${shops}.`,
    'Reports of the same shop': own ? 'count, too.' : 'do not count: the shop has them already.',
    Scores: config === undefined ? 'as the service computes them.' : 'as the file of --config sets them.',
  };
}

function shopsOf(list: string): string[] {
  return list
    .normalize('NFC')
    .split(',')
    .filter((name) => name !== '');
}

function zoneOf(text: string): Zone {
  if (isWinterOnly(text))
    throw new UsageError('expects a zone with its summer time, such as Europe/Berlin, or an offset such as +01:00');
  const zone = parseZone(text);
  if (zone === undefined) throw new UsageError('expects a zone such as Europe/Berlin or -05:00');
  return zone;
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((word) => word.trim().toLowerCase()));
}
