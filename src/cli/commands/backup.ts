import { backUpFolder } from '../../data-folder/whole-folder.ts';
import { readArguments, type Command } from '../arguments.ts';
import { dataFolder, dataHelp, readPath } from '../operator-options.ts';
import { printAnswer } from '../output.ts';

export const backup: Command = {
  help: `redflag backup: make a consistent copy of a data folder

  redflag backup DIR   a new folder (mode 700) for the data, the secret, and the pepper if that is in
                       the data folder; start a service on it with redflag serve --data DIR
      --json           print the size as JSON
${dataHelp(23)}

Works while a service runs on the folder. A backup of a SQLite file is then checked, as with redflag
check. If the backup is damaged, the command exits with 1. Protect the backup like the folder itself:
it contains the same data and the secret. Data that you erase later stays in the backup.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data'], flags: ['json'] });
    const path = readPath('backup', positionals, 'the name of a new folder');
    const answer = await backUpFolder(dataFolder(values.data), path);
    printAnswer(answer, values.json, ({ bytes }) => `Backed up: ${bytes} bytes of data.\n`);
  },
};
