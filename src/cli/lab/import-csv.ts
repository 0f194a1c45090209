import { once } from 'node:events';
import { importRows } from '../../lab/import-rows.ts';
import { formatEvent } from '../../lab/read-events.ts';
import { readArguments, type Command } from '../arguments.ts';
import { LISTS_HELP, proveFiles, proveJudges, readImport, readJudges, readLists } from './dated-lists.ts';

/** `redflag lab import-csv REPORTS LABELS`: dated lists as events, on standard output. */
export const importCsv: Command = {
  help: `redflag lab import-csv REPORTS LABELS: dated lists as events

${LISTS_HELP}
  --cut DAY          ask about every label at the beginning of this day (UTC), and leave out what came later; the end unless given
`,
  async run(args) {
    const { values, positionals } = readArguments(args, {
      judge: { type: 'string' },
      cut: { type: 'string' },
      unverified: { type: 'boolean' },
    });
    const judges = readJudges(values.judge);
    const options = readImport(judges, values.unverified, values.cut);
    const [reports, labels] = await readLists(proveFiles(positionals));
    proveJudges(judges, reports);
    for (const event of importRows(reports, labels, options)) {
      if (!process.stdout.write(`${formatEvent(event)}\n`)) await once(process.stdout, 'drain');
    }
    return 0;
  },
};
