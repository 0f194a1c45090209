import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DAY_MS, startOfDay } from '../../src/core/domain/day.ts';
import { createModels } from '../../src/lab/models.ts';
import { createRandom } from '../../src/lab/random.ts';
import { replay } from '../../src/lab/replay.ts';
import type { Judged } from '../../src/lab/replayed.ts';
import { resolveWorld } from '../../src/lab/simulate/resolve-world.ts';
import { simulateWorld } from '../../src/lab/simulate/world.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { drawWorld, FAMILY_NAMES, isHeldOut } from '../../scripts/scoring/families.ts';
import { toEvents, type LabelRow, type ReportRow } from '../../scripts/scoring/dated-lists.ts';
import { figuresOf } from '../../scripts/scoring/figures.ts';
import { intervalOf, meanOf } from '../../scripts/scoring/intervals.ts';
import { listTasks } from '../../scripts/scoring/list-tasks.ts';
import { answersOf } from '../../scripts/scoring/task.ts';
import { createWorldTask } from '../../scripts/scoring/world-task.ts';
import { createMemoryStore } from '../memory-store.ts';

const PRESENT = { name: 'present', model: createLinkClaimModel(), standings: 'default' };

describe('the families of worlds', () => {
  it('are at least twelve, with valid numbers that differ from world to world', () => {
    expect(FAMILY_NAMES.length).toBeGreaterThanOrEqual(12);
    for (const family of FAMILY_NAMES) {
      const worlds = [0, 1, 2].map((number) => resolveWorld('base', drawWorld(family, number).options));
      expect(new Set(worlds.map(({ customers }) => customers)).size).toBe(3);
      expect(drawWorld(family, 1)).toEqual(drawWorld(family, 1));
    }
    const seeds = FAMILY_NAMES.flatMap((family) => [0, 1, 2].map((number) => drawWorld(family, number).seed));
    expect(new Set(seeds).size).toBe(seeds.length);
  });

  it('hold out a third of their worlds', () => {
    expect([0, 1, 2, 3, 4, 5].map(isHeldOut)).toEqual([false, false, true, false, false, true]);
  });
});

describe('a task of a world', () => {
  it('has the evidence and the scores of the engine', async () => {
    const world = { seed: 3, options: { customers: 700, reporters: 12, attack: { victims: 5 } } };
    const judged: Judged[] = [];
    const models = createModels(['link-claim']);
    const options = { models, excludeOwn: true, epochDays: 1, onJudged: (one: Judged) => void judged.push(one) };
    await replay(simulateWorld(world), await createMemoryStore(), options);
    const engine = judged.filter(({ reported }) => reported > 0);

    const task = createWorldTask('a world', '0', world, { epochDays: 1, attacks: ['sybil:3'] });
    const answers = task.epochs.flatMap((epoch) => answersOf(PRESENT, epoch, new Map()));
    expect(answers.map(({ label, reports }) => [label, reports.length])).toEqual(
      engine.map(({ label, reported }) => [label, reported]),
    );
    // Between two midnights the engine updates standings at each report, and the task does not.
    const reportDays = new Set(
      [...simulateWorld(world)].flatMap((event) => (event.do === 'report' ? [startOfDay(event.at)] : [])),
    );
    const quiet = task.epochs.flatMap(({ at, queries }) => queries.map(() => !reportDays.has(at)));
    expect(quiet.filter(Boolean).length).toBeGreaterThan(20);
    for (const [i, { points }] of answers.entries())
      if (quiet[i]) expect(points).toBeCloseTo(engine[i]!.answers[0]!.score, 9);

    const [attack] = task.attacks;
    const victims = answersOf(PRESENT, attack!.epoch, new Map());
    expect(victims.map(({ reports }) => reports.length)).toEqual([3, 3, 3, 3, 3]);
  });
});

