import { importInto } from '../../data-folder/whole-folder.ts';
import { command, form } from '../command.ts';
import { flag } from '../option.ts';
import { BY, DATA, path } from '../operator-options.ts';
import { printAnswer } from '../output.ts';

export const importData = command({
  name: 'import',
  title: 'read an export into an empty data folder',
  forms: {
    '': form({
      value: path('FILE', 'the name of a file'),
      summary: 'an export, as redflag export writes it',
      options: { json: flag('print the numbers of read and added rows as JSON'), ...BY, ...DATA },
      async run({ json, by, data }, file) {
        const answer = await importInto(data, file, by);
        printAnswer(
          answer,
          json,
          ({ rows, added }) =>
            `Imported: ${added} rows of ${rows}${added < rows ? '; the others were already there' : ''}. All rows match the export in number and digest.\n`,
        );
      },
    }),
  },
  notes: `First copy the secret of the exported folder, and its pepper if it has one, into the folder DIR-keys.
The file and the folder are verified completely before the first row is written. Afterwards the folder
is read back and compared. To continue an interrupted import, run the same command again. A folder
that contains other data is rejected.
`,
});
