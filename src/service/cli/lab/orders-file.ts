import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { DAY_MS } from '../../../core/domain/day.ts';
import type { PastOrders } from '../../../lab/blocking.ts';
import type { LabEvent } from '../../../lab/event.ts';
import type { Judged } from '../../../lab/replayed.ts';
import { CommandError, messageOf, UsageError } from '../errors.ts';
import type { ValueCounts } from '../clear-values.ts';
import { readRecords, type Cell } from '../csv/records.ts';
import { decode, markOf, NOT_UTF8 } from '../csv/rows.ts';
import { createFrequentValue } from '../frequent-value.ts';
import { folderError } from './folder-error.ts';
import { findLaterFraud, type OrderEntry } from './later-frauds.ts';
import { readCell } from './order-cell.ts';
import { findColumns, type OrderColumns, type OrderNeeds } from './order-columns.ts';
import { createFormatFinder, type FormatOptions, type OrderFormats } from './order-formats.ts';
import { hasIdentifier, readIdentifiers, readOrder, type OrderRules } from './order-row.ts';
import { formatOutcomes, isOpenName, sideOf, type OutcomeCounts } from './outcome-words.ts';
import {
  createOrderNames,
  isNoNumber,
  mergeRow,
  usedCells,
  withoutTime,
  type RowGroup,
  type RowPlace,
} from './row-groups.ts';

/** Severity of the report of a fraud, because orders have none. */
const SEVERITY = 6;

export interface OrdersLayout {
  readonly delimiter: string;
  readonly map: ReadonlyMap<string, string>;
  readonly needs: OrderNeeds;
  readonly rules: OrderRules;
  /** False if both lists of outcomes were given: without one, 1 is a fraud and 0 is good. */
  readonly guessesOutcomes: boolean;
  readonly formats: FormatOptions;
  /** Called for each row that is left out because of a problem. */
  readonly onProblem: (line: number, problem: string) => void;
}

/** What a file has, without the header and blank lines. */
export interface OrderCounts extends ValueCounts {
  rows: number;
  /** As many as rows, unless a column says which rows are one order. */
  orders: number;
  /** Orders whose rows differ in a column that is used. */
  differing: number;
  /** Rows with something else than a number of an order in its column. */
  withoutNumber: number;
  /** Good orders whose number stands at a later time as a fraud. */
  laterFrauds: number;
  /** Other numbers of orders that stand at several times. */
  severalTimes: number;
  /** Rows that repeat the row before, in a file without ids of orders. */
  repeated: number;
  /** Left out: the order has a problem. */
  problems: number;
  /** Left out: the outcome is neither a fraud nor good. */
  otherOutcome: number;
  /** Used, but without an identifier: nothing can block such an order. */
  withoutIdentifier: number;
  /** Used, and counted as 0. */
  withoutAmount: number;
  reports: number;
}

/** The used orders of a file, in order of time: their numbers, but not their shops and identifiers. */
export interface OrdersFile {
  readonly columns: OrderColumns;
  readonly formats: OrderFormats;
  readonly counts: Readonly<OrderCounts>;
  /** Names of the columns in which rows of one order differ. */
  readonly differing: readonly string[];
  /** How often each outcome stands in the file that is neither a fraud nor good. */
  readonly otherOutcomes: OutcomeCounts;
  readonly frauds: OutcomeCounts;
  readonly goods: OutcomeCounts;
  /** Kinds with a value that is in many orders. */
  readonly frequent: readonly { readonly kind: string; readonly orders: number; readonly of: number }[];
  /** Sorted. */
  readonly shops: readonly string[];
  /** Milliseconds UTC. */
  readonly times: Float64Array;
  /** Median time from an order to its report in milliseconds; undefined without reports. */
  readonly medianDelayMs: number | undefined;
  /** The points are 0 until {@link OrdersFile.answer}. */
  readonly orders: PastOrders;
  /**
   * Yields the orders as events: each is a query at its time, and a report at its own time. Reads the file again, in
   * order of time. Throws CommandError if the file has changed.
   */
  events(verified: (shop: string) => boolean): AsyncGenerator<LabEvent, void, void>;
  /** Saves the answer of the first model to the query that {@link OrdersFile.events} yielded last. */
  readonly answer: (judged: Judged) => void;
}

