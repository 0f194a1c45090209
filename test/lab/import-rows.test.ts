import { describe, expect, it } from 'vitest';
import { toLabIdentifier } from '../../src/lab/event.ts';
import type { LabEvent } from '../../src/lab/event.ts';
import {
  importRows,
  LISTED_LATER,
  type ImportOptions,
  type LabelRow,
  type ReportRow,
} from '../../src/lab/import-rows.ts';
import { day, live } from './histories.ts';

const row = (value: string, reporter: string, date: number, removed?: number, type = 'disposable'): ReportRow => ({
  kind: 'domain',
  value,
  reporter,
  date: day(date),
  removed: removed === undefined ? undefined : day(removed),
  type,
});
const label = (value: string, of: 0 | 1, date?: number): LabelRow => ({
  kind: 'domain',
  value,
  label: of,
  date: date === undefined ? undefined : day(date),
});

const REPORTS = [
  row('a.example', 'ami', 1, 9),
  row('b.example', 'ami', 5),
  row('a.example', 'bea', 3),
  row('c.example', 'ded', 2),
  row('d.example', 'bea', 10),
  row('e.example', 'cyd', 11),
];
const LABELS = [
  label('a.example', 1, 2),
  label('b.example', 1, 20),
  label('c.example', 1),
  label('d.example', 0, 20),
  label('e.example', 1, 10),
];

const imported = (
  options?: ImportOptions,
  reports: readonly ReportRow[] = REPORTS,
  labels: readonly LabelRow[] = LABELS,
): LabEvent[] => [...importRows(reports, labels, options)];
const idOf = (value: string) => [toLabIdentifier('domain', value)];

describe('dated lists as events', () => {
  it('are in order of time: reporters with their first report, removals, and a query for each label', () => {
    expect(imported({ judges: ['ded'], cut: day(10) })).toStrictEqual([
      { at: day(1), do: 'reporter', name: 'ami', verified: true },
      {
        at: day(1),
        do: 'report',
        id: '1',
        reporter: 'ami',
        type: 'disposable',
        severity: 6,
        identifiers: idOf('a.example'),
      },
      { at: day(3), do: 'reporter', name: 'bea', verified: true },
      {
        at: day(3),
        do: 'report',
        id: '3',
        reporter: 'bea',
        type: 'disposable',
        severity: 6,
        identifiers: idOf('a.example'),
      },
      {
        at: day(5),
        do: 'report',
        id: '2',
        reporter: 'ami',
        type: 'disposable',
        severity: 6,
        identifiers: idOf('b.example'),
      },
      { at: day(9), do: 'remove', id: '1' },
      {
        at: day(10),
        do: 'report',
        id: '5',
        reporter: 'bea',
        type: 'disposable',
        severity: 6,
        identifiers: idOf('d.example'),
      },
      { at: day(10), do: 'query', identifiers: idOf('a.example'), label: 1 },
      { at: day(10), do: 'query', identifiers: idOf('b.example'), label: 1, group: LISTED_LATER },
      { at: day(10), do: 'query', identifiers: idOf('c.example'), label: 1 },
      { at: day(10), do: 'query', identifiers: idOf('d.example'), label: 0 },
      { at: day(10), do: 'query', identifiers: idOf('e.example'), label: 1 },
    ]);
  });

  it('have the line of their row; a reporter has that of its first report', () => {
    const rows = REPORTS.map((report, at) => ({ ...report, line: at + 2 }));
    expect(imported({ judges: ['ded'], cut: day(10) }, rows).map(({ line }) => line)).toEqual([
      2,
      2,
      4,
      4,
      3,
      2,
      6,
      ...LABELS.map(() => undefined),
    ]);
  });

  it.each([
    [9, 8],
    [9, 9],
    [8, 9],
  ])('include what is dated on or before day %i, and the removal by then: on day %i', (cut, removed) => {
    const events = imported(
      { cut: day(cut) },
      [row('a.example', 'ami', cut), row('b.example', 'ami', 1, removed), row('c.example', 'ami', cut + 1)],
      [],
    );
    expect(events.flatMap((event) => (event.do === 'report' ? [event.id] : []))).toEqual(['2', '1']);
    expect(events.filter((event) => event.do === 'remove')).toEqual(
      removed <= cut ? [{ at: day(removed), do: 'remove', id: '2' }] : [],
    );
  });

  it('include everything without a cut, and query after the last event', () => {
    const events = imported();
    expect(events.filter((event) => event.do === 'report')).toHaveLength(6);
    expect(events.filter((event) => event.do === 'query').map(({ at }) => at)).toEqual(LABELS.map(() => day(11)));
    expect(
      events.flatMap((event) => (event.do === 'query' && event.group !== undefined ? [event.identifiers] : [])),
    ).toEqual([idOf('b.example')]);
  });

  it('take unverified reporters and another severity from the options', () => {
    const events = imported({ verified: false, severity: 9 });
    expect(events.filter((event) => event.do === 'reporter').map(({ name, verified }) => [name, verified])).toEqual([
      ['ami', false],
      ['ded', false],
      ['bea', false],
      ['cyd', false],
    ]);
    expect(new Set(events.flatMap((event) => (event.do === 'report' ? [event.severity] : [])))).toEqual(new Set([9]));
  });

  it('allow a removal dated before its report', () => {
    expect(imported({}, [row('a.example', 'ami', 5, 3)], []).map(({ at, do: what }) => [at, what])).toEqual([
      [day(5), 'reporter'],
      [day(5), 'report'],
      [day(5), 'remove'],
    ]);
  });

  it('can be replayed', async () => {
    const { reports, removed, reporters, samples } = await live(imported({ judges: ['ded'], cut: day(10) }));
    expect({ reports, removed, reporters }).toEqual({ reports: 4, removed: 1, reporters: 2 });
    expect(samples.map(({ label: of, reported, group }) => [of, reported, group])).toEqual([
      [1, 1, undefined],
      [1, 1, LISTED_LATER],
      [1, 0, undefined],
      [0, 1, undefined],
      [1, 0, undefined],
    ]);
  });
});
