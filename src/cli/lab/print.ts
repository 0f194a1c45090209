import type { Estimate, LabResult } from '../../lab/result.ts';
import { formatTable } from '../table.ts';

/** The result as text: what was replayed, the figures of each model, other sets of queries, attacks. */
export function printResult(result: LabResult): string {
  const { counts, models, warnings, subsets, attacks } = result;
  const parts = [
    `${result.title}: ${plural(counts.reports, 'report')} of ${plural(counts.reporters, 'reporter')} (${counts.removed} removed, ${counts.disputes} disputed), ${plural(counts.queries, 'query', 'queries')}, ${result.from.slice(0, 10)} to ${result.to.slice(0, 10)}.\n` +
      `Judged: ${counts.judged} ${result.judged === 'matched' ? 'labelled queries that match a report' : 'labelled queries'}, ${counts.positives} of them labelled 1. Intervals hold 95 % (bootstrap, seed ${result.seed}).\n` +
      warnings.map((warning) => `Warning: ${warning}\n`).join(''),
    formatTable([
      ['MODEL', 'ROC-AUC', 'PR-AUC of 1', 'PR-AUC of 0', 'ECE', 'BRIER'],
      ...models.map((model) => [
        model.name,
        ...[model.rocAuc, model.prAuc, model.prAucOfZeros, model.ece, model.brier].map(showEstimate),
      ]),
    ]),
    ...subsets.map(
      ({ name, judged, positives, models: figures }) =>
        `${name}: ${judged} queries, ${positives} labelled 1\n${formatTable([
          ['MODEL', 'ROC-AUC', 'PR-AUC of 1', 'PR-AUC of 0'],
          ...figures.map((figure) => [figure.name, ...[figure.rocAuc, figure.prAuc, figure.prAucOfZeros].map(show)]),
        ])}`,
    ),
    ...(attacks.length === 0 ? [] : [printAttacks(result)]),
  ];
  return parts.join('\n');
}

function printAttacks({ models, attacks }: LabResult): string {
  return `Attacks: victims' median Points over a true fraud's\n${formatTable([
    ['ATTACK', ...models.map(({ name }) => name)],
    ...attacks.map(({ name, ratios }) => [name, ...models.map((model) => ratios[model.name]!.toFixed(2))]),
  ])}`;
}

function showEstimate(estimate: Estimate | undefined): string {
  return estimate === undefined ? '-' : `${show(estimate.value)} (${show(estimate.low)} to ${show(estimate.high)})`;
}

/** As the field writes it: .827. */
export function show(figure: number): string {
  return figure.toFixed(3).replace(/^0(?=\.)/, '');
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
