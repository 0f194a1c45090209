import { toReporterName } from '../../../core/engine/reporters.ts';
import { DAY_MS } from '../../../core/domain/day.ts';
import type { Identifier } from '../../../core/domain/identifier.ts';
import { isBlank, type ClearValue } from '../../../core/identifiers/clear-value.ts';
import { normaliseIdentifier } from '../../../core/identifiers/normalise.ts';
import { isNoValue, type NotIdentifier } from '../../../core/identifiers/not-identifier.ts';
import { keyOf, YES } from '../../../core/identifiers/words-for-no-value.ts';
import type { ReadClear, ValueCounts } from '../clear-values.ts';
import { toLabIdentifier } from '../../../lab/event.ts';
import { messageOf } from '../errors.ts';
import type { Cell } from '../csv/records.ts';
import { NOT_UTF8 } from '../csv/rows.ts';
import { readCell } from './order-cell.ts';
import type { OrderColumns } from './order-columns.ts';
import { isNumberOfDays, type OrderFormats } from './order-formats.ts';
import { joinCells } from './time-cells.ts';
import { sideOf, type OutcomeWords } from './outcome-words.ts';

/** What the outcomes of a file mean, and when a fraud without a time is reported. */
export interface OrderRules extends OutcomeWords {
  /** Days from a fraud to its report if its row has no time; undefined: it is not reported. */
  readonly delayDays: number | undefined;
  /** Reads identifiers. */
  readonly readClear: ReadClear;
}

/** A row of a file of orders, without its identifiers. Times are milliseconds UTC. */
export interface Order {
  readonly at: number;
  readonly shop: string;
  readonly isFraud: boolean;
  /** 1 in a file without amounts; undefined if the row has none. */
  readonly amount: number | undefined;
  /** Undefined if the order was never reported. */
  readonly reportedAt: number | undefined;
  /** When the shop knew at the latest what the row says: its report, or the end of its day. */
  readonly knownAt: number;
}

/** Most days from an order to its report. Banks allow less than two years, and 2024 is a year. */
const MAX_DAYS = 1095;

/** Name of the shop in a file without a column for shops. */
const ONLY_SHOP = 'shop';

/**
 * Reads an order. Returns undefined if its outcome is neither a fraud nor good. Throws Error for any other problem. The
 * message contains the names of columns, and no value.
 */
export function readOrder(
  cells: readonly Cell[],
  columns: OrderColumns,
  rules: OrderRules,
  formats: OrderFormats,
): Order | undefined {
  const { header, time, outcome, shop, amount, reported } = columns;
  if (cells.length !== header.length)
    throw new Error(`it has ${cells.length} cells, but the header has ${header.length}`);
  const read = (column: number): string => textOf(cells, column, header);
  const refuse = (column: number, expected: string): never => {
    const names = (column === time[0] ? time : [column]).map((one) => `"${header[one]}"`);
    throw new Error(`${names.join(' with ')} expected ${expected}`);
  };
  const attempt = <T>(column: number, parse: () => T, otherwise = ''): T => {
    try {
      return parse();
    } catch (error) {
      return refuse(column, messageOf(error) + otherwise);
    }
  };

  const isFraud = sideOf(read(outcome), rules);
  if (isFraud === undefined) return undefined;
  const placed = joinCells(time.map(read));
  const { at, isDay } = attempt(time[0]!, () => formats.timeOf(placed));
  const price = amount === undefined ? '' : read(amount);
  const money = amount === undefined ? 1 : attempt(amount, () => formats.amountOf(price, isFraud));
  // Magento writes the website, the store and its view in one cell, with line breaks.
  const name = toReporterName(shop === undefined ? ONLY_SHOP : read(shop).replace(/\p{White_Space}{1,80}/gu, ' '));
  if (!name.ok) return refuse(shop ?? 0, 'a name of 1 to 80 characters, without invisible characters');

  const cell = reported === undefined ? '' : read(reported);
  const said = isNumberOfDays(cell) || !isNoTime(cell) ? cell : '';
  const isDays = isNumberOfDays(said);
  const days = isDays ? Number(said) : isFraud ? rules.delayDays : undefined;
  let reportedAt = days === undefined ? undefined : at + days * DAY_MS;
  if (isDays && reported !== undefined && (Number(said) > MAX_DAYS || reportedAt! > formats.now + DAY_MS))
    refuse(reported, `a number of days after the order, at most ${MAX_DAYS.toLocaleString('en')} and until today`);
  if (!isDays && said !== '' && reported !== undefined) {
    const moment = attempt(reported, () => formats.timeOf(said, 'reported'), ', or a number of days after the order');
    // A day is known only when it is over.
    reportedAt = moment.isDay ? moment.at + DAY_MS : moment.at;
    if (reportedAt < at) refuse(reported, 'a time after the order');
  }
  const knownAt = said !== '' && reportedAt !== undefined ? reportedAt : isDay ? at + DAY_MS : at;
  return { at, shop: name.value, isFraud, amount: money, reportedAt, knownAt };
}

/** Days with which programs fill a time that is not there, besides those of the list. */
const NO_TIME = /^(?:1753-01-01|1899-12-3[01]|1900-01-0[01]|1970-01-01|9999-12-31)(?:[T ]|$)/;

function isNoTime(cell: string): boolean {
  return NO_TIME.test(cell) || (isNoValue(cell) && !YES.has(keyOf(cell.toLowerCase())));
}

/** Returns the identifiers of an order, hashed for the lab, without duplicates. Throws Error as {@link readOrder}. */
export function readIdentifiers(
  cells: readonly Cell[],
  { identifiers, header }: OrderColumns,
  { readClear }: OrderRules,
): Identifier[] {
  const found = new Map<string, Identifier>();
  for (const { kind, column } of identifiers) {
    const text = textOf(cells, column, header);
    const clear = readValue(kind, text, readClear);
    if (typeof clear === 'string') continue;
    const identifier = toLabIdentifier(kind, normaliseIdentifier(clear.text));
    found.set(`${kind} ${identifier.hash}`, identifier);
  }
  return [...found.values()];
}

/** Returns true if an order has an identifier. Counts its values, and passes on those that are used. */
export function hasIdentifier(
  cells: readonly Cell[],
  { identifiers, header }: OrderColumns,
  { readClear }: OrderRules,
  counts: ValueCounts,
  onUsed: (column: number, value: string) => void,
): boolean {
  let has = false;
  for (const { kind, column } of identifiers) {
    const clear = readValue(kind, textOf(cells, column, header), readClear);
    if (clear === 'empty') continue;
    if (typeof clear === 'string') {
      counts.leftOut[clear] = (counts.leftOut[clear] ?? 0) + 1;
      continue;
    }
    has = true;
    onUsed(column, clear.text.toLowerCase());
    if (!clear.isCanonical) counts.notCanonical++;
    if (clear.wouldChange) counts.wouldChange++;
  }
  return has;
}

/** A hash or UUID in place of an email or a number. */
const PSEUDONYM = /^(?:[\da-f]{32,128}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

function readValue(kind: string, text: string, readClear: ReadClear): ClearValue | NotIdentifier | 'empty' {
  if (isBlank(text)) return 'empty';
  return PSEUDONYM.test(text.trim()) ? { text, isCanonical: true } : readClear(kind, text);
}

function textOf(cells: readonly Cell[], column: number, header: readonly string[]): string {
  const text = readCell(cells[column]);
  if (text === undefined) throw new Error(`"${header[column]}" is ${NOT_UTF8}`);
  return text;
}
