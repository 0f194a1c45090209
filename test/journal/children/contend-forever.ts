import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockFolder } from '../../../src/stores/holds/folder-lock.ts';
import { FolderInUseError } from '../../../src/stores/holds/in-use.ts';

/**
 * Locks the folder (first argument) again and again. While it holds the lock, a file named after its process is in the
 * second argument's folder. Prints `held`, or `two` if a living process has such a file too, or the error. Every other
 * time it exits with the lock held.
 */
const [, , folder, marks] = process.argv as [string, string, string, string];
const own = `${process.pid}`;

function isAlive(pid: string): boolean {
  try {
    // A killed process answers signals until its parent has fetched its end; its command line is empty by then.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

for (;;) {
  try {
    const lock = await lockFolder(folder);
    writeFileSync(path.join(marks, own), '');
    const two = readdirSync(marks).some((name) => name !== own && isAlive(name));
    process.stdout.write(two ? 'two\n' : 'held\n');
    await new Promise((resolve) => setTimeout(resolve, 15 * Math.random()));
    if (Math.random() < 0.5) process.kill(process.pid, 'SIGKILL');
    rmSync(path.join(marks, own));
    await lock.release();
  } catch (error) {
    if (!(error instanceof FolderInUseError)) process.stdout.write(`${String(error)}\n`);
  }
}
