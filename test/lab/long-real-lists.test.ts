import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LabResult } from '../../src/lab/result.ts';

// Dated public lists of disposable mail domains. One judges the others (sources: test/data/reporters.csv).
const SCRIPT = fileURLToPath(new URL('../../scripts/scoring/run.mjs', import.meta.url));
// Most of what this judge lists stays on its list for years, so fading costs some of the ranking of all labels.
// Decision 83 weighs that against what is listed later. `long-every-judge.test.ts` has the mean of all judges.
const CUTS = [
  ['2019-07-01', { cost: 0.009, costOfZeros: 0.06 }],
  ['2021-01-01', { cost: 0.019, costOfZeros: 0.008 }],
] as const;

let results: readonly LabResult[];
beforeAll(async () => {
  const cuts = CUTS.flatMap(([cut]) => ['--cut', cut]);
  const { stdout: out } = await promisify(execFile)(process.execPath, [SCRIPT, 'judge', ...cuts, '--json'], {
    maxBuffer: 2 ** 26,
  });
  results = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LabResult);
});

describe.each(CUTS.map(([cut, bounds], at) => ({ cut, ...bounds, at })))(
  'domains as they stood on $cut, against the count of reports',
  ({ cost, costOfZeros, at }) => {
    const subset = (name: string) => results[at]!.subsets.find((one) => one.name === name)!.models;

    it('are ranked nearly as well over all labels', () => {
      const [model, count] = results[at]!.models.map(({ rocAuc }) => Math.round(rocAuc.value * 1000));
      expect(model).toBeGreaterThanOrEqual(count! - 1000 * cost);
    });

    it('are ranked better if the judge listed them only later', () => {
      const [model, count] = subset('listed later, with a match');
      expect(model!.rocAuc).toBeGreaterThanOrEqual(count!.rocAuc + 0.03);
      expect(model!.prAuc).toBeGreaterThanOrEqual(count!.prAuc + 0.2);
    });

    it('separate wrongly listed domains nearly as well', () => {
      const [model, count] = subset('with a match');
      expect(model!.prAucOfZeros).toBeGreaterThan(count!.prAucOfZeros - costOfZeros);
    });
  },
);
