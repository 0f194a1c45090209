import { formatAudit } from '../../src/service/cli/lab/audit-file.ts';
import { csvCell } from '../../src/service/web/csv.ts';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CalibrationMap } from '../../src/core/scoring/calibration-map.ts';
import { useFolder } from '../folder.ts';
import { runCli } from './in-process.ts';

// Many frauds, so that few queries hold enough that match a report.
const WORLD = [
  'customers=300',
  'reporters=20',
  'fraud.share=0.25',
  'days=300',
  'queries.fromDay=60',
  'queries.count=1000',
];
const folder = useFolder('lab-audit');
const file = (name: string): string => join(folder, name);
const lab = (...args: readonly string[]) => runCli(['lab', ...args]);
let events: string;
/** The labels of the events by number of the query, and the events of all queries. */
let labels: (0 | 1 | undefined)[];
let queries: { readonly at: string; readonly identifiers: [string, string][] }[];
/** A sample of 100 with its labels, and what fit-map makes of it. */
let few: { readonly path: string; readonly fitted: Awaited<ReturnType<typeof lab>> };

beforeAll(async () => {
  const { out } = await lab('simulate', '--seed', '5', ...WORLD.flatMap((set) => ['--set', set]));
  events = file('events.ndjson');
  // Audits are for queries whose label is unknown: half of them have none.
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { do: string; at: string; label?: 0 | 1; identifiers: [string, string][] });
  queries = lines.filter((event) => event.do === 'query');
  labels = queries.map((query) => (query as { label?: 0 | 1 }).label);
  for (const [at, query] of queries.entries()) if (at % 2 === 0) delete (query as { label?: 0 | 1 }).label;
  await writeFile(events, lines.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const path = await audited((await lab('audit-sample', events, '--size', '100')).out, 'few.csv');
  few = { path, fitted: await lab('fit-map', events, '--audit', path) };
});

/** Fills in the labels of a sample. */
async function audited(csv: string, name: string): Promise<string> {
  const [header, ...rows] = csv.trimEnd().split('\n');
  const filled = rows.map((row) => `${row}${labels[Number(row.split(',')[0]) - 1]}`);
  await writeFile(file(name), [header, ...filled, ''].join('\n'));
  return file(name);
}
const mapOf = (out: string): CalibrationMap => (JSON.parse(out) as { calibration: CalibrationMap }).calibration;

describe('redflag lab audit-sample', () => {
  it('names the line of each query in the file, also if --sort changes their order', async () => {
    const reversed = file('reversed.ndjson');
    const lines = (await readFile(events, 'utf8')).trimEnd().split('\n').reverse();
    await writeFile(reversed, `${lines.join('\n')}\n`);
    const { out } = await lab('audit-sample', reversed, '--sort', '--size', '20');
    const rows = out.trimEnd().split('\n').slice(1);
    expect(rows).toHaveLength(20);
    for (const row of rows) {
      const [, line, at] = row.split(',');
      expect(JSON.parse(lines[Number(line) - 1]!)).toMatchObject({ do: 'query', at });
    }
  });

  it('writes queries that match, without label or identifier, and the same ones for the same seed', async () => {
    const { code, out, err } = await lab('audit-sample', events, '--size', '60', '--seed', '2');
    expect(code).toBe(0);
    expect(err).toMatch(/^Chose 60 of \d+ queries that match a report, from \d+ of 10 bins of Reliability\. /);
    const [header, ...rows] = out.trimEnd().split('\n');
    expect(header).toBe('query,line,at,group,points,reliability,label');
    expect(rows).toHaveLength(60);
    for (const row of rows) {
      const [, number, at, points, reliability] =
        /^(\d+),\d+,([^,]+),[^,]*,(\d+),(\d+\.\d),$/.exec(row) ?? ([] as string[]);
      expect(at).toBe(queries[Number(number) - 1]!.at);
      expect(Number(points)).toBeGreaterThanOrEqual(1);
      expect(Number(reliability)).toBeGreaterThanOrEqual(1);
    }
    const identifiers = queries.flatMap((query) => query.identifiers.map(([, value]) => value));
    expect(identifiers.filter((value) => out.includes(value))).toEqual([]);
    expect((await lab('audit-sample', events, '--size', '60', '--seed', '2')).out).toBe(out);
    expect((await lab('audit-sample', events, '--size', '60', '--seed', '3')).out).not.toBe(out);
  });

  it('says so if no query matches', async () => {
    await writeFile(
      file('none.ndjson'),
      '{"at":"2021-01-01T00:00:00Z","do":"query","identifiers":[["email","a@b.example"]]}\n',
    );
    expect(await lab('audit-sample', file('none.ndjson'))).toEqual({
      code: 1,
      out: '',
      err: 'redflag: no query matches a report, so there is none to label\n',
    });
  });
});

