import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FolderError } from '../../stores/holds/folder-error.ts';
import { prepareFolder } from '../../stores/holds/folder.ts';
import { writeWholeFile } from '../../stores/holds/whole-file.ts';
import { unwrap } from '../../index.ts';
import type { ProgramEngine } from './program-engine.ts';
import { keysFolderOf } from './key-files.ts';
import { exists } from './new-file.ts';

/** The first API key of a store: the key, the file that has it, or the reason why this file was not written. */
export type FirstKey =
  { readonly apiKey: string } | { readonly file: string } | { readonly file: string; readonly problem: string };

/**
 * Creates the first reporter and its key, unless the store has a key. Returns the key if `mayShow`. Otherwise writes it
 * to the file `first-key` of the keys folder, mode 600. If the process is killed before the file is complete, the next
 * start writes it with another key.
 */
export async function issueFirstKey(
  engine: ProgramEngine,
  folder: string,
  mayShow: boolean,
): Promise<FirstKey | undefined> {
  const place = resolve(keysFolderOf(folder));
  const file = join(place, 'first-key');
  const draft = `${file}.part`;
  if ((await engine.listKeys()).length > 0 && !(await exists(draft))) return undefined;
  const issue = async (): Promise<string> => {
    const [first] = await engine.listReporters();
    const { reporterId } = first ?? unwrap(await engine.createReporter({ name: 'First reporter' }));
    return unwrap(await engine.issueKey({ reporterId })).apiKey;
  };
  try {
    await rm(draft, { force: true });
    if (mayShow) return { apiKey: await issue() };
    await prepareFolder(place);
    // The draft exists before the key: if the folder is read-only, there is no key yet, and the next start tries again.
    // A file of this name can be replaced: its key is of another store, because this store has none.
    await writeWholeFile(file, async (part) => part.append(`${await issue()}\n`), { replace: true, draft });
    return { file };
  } catch (error) {
    if (error instanceof FolderError || (error instanceof Error && 'syscall' in error))
      return { file, problem: error.message };
    throw error;
  }
}
