import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/lab/random.ts';
import type { EvidenceReport, Standing } from '../../src/core/scoring/evidence.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { averaged } from '../../scripts/scoring/averaged.ts';
import { loadBoostedTrees, type TrainBoosted } from '../../scripts/scoring/boosted-trees.ts';
import { drawSample, toCsv, type FeatureSample } from '../../scripts/scoring/feature-sample.ts';
import { FEATURES, featuresOf, type FeatureContext } from '../../scripts/scoring/features.ts';
import { compareFamilies } from '../../scripts/scoring/leave-one-out.ts';
import { standingsAt, type Task } from '../../scripts/scoring/task.ts';
import { createWorldTask } from '../../scripts/scoring/world-task.ts';

const model = createLinkClaimModel();
const PRESENT = { name: 'present', model, standings: 'default' };
const STANDINGS = new Map<string, Standing>([
  ['shop', { precision: 0.75, established: true, verified: true }],
  ['bank', { precision: 0.5, established: true, verified: false }],
  ['new', { precision: 0.25, established: false, verified: false }],
]);
const CONTEXT: FeatureContext = { standings: STANDINGS, model };

const report = (reportId: string, reporterId: string, more: Partial<EvidenceReport> = {}): EvidenceReport => ({
  reportId,
  reporterId,
  type: 'fraud',
  severity: 6,
  ageDays: 10,
  shared: [{ hash: 'a', kind: 'email' }],
  ...more,
});

/** Returns the features by name. */
const named = (reports: readonly EvidenceReport[], context = CONTEXT): Record<string, number> => {
  const values = featuresOf(reports, context);
  expect(values.length).toBe(FEATURES.length);
  return Object.fromEntries(FEATURES.map(({ name }, i) => [name, values[i]!]));
};

