import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EvaluatorAccess } from '../../sealed/keys.ts';
import type { StoreProblem } from '../../core/store/upkeep.ts';
import { verifyKeys } from '../../stores/transfer/copy-rows.ts';
import { readExport } from '../../stores/transfer/read-export.ts';
import { hasStore, holderOf, readAddress, SQLITE_NAME } from './address.ts';
import { askFolder, askFolderWithSecret } from './ask-folder.ts';
import { DataFolderError, withDataFolderErrors } from './errors.ts';
import { notePlace } from './new-place.ts';
import type { AnswerOf } from './operator-calls.ts';
import { findKeyFiles } from './key-files.ts';
import { addPepper, readPeppersOf } from './pepper-file.ts';
import { initSealed } from './sealed/calls.ts';
import { readSecret } from './secret.ts';
import { fingerprintsOf } from './store-keys.ts';

// Commands on whole data folders. The caller does one part. The process that has the folder open does the other part
// (upkeep-calls.ts). Each function throws DataFolderError.

/** Returns the problems of a data folder. While a service has a SQLite file open, this checks a copy of the file. */
export async function checkFolder(folder: string): Promise<readonly StoreProblem[]> {
  const holder = holderOf(join(resolve(folder), SQLITE_NAME));
  const answer = await askFolder(folder, 'check', { copy: join(holder, `copy-${randomBytes(4).toString('hex')}`) });
  if (answer.problems) return answer.problems;
  const { checkCopy } = await import('../../stores/sqlite/file-copy.ts');
  return withDataFolderErrors(checkCopy(answer.copy));
}

/**
 * Copies a data folder into the new folder `path`. Returns the size of the data in bytes, and the absolute paths of
 * secret and pepper if they are not in the copy. Throws if the copy is damaged.
 */
export async function backUpFolder(
  folder: string,
  path: string,
  by: string,
): Promise<Omit<AnswerOf<'backup'>, 'name'>> {
  const { name, ...copied } = await askFolder(folder, 'backup', { path, by });
  if (name !== SQLITE_NAME) return copied;
  // Pages are copied unchecked, but the operator may then discard an older backup. The caller checks the copy, so that
  // no client of the service waits.
  const { checkFile } = await import('../../stores/sqlite/file-copy.ts');
  const problems = await withDataFolderErrors(checkFile(join(path, name)));
  if (problems.length === 0) return copied;
  throw new DataFolderError(
    'the backup was made, but the source and the backup are damaged; run redflag check --data on the source, and keep older backups',
  );
}

/** Adds a new pepper to the file of a data folder. Returns the path of the file. */
export async function addPepperTo(folder: string, by: string): Promise<string> {
  // Without a store, there is no audit log yet.
  if (hasStore(folder, readAddress(folder, undefined))) await askFolder(folder, 'pepper add', { by });
  else await addPepper(folder, 0);
  return (await findKeyFiles(folder)).pepper;
}

/** Creates the sealed keys of a data folder as {@link initSealed} does. Returns the path of their file. */
export async function initSealedFolder(folder: string, by: string, evaluator?: EvaluatorAccess): Promise<string> {
  const path = await initSealed(folder, evaluator);
  // Without a store or a secret, there is no audit log yet.
  const isNew = !hasStore(folder, readAddress(folder, undefined)) || (await readSecret(folder)) === undefined;
  if (!isNew) await askFolder(folder, 'sealed init', { by });
  return path;
}

/** Imports the export file `path` into a data folder, which is created if it does not exist. */
export async function importInto(folder: string, path: string, by: string): Promise<AnswerOf<'import'>> {
  const address = readAddress(folder, undefined);
  if (hasStore(folder, address)) return askFolderWithSecret(folder, 'import', { path, by });
  // Validate the export first: if it is refused, no store may be created.
  const secret = await readSecret(folder);
  if (secret !== undefined) {
    const keys = fingerprintsOf({ secret, peppers: await readPeppersOf(folder) });
    const head = readExport(() => createReadStream(path)).head();
    await withDataFolderErrors(head.then((found) => verifyKeys(found, keys)));
  }
  const place = await notePlace(folder, address);
  try {
    return await askFolderWithSecret(folder, 'import', { path, by });
  } catch (error) {
    await place.leaveEmpty();
    throw error;
  }
}
