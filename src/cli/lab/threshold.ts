import { costOfThresholds } from '../../lab/thresholds.ts';
import { readArguments, readWhole, type Command } from '../arguments.ts';
import { formatTable } from '../table.ts';
import { CONFIG_HELP, readModels } from './models-option.ts';
import { show } from './print.ts';
import { readReplay, REPLAY_HELP, REPLAY_OPTIONS, replayFile, worded } from './replay-file.ts';

const DEFAULT_POINTS = '1,10,20,30,40,50,60,70,80,90';

/** `redflag lab threshold FILE`: what blocking from so many Points on would have done. */
export const threshold: Command = {
  help: `redflag lab threshold EVENTS: what blocking from so many Points on would have done, by kind of identifier

EVENTS is as in redflag lab run --help; queries without a label are left out.

  --points LIST      (default ${DEFAULT_POINTS})
${CONFIG_HELP}
${REPLAY_HELP}
  --json             the rows for programs
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      config: { type: 'string' },
      points: { type: 'string' },
      json: { type: 'boolean' },
      ...REPLAY_OPTIONS,
    });
    const thresholds = (values.points ?? DEFAULT_POINTS).split(',').map((text) => readWhole('points', text, 0, 100));
    const models = await readModels({ model: 'link-claim', config: values.config });
    const replayed = await worded(() => replayFile(positionals, { models, ...readReplay(values), misses: 0 }));
    const rows = costOfThresholds(
      replayed.samples.map(({ label, kinds, answers }) => ({ label, kinds, points: answers[0]!.points })),
      thresholds,
    );
    if (values.json) {
      process.stdout.write(`${JSON.stringify(rows)}\n`);
      return 0;
    }
    const share = (part: number | undefined): string => (part === undefined ? '-' : show(part));
    process.stdout.write(
      formatTable([
        ['KIND', 'POINTS FROM', 'BLOCKED', 'OF THEM 1', 'OF THEM 0', 'PRECISION', 'RECALL', 'OF ALL 0'],
        ...rows.map((row) => [
          row.kind,
          String(row.threshold),
          String(row.blocked),
          String(row.blockedOnes),
          String(row.blockedZeros),
          share(row.precision),
          share(row.recall),
          share(row.falsePositiveRate),
        ]),
      ]),
    );
    return 0;
  },
};
