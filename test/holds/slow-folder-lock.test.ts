import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { budget, isLong } from '../budget.ts';
import type { Child } from '../journal/child.ts';
import { buildChildren, startChild } from '../journal/child.ts';

it.skipIf(process.platform === 'win32')(
  'six processes that take, leave and die again and again are never two at once',
  async () => {
    const base = await mkdtemp(path.join(tmpdir(), 'redflag-contend-'));
    await buildChildren(base);
    const marks = path.join(base, 'marks');
    await mkdir(marks);
    const end = Date.now() + budget(6_000);
    const said: string[] = [];

    async function keepOneRunning(): Promise<void> {
      while (Date.now() < end) {
        const child: Child = startChild(path.join(base, 'contend-forever.mjs'), [path.join(base, 'folder'), marks]);
        const stop = setTimeout(() => void child.kill(), end - Date.now());
        if (child.process.exitCode === null && child.process.signalCode === null) await once(child.process, 'exit');
        clearTimeout(stop);
        // The mark of a killed one, before the system gives its number to another process or thread.
        rmSync(path.join(marks, `${child.process.pid}`), { force: true });
        said.push(...child.lines);
      }
    }

    await Promise.all(Array.from({ length: 6 }, keepOneRunning));
    await rm(base, { recursive: true });
    expect(new Set(said)).toEqual(new Set(['held']));
    // How many there are depends on the machine: 35 to several hundred in a minute.
    expect(said.length).toBeGreaterThan(isLong ? 6 : 0);
  },
);
