import { once } from 'node:events';
import { importRows } from '../../../../lab/import-rows.ts';
import { formatEvent } from '../../../../lab/read-events.ts';
import { readArguments, type Command } from '../../arguments.ts';
import { LISTS_HELP, readFileNames, validateJudges, readImport, readLists } from '../../lab/dated-lists.ts';
import { mapType, readTypeMap } from '../../lab/offence-types.ts';

export const importCsv: Command = {
  help: `redflag lab import-csv REPORTS LABELS: convert dated lists to events

${LISTS_HELP}
  --cut DAY          query every labelled value at the start of this day (UTC), and leave out later reports
                     (default: the time of the last event)
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      text: ['judge', 'cut'],
      flags: ['unverified'],
      lists: ['map-type'],
    });
    const types = readTypeMap(values['map-type']);
    const judges = values.judge?.split(',') ?? [];
    const options = readImport(judges, values.unverified, values.cut);
    const { reports, labels } = await readLists(readFileNames('import-csv', positionals));
    validateJudges(judges, reports);
    for (const event of importRows(reports, labels, options)) {
      if (!process.stdout.write(`${formatEvent(mapType(event, types))}\n`)) await once(process.stdout, 'drain');
    }
  },
};