/** Bytes of rows that are read before they are parsed. */
const BATCH_BYTES = 65_536;
const LF = 0x0a;
const WEEK_MS = 7 * DAY_MS;
/** Maximum number of outcomes that are counted one by one. */
const MAX_OUTCOMES = 100;

/**
 * Reads and validates a file of orders in any order of time. Keeps about 100 bytes of each order, and its id if it has
 * one; the rows stay in the file. Throws CommandError if the file is not CSV or has no usable order, and UsageError if
 * it lacks a column.
 */
export async function readOrdersFile(file: string, layout: OrdersLayout): Promise<OrdersFile> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new CommandError('the file of orders does not exist; check its path') : error;
  });
  let stamp: string;
  let survey: Awaited<ReturnType<typeof takeSurvey>>;
  try {
    stamp = await stampOf(handle, file);
    survey = await takeSurvey(handle, layout);
  } finally {
    await handle.close();
  }
  const { columns, formats, counts, found, shops, otherOutcomes } = survey;
  if (found.at.length === 0)
    throw new CommandError(
      `none of ${counts.orders} orders can be used: ${counts.problems} have a problem, and ${counts.otherOutcome} have an outcome that is neither in --fraud nor in --good${formatOutcomes(otherOutcomes)}`,
    );
  const byTime = Uint32Array.from(survey.orders).sort((a, b) => found.at[a]! - found.at[b]! || a - b);
  const times = Float64Array.from(byTime, (order) => found.at[order]!);
  const points = new Uint8Array(byTime.length);
  const delays = Float64Array.from(byTime, (order) => found.reportedAt[order]! - found.at[order]!)
    .filter((delay) => delay >= 0)
    .sort();
  const steps = stepsOf(byTime, found);
  let current = 0;

  return {
    columns,
    formats,
    counts,
    differing: survey.differing,
    otherOutcomes,
    frauds: survey.frauds,
    goods: survey.goods,
    frequent: survey.frequent,
    shops,
    times,
    medianDelayMs: delays[delays.length >> 1],
    orders: {
      labels: Uint8Array.from(byTime, (order) => found.label[order]!),
      amounts: Float64Array.from(byTime, (order) => found.amount[order]! || 0),
      weeks: Uint32Array.from(times, (at) => Math.floor((at - times[0]!) / WEEK_MS)),
      points,
    },
    answer: ({ answers }) => void (points[current] = answers[0]?.points ?? 0),

    async *events(verified) {
      for (const name of shops) yield { at: times[0]!, do: 'reporter', name, verified: verified(name) };
      const input = await open(file);
      const changed = new CommandError('the file of orders changed during the run; run the same command again');
      try {
        if ((await stampOf(input, file)) !== stamp) throw changed;
        let step = 0;
        let group: RowGroup | undefined;
        let read = 0;
        for await (const row of readRecords(rowsOf(input, steps, found, byTime), layout.delimiter)) {
          const rank = steps[step]! >>> 1;
          const place = byTime[rank]!;
          if (group === undefined) group = toGroup(row);
          else mergeRow(group, row.cells, columns, layout.rules);
          if (read++ < (found.further.get(place)?.length ?? 0)) continue;
          const { cells }: RowGroup = group;
          group = undefined;
          read = 0;
          const isReport = (steps[step++]! & 1) === 1;
          const line = found.line[place]!;
          const { shop: reporter, at } = readOrder(cells, columns, layout.rules, formats) ?? {
            shop: '',
            at: Number.NaN,
          };
          // Another row at this place: the file was rewritten.
          if (at !== times[rank]) throw changed;
          const identifiers = readIdentifiers(cells, columns, layout.rules);
          current = rank;
          if (isReport)
            yield {
              at: found.reportedAt[place]!,
              do: 'report',
              id: String(line),
              reporter,
              type: 'fraud',
              severity: SEVERITY,
              identifiers,
              line,
            };
          else yield { at, do: 'query', reporter, identifiers, label: found.label[place] === 1 ? 1 : 0, line };
        }
        if (step !== steps.length || (await stampOf(input, file)) !== stamp) throw changed;
      } finally {
        await input.close();
      }
    },
  };
}

