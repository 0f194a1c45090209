import { costOfThresholds } from '../../../../lab/thresholds.ts';
import { readArguments, readWhole, type Command } from '../../arguments.ts';
import { formatTable, printAnswer } from '../../output.ts';
import { CONFIG_HELP, readModels } from '../../lab/models-option.ts';
import { show } from '../../lab/deliver.ts';
import { readLayout, readReplay, REPLAY_HELP, replayFile, worded } from '../../lab/replay-file.ts';

const DEFAULT_POINTS = '1,10,20,30,40,50,60,70,80,90';

export const threshold: Command = {
  help: `redflag lab threshold EVENTS: effect of blocking at several thresholds of Points, by kind of identifier

EVENTS is as in redflag lab run --help; queries without a label are left out.

  --points LIST      comma-separated thresholds (default ${DEFAULT_POINTS})
${CONFIG_HELP}
${REPLAY_HELP}
  --json             print the rows as JSON
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['config', 'points', 'epoch-days', 'seed'],
      flags: ['exclude-own', 'sort', 'json'],
      lists: ['map-type'],
    });
    const thresholds = (values.points ?? DEFAULT_POINTS).split(',').map((text) => readWhole('points', text, 0, 100));
    const layout = readLayout(values);
    const models = await readModels({ model: 'link-claim', config: values.config });
    const replayed = await worded(() => replayFile(positionals, layout, { models, ...readReplay(values), misses: 0 }));
    const rows = costOfThresholds(
      replayed.samples.map(({ label, kinds, answers }) => ({ label, kinds, points: answers[0]?.points ?? 0 })),
      thresholds,
    );
    const share = (part: number | undefined): string => (part === undefined ? '-' : show(part));
    printAnswer(rows, values.json, () =>
      formatTable([
        ['KIND', 'THRESHOLD', 'BLOCKED', 'LABELLED 1', 'LABELLED 0', 'PRECISION', 'RECALL', 'FALSE POSITIVE RATE'],
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
  },
};
