import { checkFolder } from '../../data-folder/whole-folder.ts';
import { readArguments, UsageError, type Command } from '../arguments.ts';
import { dataFolder, dataHelp } from '../operator-options.ts';
import { formatTable, printAnswer } from '../output.ts';

export const check: Command = {
  help: `redflag check: verify that the stored data is undamaged and consistent

  --json       print the problems as JSON
${dataHelp(15)}

Reads all rows and verifies checksums, references between tables, completed erasures, peppers, and
the lengths of ids and hashes. If a row is damaged, restore a backup. Damage in the journal file is
found when the folder is opened. Exits with 1 if it finds a problem.
Works while a service runs on the folder. For a SQLite file it then reads a temporary copy, which needs
as much disk space as the file.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data'], flags: ['json'] });
    if (positionals.length > 0) throw new UsageError('check takes no values, only options');
    const problems = await checkFolder(dataFolder(values.data));
    printAnswer(problems, values.json, () =>
      problems.length === 0
        ? 'OK: no problems found.\n'
        : formatTable([['COUNT', 'WHAT IS WRONG'], ...problems.map(({ problem, count }) => [String(count), problem])]),
    );
    return problems.length === 0 ? 0 : 1;
  },
};
