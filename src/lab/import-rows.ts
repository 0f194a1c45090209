import { requireBoolean, requireString, requireWhole } from '../core/domain/options.ts';
import { SEVERITY } from '../core/domain/report.ts';
import { toLabIdentifier, type LabEvent, type QueryEvent } from './event.ts';
import { listOf, optional, validateOptions } from './options.ts';

/** Severity of a report without one, 1 to 10. */
export const DEFAULT_SEVERITY = 6;

/** One line of a list of reports: `kind,value,reporter,date,removed,type`. */
export interface ReportRow {
  /** Kind of the reported identifier, e.g. `domain`. */
  readonly kind: string;
  /** The identifier: a hash of 40 lowercase hex characters, or any other text. */
  readonly value: string;
  /** Name of the reporter, e.g. of the list. */
  readonly reporter: string;
  /** Milliseconds UTC. */
  readonly date: number;
  /** Milliseconds UTC; undefined if the report was never removed. */
  readonly removed: number | undefined;
  /** Offence type. */
  readonly type: string;
  /** Line in its file, counted from 1, for error messages. */
  readonly line?: number;
}

/** One line of a list of labels: `kind,value,label,source,date`. */
export interface LabelRow {
  /** Kind of the identifier, e.g. `domain`. */
  readonly kind: string;
  /** The identifier: a hash of 40 lowercase hex characters, or any other text. */
  readonly value: string;
  /** 1 for an identifier to warn about, otherwise 0. */
  readonly label: 0 | 1;
  /** When the label was assigned, milliseconds UTC. */
  readonly date?: number | undefined;
}

/** Options of {@link importRows}. */
export interface ImportOptions {
  /** Reporters whose reports are left out, because the labels come from these reporters. */
  readonly judges?: readonly string[];
  /** Time of the queries, milliseconds UTC. Later reports are left out. Default: the last event. */
  readonly cut?: number;
  /** Whether the operator verified the reporters; default true. */
  readonly verified?: boolean;
  /** Severity of all reports, 1 to 10, since dated lists have none; default 6. */
  readonly severity?: number;
}

/** Group of the queries about identifiers that the judge listed only after the cut. */
export const LISTED_LATER = 'listed later';

/**
 * Converts dated lists to events in order of time. Each label becomes one query at the cut. Reads both lists into
 * memory. For an invalid option, throws TypeError or RangeError at the first event.
 */
export function* importRows(
  reports: Iterable<ReportRow>,
  labels: Iterable<LabelRow>,
  options: ImportOptions = {},
): Generator<LabEvent, void, void> {
  validateOptions('options', options, {
    judges: optional(listOf(requireString)),
    cut: optional((label, value) => value === Infinity || requireWhole(label, value, -Number.MAX_SAFE_INTEGER)),
    verified: optional(requireBoolean),
    severity: optional((label, value) => requireWhole(label, value, SEVERITY.min, SEVERITY.max)),
  });
  const { judges = [], cut = Infinity, verified = true, severity = DEFAULT_SEVERITY } = options;

  const events: LabEvent[] = [];
  const firstSeen = new Map<string, ReportRow>();
  let number = 0;
  for (const row of reports) {
    const { kind, value, reporter, date, removed, type } = row;
    number++;
    if (judges.includes(reporter) || date > cut) continue;
    if (date < (firstSeen.get(reporter)?.date ?? Infinity)) firstSeen.set(reporter, row);
    const line = lineOf(row);
    const id = String(number);
    const identifiers = [toLabIdentifier(kind, value)];
    events.push({ at: date, do: 'report', id, reporter, type, severity, identifiers, ...line });
    if (removed !== undefined && removed <= cut)
      events.push({ at: Math.max(removed, date), do: 'remove', id, ...line });
  }
  for (const [name, row] of firstSeen) events.push({ at: row.date, do: 'reporter', name, verified, ...lineOf(row) });
  const order = { reporter: 0, report: 1, dispute: 2, remove: 3, query: 4 };
  // The sort is stable: events of one kind at the same time stay in the order of the list.
  events.sort((a, b) => a.at - b.at || order[a.do] - order[b.do]);
  yield* events;

  const at = Number.isFinite(cut) ? cut : (events.at(-1)?.at ?? 0);
  for (const { kind, value, label, date } of labels) {
    const query: QueryEvent = { at, do: 'query', identifiers: [toLabIdentifier(kind, value)], label };
    yield label === 1 && date !== undefined && date > at ? { ...query, group: LISTED_LATER } : query;
  }
}

function lineOf({ line }: ReportRow): { readonly line?: number } {
  return line === undefined ? {} : { line };
}
