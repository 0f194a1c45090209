import type { LabEvent, QueryEvent } from './event.ts';
import { toLabIdentifier } from './digest.ts';

/** One line of a list of reports: `kind,value,reporter,date,removed,type`. */
export interface ReportRow {
  readonly kind: string;
  readonly value: string;
  readonly reporter: string;
  /** Milliseconds UTC. */
  readonly date: number;
  /** Undefined for one that was never taken out. */
  readonly removed: number | undefined;
  readonly type: string;
  /** Where it stands in its file, from 1: an error about it names that. */
  readonly line?: number;
}

/** One line of a list of labels: `kind,value,label,source,date`. */
export interface LabelRow {
  readonly kind: string;
  readonly value: string;
  readonly label: 0 | 1;
  /** When the label was given, milliseconds UTC. */
  readonly date: number | undefined;
}

export interface ImportOptions {
  /** Reporters whose reports are left out: whose word the labels are. */
  readonly judges?: readonly string[];
  /** The moment (ms UTC) at which every labelled identifier is asked about; what comes later is left out. The end unless given. */
  readonly cut?: number;
  /** True for reporters whom the operator knows; true unless given. */
  readonly verified?: boolean;
  /** 1 to 10; lists of dates hold none. */
  readonly severity?: number;
}

/** The group of queries about what the judge came to know only after the cut. */
export const LISTED_LATER = 'listed later';

/** Dated lists as events in the order of time, and at the cut one query about each label. Reads both lists whole. */
export function* importRows(
  reports: Iterable<ReportRow>,
  labels: Iterable<LabelRow>,
  { judges = [], cut = Infinity, verified = true, severity = 6 }: ImportOptions = {},
): Generator<LabEvent, void, void> {
  const events: LabEvent[] = [];
  const firstSeen = new Map<string, ReportRow>();
  let number = 0;
  for (const row of reports) {
    const { kind, value, reporter, date, removed, type } = row;
    number++;
    if (judges.includes(reporter) || date > cut) continue;
    if (date < (firstSeen.get(reporter)?.date ?? Infinity)) firstSeen.set(reporter, row);
    const line = placeOf(row);
    const id = String(number);
    events.push({
      at: date,
      do: 'report',
      id,
      reporter,
      type,
      severity,
      identifiers: [toLabIdentifier(kind, value)],
      ...line,
    });
    if (removed !== undefined && removed <= cut)
      events.push({ at: Math.max(removed, date), do: 'remove', id, ...line });
  }
  for (const [name, row] of firstSeen) events.push({ at: row.date, do: 'reporter', name, verified, ...placeOf(row) });
  const order = { reporter: 0, report: 1, dispute: 2, remove: 3, query: 4 };
  // Stable: of two at one moment of one sort the one that stands first comes first.
  events.sort((a, b) => a.at - b.at || order[a.do] - order[b.do]);
  yield* events;

  const at = Number.isFinite(cut) ? cut : (events.at(-1)?.at ?? 0);
  for (const { kind, value, label, date } of labels) {
    const query: QueryEvent = { at, do: 'query', identifiers: [toLabIdentifier(kind, value)], label };
    yield label === 1 && date !== undefined && date > at ? { ...query, group: LISTED_LATER } : query;
  }
}

function placeOf({ line }: ReportRow): { readonly line?: number } {
  return line === undefined ? {} : { line };
}
