import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FolderError } from '../../src/stores/holds/folder-error.ts';
import { prepareFolder } from '../../src/stores/holds/folder.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-folder-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('a folder for data', () => {
  it('is created with its parents, for its owner alone, also by two at once', async () => {
    const folder = join(root, 'a', 'b', 'c');
    await Promise.all([prepareFolder(folder), prepareFolder(folder)]);
    for (const path of [folder, join(root, 'a', 'b'), join(root, 'a')])
      expect((await stat(path)).mode & 0o777, path).toBe(0o700);
    await prepareFolder(folder);
  });

  it('is refused where a file is, or below one', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await expect(prepareFolder(file)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(prepareFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(existsSync('/proc/self'))('is refused where no folder can be created', async () => {
    await expect(prepareFolder('/proc/none/deep')).rejects.toThrow(FolderError);
    await expect(prepareFolder('/proc/none')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
