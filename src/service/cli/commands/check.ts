import { checkFolder } from '../../data-folder/whole-folder.ts';
import { command, form } from '../command.ts';
import { flag } from '../option.ts';
import { DATA } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';

export const check = command({
  name: 'check',
  title: 'verify that the stored data is undamaged and consistent',
  forms: {
    '': form({
      options: { json: flag('print the problems as JSON'), ...DATA },
      async run({ json, data }) {
        const problems = await checkFolder(data);
        printAnswer(problems, json, () =>
          problems.length === 0
            ? 'OK: no problems found.\n'
            : formatTable([
                ['COUNT', 'WHAT IS WRONG'],
                ...problems.map(({ problem, count }) => [String(count), problem]),
              ]),
        );
        return problems.length === 0 ? 0 : 1;
      },
    }),
  },
  notes: `Reads all rows and verifies checksums, references between tables, completed erasures, peppers, and
the lengths of ids and hashes. If a row is damaged, restore a backup. Damage in the journal file is
found when the folder is opened. Exits with 1 if it finds a problem.
Works while a service runs on the folder. For a SQLite file it then reads a temporary copy, which needs
as much disk space as the file.
`,
});
