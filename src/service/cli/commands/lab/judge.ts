import { importRows } from '../../../../lab/import-rows.ts';
import { summarise } from '../../../../lab/summarise.ts';
import { command, form } from '../../command.ts';
import { UsageError } from '../../errors.ts';
import { LISTS_HELP, LISTS_OPTIONS, readFileNames, validateJudges, readLists } from '../../lab/dated-lists.ts';
import { deliver, DELIVER_OPTIONS, validatePage } from '../../lab/deliver.ts';
import { CONFIG, modelOption, readModels } from '../../lab/models-option.ts';
import { mapTypes } from '../../lab/offence-types.ts';
import { parseMoment, repeated } from '../../option.ts';
import { replayEvents, withFormattedErrors } from '../../lab/replay-file.ts';

export const judge = command({
  name: 'lab judge',
  title: 'replay dated lists and measure scoring at each day',
  about: LISTS_HELP,
  forms: {
    '': form({
      usage: 'REPORTS LABELS --cut DAY…',
      options: {
        ...LISTS_OPTIONS,
        cut: repeated(
          'DAY',
          'query every labelled value at the start of this day (UTC), and leave out later reports. Standings are those that a service computes on this day',
          (days) => days.map((day) => ({ day, at: parseMoment(day) })),
        ),
        model: modelOption('link-claim,report-count'),
        ...CONFIG,
        ...DELIVER_OPTIONS,
        html: { ...DELIVER_OPTIONS.html, help: `${DELIVER_OPTIONS.html.help}; needs exactly one --cut` },
      },
      async run({ judge: judges = [], unverified, cut: cuts, 'map-type': types, ...values }, words) {
        if (cuts.length === 0) throw new UsageError('lab judge expects at least one day with --cut');
        if (values.html !== undefined && cuts.length > 1)
          throw new UsageError('--html expects exactly one --cut, because a page shows one day');
        const models = await readModels(values);
        const files = readFileNames('judge', words);
        await validatePage(values.html, [...files, values.config]);
        const { reports, labels } = await readLists(files);
        validateJudges(judges, reports);
        for (const [index, { day, at }] of cuts.entries()) {
          const result = await withFormattedErrors(async () => {
            const rows = importRows(reports, labels, { judges, verified: !unverified, cut: at });
            // All queries are at the cut. The standings of its day depend on reports only, not on earlier standings.
            const replayed = await replayEvents(mapTypes(rows, types), { models, epochDays: 1, epochsFrom: at });
            const title = `${day}, judged by ${judges.length === 0 ? 'labels' : judges.join()}`;
            return summarise([replayed], { title, models: models.map(({ name }) => name), judged: 'all' });
          });
          await deliver(result, values);
          if (index + 1 < cuts.length && !values.json) process.stdout.write('\n');
        }
      },
    }),
  },
});
