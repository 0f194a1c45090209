import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '../../stores/holds/whole-file.ts';
import { JOURNAL_NAME } from '../../stores/journal/file.ts';
import { FILE_HEADER_BYTES } from '../../stores/journal/format.ts';
import { DataFolderError } from './errors.ts';
import { findKeyFiles, prepareKeysFolder, readKeyFile, requirePlace } from './key-files.ts';
import { GIVEN_SECRET, SECRET_TEXT_VARIABLE } from './secret-variable.ts';

/**
 * Returns the operator's secret of a data folder: 32 random bytes as hex, from a variable or from a file of mode 600.
 * Returns undefined if there is neither. Throws DataFolderError for other content.
 *
 * Also throws DataFolderError if the file is missing but the journal has records: a new secret would invalidate every
 * key, deletion code and link. Call this before the store is opened: if the secret is lost, nothing may rewrite the
 * journal. For the other stores, `findSecret` looks for reporters.
 */
export async function readSecret(folder: string): Promise<string | undefined> {
  const { secret: path } = await findKeyFiles(folder);
  // Check for data first. A secret is written before the first record, so a folder with records had a secret.
  const hasData = await holdsRecords(folder);
  const secret = GIVEN_SECRET ?? (await readKeyFile(path))?.trim();
  if (secret !== undefined && !/^[0-9a-f]{64}$/.test(secret))
    throw new DataFolderError(
      GIVEN_SECRET === undefined
        ? `${path} is not a secret of 64 hex characters; restore the right file`
        : `${SECRET_TEXT_VARIABLE} is not a secret of 64 hex characters; set it to the right secret`,
    );
  if (secret !== undefined) return secret;
  if (hasData)
    throw new DataFolderError(
      `${path} is missing, but the store has data: without the secret no key, deletion code or link is valid; restore the file`,
    );
  return undefined;
}

/**
 * Writes the secret of a folder that has none, also not in a variable. Without `secret`, generates one. Never replaces
 * an existing file. Only the process that holds the folder may call this.
 */
export async function createSecret(folder: string, secret = randomBytes(32).toString('hex')): Promise<string> {
  const { secret: path } = await findKeyFiles(folder);
  await requirePlace(folder, path);
  await prepareKeysFolder(folder, path);
  await writeWholeFile(path, (file) => file.append(`${secret}\n`));
  return secret;
}

async function holdsRecords(folder: string): Promise<boolean> {
  const journal = await stat(join(folder, JOURNAL_NAME)).catch(() => undefined);
  return journal !== undefined && journal.size > FILE_HEADER_BYTES;
}
