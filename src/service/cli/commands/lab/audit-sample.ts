import { createAuditSample } from '../../../../lab/audit-sample.ts';
import { readArguments, readWhole, CommandError, type Command } from '../../arguments.ts';
import { formatAudit } from '../../lab/audit-file.ts';
import { CONFIG_HELP, readUncalibrated } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_HELP, replayFile, worded } from '../../lab/replay-file.ts';

const SIZE = '100';

export const auditSample: Command = {
  help: `redflag lab audit-sample EVENTS: choose queries whose label you find out by hand, as CSV

EVENTS is as in redflag lab run --help. Only queries that match a report are chosen, with or without a label: the same
number from each tenth of stated Reliability, as far as there are enough. Write 1 (a person to warn of) or 0 in the
column "label", then fit with redflag lab fit-map EVENTS --audit FILE and the same options. "line" is the line of the
query in EVENTS: sed -n 17p EVENTS shows line 17. "query" counts the queries in the order of time.

  --size N           number of queries (default ${SIZE})
${CONFIG_HELP}
${REPLAY_HELP}
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['size', 'config', 'epoch-days', 'seed'],
      flags: ['exclude-own', 'sort'],
      lists: ['map-type'],
    });
    const layout = readLayout(values);
    const size = readWhole('size', values.size ?? SIZE, 1, 100_000);
    const options = readReplay(values);
    const { model } = await readUncalibrated(values.config);
    const sample = createAuditSample({ size, seed: options.seed });
    await worded(() =>
      replayFile(positionals, layout, {
        models: [model],
        ...options,
        samplesMost: 1,
        misses: 0,
        onQuery: sample.offer,
      }),
    );
    const chosen = sample.choose();
    const { matched, bins } = sample.counts();
    if (chosen.length === 0) throw new CommandError('no query matches a report, so there is none to label');
    process.stdout.write(formatAudit(chosen));
    process.stderr.write(
      `Chose ${chosen.length} of ${matched} queries that match a report, from ${bins} of 10 bins of Reliability. ` +
        'Write 1 or 0 in the column "label".\n',
    );
  },
};
