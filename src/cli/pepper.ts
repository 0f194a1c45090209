import { readArguments, UsageError, type Command } from './arguments.ts';
import { askFolder } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { addPepper, PEPPER_VARIABLE, pepperFileOf } from './pepper-file.ts';

/** `redflag pepper`: under which peppers a data folder's identifiers are stored. */
export const pepper: Command = {
  help: `redflag pepper: the peppers under which identifiers are stored

What is stored is not the hash that a client sends but an HMAC of it under a secret pepper, so that
a stolen copy of the data cannot be searched for addresses. The peppers are in the file pepper of
the data folder, or in the file that the variable ${PEPPER_VARIABLE} names: better not on the disk
that holds the data. Keep a copy; without it nothing that is stored is found again.

  redflag pepper status        which peppers, by their fingerprints
      --json                   the same for programs
  redflag pepper rotate        put a new pepper on top of the others; everything stored is moved under
                               it while the service goes on. The old ones are still needed.

  redflag pepper add           where several processes serve from one database: only adds a new pepper
                               to the file, which every process needs before it is put on

  --data DIR                   folder of the data (default ${DATA_FOLDER}); REDFLAG_STORE says
                               where the reports are if they are on a PostgreSQL server

Works while a service runs on the folder.
`,
  async run(args) {
    const { values, positionals } = readArguments(args, { data: { type: 'string' }, json: { type: 'boolean' } });
    const [action, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`pepper ${action} expects no value`);
    const folder = values.data ?? DATA_FOLDER;
    if (action === 'rotate') {
      if (values.json) throw new UsageError('--json belongs to pepper status');
      const { moved, fingerprint } = await askFolder(folder, 'pepper rotate');
      process.stdout.write(`New pepper ${fingerprint}; identifiers moved: ${moved}.\n`);
      return 0;
    }
    if (action === 'add') {
      if (values.json) throw new UsageError('--json belongs to pepper status');
      await addPepper(pepperFileOf(folder));
      process.stdout.write(
        'Added to the file. Give it to every process, start each anew, and then: redflag pepper rotate\n',
      );
      return 0;
    }
    if (action !== 'status') throw new UsageError('pepper expects status, rotate or add; see redflag pepper --help');
    const status = await askFolder(folder, 'pepper status');
    process.stdout.write(values.json ? `${JSON.stringify(status)}\n` : format(status));
    return 0;
  },
};

function format({
  fingerprints,
  moving,
  spare,
}: {
  readonly fingerprints: readonly string[];
  readonly moving: boolean;
  readonly spare: number;
}): string {
  const lines =
    fingerprints.length === 0
      ? ['Identifiers are stored as they are sent.']
      : fingerprints.map((fingerprint, at) => `${at + 1}  ${fingerprint}`);
  if (moving) lines.push('Identifiers are being moved under the last one.');
  if (spare > 0) lines.push(`${spare} more in the file, not in use yet.`);
  return `${lines.join('\n')}\n`;
}
