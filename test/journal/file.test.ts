import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openJournalFile } from '../../src/stores/journal/file.ts';
import { FolderError } from '../../src/stores/holds/folder-error.ts';
import { describeJournalMedium } from '../contract/journal-medium.ts';
import type { Child } from './child.ts';
import { buildChildren, startChild } from './child.ts';
import { bytesOf, openAndCollect } from './collect.ts';

const NAME = 'redflag.journal';
const posix = process.platform !== 'win32';

describeJournalMedium('file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'redflag-medium-'));
  return { open: () => openJournalFile(folder), survivesClose: true, remove: () => rm(folder, { recursive: true }) };
});

describe('the journal file', () => {
  let base: string;
  let folder: string;
  let number = 0;
  const started: Child[] = [];
  const start: typeof startChild = (...how) => {
    const child = startChild(...how);
    started.push(child);
    return child;
  };

  beforeAll(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'redflag-file-'));
    await buildChildren(path.join(base, 'children'));
    // Another user runs some of them.
    await chmod(base, 0o755);
  });
  beforeEach(() => {
    folder = path.join(base, `folder ${number++}`);
  });
  afterEach(() => Promise.all(started.splice(0).map((child) => child.kill())));
  afterAll(() => rm(base, { recursive: true, force: true }));

  it.runIf(posix)('and its folders are made for their owner alone', async () => {
    const medium = await openJournalFile(path.join(folder, 'deep', 'er'));
    await medium.replace([bytesOf('x')]);
    await medium.close();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, 'deep', 'er'))).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, 'deep', 'er', NAME))).mode & 0o777).toBe(0o600);
  });

  it('holds what was appended after a replacement in the file that has the name', async () => {
    const medium = await openJournalFile(folder);
    await medium.append(bytesOf('old'));
    await medium.replace([bytesOf('new')]);
    await medium.append(bytesOf('er'));
    expect(await readFile(path.join(folder, NAME), 'latin1')).toBe('newer');
    expect(await readdir(folder)).toEqual([NAME]);
    await medium.close();
  });

  it('removes what an interrupted replacement left, and keeps the old content', async () => {
    const first = await openJournalFile(folder);
    await first.append(bytesOf('kept'));
    await first.close();
    await writeFile(path.join(folder, `${NAME}.new`), 'half a snapsh');
    const medium = await openJournalFile(folder);
    expect(Buffer.from(await medium.read(0, 99)).toString()).toBe('kept');
    expect(await readdir(folder)).toEqual([NAME]);
    await medium.close();
  });

  it('keeps the old content and goes on when a replacement cannot be made', async () => {
    const medium = await openJournalFile(folder);
    const { journal } = await openAndCollect(medium);
    await journal.append(bytesOf('a'));
    // A directory in the way of the new file, which not even root writes over.
    await mkdir(path.join(folder, `${NAME}.new`, 'in the way'), { recursive: true });
    await expect(journal.compact(() => bytesOf('snapshot'))).rejects.toThrow();
    await journal.append(bytesOf('b'));
    await rm(path.join(folder, `${NAME}.new`), { recursive: true });
    await journal.compact(() => bytesOf('snapshot'));
    await journal.append(bytesOf('c'));
    await journal.close();
    const again = await openAndCollect(await openJournalFile(folder));
    expect(again).toMatchObject({ snapshot: 'snapshot', records: ['c'] });
    await again.journal.close();
  });

  it('refuses everything once it does not know what is durable', async () => {
    const medium = await openJournalFile(folder);
    await medium.append(bytesOf('old'));
    // The folder is flushed after the new file has the name. No working disk makes this flush fail, so the call is
    // replaced.
    const sync = vi.spyOn(await fileHandlePrototype(folder), 'sync');
    sync
      .mockImplementationOnce(async () => undefined)
      .mockImplementationOnce(async () => {
        throw new Error('input/output error');
      });
    await expect(medium.replace([bytesOf('new')])).rejects.toThrow('input/output error');
    sync.mockRestore();
    await expect(medium.append(bytesOf('more'))).rejects.toThrow('input/output error');
    await medium.close();
    const again = await openJournalFile(folder);
    expect(Buffer.from(await again.read(0, 99)).toString()).toBe('new');
    await again.close();
  });

  it.runIf(process.platform === 'linux')('closes the file when its folder cannot be flushed at the start', async () => {
    await mkdir(folder, { recursive: true });
    const sync = vi.spyOn(await fileHandlePrototype(folder), 'sync');
    sync.mockRejectedValueOnce(Object.assign(new Error('input/output error'), { code: 'EIO' }));
    await expect(openJournalFile(folder)).rejects.toThrow(`cannot keep data in ${folder}: system error EIO`);
    sync.mockRestore();
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(open.filter((name) => name.startsWith(folder))).toEqual([]);
  });

  it('flushes each append before it is acknowledged, and a replacement and its name', async () => {
    const medium = await openJournalFile(folder);
    const prototype = await fileHandlePrototype(folder);
    const datasync = vi.spyOn(prototype, 'datasync');
    const sync = vi.spyOn(prototype, 'sync');
    await medium.append(bytesOf('a'));
    await medium.append(bytesOf('b'));
    expect(datasync).toHaveBeenCalledTimes(2);
    expect(sync).toHaveBeenCalledTimes(0);
    await medium.replace([bytesOf('c')]);
    expect(sync).toHaveBeenCalledTimes(posix ? 2 : 1);
    await medium.append(bytesOf('d'));
    expect(datasync).toHaveBeenCalledTimes(3);
    datasync.mockRestore();
    sync.mockRestore();
    await medium.close();
  });

  it('works beyond 2 GiB', async () => {
    const start = 2 ** 31 + 12_345;
    const first = await openJournalFile(folder);
    await first.close();
    // Sparse: it takes no room.
    const handle = await open(path.join(folder, NAME), 'r+');
    await handle.truncate(start);
    await handle.close();
    const medium = await openJournalFile(folder);
    await medium.append(bytesOf('far out'));
    expect(await medium.size()).toBe(start + 7);
    expect(Buffer.from(await medium.read(start, 100)).toString()).toBe('far out');
    await medium.truncate(start + 3);
    expect(Buffer.from(await medium.read(start - 2, 100)).toString()).toBe('\0\0far');
    await medium.close();
    await rm(folder, { recursive: true });
  });

  it('says clearly what is wrong with the folder', async () => {
    await writeFile(path.join(base, 'a file'), '');
    await expect(openJournalFile(path.join(base, 'a file'))).rejects.toThrow(FolderError);
    await expect(openJournalFile(path.join(base, 'a file'))).rejects.toThrow(
      `cannot keep data in ${path.join(base, 'a file')}: it is not a directory`,
    );
    await expect(openJournalFile(path.join(base, 'a file', 'below'))).rejects.toThrow('not a directory');
    await mkdir(path.join(folder, NAME), { recursive: true });
    await expect(openJournalFile(folder)).rejects.toThrow('there is a directory in place of the data file');
  });

  it.each([
    ['EROFS', 'the file system is read-only'],
    ['ENOSPC', 'the disk is full'],
    ['EIO', 'system error EIO'],
  ])('words %s', (code, words) => {
    expect(new FolderError('/data', code, undefined).message).toBe(`cannot keep data in /data: ${words}`);
  });

  it.runIf(posix)('says that there is no permission', async () => {
    await mkdir(folder, { mode: 0o500 });
    // Root may write everywhere, so somebody else tries.
    const other = process.getuid!() === 0 ? { uid: 65534, gid: 65534 } : {};
    if (process.getuid!() === 0) await chmod(folder, 0o555);
    const child = start(path.join(base, 'children', 'open-file.mjs'), [folder], other);
    expect(await child.line(0)).toBe(`FolderError: cannot keep data in ${folder}: no permission to write there`);
    await child.kill();
  });

  it('loses nothing acknowledged to kill -9, at whatever moment', async () => {
    let acknowledged: string[] = [];
    for (let round = 0; round < 6; round++) {
      const child = start(path.join(base, 'children', 'append-forever.mjs'), [folder]);
      await child.line(200 + 150 * round);
      await child.kill();
      acknowledged = [...acknowledged, ...child.lines.filter((line) => line !== 'ready')];
      const { journal, snapshot, records } = await openAndCollect(await openJournalFile(folder));
      const all = [...(snapshot === undefined ? [] : snapshot.split(' ')), ...records];
      // Each once, in order, and no hole; records that were written and not yet acknowledged may be there too.
      expect(all).toEqual(all.map((_, i) => `${i}`));
      const there = new Set(all);
      expect(acknowledged.filter((record) => !there.has(record))).toEqual([]);
      await journal.close();
    }
    expect(acknowledged.length).toBeGreaterThan(1000);
  });
});

/** What all file handles share, to watch their flushes. */
async function fileHandlePrototype(folder: string): Promise<Pick<FileHandle, 'sync' | 'datasync'>> {
  const handle = await open(folder, 'r');
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}
