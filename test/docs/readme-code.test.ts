import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type RunningService } from '../cli/service.ts';

// The TypeScript of the README, run as a user would run it: on the built package, by its name.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BLOCKS = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  (match) => match[1]!,
);
const blockWith = (text: string): string => {
  const found = BLOCKS.filter((block) => block.includes(text));
  expect(found, `one block with ${text}`).toHaveLength(1);
  return found[0]!;
};

let folder: string;
beforeAll(async () => {
  // Inside the package, so that its own name leads to its doors.
  await mkdir(join(ROOT, 'build'), { recursive: true });
  folder = await mkdtemp(join(ROOT, 'build/readme-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(name: string, code: string): Promise<string> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, (await transform(code, { loader: 'ts', format: 'esm' })).code);
  const child = spawn(process.execPath, [file], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const exit = await new Promise((resolve) => child.once('close', resolve));
  expect({ exit, err }).toEqual({ exit: 0, err: '' });
  return out;
}

describe('the code in the README', () => {
  it('embeds an engine', async () => {
    const out = await run('embed', blockWith('const receipt ='));
    expect(out).toMatch(/^code [0-9a-f]{16}\n/);
    expect(out).toContain('points: 52');
    expect(out).toContain('reliability: 6.7');
  });

  it('opens a folder', async () => {
    const code = `${blockWith('openFolderStore')}\nconsole.log(await store.count()); await store.close();`;
    expect(await run('folder', code)).toContain('reports: 0');
    expect(await run('folder', code)).toContain('reports: 0');
  });

  it('hashes many, on a pool', async () => {
    await writeFile(join(folder, 'addresses.txt'), 'client@example.com\r\n11.22.33.44\n');
    const code = blockWith('hashStream').replace('console.error(done)', 'console.log(done)');
    // The last progress may come twice, when a slow machine has taken longer than the pause between two.
    expect(await run('many', code)).toMatch(
      /^e6046ea1e61328d5ad100fdf7507b841b5112932\nff0319b1eff8a96426c08d797f5d61eefc2c3574\n(2\n)+$/,
    );
  });

  it('gives the same bytes in offline test mode', async () => {
    const code = `${blockWith('createSeededRandom')}
      const { reporterId } = unwrap(await engine.createReporter({ name: 'x' }));
      console.log((await engine.issueKey({ reporterId })).value.apiKey, now);`.replace(
      'createSeededRandom }',
      'createSeededRandom, unwrap }',
    );
    const first = await run('offline', code);
    expect(first).toMatch(/^[0-9a-f]{16} 1767225600000\n$/);
    expect(await run('offline', code)).toBe(first);
  });

  it('queries a service as a client', async () => {
    const service: RunningService = await startService(['--data', join(folder, 'service')]);
    try {
      const code = `const apiKey = '${service.apiKey!}';
        const identifiers = [{ kind: 'email', hash: '${'a'.repeat(40)}' }];
        ${blockWith('createClient').replace('https://reports.example', service.apiUrl.replace(/\/api\/$/, ''))}
        console.log(points, reported, reliability, link);`;
      expect(await run('client', code)).toMatch(/^0 0 0 http:\/\/127\.0\.0\.1:\d+\/report\/[0-9a-f]{40}\n$/);
    } finally {
      await service.stop('SIGTERM');
    }
  });
});
