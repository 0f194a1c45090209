import { once } from 'node:events';
import { importRows } from '../../../../lab/import-rows.ts';
import { formatEvent } from '../../../../lab/read-events.ts';
import { command, form } from '../../command.ts';
import { LISTS_HELP, LISTS_OPTIONS, readFileNames, validateJudges, readLists } from '../../lab/dated-lists.ts';
import { mapType } from '../../lab/offence-types.ts';
import { parseMoment, text } from '../../option.ts';

export const importCsv = command({
  name: 'lab import-csv',
  title: 'convert dated lists to events',
  about: LISTS_HELP,
  forms: {
    '': form({
      usage: 'REPORTS LABELS',
      options: {
        ...LISTS_OPTIONS,
        cut: text(
          'DAY',
          'query every labelled value at the start of this day (UTC), and leave out later reports (default the time of the last event)',
          { read: parseMoment },
        ),
      },
      async run({ judge: judges = [], unverified, cut, 'map-type': types }, words) {
        const { reports, labels } = await readLists(readFileNames('import-csv', words));
        validateJudges(judges, reports);
        const options = { judges, verified: !unverified, ...(cut === undefined ? {} : { cut }) };
        for (const event of importRows(reports, labels, options)) {
          if (!process.stdout.write(`${formatEvent(mapType(event, types))}\n`)) await once(process.stdout, 'drain');
        }
      },
    }),
  },
});
