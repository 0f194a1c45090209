import { backUpFolder } from '../../data-folder/whole-folder.ts';
import { command, form } from '../command.ts';
import { flag } from '../option.ts';
import { BY, DATA, path } from '../operator-options.ts';
import { NOT_RECORDED, printAnswer } from '../output.ts';

export const backup = command({
  name: 'backup',
  title: 'make a consistent copy of a data folder',
  forms: {
    '': form({
      value: path('DIR', 'the name of a new folder'),
      summary:
        'a new folder (mode 700) for the data, without secret, pepper and sealed keys, unless an older version keeps them in the data folder; prints which files to keep elsewhere',
      options: { json: flag('print the size, the head of the audit log and these files as JSON'), ...BY, ...DATA },
      async run({ json, by, data }, target) {
        const answer = await backUpFolder(data, target, by);
        printAnswer(answer, json, ({ bytes, head, notIncluded, isRecorded }) =>
          [
            `Backed up: ${bytes} bytes of data.\n`,
            head === null ? '' : `Head of the audit log: ${head}\n`,
            notIncluded.length === 0
              ? ''
              : `Not in the backup: ${notIncluded.join(' and ')}. Keep copies in another place.\n`,
            isRecorded ? '' : NOT_RECORDED,
          ].join(''),
        );
      },
    }),
  },
  notes: `Works while a service runs on the folder. A backup of a SQLite file is then checked, as with redflag
check. If the backup is damaged, the command exits with 1. To start a service on the backup, put the
secret, the pepper and the sealed keys, if there are any, into the folder DIR-keys, and run redflag
serve --data DIR. Data that you erase later stays in the backup. Note the head of the audit log
elsewhere: redflag audit verify --head HEAD finds a log that was replaced or cut since.
`,
});
