import { basename } from 'node:path';
import { learnHalfLives } from '../../../../lab/learn-half-lives.ts';
import { createSqljsStore } from '../../../../core/store/sqljs/store.ts';
import { readArguments, readMoment, UsageError, type Command } from '../../arguments.ts';
import { wordHalfLives } from '../../lab/half-life-words.ts';
import { CONFIG_HELP, readConstants } from '../../lab/models-option.ts';
import { readEventsFile, readLayout, readReplay, REPLAY_HELP, showProgress, worded } from '../../lab/replay-file.ts';

export const fit: Command = {
  help: `redflag lab fit EVENTS: learn the half-lives of kinds of identifiers, for --config and --scoring

EVENTS is a file as in redflag lab run --help. It is read three times, so it cannot be standard input.
The half-lives are fitted on the earlier labelled queries and checked on the later ones. The configuration
goes to standard output. The report goes to standard error; its last line says whether to use them.

  --split TIME       fit on queries before this day or time, and check on the others (default: half of the
                     labelled queries)
${CONFIG_HELP}; the output contains them and the half-lives
${REPLAY_HELP}
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['config', 'split', 'epoch-days', 'seed'],
      flags: ['exclude-own', 'sort'],
      lists: ['map-type'],
    });
    const layout = readLayout(values);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0 || file === '-')
      throw new UsageError('lab fit expects one file of events, because it reads them three times');
    const splitAt = values.split === undefined ? undefined : readMoment('split', values.split);
    const options = readReplay(values);
    const { changes } = values.config === undefined ? { changes: {} } : await readConstants(values.config);
    const learnt = await worded(() =>
      showProgress((onProgress) =>
        learnHalfLives({
          ...options,
          ...(splitAt === undefined ? {} : { splitAt }),
          readEvents: () => readEventsFile(file, layout),
          openStore: () => createSqljsStore(),
          changes,
          onProgress,
        }),
      ),
    );
    process.stdout.write(`${JSON.stringify(learnt.changes, null, 2)}\n`);
    process.stderr.write(wordHalfLives(basename(file), learnt));
  },
};