async function stampOf(handle: FileHandle, file: string): Promise<string> {
  const found = await handle.stat();
  if (found.isDirectory()) throw folderError(file);
  if (!found.isFile()) throw new CommandError('import-orders expects a regular file, because it is read twice');
  return `${found.size} ${found.mtimeMs}`;
}

/** The used orders, in the order of the file. */
interface Found {
  readonly at: number[];
  /** NaN if the order was not reported. */
  readonly reportedAt: number[];
  readonly label: number[];
  /** In lower case. */
  readonly outcome: string[];
  /** NaN if the row has none. */
  readonly amount: number[];
  readonly hasIdentifier: boolean[];
  /** Line, and position of the row in bytes. */
  readonly line: number[];
  readonly start: number[];
  readonly size: number[];
  /** Places of further rows of an order, whose cells the first row lacks. */
  readonly further: Map<number, readonly RowPlace[]>;
}

/** Yields the rows of a file, its header first, with their positions in bytes. Leaves out blank lines. */
async function* readRows(handle: FileHandle, delimiter: string) {
  const head = Buffer.alloc(3);
  let start = markOf(head.subarray(0, (await handle.read(head, 0, 3, 0)).bytesRead)).length;
  for await (const { line, bytes, cells } of readRecords(
    handle.createReadStream({ start, autoClose: false }),
    delimiter,
  )) {
    const isBlank = cells.length === 1 && cells[0]?.end === 0;
    if (!isBlank) yield { line, start, size: bytes.length, cells };
    start += bytes.length;
  }
}

/** Reads the header, and all times and amounts: only a whole file shows whether the day or the month comes first. */
async function findLayout(handle: FileHandle, { delimiter, map, needs, guessesOutcomes, formats }: OrdersLayout) {
  let columns: OrderColumns | undefined;
  let finder: ReturnType<typeof createFormatFinder> | undefined;
  let nameOf: ReturnType<typeof createOrderNames> | undefined;
  let isOpen = false;
  const rowsOfOrders = new Map<string, number>();
  for await (const { line, cells } of readRows(handle, delimiter)) {
    if (finder === undefined) {
      const header = cells.map((cell) => decode(cell)?.trim());
      if (header.includes(undefined)) throw new CommandError(`line ${line} is ${NOT_UTF8}`);
      columns = findColumns(header.map(String), map, needs);
      isOpen = guessesOutcomes && isOpenName(columns.header[columns.outcome]!);
      finder = createFormatFinder(columns, formats);
      nameOf = createOrderNames(columns);
    } else {
      finder.add(line, cells);
      const outcome = columns?.outcome ?? -1;
      if (isOpen && /^[01]$/.test(readCell(cells[outcome]) ?? ''))
        throw new UsageError(
          `"${columns?.header[outcome]}" has 1 or 0, which may mean that an order is good: add --fraud 0 --good 1, or --fraud 1 --good 0`,
        );
      const name = nameOf?.(cells);
      if (name !== undefined) rowsOfOrders.set(name, (rowsOfOrders.get(name) ?? 0) + 1);
    }
  }
  if (columns === undefined || finder === undefined)
    throw new CommandError('the file of orders is empty: there is no header');
  const ids = new Set<string>();
  const severalTimes = new Set<string>();
  for (const [name, rows] of rowsOfOrders) {
    const id = withoutTime(name);
    if (ids.has(id)) severalTimes.add(id);
    ids.add(id);
    if (rows === 1) rowsOfOrders.delete(name);
  }
  return { columns, formats: finder.settle(), rowsOfOrders, severalTimes };
}

