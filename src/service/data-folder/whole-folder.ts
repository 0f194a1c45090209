import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { EvaluatorAccess } from '../../sealed/keys.ts';
import type { StoreProblem } from '../../core/store/upkeep.ts';
import { unwrap } from '../../core/domain/refusal.ts';
import { verifyKeys } from '../../stores/transfer/copy-rows.ts';
import { readExport } from '../../stores/transfer/read-export.ts';
import { hasStore, holderOf, readAddress, SQLITE_NAME } from './address.ts';
import { askFolder } from './ask-folder.ts';
import { DataFolderError, withDataFolderErrors } from './errors.ts';
import { createEvaluatorFolder, EVALUATOR_FOLDER, EVALUATOR_PORT } from './evaluator/files.ts';
import { notePlace } from './new-place.ts';
import type { AnswerOf } from './calls.ts';
import { findKeyFiles } from './key-files.ts';
import { addPepper, readPeppersOf } from './pepper-file.ts';
import { initSealed, requireKeys } from './sealed/calls.ts';
import { sealFingerprint } from './sealed/seal.ts';
import { readSecret } from './secret.ts';
import { fingerprintsOf } from './store-keys.ts';

// Commands on whole data folders. The caller does one part. The process that has the folder open does the other part
// (upkeep-calls.ts). Each function throws DataFolderError.

/** Returns the problems of a data folder. While a service has a SQLite file open, this checks a copy of the file. */
export async function checkFolder(folder: string): Promise<readonly StoreProblem[]> {
  const holder = holderOf(join(resolve(folder), SQLITE_NAME));
  const copy = join(holder, `copy-${randomBytes(4).toString('hex')}`);
  const answer = await askFolder(folder, (calls) => calls.check({ copy }));
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
): Promise<Omit<AnswerOf<'backUp'>, 'name'>> {
  const { name, ...copied } = await askFolder(folder, (calls) => calls.backUp({ path, by }));
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
  if (hasStore(folder, readAddress(folder, undefined))) await askFolder(folder, (calls) => calls.addPepper({ by }));
  else await addPepper(folder, 0);
  return (await findKeyFiles(folder)).pepper;
}

/**
 * Creates the sealed keys of a data folder as {@link initSealed} does, for the evaluator that `given` names, or for a
 * fresh one in the folder `redflag-evaluator` beside the data folder. Returns the path of the keys, and that of the
 * fresh evaluator.
 */
export async function initSealedFolder(folder: string, by: string, given: EvaluatorAccess | undefined) {
  const beside = join(dirname(resolve(folder)), EVALUATOR_FOLDER);
  const keys = await initSealed(folder, given, async () => ({
    url: `http://127.0.0.1:${EVALUATOR_PORT}`,
    ...(await createEvaluatorFolder(beside)).operator,
  }));
  const path = { keys, evaluator: given ? undefined : beside };
  // Without a store or a secret, there is no audit log yet.
  const isNew = !hasStore(folder, readAddress(folder, undefined)) || (await readSecret(folder)) === undefined;
  if (isNew) return path;
  const subject = sealFingerprint(await requireKeys(folder));
  await askFolder(folder, async (engine) =>
    unwrap(await engine.recordAction({ action: 'sealed-keys-created', subject, by })),
  );
  return path;
}

/** Imports the export file `path` into a data folder, which is created if it does not exist. */
export async function importInto(folder: string, path: string, by: string): Promise<AnswerOf<'importData'>> {
  const address = readAddress(folder, undefined);
  const take = () => askFolder(folder, (calls) => calls.importData({ path, by }), { mayCreate: true });
  if (hasStore(folder, address)) return take();
  // Validate the export first: if it is refused, no store may be created.
  const secret = await readSecret(folder);
  if (secret !== undefined) {
    const keys = fingerprintsOf({ secret, peppers: await readPeppersOf(folder) });
    const head = readExport(() => createReadStream(path)).head();
    await withDataFolderErrors(head.then((found) => verifyKeys(found, keys)));
  }
  const place = await notePlace(folder, address);
  try {
    return await take();
  } catch (error) {
    await place.leaveEmpty();
    throw error;
  }
}
