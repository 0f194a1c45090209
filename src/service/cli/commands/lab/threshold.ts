import { costOfThresholds } from '../../../../lab/thresholds.ts';
import { command, form } from '../../command.ts';
import { flag, parseWhole, text } from '../../option.ts';
import { formatTable, printAnswer } from '../../output.ts';
import { CONFIG, readModels } from '../../lab/models-option.ts';
import { show } from '../../lab/deliver.ts';
import { readLayout, readReplay, REPLAY_OPTIONS, replayFile, withFormattedErrors } from '../../lab/replay-file.ts';

export const threshold = command({
  name: 'lab threshold',
  title: 'effect of blocking at several thresholds of Points, by kind of identifier',
  about: 'EVENTS is as in redflag lab run --help; queries without a label are left out.',
  forms: {
    '': form({
      usage: 'EVENTS',
      options: {
        points: text('LIST', 'comma-separated thresholds', {
          default: '1,10,20,30,40,50,60,70,80,90',
          read: (list) => list.split(',').map((points) => parseWhole(points, 0, 100)),
        }),
        ...CONFIG,
        ...REPLAY_OPTIONS,
        json: flag('print the rows as JSON'),
      },
      async run(values, words) {
        const models = await readModels({ model: 'link-claim', config: values.config });
        const options = { models, ...readReplay(values), misses: 0 };
        const replayed = await withFormattedErrors(() => replayFile(words, readLayout(values), options));
        const rows = costOfThresholds(
          replayed.samples.map(({ label, kinds, answers }) => ({ label, kinds, points: answers[0]?.points ?? 0 })),
          values.points,
        );
        printAnswer(rows, values.json, formatRows);
      },
    }),
  },
});

function formatRows(rows: ReturnType<typeof costOfThresholds>): string {
  const share = (part: number | undefined): string => (part === undefined ? '-' : show(part));
  return formatTable([
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
  ]);
}
