import { basename } from 'node:path';
import { learnHalfLives } from '../../../../lab/learn-half-lives.ts';
import { createSqljsStore } from '../../../../core/store/sqljs/store.ts';
import { command, form } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { toJson } from '../../output.ts';
import { parseMoment, text } from '../../option.ts';
import { formatHalfLives } from '../../lab/format-half-lives.ts';
import { configOption, readConstants } from '../../lab/models-option.ts';
import {
  readEventsFile,
  readLayout,
  readReplay,
  REPLAY_OPTIONS,
  showProgress,
  withFormattedErrors,
} from '../../lab/replay-file.ts';

export const fit = command({
  name: 'lab fit',
  title: 'learn the half-lives of kinds of identifiers, for --config and --scoring',
  about: `EVENTS is a file as in redflag lab run --help. It is read three times, so it cannot be standard input.
The half-lives are fitted on the earlier labelled queries and checked on the later ones. The configuration
goes to standard output. The report goes to standard error; its last line says whether to use them.
`,
  forms: {
    '': form({
      usage: 'EVENTS',
      options: {
        split: text(
          'TIME',
          'fit on queries before this day or time, and check on the others (default half of the labelled queries)',
          { read: parseMoment },
        ),
        config: configOption('; the output contains them and the half-lives'),
        ...REPLAY_OPTIONS,
      },
      async run(values, words) {
        const [file, ...more] = words;
        if (file === undefined || more.length > 0 || file === '-')
          throw new UsageError('lab fit expects one file of events, because it reads them three times');
        const { split: splitAt, config } = values;
        const { changes } = config === undefined ? { changes: {} } : await readConstants(config);
        const learnt = await withFormattedErrors(() =>
          showProgress((onProgress) =>
            learnHalfLives({
              ...readReplay(values),
              ...(splitAt === undefined ? {} : { splitAt }),
              readEvents: () => readEventsFile(file, readLayout(values)),
              openStore: () => createSqljsStore(),
              changes,
              onProgress,
            }),
          ),
        );
        process.stdout.write(toJson(learnt.changes, 2));
        process.stderr.write(formatHalfLives(basename(file), learnt));
      },
    }),
  },
});
