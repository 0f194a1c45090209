import { summarise } from '../../../../lab/summarise.ts';
import { runWorlds, type WorldFigures, type Worlds } from '../../../../lab/worlds.ts';
import { createSqljsStore } from '../../../../core/store/sqljs/store.ts';
import { command, form } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { parseWhole, text } from '../../option.ts';
import { formatTable } from '../../output.ts';
import { deliver, DELIVER_OPTIONS, show, validatePage } from '../../lab/deliver.ts';
import { CONFIG, modelOption, readModels } from '../../lab/models-option.ts';
import { withFormattedErrors } from '../../lab/replay-file.ts';
import { readAttack, SCENARIO } from './simulate.ts';

export const worlds = command({
  name: 'lab worlds',
  title: 'compare models in the same simulated worlds, with and without attacks',
  forms: {
    '': form({
      options: {
        seeds: text('LIST', 'comma-separated seeds, no duplicates', {
          default: '101,102,103,104,105',
          read: readSeeds,
        }),
        ...SCENARIO,
        attacks: text(
          'LIST',
          'each KIND:N, as in sybil:100,ring:30; kinds are duplicates, sybil, ring, camouflage and rogue. Or KEYSxREPORTS, as in patient:10x6: each key first files that many true reports; kinds are patient, sleeper, drip and launder',
          { read: readAttacks },
        ),
        model: modelOption(),
        ...CONFIG,
        ...DELIVER_OPTIONS,
      },
      async run({ seeds, scenario, attacks = [], ...values }) {
        const models = await readModels(values);
        await validatePage(values.html, [values.config]);
        const onStep = (step: string): void => void process.stderr.write(process.stderr.isTTY ? `${step}\n` : '');
        const {
          replays,
          figures,
          calibration,
          attacks: reached,
        } = await withFormattedErrors(() =>
          runWorlds({ seeds, scenario, models, attacks, openStore: () => createSqljsStore(), onStep }),
        );
        const title = `${seeds.length === 1 ? 'a simulated world' : `${seeds.length} simulated worlds`}, ${scenario}`;
        const result = await withFormattedErrors(async () =>
          summarise(replays, { title, models: models.map(({ name }) => name), seed: seeds[0] ?? 0, attacks: reached }),
        );
        await deliver(result, values, { worlds: figures, calibration });
        if (!values.json)
          process.stdout.write(
            `\nFigures of each world. In the rows "all", ROC-AUC and PR-AUC are means over the worlds, and ECE covers the matched queries of all worlds. The last column is the ECE with a calibration map that is fitted on the other worlds.\n${printWorlds(figures, calibration)}`,
          );
      },
    }),
  },
});

function readSeeds(list: string): number[] {
  const seeds = list.split(',').map((seed) => parseWhole(seed, 0, Number.MAX_SAFE_INTEGER));
  // A repeated seed adds no information, but would narrow the intervals.
  if (new Set(seeds).size !== seeds.length) throw new UsageError('expects each number once');
  return seeds;
}

function readAttacks(list: string): ReturnType<typeof readAttack>[] {
  return list
    .split(',')
    .filter((one) => one !== '')
    .map(readAttack);
}

export function printWorlds(figures: readonly WorldFigures[], calibration: Worlds['calibration']): string {
  const rows = figures.flatMap(({ seed, reports, models }) =>
    models.map((model) => ({ seed: String(seed), reports: String(reports), ...model })),
  );
  const names = [...new Set(rows.map(({ name }) => name))];
  const means = names.map((name) => {
    const own = rows.filter((row) => row.name === name);
    const mean = (of: (row: (typeof own)[number]) => number): number =>
      own.reduce((sum, row) => sum + of(row), 0) / own.length;
    // Calibration errors cannot be averaged. Show the errors over all worlds together.
    const { ece, eceAfterMap } = calibration.find((all) => all.name === name) ?? {};
    return {
      seed: 'all',
      reports: '',
      name,
      rocAuc: mean((row) => row.rocAuc),
      prAuc: mean((row) => row.prAuc),
      ece,
      eceAfterMap,
    };
  });
  return formatTable([
    ['SEED', 'REPORTS', 'MODEL', 'ROC-AUC', 'PR-AUC of 1', 'ECE', 'ECE WITH MAP OF OTHER WORLDS'],
    ...[...rows, ...means].map((row) => [
      row.seed,
      row.reports,
      row.name,
      show(row.rocAuc),
      show(row.prAuc),
      ...[row.ece, row.eceAfterMap].map((figure) => (figure === undefined ? '-' : show(figure))),
    ]),
  ]);
}
