import { DAY_MS } from '../../../core/domain/day.ts';
import { count } from '../../../core/domain/text.ts';
import type { Blocking, Total } from '../../../lab/blocking.ts';
import { rounded as number } from '../../../lab/page/numbers.ts';
import type { Estimate } from '../../../lab/result.ts';
import { MIN_LABEL_QUERIES } from '../../../lab/summarise.ts';
import { formOfKind } from '../../../core/identifiers/value-form.ts';
import { describeChanges, describeLeftOut } from '../clear-values.ts';
import { formatNames } from '../output.ts';
import type { OrderColumns } from './order-columns.ts';
import { askAboutFrequent } from '../frequent-value.ts';
import { formatOutcomes, formatWords } from './outcome-words.ts';
import type { OrdersFile } from './orders-file.ts';

/** Describes what was used of a file, and what was left out: a few lines. */
export function formatOrders(title: string, file: OrdersFile): string {
  return `${describeOrders(title, file).join('\n')}\n`;
}

/** Returns the lines of {@link formatOrders}. */
export function describeOrders(title: string, file: OrdersFile): string[] {
  const { columns, counts, shops, times, orders, medianDelayMs } = file;
  const frauds = orders.labels.reduce((sum, label) => sum + label, 0);
  const delay = medianDelayMs === undefined ? '' : `, half of them within ${many(medianDelayMs / DAY_MS, 'day')}`;
  return [
    `${title}: ${many(counts.orders, 'order')}${counts.orders === counts.rows ? '' : ` in ${many(counts.rows, 'row')}`}. Used: ${number(times.length)} of ${count(shops.length, 'shop')}, ${dayOf(times[0])} to ${dayOf(times.at(-1))}, ${count(frauds, 'fraud')}. Reported: ${number(counts.reports)}${delay}.`,
    `Left out: ${number(counts.otherOutcome)} whose outcome is neither in --fraud nor in --good${formatOutcomes(file.otherOutcomes)}, ${number(counts.problems)} with a problem.`,
    `Read as fraud: ${formatWords(file.frauds)}. Read as good: ${formatWords(file.goods)}.`,
    ...file.frequent.map(({ kind, orders: most, of }) =>
      askAboutFrequent(`One value of ${kind}`, `${number(most)} of ${many(of, 'order')}`),
    ),
    ...(counts.withoutNumber > 0
      ? [
          `Rows whose ${columns.header[columns.order!]} is no number of an order, and which are orders of their own: ${number(counts.withoutNumber)}.`,
        ]
      : []),
    ...(counts.laterFrauds > 0
      ? [
          `Good orders whose number stands at a later time as a fraud: ${number(counts.laterFrauds)}. Each is one fraud, reported then.`,
        ]
      : []),
    ...(counts.severalTimes > 0
      ? [
          `Numbers of orders that stand at several times: ${number(counts.severalTimes)}. Each time counts as an order; if they are one, keep one row.`,
        ]
      : []),
    ...(counts.differing > 0
      ? [
          `Rows of one order differ in ${formatNames(file.differing)}, in ${many(counts.differing, 'order')}: the first row counts. If each row is an order, name another column with --map order=COLUMN.`,
        ]
      : []),
    ...(counts.repeated > 0
      ? [
          `Rows that repeat the row before: ${number(counts.repeated)}. If they are items of one order, add --map order=COLUMN for the number of the order.`,
        ]
      : []),
    ...(counts.withoutIdentifier > 0
      ? [`Used, but never blocked: ${number(counts.withoutIdentifier)} without an identifier.`]
      : []),
    ...(Object.keys(counts.leftOut).length > 0
      ? [`Values that are no identifier: ${describeLeftOut(counts.leftOut)}; --keep-all uses those, too.`]
      : []),
    ...(counts.notCanonical > 0
      ? [`Values without the canonical form of their kind, which may not match: ${number(counts.notCanonical)}.`]
      : []),
    ...(counts.wouldChange > 0 ? [describeChanges(counts.wouldChange)] : []),
    formatColumns(columns),
    ...file.formats.describe(),
    ...(counts.withoutAmount > 0 ? [`Without an amount, counted as 0: ${number(counts.withoutAmount)}.`] : []),
    ...(columns.amount === undefined
      ? ['No column is an amount: each order counts as 1. Add --map amount=COLUMN.']
      : []),
  ];
}

