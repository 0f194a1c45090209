import { join } from 'node:path';
import { CommandError, readArguments, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { readPath } from './export.ts';
import { reasonOf, SQLITE_NAME } from './open-store.ts';

/** `redflag backup`: a data folder of its own, as things are now. */
export const backup: Command = {
  help: `redflag backup: copy a data folder as it is at one moment

  redflag backup DIR   a new folder (mode 700) with the data, the secret, and the pepper if that is in
                       the data folder; redflag serve --data DIR starts on it
      --json           its size for programs
  --data DIR           folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                       where the reports are if they are on a PostgreSQL server

Works while a service runs on the folder. The backup of a SQLite file is proved as redflag check proves
it, and the command exits with 1 when it is damaged. Whoever has the backup has all that the service
has: keep it as safe as the folder itself. What is erased later is still in it.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, json: { type: 'boolean' } });
    const path = readPath('backup', positionals, 'the name of a new folder');
    const answer = await askFolder(values.data ?? DATA_FOLDER, 'backup', { path });
    if (answer.name === SQLITE_NAME) await prove(join(path, answer.name));
    process.stdout.write(
      values.json ? `${JSON.stringify({ bytes: answer.bytes })}\n` : `Backed up: ${answer.bytes} bytes of data.\n`,
    );
    return 0;
  },
};

/** Pages are copied as they are, damaged ones too, and somebody may give up an older backup for this one. Done by the command, whom nobody waits for. */
async function prove(file: string): Promise<void> {
  const { checkFile } = await import('../store/sqlite/file-copy.ts');
  const problems = await checkFile(file).catch((error: unknown) => {
    throw new CommandError(reasonOf(error));
  });
  if (problems.length > 0)
    throw new CommandError(
      'the backup was made, and it is as damaged as what it is of: redflag check --data on either says how; keep the backups of before',
    );
}
