import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../cli/service.ts';
import type { LabResult } from '../../src/lab/result.ts';

// Dated public lists of disposable mail domains. One judges the others (sources: test/data/reporters.csv).
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
});

describe.each(CUTS.map(([cut, gain], at) => ({ cut, gain, at })))(
  'domains as they stood on $cut, against the count of reports',
  ({ gain, at }) => {
    const subset = (name: string) => results[at]!.subsets.find((one) => one.name === name)!.models;

    it('are ranked as well over all labels, or at most .004 of ROC-AUC worse', () => {
      const [model, count] = results[at]!.models.map(({ rocAuc }) => Math.round(rocAuc.value * 1000));
      expect(model).toBeGreaterThanOrEqual(count! - 4);
    });

    it('are ranked better if the judge listed them only later', () => {
      const [model, count] = subset('listed later, with a match');
      expect(model!.rocAuc).toBeGreaterThanOrEqual(count!.rocAuc + 0.02);
    });

    it('separate wrongly listed domains better', () => {
      const [model, count] = subset('with a match');
      expect(model!.prAucOfZeros).toBeGreaterThan(count!.prAucOfZeros + gain);
    });
  },
);
