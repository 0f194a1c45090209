// Reads dated lists (`test/data`) and makes events of them.
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { toLabIdentifier, type LabEvent } from '../../src/lab/event.ts';

/** One line of a list of reports: `kind,value,reporter,date,removed,type`. Times are milliseconds UTC. */
export interface ReportRow {
  readonly kind: string;
  readonly value: string;
  readonly reporter: string;
  readonly date: number;
  /** Undefined if the report was never removed. */
  readonly removed: number | undefined;
  readonly type: string;
}

/** One line of a list of labels: `kind,value,label,source,date`. */
export interface LabelRow {
  readonly kind: string;
  readonly value: string;
  readonly label: 0 | 1;
  /** When the label was assigned, milliseconds UTC. */
  readonly date?: number | undefined;
}

export interface Lists {
  readonly reports: readonly ReportRow[];
  readonly labels: readonly LabelRow[];
}

/** Lists have no severities. */
export const SEVERITY = 6;

/** Group of the queries about identifiers that the judge listed only after the cut. */
const LISTED_LATER = 'listed later';

type Row = Readonly<Record<string, string>>;

/** The files of reports and of labels in a folder. */
export const FILES = ['domain-reports.csv.gz', 'domain-labels.csv.gz'] as const;

/** Reads {@link FILES} of a folder. */
export async function readLists(folder: string): Promise<Lists> {
  const reports = await readRows(`${folder}/${FILES[0]}`, (row): ReportRow => ({
    kind: row['kind']!,
    value: row['value']!,
    reporter: row['reporter']!,
    date: dayOf(row['date'])!,
    removed: dayOf(row['removed']),
    type: row['type']!,
  }));
  const labels = await readRows(`${folder}/${FILES[1]}`, (row): LabelRow => ({
    kind: row['kind']!,
    value: row['value']!,
    label: row['label'] === '1' ? 1 : 0,
    date: dayOf(row['date']),
  }));
  return { reports, labels };
}

async function readRows<T>(file: string, toRow: (row: Row) => T): Promise<T[]> {
  const bytes = createReadStream(file);
  const unpacked = bytes.pipe(createGunzip());
  const records: AsyncIterable<Row> = unpacked.pipe(parse({ bom: true, columns: true }));
  const rows: T[] = [];
  for await (const row of records) rows.push(toRow(row));
  return rows;
}

function dayOf(text: string | undefined): number | undefined {
  return text ? Date.parse(`${text}T00:00:00Z`) : undefined;
}

/**
 * Converts lists to events in order of time. Leaves out the reports of `judge` and those after `cut`. Each label
 * becomes one query at the cut.
 */
export function toEvents({ reports, labels }: Lists, judge: string, cut: number): LabEvent[] {
  const events: LabEvent[] = [];
  const firstSeen = new Map<string, number>();
  for (const [number, { kind, value, reporter, date, removed, type }] of reports.entries()) {
    if (reporter === judge || date > cut) continue;
    firstSeen.set(reporter, Math.min(date, firstSeen.get(reporter) ?? Infinity));
    const id = String(number);
    const identifiers = [toLabIdentifier(kind, value)];
    events.push({ at: date, do: 'report', id, reporter, type, severity: SEVERITY, identifiers });
    if (removed !== undefined && removed <= cut) events.push({ at: Math.max(removed, date), do: 'remove', id });
  }
  for (const [name, at] of firstSeen) events.push({ at, do: 'reporter', name, verified: true });
  const order = { reporter: 0, report: 1, dispute: 2, remove: 3, query: 4 };
  events.sort((a, b) => a.at - b.at || order[a.do] - order[b.do]);
  const queries = labels.map(({ kind, value, label, date }): LabEvent => {
    const later = label === 1 && date !== undefined && date > cut ? { group: LISTED_LATER } : {};
    return { at: cut, do: 'query', identifiers: [toLabIdentifier(kind, value)], label, ...later };
  });
  return [...events, ...queries];
}
