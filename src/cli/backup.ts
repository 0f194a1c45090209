import { readArguments, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { readPath } from './export.ts';

/** `redflag backup`: a data folder of its own, as things are now. */
export const backup: Command = {
  help: `redflag backup: copy a data folder as it is at one moment

  redflag backup DIR   a new folder (mode 700) with the data, the secret, and the pepper if that is in
                       the data folder; redflag serve --data DIR starts on it
      --json           its size for programs
  --data DIR           folder of the data (default ${DATA_FOLDER})

Works while a service runs on the folder. Whoever has the backup has all that the service has: keep it
as safe as the folder itself. What is erased later is still in it.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, json: { type: 'boolean' } });
    const path = readPath('backup', positionals, 'the name of a new folder');
    const answer = await askFolder(values.data ?? DATA_FOLDER, 'backup', { path });
    process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : `Backed up: ${answer.bytes} bytes of data.\n`);
    return 0;
  },
};
