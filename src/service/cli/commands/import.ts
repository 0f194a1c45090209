import { importInto } from '../../data-folder/whole-folder.ts';
import { readArguments, type Command } from '../arguments.ts';
import { dataFolder, dataHelp, readOperator, readPath } from '../operator-options.ts';
import { printAnswer } from '../output.ts';

export const importData: Command = {
  help: `redflag import: read an export into an empty data folder

  redflag import FILE   an export, as redflag export writes it
      --json            print the numbers of read and added rows as JSON
      --by NAME         the operator's name, for the audit log (default your login name)
${dataHelp(24)}

First copy the secret of the exported folder, and its pepper if it has one, into the folder DIR-keys.
The file and the folder are verified completely before the first row is written. Afterwards the folder
is read back and compared. To continue an interrupted import, run the same command again. A folder
that contains other data is rejected.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'by'], flags: ['json'] });
    const path = readPath('import', positionals);
    const answer = await importInto(dataFolder(values.data), path, readOperator(values.by));
    printAnswer(
      answer,
      values.json,
      ({ rows, added }) =>
        `Imported: ${added} rows of ${rows}${added < rows ? '; the others were already there' : ''}. All rows match the export in number and digest.\n`,
    );
  },
};