function formatColumns({ header, identifiers, ...fields }: OrderColumns): string {
  const named = Object.entries(fields).flatMap(([name, column = []]) =>
    [column].flat().map((one, at) => ({ name: at === 0 ? name : `${name}${at + 1}`, column: one })),
  );
  const used = [...named, ...identifiers.map(({ kind, column }) => ({ name: kind, column }))];
  const unknown = identifiers.filter(({ kind }) => formOfKind(kind) === 'other').map(({ kind }) => kind);
  const unused = header.filter((_, at) => used.every(({ column }) => column !== at));
  const shown = used.map(({ name, column }) => (header[column] === name ? name : `${name}=${header[column]}`));
  const kinds = unknown.length === 0 ? '' : ` No known kind: ${formatNames(unknown)}.`;
  return `Columns: ${shown.join(', ')}.${kinds}${unused.length === 0 ? '' : ` Not used: ${formatNames(unused)}.`}`;
}

/** Describes how the number of Points was chosen, and what blocking would have done. The last line has the result. */
export function formatBlocking(blocking: Blocking, splitAt: number, margin: number, hasAmounts: boolean): string {
  const { from, lookFrom, earlier, later, weeks, stoppedFrauds, stoppedAmount, refusedGoods, refusedAmount, saved } =
    blocking;
  const money = (stopped: number, of: Total): string =>
    hasAmounts ? ` (${number(stopped)} of ${number(of.amount)})` : '';
  const sizeOf = ({ frauds, goods }: Blocking['later']): string =>
    `${many(frauds.count + goods.count, 'order')} (${count(frauds.count, 'fraud')})`;
  const choice = `The number of Points was chosen on the ${sizeOf(earlier)} before ${new Date(splitAt).toISOString()}. A refused good order costs ${number(100 * margin)} % of its amount.\nThe rest of this text is about the ${sizeOf(later)} from then on, which had no part in the choice.\n${warningsOf(
    blocking,
  )
    .map((warning) => `Warning: ${warning}\n`)
    .join('')}`;
  const hold = from ?? 101;
  const panel = `For the panel: look at an order from ${lookFrom ?? hold} Points, hold it from ${hold}, if reliable from 0.\n`;
  if (from === null)
    return `${choice}${panel}No number of Points would have saved more than it cost: do not block by Points alone.\n`;
  const range = ({ low, high }: Estimate): string => `${number(low)} to ${number(high)}`;
  return (
    choice +
    panel +
    `95 % intervals (bootstrap over ${weeks > 0 ? `${weeks} weeks` : 'single orders'}): ${range(stoppedFrauds)} frauds and ${range(refusedGoods)} good orders.${hasAmounts ? ` Saved: ${number(saved.value)} (${range(saved)}).` : ''}\n` +
    `Blocking from ${from} Points would have stopped ${number(stoppedFrauds.value)} of ${number(later.frauds.count)} frauds${money(stoppedAmount.value, later.frauds)} and refused ${number(refusedGoods.value)} of ${number(later.goods.count)} good orders${money(refusedAmount.value, later.goods)}.\n`
  );
}

/** Returns what makes the result doubtful, as sentences. */
export function warningsOf({ earlier, later }: Blocking): string[] {
  const few = [later, earlier].some(({ frauds, goods }) => Math.min(frauds.count, goods.count) < MIN_LABEL_QUERIES);
  return few ? [`with fewer than ${MIN_LABEL_QUERIES} frauds or good orders, the result may be due to chance.`] : [];
}

/** Formats a number with its noun, as in 1 order or 12,345 orders. */
function many(value: number, one: string): string {
  return `${number(value)} ${Math.round(value) === 1 ? one : `${one}s`}`;
}

function dayOf(at = Number.NaN): string {
  return new Date(at).toISOString().slice(0, 10);
}
