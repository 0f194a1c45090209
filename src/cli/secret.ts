import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { JOURNAL_NAME } from '../journal/file.ts';
import { encodeFileHeader } from '../journal/format.ts';
import { CommandError } from './arguments.ts';

/** The secret's name in its folder. */
export const SECRET_NAME = 'secret';

/**
 * The operator's secret of a data folder: 32 random bytes as hex in the file `secret`, mode 600. Undefined in a folder without data.
 * Throws CommandError for another text, and when the folder has data and no secret: a new one would end every key, deletion code and link.
 * Called before the store is opened too: opening and closing tidy the journal, and an operator who lost a file wants nothing moved.
 */
export async function readSecret(folder: string): Promise<string | undefined> {
  const path = join(folder, SECRET_NAME);
  // Looked at first: a secret is made before the first record, so data that is seen here had one.
  const hasData = await holdsRecords(folder);
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(secret))
      throw new CommandError(`${path} is not a secret of 64 hex characters; put the right file back`);
    return secret;
  } catch (error) {
    // A file in the folder's place is for the store to tell.
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  if (hasData)
    throw new CommandError(
      `${path} is missing while the folder has data: without it no key, deletion code or link is valid; put the file back`,
    );
  return undefined;
}

/** Makes the secret of a folder that has none, a new one unless one is given; for whoever holds the folder. */
export async function makeSecret(folder: string, secret = randomBytes(32).toString('hex')): Promise<string> {
  const path = join(folder, SECRET_NAME);
  // Written under another name and linked: a crash leaves no half a secret behind, and a file that is there is never replaced.
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
    await handle.close();
    await chmod(draft, 0o600);
    await link(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
  return secret;
}

async function holdsRecords(folder: string): Promise<boolean> {
  const journal = await stat(join(folder, JOURNAL_NAME)).catch(() => undefined);
  return journal !== undefined && journal.size > encodeFileHeader(false).bytes.byteLength;
}