async function takeSurvey(handle: FileHandle, layout: OrdersLayout) {
  const { columns, formats, rowsOfOrders, severalTimes } = await findLayout(handle, layout);
  const { rules, onProblem } = layout;
  const counts: OrderCounts = {
    rows: 0,
    orders: 0,
    differing: 0,
    withoutNumber: 0,
    laterFrauds: 0,
    severalTimes: 0,
    repeated: 0,
    problems: 0,
    otherOutcome: 0,
    withoutIdentifier: 0,
    withoutAmount: 0,
    leftOut: {},
    notCanonical: 0,
    wouldChange: 0,
    reports: 0,
  };
  const shops = new Set<string>();
  const differing = new Set<number>();
  const otherOutcomes = new Map<string, number>();
  const frequent = new Map(columns.identifiers.map(({ column }) => [column, createFrequentValue()]));
  const entries = new Map<string, OrderEntry[]>();
  /** One text for each outcome. */
  const words = new Map([...rules.frauds, ...rules.goods].map((word) => [word, word]));
  const found: Found = {
    at: [],
    reportedAt: [],
    label: [],
    outcome: [],
    amount: [],
    hasIdentifier: [],
    line: [],
    start: [],
    size: [],
    further: new Map(),
  };
  const take = ({ line, id, cells, places, ...group }: RowGroup): void => {
    counts.orders++;
    if (group.differing.size > 0) counts.differing++;
    for (const column of group.differing) differing.add(column);
    try {
      if (group.contradicts)
        throw new Error('one row of the order says that it is a fraud, and another that it is good');
      const order = readOrder(cells, columns, rules, formats);
      const outcome = readCell(cells[columns.outcome])?.toLowerCase() ?? '';
      if (order === undefined) {
        counts.otherOutcome++;
        if (otherOutcomes.size < MAX_OUTCOMES || otherOutcomes.has(outcome))
          otherOutcomes.set(outcome, (otherOutcomes.get(outcome) ?? 0) + 1);
        return;
      }
      const isKnown = hasIdentifier(cells, columns, rules, counts, (column, text) => frequent.get(column)!.add(text));
      const place = found.at.length;
      if (id !== undefined) {
        const customer = columns.identifiers.map(({ column }) => readCell(cells[column])?.toLowerCase() ?? '');
        const entry = { place, at: order.at, knownAt: order.knownAt, isFraud: order.isFraud, customer };
        const known = entries.get(id);
        if (known === undefined) entries.set(id, [entry]);
        else known.push(entry);
      }
      shops.add(order.shop);
      const [{ start, size } = { start: 0, size: 0 }, ...further] = places;
      if (further.length > 0) found.further.set(place, further);
      found.at.push(order.at);
      found.reportedAt.push(order.reportedAt ?? Number.NaN);
      found.label.push(order.isFraud ? 1 : 0);
      found.outcome.push(words.get(outcome)!);
      found.amount.push(order.amount ?? Number.NaN);
      found.hasIdentifier.push(isKnown);
      found.line.push(line);
      found.start.push(start);
      found.size.push(size);
    } catch (error) {
      counts.problems++;
      onProblem(line, messageOf(error));
    }
  };

  const nameOf = createOrderNames(columns);
  const open = new Map<string, RowGroup>();
  let isHeader = true;
  let before: string | undefined;
  for await (const row of readRows(handle, layout.delimiter)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    counts.rows++;
    if (columns.order !== undefined && isNoNumber(row.cells[columns.order])) counts.withoutNumber++;
    const name = nameOf(row.cells);
    const id = name === undefined ? undefined : withoutTime(name);
    const several = id !== undefined && severalTimes.has(id) ? id : undefined;
    const left = name === undefined ? undefined : rowsOfOrders.get(name);
    if (name === undefined || left === undefined) {
      const cells = columns.order === undefined ? usedCells(row.cells, columns) : undefined;
      if (cells !== undefined && cells === before) counts.repeated++;
      before = cells;
      take(toGroup(row, several));
      continue;
    }
    const group = open.get(name);
    if (group === undefined) open.set(name, toGroup(row, several));
    else if (mergeRow(group, row.cells, columns, rules)) group.places.push({ start: row.start, size: row.size });
    rowsOfOrders.set(name, left - 1);
    if (left > 1) continue;
    take(open.get(name)!);
    open.delete(name);
  }
  const of = found.at.length;
  const orders = joinLaterFrauds(found, entries, counts);
  const outcomes = new Map<string, number>();
  for (const order of orders) {
    if (!found.hasIdentifier[order]) counts.withoutIdentifier++;
    else if (!Number.isNaN(found.reportedAt[order])) counts.reports++;
    if (Number.isNaN(found.amount[order])) counts.withoutAmount++;
    outcomes.set(found.outcome[order]!, (outcomes.get(found.outcome[order]!) ?? 0) + 1);
  }
  const sorted = (counted: Iterable<[string, number]>): OutcomeCounts => [...counted].sort(([, a], [, b]) => b - a);
  return {
    columns,
    formats,
    counts,
    found,
    orders,
    shops: [...shops].sort(),
    differing: [...differing].map((column) => columns.header[column]!),
    otherOutcomes: sorted(otherOutcomes),
    frauds: sorted([...outcomes].filter(([word]) => sideOf(word, rules) === true)),
    goods: sorted([...outcomes].filter(([word]) => sideOf(word, rules) === false)),
    frequent: columns.identifiers.flatMap(({ kind, column }) => {
      const rows = frequent.get(column)!.rows(of);
      return rows === undefined ? [] : [{ kind, orders: rows, of }];
    }),
  };
}

