import { expect, it } from 'vitest';
import { printWorlds } from '../../src/service/cli/commands/lab/worlds.ts';

it('redflag lab worlds prints a row for each world and model, and for all worlds means and the error of all queries', () => {
  const figures = [
    { seed: 1, reports: 10, rocAuc: 0.8, prAuc: 0.5 },
    { seed: 2, reports: 20, rocAuc: 0.9, prAuc: 0.7 },
  ].map(({ seed, reports, ...areas }) => ({
    seed,
    reports,
    matched: 5,
    models: [
      { name: 'link-claim/2', ...areas, ece: 0.1 * seed, eceAfterMap: 0.01 },
      { name: 'report-count/1', ...areas, ece: undefined, eceAfterMap: undefined },
    ],
  }));
  const calibration = [
    { name: 'link-claim/2', ece: 0.12, eceAfterMap: 0.02 },
    { name: 'report-count/1', ece: undefined, eceAfterMap: undefined },
  ];
  expect(printWorlds(figures, calibration).split('\n')).toEqual([
    'SEED  REPORTS  MODEL           ROC-AUC  PR-AUC of 1  ECE   ECE WITH MAP OF OTHER WORLDS',
    '1     10       link-claim/2    .800     .500         .100  .010',
    '1     10       report-count/1  .800     .500         -     -',
    '2     20       link-claim/2    .900     .700         .200  .010',
    '2     20       report-count/1  .900     .700         -     -',
    'all            link-claim/2    .850     .600         .120  .020',
    'all            report-count/1  .850     .600         -     -',
    '',
  ]);
});
