import { readArguments, type Command } from './arguments.ts';
import { askFolderWithSecret } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { readPath } from './export.ts';

/** `redflag import`: an export into a data folder. */
export const importData: Command = {
  help: `redflag import: put what was exported into an empty data folder

  redflag import FILE   an export, as redflag export writes it
      --json            how many rows it has and how many were put in, for programs
  --data DIR            folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                        where the reports are if they are on a PostgreSQL server

The folder needs the secret, and the pepper if there was one, of the folder that the export is of:
copy these files first. File and folder are proved to the last row before one is written, and the
folder is read again afterwards. An import that was interrupted goes on with the same command. A
folder with anything else in it is refused.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, json: { type: 'boolean' } });
    const path = readPath('import', positionals);
    const answer = await askFolderWithSecret(values.data ?? DATA_FOLDER, 'import', { path });
    process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : `Imported: ${answer.added} rows of ${answer.rows}${answer.added < answer.rows ? ', the others were there' : ''}. Number and digest are those of the export.\n`);
    return 0;
  },
};
