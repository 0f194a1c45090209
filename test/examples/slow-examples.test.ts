import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeHttp } from '../contract/http.ts';
import { startExample } from './start-example.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

/**
 * The examples for servers on Node, and how an application with a parser before the service differs: the text on the
 * left is replaced. test/installed/slow-frameworks.test.ts runs the other examples.
 */
const PARSERS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'express.mjs': [["app.use('/fraud'", "app.use(express.urlencoded({ extended: false }));\napp.use('/fraud'"]],
  'fastify.mjs': [['app.register(', "app.register((await import('@fastify/formbody')).default);\napp.register("]],
  'fetch.mjs': [
    ['fetch: (request', 'fetch: async (request'],
    [
      '{ address: ',
      "{ body: request.method === 'POST' ? await request.formData().catch(() => null) : undefined, address: ",
    ],
  ],
  'hono.mjs': [
    ['(context) =>', 'async (context) =>'],
    // `all` keeps repeated fields, so that they are refused instead of lost. Null marks an unreadable body.
    [
      '{ address: ',
      "{ body: context.req.method === 'POST' ? await context.req.parseBody({ all: true }).catch(() => null) : undefined, address: ",
    ],
  ],
  'koa.mjs': [['app.use(', "app.use((await import('@koa/bodyparser')).bodyParser({ encoding: 'utf-8' }));\napp.use("]],
  'node-http.mjs': [
    ['((request, response) => {', '(async (request, response) => {'],
    [
      "if (request.url.startsWith('/fraud/')) ",
      "if (request.method === 'POST') request.body = await (await import('node:stream/consumers')).text(request);\n  $&",
    ],
  ],
};

for (const [example, changes] of Object.entries(PARSERS)) {
  const text = readFileSync(EXAMPLES + example, 'utf8');
  describeHttp(`examples/${example}`, () =>
    startExample(() => ({ program: process.execPath, args: [example], cwd: EXAMPLES })),
  );
  const changed = changes.reduce((code, [from, to]) => code.replace(from, to), text);
  describeHttp(
    `examples/${example}, its parser first`,
    () =>
      startExample(() => ({
        program: process.execPath,
        args: ['--input-type=module', '--eval', changed],
        cwd: EXAMPLES,
      })),
    // Fastify gives the service its own parsers.
    { parsedFirst: example !== 'fastify.mjs' },
  );
  it(`examples/${example} is changed by each replacement`, () => {
    for (const [from] of changes) expect(text).toContain(from);
  });
}

it('engine.mjs starts again with a lasting store, as its comment says', () => {
  const root = mkdtempSync(join(tmpdir(), 'redflag-example-'));
  const folder = join(root, 'data');
  let code = readFileSync(`${EXAMPLES}engine.mjs`, 'utf8');
  // The lines of the comment replace those below it.
  const advised = [...code.matchAll(/^\/\/ {2}(const (\w+) = .*)$/gm)];
  expect(advised.map(([, , name]) => name)).toEqual(['store', 'secret']);
  for (const [, line, name] of advised) code = code.replace(new RegExp(`^const ${name} = .*$`, 'm'), line!);
  code = `import { openFolderStore } from 'redflag/node';\n${code.replaceAll("'redflag-data'", JSON.stringify(folder))}`;
  const start = (SECRET?: string) => {
    const env = { ...process.env, SECRET };
    const ended = `${code}\nawait engine.close();\nawait store.close();`;
    const args = ['--input-type=module', '--eval', ended];
    return spawnSync(process.execPath, args, { cwd: EXAMPLES, env, encoding: 'utf8' });
  };
  try {
    expect(start()).toMatchObject({ status: 1, stderr: expect.stringContaining('"secret"') as string });
    const secret = 'a secret of the test, at least sixteen bytes';
    expect(start(secret)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^API key: /m) as string });
    const again = start(secret);
    expect(again).toMatchObject({ status: 0, stderr: '' });
    expect(again.stdout).not.toContain('API key');
  } finally {
    rmSync(root, { recursive: true });
  }
});
