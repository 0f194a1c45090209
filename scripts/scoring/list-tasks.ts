// Makes tasks of dated lists: every list in turn is the judge of the other lists, at every cut day.
import { DAY_MS } from '../../src/core/domain/day.ts';
import { fingerprint } from '../../src/core/scoring/constants.ts';
import type { EvidenceReport } from '../../src/core/scoring/evidence.ts';
import type { Sighting } from '../../src/core/scoring/standings/pairs.ts';
import { SEVERITY, type Lists, type ReportRow } from './dated-lists.ts';
import type { Query, Task } from './task.ts';

/** Half a year apart. The first one has evidence of several lists. */
export const CUT_DAYS: readonly string[] = [
  '2016-07-01',
  '2017-01-01',
  '2017-07-01',
  '2018-01-01',
  '2018-07-01',
  '2019-01-01',
  '2019-07-01',
  '2020-01-01',
  '2020-07-01',
  '2021-01-01',
];

/** Larger lists are sampled by a digest of the value. */
const MAX_POSITIVES = 3000;
/** A judge with fewer positives says nothing. */
const MIN_POSITIVES = 40;

/** The list whose labels, with later dates, are in the file of labels. */
const LABELLED = 'ded';

export function* listTasks({ reports, labels }: Lists, days: readonly string[], verified: boolean): Generator<Task> {
  const negatives = labels.filter(({ label }) => label === 0).map(({ value }) => value);
  for (const day of days) {
    const cut = Date.parse(`${day}T00:00:00Z`);
    const live = reports.filter(({ date, removed }) => date < cut && (removed ?? Infinity) >= cut);
    for (const judge of new Set(reports.map(({ reporter }) => reporter))) {
      const positives = positivesOf(judge, { reports, labels });
      if (positives.size < MIN_POSITIVES) continue;
      const evidence = live.filter(({ reporter }) => reporter !== judge);
      if (new Set(evidence.map(({ reporter }) => reporter)).size < 2) continue;
      const find = createFinder(evidence, cut);
      const queries = [
        ...[...positives].map(([value, date]): Query => ({ label: 1, later: date >= cut, reports: find(value) })),
        ...negatives.map((value): Query => ({ label: 0, later: false, reports: find(value) })),
      ];
      const known = [...new Set(evidence.map(({ reporter }) => reporter))].map((reporterId) => ({
        reporterId,
        verified,
        lost: 0,
      }));
      yield {
        group: judge,
        unit: day,
        epochs: [{ at: cut, sightings: evidence.map(toSighting).sort(byHash), known, queries }],
        attacks: [],
      };
    }
  }
}

/** Returns when the judge listed each value that it never removed. */
function positivesOf(judge: string, { reports, labels }: Lists): Map<string, number> {
  const rows =
    judge === LABELLED
      ? labels.flatMap(({ value, label, date }) => (label === 1 && date !== undefined ? [{ value, date }] : []))
      : reports.filter(({ reporter, removed }) => reporter === judge && removed === undefined);
  const ranked = rows
    .map((row) => ({ ...row, rank: fingerprint(row.value) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return new Map(ranked.slice(0, MAX_POSITIVES).map(({ value, date }) => [value, date]));
}

/** Values with the same reporters and days share one list of reports, so a candidate weighs it once. */
function createFinder(evidence: readonly ReportRow[], cut: number): (value: string) => readonly EvidenceReport[] {
  const byValue = new Map<string, ReportRow[]>();
  for (const row of evidence) byValue.set(row.value, [...(byValue.get(row.value) ?? []), row]);
  const shared = new Map<string, readonly EvidenceReport[]>();
  return (value) => {
    const rows = byValue.get(value) ?? [];
    const ages = rows.map(({ date }) => Math.floor((cut - date) / DAY_MS));
    const name = rows
      .map(({ reporter }, i) => `${reporter} ${ages[i]}`)
      .sort()
      .join();
    const found =
      shared.get(name) ??
      rows.map(({ reporter, type, kind }, i): EvidenceReport => ({
        reportId: `${reporter} ${i}`,
        reporterId: reporter,
        type,
        severity: SEVERITY,
        ageDays: ages[i]!,
        shared: [{ hash: 'the value', kind }],
      }));
    shared.set(name, found);
    return found;
  };
}

function toSighting({ value, kind, reporter, date }: ReportRow): Sighting {
  return {
    hash: value,
    kind,
    reportId: `${reporter} ${value} ${date}`,
    reporterId: reporter,
    createdAt: date,
    upheld: false,
  };
}

function byHash(a: Sighting, b: Sighting): number {
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0;
}