/** Makes one fraud of a good order and its later fraud. Returns the places of the orders. */
function joinLaterFrauds(
  found: Found,
  entries: ReadonlyMap<string, readonly OrderEntry[]>,
  counts: OrderCounts,
): number[] {
  const dropped = new Set<number>();
  for (const one of entries.values()) {
    const later = findLaterFraud(one);
    if (later === undefined) {
      if (one.length > 1) counts.severalTimes++;
      continue;
    }
    counts.laterFrauds++;
    const { good, fraud, others } = later;
    for (const { place } of others) dropped.add(place);
    found.label[good.place] = 1;
    found.outcome[good.place] = found.outcome[fraud.place]!;
    if (Number.isNaN(found.reportedAt[good.place])) found.reportedAt[good.place] = fraud.knownAt;
  }
  counts.orders -= dropped.size;
  return [...found.at.keys()].filter((place) => !dropped.has(place));
}

function toGroup(row: Partial<RowPlace> & { readonly line: number; readonly cells: readonly Cell[] }, id?: string) {
  const { line, start = 0, size = 0, cells } = row;
  return { line, id, cells: [...cells], places: [{ start, size }], differing: new Set<number>(), contradicts: false };
}

/**
 * Returns the events in order of time. An event is twice the rank of its order, plus 1 for a report. At the same time,
 * queries come first: no shop knows a report before it exists.
 */
function stepsOf(byTime: Uint32Array, { at, reportedAt, hasIdentifier: isKnown }: Found): Uint32Array {
  const steps: number[] = [];
  for (const [rank, order] of byTime.entries()) {
    if (!isKnown[order]) continue;
    steps.push(2 * rank);
    if (!Number.isNaN(reportedAt[order])) steps.push(2 * rank + 1);
  }
  const timeOf = (step: number): number => (step & 1 ? reportedAt : at)[byTime[step >>> 1]!]!;
  return Uint32Array.from(steps).sort((a, b) => timeOf(a) - timeOf(b) || (a & 1) - (b & 1) || a - b);
}

/** Yields the bytes of the events' rows. The last row of a file may have no line end. */
async function* rowsOf(input: FileHandle, steps: Uint32Array, { start, size, further }: Found, byTime: Uint32Array) {
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const step of steps) {
    const order = byTime[step >>> 1]!;
    for (const place of [{ start: start[order]!, size: size[order]! }, ...(further.get(order) ?? [])]) {
      const row = Buffer.alloc(place.size);
      readSync(input.fd, row, 0, row.length, place.start);
      batch.push(row);
      if (row.at(-1) !== LF) batch.push(Buffer.of(LF));
      bytes += row.length;
    }
    if (bytes < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  yield Buffer.concat(batch);
}
