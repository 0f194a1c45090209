import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const INPUTS = ['assembly', 'docs', 'scripts', 'src', 'asconfig.json', 'package.json', 'package-lock.json'];

it('says in one line that a fresh clone is built, and nothing if there is nothing to build', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'redflag-clone-'));
  try {
    for (const name of [...INPUTS, 'tsconfig.json'])
      await cp(join(ROOT, name), join(clone, name), {
        recursive: true,
        filter: (source) => !source.includes('.generated.'),
      });
    await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'dir');
    const build = () => promisify(execFile)(process.execPath, ['scripts/build.mjs', 'programs'], { cwd: clone });
    expect(await build()).toEqual({ stdout: '', stderr: 'Building redflag. The first build takes up to a minute.\n' });
    expect(await build()).toEqual({ stdout: '', stderr: '' });
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
});
