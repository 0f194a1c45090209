import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LabResult } from '../../src/lab/result.ts';
import type { ThresholdCost } from '../../src/lab/thresholds.ts';
import { useFolder } from '../folder.ts';
import { cellsOf } from './operator-folder.ts';
import { runCli } from './in-process.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const WORLD = [
  '--set',
  'customers=300',
  '--set',
  'reporters=12',
  '--set',
  'days=400',
  '--set',
  'queries.fromDay=100',
  '--seed',
  '3',
];

const folder = useFolder('lab');
let world: string;
let events: string;
const file = (name: string): string => join(folder, name);
const lab = (args: readonly string[], input?: string) => runCli(['lab', ...args], input === undefined ? {} : { input });
/** The result of a replay of the world with no option: the same for each test that asks for it. */
const replayed = (): Promise<LabResult> =>
  (plain ??= lab([events, '--json']).then(({ out }) => JSON.parse(out) as LabResult));
let plain: Promise<LabResult> | undefined;
const show = (figure: number): string => figure.toFixed(3).replace(/^0(?=\.)/, '');

beforeAll(async () => {
  const { code, out, err } = await lab(['simulate', ...WORLD]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  world = out;
  events = file('events.ndjson');
  await writeFile(events, world);
});

describe('redflag lab simulate', () => {
  it('writes the same world for the same seed, and another for another', async () => {
    expect((await lab(['simulate', ...WORLD])).out).toBe(world);
    expect((await lab(['simulate', ...WORLD, '--seed', '4'])).out).not.toBe(world);
    expect((await lab(['simulate', ...WORLD, '--scenario', 'manySharedAddresses'])).out).not.toBe(world);
  });

  it('ends with the queries about the victims of an attack', async () => {
    const { out } = await lab([
      'simulate',
      ...WORLD,
      '--attack',
      'sybil:2',
      '--set',
      'attack.victims=3',
      '--set',
      'attack.day=300',
      '--set',
      'attack.camouflageDays=200',
      '--set',
      'attack.ringDays=200',
    ]);
    const last = out
      .trimEnd()
      .split('\n')
      .slice(-3)
      .map((line) => JSON.parse(line) as object);
    for (const victim of last) expect(victim).toMatchObject({ do: 'query', group: 'victim' });
  });

  it('ends well when its reader has seen enough', async () => {
    const child = spawn(process.execPath, [CLI, 'lab', 'simulate'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdout.once('data', () => child.stdout.destroy());
    const [code] = await once(child, 'close');
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });
});

describe('redflag lab', () => {
  it('says of standard input what it says of a file, and the same in JSON', async () => {
    const printed = await lab(['-', '--exclude-own', '--model', 'link-claim,severity-sum'], world);
    expect({ code: printed.code, err: printed.err }).toEqual({ code: 0, err: '' });
    const { out } = await lab([events, '--exclude-own', '--model', 'link-claim,severity-sum']);
    expect(out.replace(/^events\.ndjson/, 'standard input')).toBe(printed.out);

    const result = JSON.parse(
      (await lab([events, '--exclude-own', '--model', 'link-claim,severity-sum', '--json'])).out,
    ) as LabResult;
    const rows = cellsOf(out);
    for (const { name, rocAuc, prAuc, prAucOfZeros, ece, brier } of result.models) {
      const cells = [rocAuc, prAuc, prAucOfZeros, ece, brier].map((e) =>
        e === undefined ? '-' : `${show(e.value)} (${show(e.low)} to ${show(e.high)})`,
      );
      expect(rows).toContainEqual([name, ...cells]);
    }
    const { counts, subsets } = result;
    expect(out).toContain(
      `${counts.reports} reports of ${counts.reporters} reporters (${counts.removed} removed, 0 disputed), ${counts.queries} queries, 2021-01-01 to 2022-`,
    );
    expect(out).toContain(
      `Judged: ${counts.judged} labelled queries that match a report, ${counts.positives} of them labelled 1.`,
    );
    for (const { name, judged, positives, models } of subsets) {
      expect(out).toContain(`${name}: ${judged} queries, ${positives} labelled 1\n`);
      for (const figure of models)
        expect(rows).toContainEqual([figure.name, show(figure.rocAuc), show(figure.prAuc), show(figure.prAucOfZeros)]);
    }
    expect(counts.reports).toBe(world.match(/"do":"report"/g)!.length);
  });

  it('warns when the labels are too few for their intervals: in the text, for programs and on the page', async () => {
    const about = (name: string, fields: string): string =>
      `{"at":"2021-01-02T00:00:00Z",${fields},"identifiers":[["email","${name}"]]}\n`;
    const few =
      ['a', 'b']
        .map((name, at) =>
          about(name, `"do":"report","id":"${name}","reporter":"ami","type":"fraud","severity":${9 - 8 * at}`),
        )
        .join('') + ['a', 'b'].map((name, at) => about(name, `"do":"query","label":${1 - at}`)).join('');
    const printed = await lab(['-', '--html', file('few.html')], few);
    expect({ code: printed.code, err: printed.err }).toEqual({ code: 0, err: '' });
    const { warnings } = JSON.parse((await lab(['-', '--json'], few)).out) as LabResult;
    expect(warnings).toEqual([
      expect.stringContaining('labelled 1. With fewer than 30'),
      expect.stringContaining('labelled 0. With fewer than 30'),
    ]);
    expect(printed.out).toContain(
      `(bootstrap, seed 1).\n${warnings.map((warning) => `Warning: ${warning}\n`).join('')}\nMODEL`,
    );
    const page = await readFile(file('few.html'), 'utf8');
    for (const warning of warnings) expect(page).toContain(warning);
    expect((await lab([events])).out).not.toContain('Warning');
    expect((await replayed()).warnings).toEqual([]);
  });

  it('leaves own reports out, judges all and draws by another seed only when told so', async () => {
    const countsOf = async (...args: string[]) =>
      JSON.parse((await lab([events, '--json', '--model', 'report-count', ...args])).out) as LabResult;
    const [plain, without, all, other] = [
      await countsOf(),
      await countsOf('--exclude-own'),
      await countsOf('--judge-all'),
      await countsOf('--seed', '5'),
    ];
    expect(without.counts.matched).toBeLessThan(plain.counts.matched);
    expect(all).toMatchObject({ judged: 'all', counts: { judged: all.counts.queries, matched: plain.counts.matched } });
    expect(other.seed).toBe(5);
    expect(other.models[0]!.rocAuc).toMatchObject({ value: plain.models[0]!.rocAuc.value });
    expect(other.models[0]!.rocAuc.low).not.toBe(plain.models[0]!.rocAuc.low);
  });

  it('writes a page that holds the title and the models, and no identifier', async () => {
    expect((await lab([events, '--html', file('page.html')])).code).toBe(0);
    const page = await readFile(file('page.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/i);
    for (const part of ['events.ndjson', 'link-claim/7', 'one-voice/1', 'severity-sum/1']) expect(page).toContain(part);
    expect(page).not.toMatch(/[0-9a-f]{40}/);
  });
});

describe('redflag lab threshold', () => {
  it('counts what blocking would have done, as text and as JSON', async () => {
    const args = ['threshold', events, '--points', '1,50'];
    const rows = JSON.parse((await lab([...args, '--json'])).out) as ThresholdCost[];
    const all = rows.filter(({ kind }) => kind === 'all');
    expect(all.map(({ threshold }) => threshold)).toEqual([1, 50]);
    const { counts } = await replayed();
    expect(all[0]).toMatchObject({ blocked: counts.matched, blockedOnes: counts.positives });
    expect(all[1]!.blocked).toBeLessThan(all[0]!.blocked);
    const table = cellsOf((await lab(args)).out);
    expect(table[0]).toEqual([
      'KIND',
      'THRESHOLD',
      'BLOCKED',
      'LABELLED 1',
      'LABELLED 0',
      'PRECISION',
      'RECALL',
      'FALSE POSITIVE RATE',
    ]);
    expect(table[1]!.slice(0, 5)).toEqual([
      'all',
      '1',
      String(counts.matched),
      String(counts.positives),
      String(counts.matched - counts.positives),
    ]);
    expect(table).toHaveLength(rows.length + 1);
  });
});

describe('redflag lab fit-map', () => {
  it('makes a file that --config takes, and the model’s name says so', async () => {
    const { code, out, err } = await lab(['fit-map', events]);
    expect(code).toBe(0);
    expect(err).toMatch(
      /^Fitted a map to \d+ labelled queries, \d+ of them labelled 1, in \d+ blocks of \d+ to \d+ queries\. Spread of rates over ten periods of time: 0\.\d{3} \(0 if only chance varies them\)\.\nSTATED  MAPPED  RIGHT, %\n1\.0     \d\.\d     (\d+ to \d+|unknown)\n/,
    );
    await writeFile(file('map.json'), out);
    const nameOf = (result: string): string => (JSON.parse(result) as LabResult).models[0]!.name;
    expect(nameOf((await lab([events, '--json', '--config', file('map.json')])).out)).toMatch(
      /^link-claim\/7\+[0-9a-f]{8}$/,
    );
    expect((await replayed()).models[0]!.name).toBe('link-claim/7');
  });

  it('keeps the rest of a configuration, and replaces the map in it instead of mapping once more', async () => {
    await writeFile(file('plain.json'), '{"crowdFactor":0.4}');
    await writeFile(file('mapped.json'), '{"crowdFactor":0.4,"calibration":{"version":2,"points":[[0,0.9],[1,1]]}}');
    const [plain, mapped] = [
      await lab(['fit-map', events, '--config', file('plain.json')]),
      await lab(['fit-map', events, '--config', file('mapped.json')]),
    ];
    expect(JSON.parse(plain.out)).toEqual({
      crowdFactor: 0.4,
      calibration: {
        version: 3,
        points: expect.any(Array) as unknown,
        support: expect.any(Array) as unknown,
        spread: expect.any(Number) as unknown,
      },
    });
    expect(mapped.out).toBe(plain.out);
  });
});

describe('redflag lab fit', () => {
  // Emails pass to other customers within months, so that the default half-life is too long.
  const RECYCLED = ['customers=400', 'days=600', 'queries.fromDay=200', 'reporters=10'];
  const EMAILS = ['kinds.email.lifeDays=60', 'kinds.email.handedOn=0.9'];
  const recycled = (): string => file('recycled.ndjson');

  beforeAll(async () => {
    const settings = [...RECYCLED, ...EMAILS].flatMap((setting) => ['--set', setting]);
    await writeFile(recycled(), (await lab(['simulate', ...settings])).out);
  });

  it('prints a file that --config takes, and says on standard error what it changes', async () => {
    const { code, out, err } = await lab(['fit', recycled(), '--exclude-own']);
    expect(code).toBe(0);
    const { kinds } = JSON.parse(out) as { kinds: Record<string, { halfLifeDays: number }> };
    expect(Object.keys(kinds)).toEqual(['email']);
    const rows = cellsOf(err);
    const [, before, fitted, interval, , , result] = rows.find(([kind]) => kind === 'email')!;
    expect([before, fitted, result]).toEqual(['400', String(kinds['email']!.halfLifeDays), 'learnt']);
    expect(Number(interval!.split(' to ')[1])).toBeLessThan(400);
    expect(err).toMatch(/^domain .* kept: fewer than 100 queries$/m);
    expect(err).toMatch(/^difference  \+\.\d{3} \(/m);
    expect(err.endsWith('\nUse the learnt half-lives: they rank the later queries better.\n')).toBe(true);

    await writeFile(file('half-lives.json'), out);
    const run = await lab([recycled(), '--json', '--config', file('half-lives.json')]);
    expect((JSON.parse(run.out) as LabResult).models[0]!.name).toMatch(/^link-claim\/7\+[0-9a-f]{8}$/);
  });

  it('keeps a configuration, and learns from it', async () => {
    await writeFile(file('other.json'), '{"crowdFactor":0.4,"kinds":{"email":{"halfLifeDays":700,"weight":0.9}}}');
    const { code, out, err } = await lab(['fit', recycled(), '--exclude-own', '--config', file('other.json')]);
    expect(code).toBe(0);
    const found = JSON.parse(out) as { kinds: { email: { halfLifeDays: number } } };
    expect(found).toEqual({
      crowdFactor: 0.4,
      kinds: { email: { halfLifeDays: expect.any(Number) as number, weight: 0.9 } },
    });
    expect(found.kinds.email.halfLifeDays).toBeLessThan(400);
    expect(err).toMatch(/^email +700 .* learnt$/m);
  });

  it('prints an empty configuration if there are few queries', async () => {
    const { code, out, err } = await lab(['fit', events]);
    expect({ code, out }).toEqual({ code: 0, out: '{}\n' });
    expect(err).toContain('Keep the half-lives that you have');
  });

  it('fits on queries before --split', async () => {
    const { err } = await lab(['fit', events, '--split', '2021-06-01']);
    expect(err).toContain(' before 2021-06-01T00:00:00.000Z, ');
  });
});
