import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import type net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addressOf, connectToFolder } from '../../src/stores/holds/control-socket.ts';
import { lockFolder } from '../../src/stores/holds/folder-lock.ts';
import { FolderInUseError } from '../../src/stores/holds/in-use.ts';
import { FolderError } from '../../src/stores/holds/folder-error.ts';
import { budget } from '../budget.ts';
import type { Child } from '../journal/child.ts';
import { buildChildren, startChild } from '../journal/child.ts';

const CONTROL = 'control.sock';

describe.skipIf(process.platform === 'win32')('the folder lock', () => {
  let base: string;
  let folder: string;
  let number = 0;

  beforeAll(async () => {
    base = await mkdtemp(path.join(tmpdir(), 'redflag-lock-'));
    await buildChildren(path.join(base, 'children'));
  });
  beforeEach(() => {
    folder = path.join(base, `${number++}`);
  });
  afterEach(() => Promise.all(started.splice(0).map((child) => child.kill())));
  afterAll(() => rm(base, { recursive: true, force: true }));

  const started: Child[] = [];
  const startHolder = (): Child => {
    const child = startChild(path.join(base, 'children', 'hold-folder.mjs'), [folder]);
    started.push(child);
    return child;
  };

  /** Lets these programs try at one moment and gives what each of them said. */
  async function race(children: readonly Child[]): Promise<string[]> {
    await Promise.all(children.map((child) => child.line(0)));
    for (const child of children) child.process.stdin!.write('\n');
    return Promise.all(children.map((child) => child.line(1)));
  }

  it("is one's alone, also within a process, and can be had again", async () => {
    const lock = await lockFolder(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, CONTROL))).mode & 0o777).toBe(0o600);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    await expect(lockFolder(folder)).rejects.toThrow(
      `the folder ${folder} is in use: this or another process has it open`,
    );
    await lock.release();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    const again = await lockFolder(folder);
    await again.release();
  });

  it('restores its name if another contender moved it away by mistake, and stays the holder', async () => {
    const marks: string[][] = [];
    const { setTimeout } = timers;
    const setTimers = (wait: typeof setTimeout): void => {
      timers.setTimeout = wait;
      syncBuiltinESMExports();
    };
    // The other contender moves the name while this one waits for others to settle.
    setTimers(async (milliseconds, value) => {
      marks.push((await readdir(folder)).filter((name) => name.startsWith('control.held.')));
      await rm(path.join(folder, CONTROL), { force: true });
      return setTimeout(milliseconds, value);
    });
    const lock = await lockFolder(folder).finally(() => setTimers(setTimeout));
    expect(marks).toEqual([[expect.any(String)]]);
    expect((await readdir(folder)).sort()).toEqual([...marks[0]!, CONTROL]);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('goes to one of many who try at once within a process', async () => {
    for (let round = 0; round < 10; round++) {
      const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
      const held = tries.filter((one) => one.status === 'fulfilled');
      expect(held).toHaveLength(1);
      for (const one of tries) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(FolderInUseError);
      await held[0]!.value.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('is refused to another process while it is held, and free after kill -9', async () => {
    const holder = startHolder();
    expect(await race([holder])).toEqual(['held']);
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    await holder.kill();
    expect(await readdir(folder)).toContain(CONTROL);
    const lock = await lockFolder(folder);
    const names = await readdir(folder);
    expect(names).toHaveLength(2);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is refused while the holder is only stopped', async () => {
    const holder = startHolder();
    await race([holder]);
    holder.process.kill('SIGSTOP');
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    await holder.kill();
  });

  it('goes to exactly one of several processes that find a dead holder at the same time', async () => {
    let holder = startHolder();
    await race([holder]);
    for (let round = 0; round < budget(1); round++) {
      const contenders = Array.from({ length: 5 }, startHolder);
      await Promise.all(contenders.map((child) => child.line(0)));
      await holder.kill();
      const said = await race(contenders);
      expect([...said].sort()).toEqual(['held', 'in use', 'in use', 'in use', 'in use']);
      holder = contenders[said.indexOf('held')]!;
      const socket = await connectToFolder(folder);
      expect(socket).toBeDefined();
      socket!.destroy();
      await Promise.all(contenders.filter((child) => child !== holder).map((child) => child.kill()));
    }
    await holder.kill();
  });

  it('gives no second holder, and its name back, when somebody moves the name away', async () => {
    const lock = await lockFolder(folder);
    lock.onConnection((socket) => void socket.end('first'));
    await rm(path.join(folder, CONTROL), { force: true });
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    expect(await readAll(await connectToFolder(folder))).toBe('first');
    await lock.release();
  });

  it('is a socket to talk over', async () => {
    expect(await connectToFolder(folder)).toBeUndefined();
    const lock = await lockFolder(folder);
    // Nobody answers yet.
    expect(await readAll(await connectToFolder(folder))).toBe('');
    lock.onConnection((socket) => {
      socket.on('data', (data) => void socket.end(`you said ${data.toString()}`));
    });
    const socket = await connectToFolder(folder);
    socket!.write('hello');
    expect(await readAll(socket)).toBe('you said hello');
    const open = await connectToFolder(folder);
    await lock.release();
    await readAll(open);
    expect(await connectToFolder(folder)).toBeUndefined();
  });

  it('finds nobody behind what a dead process left', async () => {
    const holder = startHolder();
    await race([holder]);
    await holder.kill();
    expect(await connectToFolder(folder)).toBeUndefined();
  });

  it('does not keep its process alive', async () => {
    const holder = startHolder();
    await race([holder]);
    holder.process.stdin!.end();
    const [code] = (await once(holder.process, 'exit')) as [number | null];
    expect(code).toBe(0);
  });

  it('works in a folder with a long path where the system can, and says so where not', async () => {
    folder = path.join(base, 'a'.repeat(100), 'b'.repeat(100));
    await mkdir(folder, { recursive: true });
    if (process.platform !== 'linux') {
      await expect(lockFolder(folder)).rejects.toThrow(RangeError);
      return;
    }
    const lock = await lockFolder(folder);
    lock.onConnection((socket) => void socket.end('here'));
    expect(await readAll(await connectToFolder(folder))).toBe('here');
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError);
    const other = startHolder();
    expect(await race([other])).toEqual(['in use']);
    await other.kill();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    expect(await race([startHolder()])).toEqual(['held']);
  });

  it('measures a path in bytes', async () => {
    const short = await addressOf('/x', CONTROL);
    expect(short.path).toBe('/x/control.sock');
    if (process.platform !== 'linux') return;
    const wide = path.join(base, 'ü'.repeat(45));
    await mkdir(wide);
    const address = await addressOf(wide, CONTROL);
    expect(address.path).toMatch(/^\/proc\/self\/fd\/\d+\/control\.sock$/);
    await address.release();
  });

  it('leaves a file alone that is no socket', async () => {
    await mkdir(folder);
    await writeFile(path.join(folder, CONTROL), 'mine');
    await expect(lockFolder(folder)).rejects.toThrow('not a socket');
    expect(await readdir(folder)).toEqual([CONTROL]);
    await writeFile(path.join(base, 'file'), '');
    await expect(lockFolder(path.join(base, 'file'))).rejects.toThrow(FolderError);
  });
});

async function readAll(socket: net.Socket | undefined): Promise<string> {
  let all = '';
  for await (const data of socket!) all += String(data);
  return all;
}