describe('the features of a query', () => {
  it('are right for reports of three reporters', () => {
    const weight = (kind: string): number => model.weightOfKind(kind);
    const phone = [
      { hash: 'p', kind: 'phone' },
      { hash: 'i', kind: 'ip' },
    ];
    const reports = [
      report('1', 'shop', { severity: 8, ageDays: 5 }),
      report('2', 'shop', { severity: 4, ageDays: 100 }),
      report('3', 'bank', { severity: 3, ageDays: 0, shared: phone, disputed: true }),
      report('4', 'new', { severity: 9, ageDays: 15 }),
    ];
    const both = 1 - (1 - weight('phone')) * (1 - weight('ip'));
    const { 'sum of links': sum, 'strongest link': strongest, ...exact } = named(reports);
    expect(exact).toEqual({
      reports: 4,
      reporters: 3,
      'verified reporters': 1,
      'established reporters': 2,
      'sum of severities': 24,
      'highest severity': 9,
      'mean severity': 6,
      'age of youngest': 0,
      'age of oldest': 100,
      'mean age': 30,
      'kind email': 1,
      'kind phone': 0,
      'kind domain': 0,
      'kind ip': 0,
      'kind other': 0,
      'shared identifiers': 3,
      'highest precision': 0.75,
      'mean precision': 0.5,
      'share disputed': 0.25,
    });
    expect(strongest).toBeCloseTo(Math.max(weight('email'), both), 12);
    expect(sum).toBeCloseTo(3 * weight('email') + both, 12);
  });

  it('name the kind with the highest weight, and other kinds together', () => {
    const kindOf = (...kinds: string[]): string[] => {
      const shared = kinds.map((kind, i) => ({ hash: `${i}`, kind }));
      return Object.entries(named([report('1', 'shop', { shared })])).flatMap(([name, value]) =>
        name.startsWith('kind ') && value === 1 ? [name] : [],
      );
    };
    expect(kindOf('ip', 'email')).toEqual(['kind email']);
    expect(kindOf('ip')).toEqual(['kind ip']);
    expect(kindOf('ip', 'passport')).toEqual(['kind other']);
    expect(kindOf('constructor')).toEqual(['kind other']);
    expect(kindOf('domain', 'phone')).toEqual(kindOf('phone', 'domain'));
  });

  it('give a reporter without a record the standing of a new key', () => {
    const { precision } = model.standingOf({ verified: false });
    expect(named([report('1', 'stranger')])['highest precision']).toBe(precision);
  });

  it('need a report', () => {
    expect(() => featuresOf([], CONTEXT)).toThrow(RangeError);
  });

  const anyReport = fc.record({
    reporterId: fc.constantFrom('shop', 'bank', 'new', 'stranger'),
    severity: fc.double({ min: 1, max: 10, noNaN: true }),
    ageDays: fc.nat(2000),
    disputed: fc.boolean(),
    shared: fc.uniqueArray(
      fc.record({
        hash: fc.constantFrom('a', 'b', 'c', 'd'),
        kind: fc.constantFrom('email', 'phone', 'domain', 'ip', 'passport'),
      }),
      { minLength: 1, selector: ({ hash }) => hash },
    ),
  });
  const anyReports = fc
    .array(anyReport, { minLength: 1, maxLength: 12 })
    .map((all) => all.map((one, i) => report(`${i}`, one.reporterId, one)));

  it('do not depend on the order of reports and identifiers', () => {
    const shuffled = anyReports.chain((reports) =>
      fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
    );
    fc.assert(
      fc.property(shuffled, ([reports, others]) => {
        const reversed = others.map((one) => ({ ...one, shared: [...one.shared].reverse() }));
        expect(featuresOf(reversed, CONTEXT)).toEqual(featuresOf(reports, CONTEXT));
      }),
    );
  });

  it('are finite numbers of at least 0', () => {
    fc.assert(
      fc.property(anyReports, (reports) => {
        for (const value of featuresOf(reports, CONTEXT)) {
          expect(Number.isFinite(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

const world = (seed: number): Task =>
  createWorldTask(
    seed % 2 === 0 ? 'even' : 'odd',
    String(seed),
    { seed, options: { customers: 1500, reporters: 15 } },
    { epochDays: 28, attacks: [] },
  );

describe('a sample of a task', () => {
  const task = world(3);
  const sample = drawSample(PRESENT, task);

  it('has a row and the model’s Points for each query', () => {
    expect(sample.group).toBe('odd');
    expect(sample.rows.length).toBe(task.epochs.flatMap(({ queries }) => queries).length);
    expect(sample.rows.length).toBeGreaterThan(50);
    expect([sample.labels.length, sample.points.length]).toEqual([sample.rows.length, sample.rows.length]);
    expect(new Set(sample.labels)).toEqual(new Set([0, 1]));
  });

  it('counts the verified and established reporters that the model sees', () => {
    const at = (name: string): number => FEATURES.findIndex((feature) => feature.name === name);
    const counts = task.epochs.flatMap((epoch) => {
      const standings = standingsAt(PRESENT, epoch, new Map());
      const verified = new Map(epoch.known.map((one) => [one.reporterId, one.verified]));
      return epoch.queries.map(({ reports }) => {
        const ids = [...new Set(reports.map(({ reporterId }) => reporterId))];
        return [
          ids.filter((id) => verified.get(id) === true).length,
          ids.filter((id) => standings.get(id)?.established === true).length,
        ];
      });
    });
    const columns = [at('verified reporters'), at('established reporters')];
    expect(sample.rows.map((row) => columns.map((column) => row[column]))).toEqual(counts);
    expect(new Set(counts.map(String)).size).toBeGreaterThan(3);
  });

  it('is written as CSV, one line per query', () => {
    const [header, first, ...others] = toCsv([sample]).trimEnd().split('\n');
    expect(header!.split(',')).toEqual(['family', 'world', 'label', 'points', ...FEATURES.map(({ name }) => name)]);
    const values = [sample.labels[0], sample.points[0], ...sample.rows[0]!];
    expect(first!.split(',')).toEqual(['odd', '3', ...values.map(String)]);
    expect(others.length).toBe(sample.rows.length - 1);
  });

  it('reads no label', () => {
    const epochs = task.epochs.map((epoch) => ({
      ...epoch,
      queries: epoch.queries.map((query) => ({ ...query, label: query.label === 1 ? (0 as const) : (1 as const) })),
    }));
    const flipped = drawSample(PRESENT, { ...task, epochs });
    expect(flipped.rows).toEqual(sample.rows);
    expect(flipped.labels).not.toEqual(sample.labels);
  });
});

/** Rows of random numbers, labelled by the first one if the second one is high. */
function drawRows(seed: number, count: number): { rows: number[][]; labels: (0 | 1)[] } {
  const random = createRandom(seed);
  const rows = Array.from({ length: count }, () => [random(), random(), random()]);
  return { rows, labels: rows.map(([first, second]) => (first! > 0.5 === second! > 0.3 ? 1 : 0)) };
}

describe('boosted trees', () => {
  it('learn an interaction that no single column shows', async () => {
    const listeners = process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection');
    const trees = await loadBoostedTrees();
    const { rows, labels } = drawRows(1, 2000);
    const fitted = trees.train(rows, labels, 1);
    const fresh = drawRows(2, 500);
    const chances = fitted.predict(fresh.rows);
    expect(chances.every((chance) => chance >= 0 && chance <= 1)).toBe(true);
    const right = chances.filter((chance, i) => chance > 0.5 === (fresh.labels[i] === 1)).length;
    expect(right).toBeGreaterThan(480);
    fitted.free();
    expect(() => fitted.predict(fresh.rows)).toThrow();
    expect(process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection')).toBe(listeners);
  });

  it('are the same for the same seed, and others for another one', async () => {
    const trees = await loadBoostedTrees();
    const { rows, labels } = drawRows(3, 600);
    const noisy = labels.map((label, i) => (i % 5 === 0 ? ((1 - label) as 0 | 1) : label));
    const chances = [1, 1, 2].map((seed) => {
      const fitted = trees.train(rows, noisy, seed);
      const answers = fitted.predict(rows);
      fitted.free();
      return answers;
    });
    expect(chances[1]).toEqual(chances[0]);
    expect(chances[2]).not.toEqual(chances[0]);
  });

  it('refuse rows of one label', async () => {
    const trees = await loadBoostedTrees();
    expect(() => trees.train([[1], [2]], [1, 1], 1)).toThrow(RangeError);
  });
});

describe('an average of trainings', () => {
  it('has the mean chance of trainings on different halves, and frees them all', () => {
    const all = drawRows(4, 40);
    const halves: string[] = [];
    const seeds: number[] = [];
    let freed = 0;
    const train: TrainBoosted = (rows, labels, seed) => {
      expect(rows.length).toBe(20);
      for (const [i, row] of rows.entries()) expect(labels[i]).toBe(all.labels[all.rows.indexOf(row as number[])]);
      halves.push(JSON.stringify(rows));
      seeds.push(seed);
      const chance = seeds.length / 10;
      return { predict: (asked) => asked.map((row) => chance + row[0]!), free: () => void freed++ };
    };
    const fitted = averaged(train, 3)(all.rows, all.labels, 4);
    const [first, second] = fitted.predict([[0], [0.5]]);
    expect(first).toBeCloseTo(0.2, 12);
    expect(second).toBeCloseTo(0.7, 12);
    averaged(train, 3)(all.rows, all.labels, 5);
    expect([new Set(seeds).size, new Set(halves).size]).toEqual([6, 6]);
    fitted.free();
    expect(freed).toBe(3);
  });
});

describe('the comparison', () => {
  /** Rows whose first number is the label, so that a trained model is right and Points are wrong. */
  const sampleOf = (group: string, unit: string, seed: number): FeatureSample => {
    const random = createRandom(seed);
    const labels = Array.from({ length: 80 }, (_, i) => (i % 2) as 0 | 1);
    const rows = labels.map((label) => FEATURES.map((_, at) => (at === 0 ? label : random())));
    return { group, unit, rows, labels, points: labels.map((label) => 2 - label) };
  };
  const samples = ['a', 'b', 'c'].flatMap((group, i) =>
    ['0', '1', '2'].map((unit, j) => sampleOf(group, unit, 10 * i + j)),
  );

  /** Answers with the first number of a row, and notes what it was trained on. */
  const noting = (): { train: TrainBoosted; trainedOn: FeatureSample['rows'][] } => {
    const trainedOn: FeatureSample['rows'][] = [];
    const train: TrainBoosted = (rows) => {
      trainedOn.push(rows);
      return { predict: (asked) => asked.map((row) => row[0]!), free: () => {} };
    };
    return { train, trainedOn };
  };
  const rowsOf = (of: (sample: FeatureSample) => boolean): FeatureSample['rows'] =>
    samples.filter(of).flatMap(({ rows }) => [...rows]);

  it('trains on the worlds for choosing of the other families', () => {
    const { train, trainedOn } = noting();
    const { rows } = compareFamilies(samples, { heldOut: false, seed: 1, train });
    expect(trainedOn).toEqual(
      ['a', 'b', 'c'].map((judged) => rowsOf(({ group, unit }) => group !== judged && unit !== '2')),
    );
    expect(new Set(rows.map(({ group, unit }) => `${group}${unit}`))).toEqual(
      new Set(['a0', 'a1', 'b0', 'b1', 'c0', 'c1']),
    );
    for (const { candidate, figures } of rows) expect(figures['auc']).toBe(candidate === 'boosted' ? 1 : 0);
  });

  it('judges held-out worlds only if asked, and never trains on them', () => {
    const { train, trainedOn } = noting();
    const { rows } = compareFamilies(samples, { heldOut: true, seed: 1, train });
    expect(trainedOn[0]).toEqual(rowsOf(({ group, unit }) => group !== 'a' && unit !== '2'));
    expect(new Set(rows.map(({ unit }) => unit))).toEqual(new Set(['2']));
  });

  it('finds the feature that a model needs', () => {
    const { importance } = compareFamilies(samples, { heldOut: false, seed: 1, train: noting().train });
    expect(importance[0]!.name).toBe('reports');
    expect(importance[0]!.lost).toBeGreaterThan(0.3);
    for (const { lost } of importance.slice(1)) expect(lost).toBe(0);
    expect(importance.map(({ name }) => name)).toContain('strongest kind');
    expect(importance.some(({ name }) => name.startsWith('kind '))).toBe(false);
  });

  it('needs two families', () => {
    const { train } = noting();
    const one = samples.filter(({ group }) => group === 'a');
    expect(() => compareFamilies(one, { heldOut: false, seed: 1, train })).toThrow(RangeError);
  });

  it('gives the same figures for the same seed, also from worlds', async () => {
    const trees = await loadBoostedTrees();
    const drawn = [0, 3].map((seed) => drawSample(PRESENT, world(seed)));
    const options = { heldOut: false, seed: 5, train: trees.train };
    const first = compareFamilies(drawn, options);
    expect(compareFamilies(drawn, options)).toEqual(first);
    expect(compareFamilies(drawn, { ...options, seed: 6 })).not.toEqual(first);
    for (const { candidate, figures } of first.rows)
      if (candidate === 'boosted') expect(figures['auc']).toBeGreaterThan(0.55);
  });
});

describe('the command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      fileURLToPath(new URL('../../scripts/scoring/run.mjs', import.meta.url)),
      'boosted',
      ...args,
    ]);

  it('prints its options', async () => {
    const { stdout } = await run('--help');
    for (const option of ['--worlds', '--held-out', '--seed', '--rows', '--quick']) expect(stdout).toContain(option);
  });

  it.each([
    [['--worlds', 'many'], '--worlds expects a whole number from 1 to 1000'],
    [['--seed=-1'], '--seed expects a whole number'],
    [['--seed', '-1'], "Option '--seed' argument is ambiguous"],
    [['--worlds', '2', '--held-out'], '--held-out needs at least 3 worlds of each family'],
    [['--cows'], "Unknown option '--cows'"],
  ])('refuses %j in one line', async (args, words) => {
    const refusal = run(...args);
    await expect(refusal).rejects.toMatchObject({ code: 1, stdout: '' });
    const { stderr } = await refusal.catch((error: { stderr: string }) => error);
    expect(stderr).toContain(`scoring:boosted: ${words}`);
    expect(stderr.trim().split('\n').length).toBe(1);
  });
});
