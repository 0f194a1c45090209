import { once } from 'node:events';
import { basename } from 'node:path';
import { measureBlocking } from '../../../../lab/blocking.ts';
import { formatEvent } from '../../../../lab/read-events.ts';
import { readArguments, readMoment, readWhole, UsageError, type Command } from '../../arguments.ts';
import { readDelimiter } from '../../csv/rows.ts';
import { validateNames } from '../../lab/dated-lists.ts';
import { CONFIG_HELP, readModels } from '../../lab/models-option.ts';
import { readMap } from '../../lab/order-columns.ts';
import { wordBlocking, wordOrders } from '../../lab/order-words.ts';
import { readOrdersFile } from '../../lab/orders-file.ts';
import { replayEvents, worded } from '../../lab/replay-file.ts';
import { printAnswer, printWarnings } from '../../output.ts';

const FRAUD = 'fraud,chargeback,1';
const GOOD = 'good,ok,paid,0';
const MARGIN_PERCENT = '20';
const SEED = 1;
const PROBLEMS_SHOWN = 20;

export const importOrders: Command = {
  help: `redflag lab import-orders ORDERS: what blocking by Points would have saved, from past orders

ORDERS is a CSV file with a header and one order per line. A column is used if it has one of these names,
or if --map names it:
  time       a time such as 2021-01-31T12:00:00Z, or a day; without an offset, in UTC
  shop       the shop that took the order
  email, phone, ip, domain, or another kind with --map: identifiers of the customer
  outcome    fraud or good, or the words of --fraud and --good; orders with another outcome are left out
  reported   when the shop reported the order: a time, or a number of days after the order
  amount     money, as in 1234.50
Each order is scored as of its own time. It sees only reports that other shops had made by then.

  --map NAME=COLUMN  use another column for one of these names, as in email=customer_email; may be repeated
  --fraud LIST       outcomes that are frauds (default ${FRAUD})
  --good LIST        outcomes that are good orders (default ${GOOD})
  --delay DAYS       a fraud without "reported" is reported after so many days (default: it is not reported)
  --verified LIST    shops that you know and would verify (default: all; an empty list: none)
  --include-own      orders also see earlier reports of the same shop
  --margin PERCENT   cost of a refused good order, in percent of its amount (default ${MARGIN_PERCENT})
  --split TIME       choose the number of Points on orders before this day or time, and check it on the others
                     (default: half of the orders)
  --delimiter CHAR   character between cells (default a comma)
${CONFIG_HELP}
  --events           print the events for redflag lab run --exclude-own, instead of the result
  --json             print the result as JSON
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['fraud', 'good', 'delay', 'verified', 'margin', 'split', 'delimiter', 'config'],
      flags: ['include-own', 'events', 'json'],
      lists: ['map'],
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      throw new UsageError('lab import-orders expects one CSV file of orders; see redflag lab import-orders --help');
    if (path.endsWith('.gz')) throw new UsageError('unpack the file of orders first, because it is read twice');
    const own = values['include-own'] ?? false;
    const delayDays = values.delay === undefined ? undefined : readWhole('delay', values.delay, 0, 36_500);
    const margin = readWhole('margin', values.margin ?? MARGIN_PERCENT, 0, 1000) / 100;
    const split = values.split === undefined ? undefined : readMoment('split', values.split);
    const models = await readModels({ model: 'link-claim', config: values.config });
    let problems = 0;
    const file = await readOrdersFile(path, {
      delimiter: readDelimiter(values.delimiter ?? ','),
      map: readMap(values.map ?? []),
      needs: { shop: !own, reported: delayDays === undefined },
      rules: { frauds: wordsOf(values.fraud ?? FRAUD), goods: wordsOf(values.good ?? GOOD), delayDays },
      onProblem: (line, problem) => {
        if (++problems <= PROBLEMS_SHOWN) printWarnings([`line ${line} is left out: ${problem}`]);
      },
    });
    if (problems > PROBLEMS_SHOWN) printWarnings([`${problems - PROBLEMS_SHOWN} more lines are left out`]);
    const verified = values.verified
      ?.normalize('NFC')
      .split(',')
      .filter((name) => name !== '');
    validateNames('--verified expects shops from the file', verified ?? [], file.shops);
    const events = file.events((shop) => verified?.includes(shop) ?? true);
    const title = basename(path);
    if (values.events) {
      for await (const event of events)
        if (!process.stdout.write(`${formatEvent(event)}\n`)) await once(process.stdout, 'drain');
      process.stderr.write(wordOrders(title, file));
      return;
    }

    const { times, orders, columns } = file;
    const splitAt = split ?? times[times.length >> 1] ?? 0;
    const later = times.findIndex((at) => at >= splitAt);
    const blocking = await worded(async () => {
      await replayEvents(events, { models, excludeOwn: !own, samplesMost: 1, misses: 0, onJudged: file.answer });
      return measureBlocking(orders, { earlier: later < 0 ? times.length : later, margin, seed: SEED });
    });
    const answer = { title, ...file.counts, splitAt: new Date(splitAt).toISOString(), margin, ...blocking };
    printAnswer(
      answer,
      values.json,
      () => `${wordOrders(title, file)}\n${wordBlocking(blocking, splitAt, margin, columns.amount !== undefined)}`,
    );
  },
};

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((word) => word.trim().toLowerCase()));
}
