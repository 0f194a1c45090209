import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/service.ts';
import type { LabResult } from '../../src/lab/result.ts';

// Dated public lists of throw-away mail domains, one of which judges the others (test/data/reporters.csv says whose they are).
const data = (name: string): string => fileURLToPath(new URL(`../data/${name}`, import.meta.url));
const CUTS = [
  ['2019-07-01', 0.05],
  ['2021-01-01', 0],
] as const;

let results: readonly LabResult[];
beforeAll(async () => {
  const cuts = CUTS.flatMap(([cut]) => ['--cut', cut]);
  const { code, out, err } = await runCli([
    'lab',
    'judge',
    data('domain-reports.csv.gz'),
    data('domain-labels.csv.gz'),
    '--judge',
    'ded',
    ...cuts,
    '--json',
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  results = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LabResult);
}, 600_000);

describe.each(CUTS.map(([cut, gain], at) => ({ cut, gain, at })))(
  'domains as they stood on $cut, against the count of reports',
  ({ gain, at }) => {
    const subset = (name: string) => results[at]!.subsets.find((one) => one.name === name)!.models;

    it('are ranked as well over all labels', () => {
      const [model, count] = results[at]!.models.map(({ rocAuc }) => Math.round(rocAuc.value * 1000));
      expect(model).toBeGreaterThanOrEqual(count!);
    });

    it('are ranked better where the judge came to know only later', () => {
      const [model, count] = subset('listed later, with a match');
      expect(model!.rocAuc).toBeGreaterThanOrEqual(count!.rocAuc + 0.02);
    });

    it('show better who was listed wrongly', () => {
      const [model, count] = subset('with a match');
      expect(model!.prAucOfZeros).toBeGreaterThan(count!.prAucOfZeros + gain);
    });
  },
);
