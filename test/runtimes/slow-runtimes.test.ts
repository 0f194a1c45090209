import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The built package on every other supported version of Node: each door from ESM and from CommonJS, and what it
// promises for kill -9.
const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '../..');
const CONSUMER = join(HERE, '../consumer');
/** The doors that also have a file for require. */
const TWINS = Object.entries(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: Record<string, object> }).exports,
).flatMap(([name, conditions]) => (Object.hasOwn(conditions, 'require') ? [`redflag${name.slice(1)}`] : []));
const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};
const RUNTIMES = [
  { name: 'this one', version: process.version, binary: process.execPath },
  ...Object.entries(dependencies).map(([name, from]) => ({
    name,
    version: `v${from.split('@').at(-1)!}`,
    binary: join(HERE, 'node_modules', name, 'bin/node'),
  })),
];

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-runtimes-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

for (const { name, version, binary } of RUNTIMES) {
  // In CI, a missing runtime is a failure and no reason to skip.
  const skipped = !existsSync(binary) && !process.env['CI'];
  if (skipped)
    console.warn(
      `test/runtimes/slow-runtimes.test.ts, ${name}: skipped, it is not installed (npm install --prefix test/runtimes)`,
    );

  describe.skipIf(skipped)(`Node ${version} (${name})`, () => {
    const run = promisify(execFile);

    it('is the version that it is called', async () => {
      expect((await run(binary, ['--version'])).stdout).toBe(`${version}\n`);
    });

    // slow-package.test.ts does this with the Node of this process.
    it.skipIf(binary === process.execPath).each(['from-esm.mjs', 'from-cjs.cjs'])(
      'every door does its work %s',
      async (script) => {
        const { stdout, stderr } = await run(binary, [join(CONSUMER, script), join(root, `${name}-${script}`)]);
        expect({ stdout, stderr }).toEqual({ stdout: 'every door works\n', stderr: '' });
      },
    );

    // As in Jest, and in Node before 20.19: `require` takes no ES module there.
    it('requires the doors of the library where no ES module can be required', async () => {
      const code = `for (const door of ${JSON.stringify(TWINS)}) console.log(door, Object.keys(require(door)).length > 0)`;
      const { stdout } = await run(binary, ['--no-experimental-require-module', '-e', code], { cwd: ROOT });
      expect(stdout).toBe(TWINS.map((door) => `${door} true\n`).join(''));
    });

    it('finds after kill -9 what it had acknowledged', async () => {
      const folder = join(root, `${name}-killed`);
      const child = spawn(binary, [join(CONSUMER, 'write-until-killed.mjs'), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
        if (out.split('\n').length > 200) child.kill('SIGKILL');
      });
      expect((await once(child, 'close'))[1]).toBe('SIGKILL');
      // Text after the last line end was not printed completely.
      const [apiKey, ...acknowledged] = out.slice(0, out.lastIndexOf('\n')).split('\n');
      expect(acknowledged.length).toBeGreaterThan(150);
      expect(
        (await run(binary, [join(CONSUMER, 'read-again.mjs'), folder, apiKey!, acknowledged.at(-1)!])).stdout,
      ).toBe('all there\n');
    });

    it('hashes with any prefix', async () => {
      expect((await run(binary, [join(CONSUMER, 'any-prefix.mjs')])).stdout).toBe('every prefix works\n');
    });

    it('runs the program', async () => {
      const { stdout } = await run(binary, [join(HERE, '../../dist/cli.js'), 'hash', 'client@example.com']);
      expect(stdout).toBe('e6046ea1e61328d5ad100fdf7507b841b5112932\n');
    });
  });
}