describe('tasks of dated lists', () => {
  const random = createRandom(5);
  const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`);
  const values = Array.from({ length: 120 }, (_, i) => `domain${i}.example`);
  const reports: ReportRow[] = values.flatMap((value) =>
    ['one', 'two', 'three', 'ded'].flatMap((reporter): ReportRow[] => {
      const date = dayOf('2018-01-01') + Math.floor(random() * 700) * DAY_MS;
      const removed = random() < 0.1 ? date + 100 * DAY_MS : undefined;
      return random() < 0.6 ? [{ kind: 'domain', value, reporter, date, removed, type: 'disposable' }] : [];
    }),
  );
  const labels: LabelRow[] = values.map((value, i) => ({
    kind: 'domain',
    value,
    label: i % 2 === 0 ? 1 : 0,
    date: i % 2 === 0 ? dayOf('2018-01-01') + i * 10 * DAY_MS : undefined,
  }));

  it('have the evidence and the scores of the engine, strictly before the cut day and without the judge', async () => {
    const cut = dayOf('2019-01-01');
    const tasks = [...listTasks({ reports, labels }, ['2019-01-01'], true)];
    expect(tasks.map(({ group }) => group).sort()).toEqual(['ded', 'one', 'three', 'two']);
    const task = tasks.find(({ group }) => group === 'ded')!;
    const answers = answersOf(PRESENT, task.epochs[0]!, new Map());
    const judged: Judged[] = [];
    // The engine's replay includes the cut day itself.
    const before = reports.filter(({ date }) => date < cut);
    const events = toEvents({ reports: before, labels }, 'ded', cut);
    const models = createModels(['link-claim']);
    const options = { models, epochDays: 1, onJudged: (one: Judged) => void judged.push(one) };
    await replay(events, await createMemoryStore(), options);
    const sorted = (scores: readonly (readonly number[])[]) => scores.map(([l, s]) => `${l} ${s!.toFixed(6)}`).sort();
    expect(sorted(answers.map(({ label, points }) => [label, points]))).toEqual(
      sorted(judged.map(({ label, answers: [one] }) => [label, one!.score])),
    );
    expect(answers.filter(({ later }) => later).length).toBe(
      labels.filter(({ label, date }) => label === 1 && date! >= cut).length,
    );
  });
});

describe('the share of frauds that are weakly known', () => {
  const query = (label: 0 | 1, reporters: readonly string[], kind: string) => ({
    label,
    later: false,
    reports: reporters.map((reporterId, at) => ({
      reportId: `${at}`,
      reporterId,
      type: 'fraud',
      severity: 6,
      ageDays: 0,
      shared: [{ kind, hash: kind }],
    })),
  });

  it('counts those of one reporter, however often it reports, and those of an ip alone', () => {
    const queries = [
      query(1, ['a', 'a'], 'email'),
      query(1, ['a', 'b'], 'ip'),
      query(1, ['a', 'b'], 'email'),
      query(1, ['a', 'b'], 'phone'),
      query(0, ['a'], 'email'),
    ];
    const task = { group: 'a world', unit: '0', epochs: [{ at: 0, sightings: [], known: [], queries }], attacks: [] };
    expect(figuresOf(PRESENT, task, new Map())['weakly known']).toBe(2 / 4);
  });
});

describe('the command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      fileURLToPath(new URL('../../scripts/scoring/run.mjs', import.meta.url)),
      'select',
      ...args,
    ]);

  it('says in one line what it needs if there are no lists', async () => {
    const words = /^scoring:select: domain-reports\.csv\.gz is not in the folder of --data\. .*--only worlds\.\n$/;
    await expect(run('--data', tmpdir())).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
  });

  it('refuses an unknown source', async () => {
    await expect(run('--only', 'cows')).rejects.toMatchObject({
      stderr: 'scoring:select: --only expects lists, unverified-lists, worlds\n',
    });
  });
});

describe('the interval of a mean', () => {
  const cells = ['a', 'b'].flatMap((group) =>
    ['1', '2', '3', '4'].map((unit) => ({ group, unit, value: group === 'a' ? Number(unit) : 10 })),
  );

  it('weighs groups alike, contains the mean and is empty for equal values', () => {
    expect(meanOf(cells.slice(0, 5))).toBe((2.5 + 10) / 2);
    for (const crossed of [true, false]) {
      const { value, low, high } = intervalOf(cells, crossed);
      expect(value).toBe(6.25);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
      const equal = intervalOf(
        cells.map((cell) => ({ ...cell, value: 3 })),
        crossed,
      );
      expect([equal.low, equal.high]).toEqual([3, 3]);
    }
    const one = intervalOf(
      cells.filter(({ unit }) => unit === '1'),
      false,
    );
    expect([one.low, one.high]).toEqual([1, 10]);
  });
});
