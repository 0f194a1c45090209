import { createReadStream } from 'node:fs';
import { pepperFingerprint } from '../engine/peppers.ts';
import { secretFingerprint } from '../engine/secrets.ts';
import { proveKeys } from '../transfer/copy-rows.ts';
import { readExport } from '../transfer/read-export.ts';
import { readArguments, type Command } from './arguments.ts';
import { askFolderWithSecret } from './ask-folder.ts';
import { DATA_FOLDER } from './data-folder.ts';
import { readPath } from './export.ts';
import { notePlace } from './new-place.ts';
import { isThere, readAddress } from './open-store.ts';
import { pepperFileOf, readPeppers } from './pepper-file.ts';
import { readSecret } from './secret.ts';
import { rethrow } from './transfer-refusals.ts';

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
    const answer = await importInto(values.data ?? DATA_FOLDER, path);
    process.stdout.write(
      values.json
        ? `${JSON.stringify(answer)}\n`
        : `Imported: ${answer.added} rows of ${answer.rows}${answer.added < answer.rows ? ', the others were there' : ''}. Number and digest are those of the export.\n`,
    );
    return 0;
  },
};

async function importInto(folder: string, path: string): ReturnType<typeof askFolderWithSecret<'import'>> {
  const address = readAddress(folder, undefined);
  if (isThere(folder, address)) return askFolderWithSecret(folder, 'import', { path });
  // A store that is yet to be made is made for nothing when it is refused.
  const secret = await readSecret(folder);
  if (secret !== undefined) await proveExport(path, secret, await readPeppers(pepperFileOf(folder))).catch(rethrow);
  const place = await notePlace(folder, address);
  try {
    return await askFolderWithSecret(folder, 'import', { path });
  } catch (error) {
    await place.leaveEmpty();
    throw error;
  }
}

async function proveExport(path: string, secret: string, peppers: readonly string[]): Promise<void> {
  const head = await readExport(() => createReadStream(path)).head();
  proveKeys(head, { secret: secretFingerprint(secret), peppers: peppers.map((pepper) => pepperFingerprint(pepper)) });
}
