import { summarise } from '../../lab/summarise.ts';
import { runWorlds, type WorldFigures, type Worlds } from '../../lab/worlds.ts';
import { createSqljsStore } from '../../store/sqljs/store.ts';
import { readArguments, readWhole, UsageError } from '../arguments.ts';
import { formatTable } from '../table.ts';
import { readModels } from './models-option.ts';
import { show } from './print.ts';
import { worded } from './replay-file.ts';
import { deliver } from './run.ts';
import { readAttack, readScenario } from './simulate.ts';

/** `redflag lab worlds`: all models in the same simulated worlds, and under attack. */
export async function worlds(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    seeds: { type: 'string' }, scenario: { type: 'string' }, attacks: { type: 'string' }, model: { type: 'string' }, config: { type: 'string' }, json: { type: 'boolean' }, html: { type: 'string' },
  });
  if (positionals.length > 0) throw new UsageError('lab worlds takes no values, only options');
  const seeds = (values.seeds ?? '101,102,103,104,105').split(',').map((text) => readWhole('seeds', text, 0, Number.MAX_SAFE_INTEGER));
  const scenario = readScenario(values.scenario);
  const attacks = (values.attacks ?? '').split(',').filter((text) => text !== '').map(readAttack);
  const models = await readModels(values);
  const onStep = (step: string): void => void process.stderr.write(process.stderr.isTTY ? `${step}\n` : '');
  const { replays, figures, calibration, attacks: reached } = await worded(() => runWorlds({ seeds, scenario, models, attacks, openStore: () => createSqljsStore(), onStep }));
  const title = `${seeds.length === 1 ? 'a simulated world' : `${seeds.length} simulated worlds`}, ${scenario}`;
  const result = await worded(async () => summarise(replays, { title, models: models.map(({ name }) => name), seed: seeds[0]!, attacks: reached }));
  await deliver(result, values, { worlds: figures, calibration });
  if (!values.json) process.stdout.write(`\nEach world by itself, and all: mean of the areas, calibration of all queries together (those with a match)\n${printWorlds(figures, calibration)}`);
  return 0;
}

function printWorlds(figures: readonly WorldFigures[], calibration: Worlds['calibration']): string {
  const rows = figures.flatMap(({ seed, reports, models }) => models.map((model) => ({ seed: String(seed), reports: String(reports), ...model })));
  const names = [...new Set(rows.map(({ name }) => name))];
  const means = names.map((name) => {
    const own = rows.filter((row) => row.name === name);
    const mean = (of: (row: (typeof own)[number]) => number): number => own.reduce((sum, row) => sum + of(row), 0) / own.length;
    // The mean of errors is no error of anything: calibration is that of all worlds together.
    const { ece, eceAfterMap } = calibration.find((all) => all.name === name)!;
    return { seed: 'all', reports: '', name, rocAuc: mean((row) => row.rocAuc), prAuc: mean((row) => row.prAuc), ece, eceAfterMap };
  });
  return formatTable([
    ['SEED', 'REPORTS', 'MODEL', 'ROC-AUC', 'PR-AUC of 1', 'ECE', 'ECE BY A MAP OF THE OTHERS'],
    ...[...rows, ...means].map((row) => [row.seed, row.reports, row.name, show(row.rocAuc), show(row.prAuc), ...[row.ece, row.eceAfterMap].map((figure) => (figure === undefined ? '-' : show(figure)))]),
  ]);
}
