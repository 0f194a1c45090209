import { backUpFolder } from '../../data-folder/whole-folder.ts';
import { readArguments, type Command } from '../arguments.ts';
import { dataFolder, dataHelp, readOperator, readPath } from '../operator-options.ts';
import { NOT_RECORDED, printAnswer } from '../output.ts';

export const backup: Command = {
  help: `redflag backup: make a consistent copy of a data folder

  redflag backup DIR   a new folder (mode 700) for the data, without secret, pepper and sealed keys, unless
                       an older version keeps them in the data folder; prints which files to keep
                       elsewhere
      --json           print the size and these files as JSON
      --by NAME        the operator's name, for the audit log (default your login name)
${dataHelp(23)}

Works while a service runs on the folder. A backup of a SQLite file is then checked, as with redflag
check. If the backup is damaged, the command exits with 1. To start a service on the backup, put the
secret, the pepper and the sealed keys, if there are any, into the folder DIR-keys, and run redflag
serve --data DIR. Data that you erase later stays in the backup.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { text: ['data', 'by'], flags: ['json'] });
    const path = readPath('backup', positionals, 'the name of a new folder');
    const answer = await backUpFolder(dataFolder(values.data), path, readOperator(values.by));
    printAnswer(answer, values.json, ({ bytes, notIncluded, isRecorded }) =>
      [
        `Backed up: ${bytes} bytes of data.\n`,
        notIncluded.length === 0
          ? ''
          : `Not in the backup: ${notIncluded.join(' and ')}. Keep copies in another place.\n`,
        isRecorded ? '' : NOT_RECORDED,
      ].join(''),
    );
  },
};
