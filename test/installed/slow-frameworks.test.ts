import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeHttp, type HttpContractOptions } from '../contract/http.ts';
import { startExample, type ExampleCommand } from '../examples/start-example.ts';
import { freePort } from '../free-port.ts';
import { createProject, PACKAGES, reasonToSkip, type Project } from './install.ts';

// The examples for other runtimes and for frameworks with a build, in a project with the packed package.
const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const RUNTIMES = fileURLToPath(new URL('../runtimes/node_modules/', import.meta.url));

interface Framework {
  readonly example: string;
  readonly needs: readonly string[];
  /** Copies the example, builds it, and returns how it starts. */
  readonly prepare: (project: Project) => Promise<(port: number) => ExampleCommand>;
  readonly node?: string;
  readonly contract?: HttpContractOptions;
}

/** Copies the example and the part that all examples share, as examples/README.md says. */
async function copy({ folder }: Project, example: string): Promise<void> {
  const isFolder = !example.endsWith('.mjs');
  await cp(join(EXAMPLES, example), isFolder ? folder : join(folder, example), { recursive: true });
  await cp(join(EXAMPLES, 'engine.mjs'), join(folder, 'engine.mjs'));
}

/** As `npm pkg set type=module` of the examples' commands. */
async function setModuleType(folder: string): Promise<void> {
  const file = join(folder, 'package.json');
  const written = JSON.parse(await readFile(file, 'utf8')) as object;
  await writeFile(file, JSON.stringify({ ...written, type: 'module' }));
}

const BUN = join(RUNTIMES, 'bun/bin/bun');
const DENO = join(RUNTIMES, 'deno/deno');
const NODE22 = join(RUNTIMES, 'node22/bin/node');

const FRAMEWORKS: readonly Framework[] = [
  {
    example: 'bun.mjs',
    needs: [BUN],
    prepare:
      async ({ folder }) =>
      () => ({ program: BUN, args: ['bun.mjs'], cwd: folder }),
  },
  {
    example: 'deno.mjs',
    needs: [DENO],
    prepare:
      async ({ folder }) =>
      () => ({
        program: DENO,
        args: ['run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env', '--allow-read=node_modules', 'deno.mjs'],
        cwd: folder,
      }),
  },
  {
    example: 'next',
    needs: [join(PACKAGES, 'next')],
    contract: { joinsSlashes: true },
    async prepare({ folder, run }) {
      await setModuleType(folder);
      await run('next/dist/bin/next', 'build');
      return (port) => ({
        program: process.execPath,
        args: [join(PACKAGES, 'next/dist/bin/next'), 'start', '--port', String(port), '--hostname', '127.0.0.1'],
        cwd: folder,
        env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      });
    },
  },
  {
    example: 'sveltekit',
    needs: [join(PACKAGES, '@sveltejs/kit'), NODE22],
    node: NODE22,
    async prepare({ folder, run }) {
      await setModuleType(folder);
      await run('vite/bin/vite.js', 'build');
      return () => ({ program: NODE22, args: ['build/index.js'], cwd: folder, env: { HOST: '127.0.0.1' } });
    },
  },
  {
    example: 'workerd',
    needs: [join(RUNTIMES, 'miniflare')],
    prepare:
      async ({ folder }) =>
      () => ({
        program: process.execPath,
        args: [fileURLToPath(new URL('serve-worker.mjs', import.meta.url)), folder],
        cwd: folder,
      }),
  },
];

let installed: Project;
beforeAll(async () => {
  if (FRAMEWORKS.some(({ needs }) => reasonToSkip(...needs) === undefined)) installed = await createProject();
});
afterAll(() => installed?.remove());

for (const { example, needs, prepare, node, contract } of FRAMEWORKS) {
  const skipped = reasonToSkip(...needs);
  if (skipped !== undefined) console.warn(`test/installed/slow-frameworks.test.ts, ${example} skipped: ${skipped}`);
  describe.skipIf(skipped !== undefined)(`examples/${example}`, () => {
    let project: Project;
    let start: (port: number) => ExampleCommand;
    beforeAll(async () => {
      project = await installed.copy(node);
      await copy(project, example);
      start = await prepare(project);
    });
    afterAll(() => project?.remove());
    describeHttp('as a server', () => startExample(start), contract);

    if (example === 'workerd')
      it('keeps the reporter and its secret between starts, and logs that the secret is another one', async () => {
        const kept = { PERSIST: join(project.folder, 'kept'), SECRET: 'the first secret of the test' };
        const first = await startExample((port) => ({ ...start(port), env: kept }));
        await first.close?.();
        const PORT = String(await freePort());
        const { program, args, cwd } = start(Number(PORT));
        for (const [SECRET, status] of [
          [kept.SECRET, 200],
          ['another secret of the test', 503],
        ] as const) {
          const child = spawn(program, args, { cwd, env: { ...process.env, ...kept, SECRET, PORT }, detached: true });
          let printed = '';
          for (const stream of [child.stdout, child.stderr])
            stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
          try {
            const body = new URLSearchParams({ _api: first.apiKey, _action: 'query', email: '0'.repeat(40) });
            const query = () => fetch(`http://127.0.0.1:${PORT}/fraud/api/`, { method: 'POST', body });
            await expect.poll(() => query().then((reply) => reply.status, String)).toBe(status);
            if (status === 503) await expect.poll(() => printed).toContain('store-unavailable: SecretError');
            expect(printed).not.toContain('API key');
          } finally {
            process.kill(-child.pid!, 'SIGKILL');
            await once(child, 'close');
          }
        }
      });

    if (example === 'next')
      it('takes the address of a client only from a declared proxy', async () => {
        // More wrong keys than one address may send in a minute.
        const statuses = async (env: Readonly<Record<string, string>>): Promise<Set<number>> => {
          const { base, send, close } = await startExample((port) => {
            const command = start(port);
            return { ...command, env: { ...command.env, ...env } };
          });
          const answered = new Set<number>();
          for (let at = 0; at < 25; at++) {
            const body = new URLSearchParams({ _action: 'query', _api: 'f'.repeat(16), email: 'a'.repeat(40) });
            const headers = { 'X-Forwarded-For': `198.51.100.${at}` };
            answered.add((await send(new Request(`${base}/api/`, { method: 'POST', headers, body }))).status);
          }
          await close?.();
          return answered;
        };
        expect(await statuses({})).toContain(429);
        expect(await statuses({ BEHIND_PROXY: '1' })).toEqual(new Set([401]));
      });

    if (example === 'sveltekit')
      it('still refuses forms of other sites on the other paths', async () => {
        const { base, send, close } = await startExample(start);
        const body = 'name=value';
        const post = async (path: string, type = 'application/x-www-form-urlencoded') => {
          const headers = { 'Content-Type': type };
          return (await send(new Request(new URL(path, base), { method: 'POST', headers, body }))).status;
        };
        expect(await post('/account')).toBe(403);
        expect(await post('/account', 'Multipart/Form-Data; boundary=x')).toBe(403);
        expect(await post('/account', 'text/plain')).toBe(403);
        expect(await post('/account', '')).toBe(403);
        // The project has no such page.
        expect(await post('/webhook', 'application/json')).toBe(404);
        expect(await post('/fraud/api/')).toBe(400);
        await close?.();
      });
  });
}
