import { readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { DAY_MS } from '../../../core/domain/day.ts';
import type { PastOrders } from '../../../lab/blocking.ts';
import type { LabEvent } from '../../../lab/event.ts';
import { DEFAULT_SEVERITY } from '../../../lab/import-rows.ts';
import type { Judged } from '../../../lab/replayed.ts';
import { CommandError, messageOf } from '../errors.ts';
import type { LeftOut } from '../clear-values.ts';
import { readRecords } from '../csv/records.ts';
import { decode, markOf, NOT_UTF8 } from '../csv/rows.ts';
import { folderError } from './folder-error.ts';
import { findColumns, type OrderColumns, type OrderNeeds } from './order-columns.ts';
import { createFormatFinder, type FormatOptions, type OrderFormats } from './order-formats.ts';
import { hasIdentifier, readIdentifiers, readOrder, type OrderRules } from './order-row.ts';

export interface OrdersLayout {
  readonly delimiter: string;
  readonly map: ReadonlyMap<string, string>;
  readonly needs: OrderNeeds;
  readonly rules: OrderRules;
  readonly formats: FormatOptions;
  /** Called for each row that is left out because of a problem. */
  readonly onProblem: (line: number, problem: string) => void;
}

/** Rows of the file, without the header and blank lines. */
export interface OrderCounts {
  rows: number;
  /** Left out: the row has a problem. */
  problems: number;
  /** Left out: the outcome is neither a fraud nor good. */
  otherOutcome: number;
  /** Used, but without an identifier: nothing can block such an order. */
  withoutIdentifier: number;
  /** Used, and counted as 0. */
  withoutAmount: number;
  /** Values of used orders that are no identifier. */
  leftOut: LeftOut;
  reports: number;
}

/** The used orders of a file, in order of time: their numbers, but not their shops and identifiers. */
export interface OrdersFile {
  readonly columns: OrderColumns;
  readonly formats: OrderFormats;
  readonly counts: Readonly<OrderCounts>;
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

/**
 * Reads and validates a file of orders in any order of time. Keeps about 100 bytes of each order; the rows stay in the
 * file. Throws CommandError if the file is not CSV or has no usable order, and UsageError if it lacks a column.
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
  const { columns, formats, counts, found, shops } = survey;
  if (found.at.length === 0)
    throw new CommandError(
      `none of ${counts.rows} orders can be used: ${counts.problems} have a problem, and ${counts.otherOutcome} have an outcome that is neither in --fraud nor in --good`,
    );
  const byTime = Uint32Array.from(found.at.keys()).sort((a, b) => found.at[a]! - found.at[b]! || a - b);
  const times = Float64Array.from(byTime, (order) => found.at[order]!);
  const points = new Uint8Array(byTime.length);
  const delays = Float64Array.from(found.reportedAt, (reportedAt, order) => reportedAt - found.at[order]!)
    .filter((delay) => delay >= 0)
    .sort();
  const steps = stepsOf(byTime, found);
  let current = 0;

  return {
    columns,
    formats,
    counts,
    shops,
    times,
    medianDelayMs: delays[delays.length >> 1],
    orders: {
      labels: Uint8Array.from(byTime, (order) => found.label[order]!),
      amounts: Float64Array.from(byTime, (order) => found.amount[order]!),
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
        for await (const { cells } of readRecords(rowsOf(input, steps, found, byTime), layout.delimiter)) {
          const rank = steps[step]! >>> 1;
          const isReport = (steps[step++]! & 1) === 1;
          const place = byTime[rank]!;
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
              severity: DEFAULT_SEVERITY,
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
  readonly amount: number[];
  readonly hasIdentifier: boolean[];
  /** Line, and position of the row in bytes. */
  readonly line: number[];
  readonly start: number[];
  readonly size: number[];
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
async function findLayout(handle: FileHandle, { delimiter, map, needs, formats }: OrdersLayout) {
  let columns: OrderColumns | undefined;
  let finder: ReturnType<typeof createFormatFinder> | undefined;
  for await (const { line, cells } of readRows(handle, delimiter)) {
    if (finder === undefined) {
      const header = cells.map((cell) => decode(cell)?.trim());
      if (header.includes(undefined)) throw new CommandError(`line ${line} is ${NOT_UTF8}`);
      columns = findColumns(header.map(String), map, needs);
      finder = createFormatFinder(columns, formats);
    } else finder.add(line, cells);
  }
  if (columns === undefined || finder === undefined)
    throw new CommandError('the file of orders is empty: there is no header');
  return { columns, formats: finder.settle() };
}

async function takeSurvey(handle: FileHandle, layout: OrdersLayout) {
  const { columns, formats } = await findLayout(handle, layout);
  const { rules, onProblem } = layout;
  const counts: OrderCounts = {
    rows: 0,
    problems: 0,
    otherOutcome: 0,
    withoutIdentifier: 0,
    withoutAmount: 0,
    leftOut: {},
    reports: 0,
  };
  const shops = new Set<string>();
  const found: Found = {
    at: [],
    reportedAt: [],
    label: [],
    amount: [],
    hasIdentifier: [],
    line: [],
    start: [],
    size: [],
  };
  let isHeader = true;
  for await (const { line, start, size, cells } of readRows(handle, layout.delimiter)) {
    if (isHeader) {
      isHeader = false;
      continue;
    }
    counts.rows++;
    try {
      const order = readOrder(cells, columns, rules, formats);
      if (order === undefined) {
        counts.otherOutcome++;
        continue;
      }
      const isKnown = hasIdentifier(cells, columns, rules, counts.leftOut);
      if (!isKnown) counts.withoutIdentifier++;
      else if (order.reportedAt !== undefined) counts.reports++;
      shops.add(order.shop);
      found.at.push(order.at);
      found.reportedAt.push(order.reportedAt ?? Number.NaN);
      found.label.push(order.isFraud ? 1 : 0);
      if (order.amount === undefined) counts.withoutAmount++;
      found.amount.push(order.amount ?? 0);
      found.hasIdentifier.push(isKnown);
      found.line.push(line);
      found.start.push(start);
      found.size.push(size);
    } catch (error) {
      counts.problems++;
      onProblem(line, messageOf(error));
    }
  }
  return { columns, formats, counts, found, shops: [...shops].sort() };
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
async function* rowsOf(input: FileHandle, steps: Uint32Array, { start, size }: Found, byTime: Uint32Array) {
  let batch: Buffer[] = [];
  let bytes = 0;
  for (const step of steps) {
    const order = byTime[step >>> 1]!;
    const row = Buffer.alloc(size[order]!);
    readSync(input.fd, row, 0, row.length, start[order]!);
    batch.push(row);
    if (row.at(-1) !== LF) batch.push(Buffer.of(LF));
    bytes += row.length;
    if (bytes < BATCH_BYTES) continue;
    yield Buffer.concat(batch);
    batch = [];
    bytes = 0;
  }
  yield Buffer.concat(batch);
}
