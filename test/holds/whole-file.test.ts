import { mkdtemp, open, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WholeFile, writeWholeFile } from '../../src/stores/holds/whole-file.ts';

describe('a file that is written whole', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-whole-'));
    file = join(folder, 'file');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has its name when all of it is written, and is for its owner only', async () => {
    const large = 'b'.repeat(300_000);
    const value = await writeWholeFile(file, async (whole) => {
      await whole.append('a');
      await whole.append(large);
      await whole.append('c');
      expect(await readdir(folder)).not.toContain('file');
      return 7;
    });
    expect(value).toBe(7);
    expect(await readFile(file, 'utf8')).toBe(`a${large}c`);
    expect(await readdir(folder)).toEqual(['file']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('never overwrites a file, also one that appeared meanwhile, unless it is told to replace it', async () => {
    const write = (replace: boolean): Promise<unknown> =>
      writeWholeFile(
        file,
        async (whole) => {
          await whole.append('new');
          await writeFile(file, 'old');
        },
        { replace },
      );
    await expect(write(false)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['file']);
    await write(true);
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('leaves nothing behind when it cannot be filled', async () => {
    await expect(
      writeWholeFile(file, async (whole) => {
        await whole.append('a');
        throw new Error('no more');
      }),
    ).rejects.toThrow('no more');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is flushed before it has its name, and its folder afterwards', async () => {
    const handle = await open(folder, 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync');
    await handle.close();
    const present: boolean[] = [];
    sync.mockImplementation(async () => void present.push((await readdir(folder)).includes('file')));
    try {
      const whole = await WholeFile.create(file);
      await whole.append('a');
      await whole.keep();
    } finally {
      sync.mockRestore();
    }
    expect(present).toEqual([false, true]);
  });
});