describe('redflag lab fit-map --audit', () => {
  it('fits a shift to few labels, and says how sure it is', async () => {
    const { code, out, err } = few.fitted;
    expect(code).toBe(0);
    const map = mapOf(out);
    expect(map.version).toBe(3);
    expect(map.support.map(({ labelled }) => labelled)).toEqual([100]);
    expect(map.points).toHaveLength(21);
    expect(err).toMatch(
      /^Fitted a shift of the log-odds to 100 audited queries, \d+ of them labelled 1: [+-]\d\.\d\d \(95 % interval [+-]\d\.\d\d to [+-]\d\.\d\d\)\. Spread around the shift: 0\.\d{3}\. With more than 300 audited queries, a map is fitted\.\nSTATED  MAPPED  RIGHT, %\n1\.0 /,
    );
    // The file is a configuration, and the model's explanations have intervals.
    await writeFile(file('shift.json'), out);
    expect((await lab('run', events, '--config', file('shift.json'), '--json')).out).toMatch(
      /On average, \d+ to \d+ % of such answers are right\./,
    );
  });

  it('fits a map to many labels', async () => {
    const sample = await lab('audit-sample', events, '--size', '320');
    expect(sample.out.split('\n').length).toBe(322);
    const { out, err } = await lab('fit-map', events, '--audit', await audited(sample.out, 'many.csv'));
    expect(mapOf(out).support.reduce((sum, { labelled }) => sum + labelled, 0)).toBe(320);
    expect(err).toMatch(/^Fitted a map to 320 labelled queries, \d+ of them labelled 1, in \d+ blocks of /);
  });

  it('leaves out rows without a label, and reads columns in any order and between semicolons', async () => {
    const rows = (await readFile(few.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((row) => row.split(','));
    const turned = rows.map(([query, , at, , , , label]) => [label, 'note', at, query].join(';'));
    await writeFile(file('turned.csv'), `\uFEFF${[...turned, `;;${rows[1]![2]};${rows[1]![0]}`].join('\r\n')}\r\n\r\n`);
    expect((await lab('fit-map', events, '--audit', file('turned.csv'))).out).toBe(few.fitted.out);
  });

  it.each<[string, string, string]>([
    [
      'without labels',
      'query,line,at,group,points,reliability,label\n1,1,2021-01-01T00:00:00Z,,1,1.0,\n',
      'the audit has no labels',
    ],
    ['without the columns', 'query,at\n1,2\n', 'line 1 of the audit cannot be read: the header expected the columns'],
    [
      'with another label',
      'query,at,label\n1,2021-01-01T00:00:00Z,yes\n',
      'line 2 of the audit cannot be read: "label"',
    ],
    ['with a wrong number', 'query,at,label\nx,2021-01-01T00:00:00Z,1\n', '"query" expects a whole number from 1 to'],
    [
      'with a wrong time',
      'query,at,label\n1,yesterday,1\n',
      'line 2 of the audit cannot be read: "at" expected a time',
    ],
    [
      'of other events',
      'query,at,label\n1,1999-01-01T00:00:00Z,1\n',
      'line 2 of the audit labels query 1, which is of another time',
    ],
    ['of more queries', 'query,at,label\n999999,2021-01-01T00:00:00Z,1\n', 'labels query 999999, which does not exist'],
    [
      'that labels a query twice',
      `query,at,label${'\n7,2021-01-01T00:00:00Z,1'.repeat(2)}\n`,
      'line 3 of the audit cannot be read: an earlier line labels this query',
    ],
    [
      'with an open quote',
      'query,at,label\n"1,2021-01-01T00:00:00Z,1\n',
      'of the audit cannot be read: it is not valid CSV',
    ],
  ])('refuses an audit %s', async (_, content, message) => {
    await writeFile(file('bad.csv'), content);
    const { code, out, err } = await lab('fit-map', events, '--audit', file('bad.csv'));
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});

describe('a cell of a file for people', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', `"'\t'=1"`],
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['\uff1d1', "'\uff1d1"],
    ['=HYPERLINK("http://evil.example";"x")', `"'=HYPERLINK(""http://evil.example"";""x"")"`],
    // A reader of semicolons begins a cell there, whatever the quotes around it.
    ['x;=cmd', `"x;'=cmd"`],
    ['x\n"+1', `"x\n'""+1"`],
    ['a; =b;c', '"a; =b;c"'],
    ['a,b;"c"', '"a,b;""c"""'],
    ['shop-1', 'shop-1'],
    ['', ''],
  ])('%j is %s', (text, cell) => expect(csvCell(text)).toBe(cell));

  it('is no formula in an audit sample either', () => {
    const query = { number: 1, line: 1, at: 0, points: 1, reliability: 1 };
    expect(formatAudit([{ ...query, group: '=cmd|calc' }])).toContain(",'=cmd|calc,");
  });
});
