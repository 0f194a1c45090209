import { askFolder } from '../../data-folder/ask-folder.ts';
import { readArguments, type Command } from '../arguments.ts';
import { dataFolder, dataHelp, readOperator, readPath } from '../operator-options.ts';
import { NOT_RECORDED, printAnswer } from '../output.ts';

export const exportData: Command = {
  help: `redflag export: write all stored data to a file

  redflag export FILE   lines of JSON (NDJSON): a header, one line for each row, and a last line with
                        the number of rows and a SHA-256 checksum; mode 600, never overwrites a file
      --json            print the number of rows as JSON
      --by NAME         the operator's name, for the audit log (default your login name)
${dataHelp(24)}

The file contains the stored identifiers and the texts of reports. It does not contain the secret or the
pepper, only their fingerprints: redflag import needs the same secret and pepper.
Works while a service runs on the folder; the export is consistent. A SQLite file is first copied beside
itself. The temporary copy needs as much disk space as the file.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'by'], flags: ['json'] });
    const path = readPath('export', positionals);
    const answer = await askFolder(dataFolder(values.data), 'export', { path, by: readOperator(values.by) });
    printAnswer(
      answer,
      values.json,
      ({ rows, isRecorded }) => `Exported: ${rows} rows.\n${isRecorded ? '' : NOT_RECORDED}`,
    );
  },
};
