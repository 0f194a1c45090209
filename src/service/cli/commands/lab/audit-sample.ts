import { createAuditSample } from '../../../../lab/audit-sample.ts';
import { command, form } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { whole } from '../../option.ts';
import { formatAudit } from '../../lab/audit-file.ts';
import { CONFIG, readUncalibrated } from '../../lab/models-option.ts';
import { readLayout, readReplay, REPLAY_OPTIONS, replayFile, withFormattedErrors } from '../../lab/replay-file.ts';

export const auditSample = command({
  name: 'lab audit-sample',
  title: 'choose queries whose label you find out by hand, as CSV',
  about: `EVENTS is as in redflag lab run --help. Only queries that match a report are chosen, with or without a
label: the same number from each tenth of stated Reliability, as far as there are enough. Write 1 (a
person to warn of) or 0 in the column "label", then fit with redflag lab fit-map EVENTS --audit FILE and
the same options. "line" is the line of the query in EVENTS: sed -n 17p EVENTS shows line 17. "query"
counts the queries in the order of time.
`,
  forms: {
    '': form({
      usage: 'EVENTS',
      options: { size: whole('N', [1, 100_000], 'number of queries', 100), ...CONFIG, ...REPLAY_OPTIONS },
      async run(values, words) {
        const { model } = await readUncalibrated(values.config);
        const sample = createAuditSample({ size: values.size, seed: values.seed });
        await withFormattedErrors(() =>
          replayFile(words, readLayout(values), {
            models: [model],
            ...readReplay(values),
            maxSamples: 1,
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
    }),
  },
});
