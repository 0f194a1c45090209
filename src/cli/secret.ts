import { randomBytes } from 'node:crypto';
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from './arguments.ts';

const NAME = 'secret';

/**
 * The operator's secret of a data folder: 32 random bytes as hex in the file `secret`, mode 600, made at the first start.
 * When the folder has data and no secret nothing is made: a new secret would end every key, deletion code and link.
 */
export async function openSecret(folder: string, folderIsNew: boolean): Promise<string> {
  const path = join(folder, NAME);
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(secret)) throw new CommandError(`${path} is not a secret of 64 hex characters; put the right file back`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (!folderIsNew) throw new CommandError(`${path} is missing while the folder has data: without it no key, deletion code or link is valid; put the file back`);

  const secret = randomBytes(32).toString('hex');
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
