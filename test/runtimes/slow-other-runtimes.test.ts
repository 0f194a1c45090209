import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The built program on a Node that is too old, and on Bun.
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const PROGRAM = path('../../dist/cli.js');
const BINARIES = { node18: path('node_modules/node18/bin/node'), bun: path('node_modules/bun/bin/bun') };

/** Every command, as the help lists them. */
const COMMANDS = [
  ...new Set(
    [
      ...execFileSync(process.execPath, [PROGRAM, '--help'], { encoding: 'utf8' }).matchAll(/^  redflag ([a-z]+)/gm),
    ].map(([, command]) => command!),
  ),
];
const REFUSAL = expect.stringMatching(/^redflag: this is Node 18\.[\d.]+; use .* 20\.19, 22\.12 or newer\n$/) as string;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redflag-other-runtimes-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

for (const [name, binary] of Object.entries(BINARIES)) {
  // In CI, a missing runtime is a failure and no reason to skip.
  const skipped = !existsSync(binary) && !process.env['CI'];
  if (skipped)
    console.warn(
      `test/runtimes/slow-other-runtimes.test.ts, ${name}: skipped, it is not installed (npm install --prefix test/runtimes)`,
    );
  const run = async (...args: string[]) => {
    const answer = promisify(execFile)(binary, [PROGRAM, ...args], { cwd: folder, timeout: 60_000 });
    return answer.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: unknown; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };

  describe.skipIf(skipped)(name, () => {
    if (name === 'node18')
      it('is refused before anything is written', async () => {
        expect(await run('serve', '--port', '0')).toEqual({ code: 1, stdout: '', stderr: REFUSAL });
        expect(await readdir(folder)).toEqual([]);
      });
    if (name === 'node18')
      it.each(COMMANDS)('redflag %s is refused, too', async (command) => {
        expect(await run(command, '--data', 'here')).toMatchObject({ code: 1, stdout: '', stderr: REFUSAL });
        expect(await readdir(folder)).toEqual([]);
      });
    else
      it('runs a command to its end', async () => {
        expect(await run('hash', 'ada@example.com')).toEqual({
          code: 0,
          stdout: expect.stringMatching(/^[0-9a-f]{40}\n$/) as string,
          stderr: '',
        });
      });
  });
}
