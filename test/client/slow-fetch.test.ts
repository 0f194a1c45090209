import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';

// The client with the fetch of every runtime of test/runtimes, of a browser, and of workerd.
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const INSTALLED = path('../runtimes/node_modules');
const LISTED = readFileSync(path('../runtimes/package.json'), 'utf8');
const NODE_22 = join(INSTALLED, 'node22/bin/node');
const HASH = 'a'.repeat(40);
const RESULT = { points: 1, reported: 1, reliability: 1, link: `https://flags.example/report/${HASH}`, linkHash: HASH };

const EXPECTED = {
  ok: RESULT,
  view: [],
  busy: RESULT,
  cut: RESULT,
  redirect: 'UnexpectedResponseError',
  silent: 'TimeoutError',
  stalled: 'TimeoutError',
  stopped: 'stopped',
  endless: 'ReplyTooLargeError',
  report: 'lost connection',
};

/** How to run a module that prints, in each runtime that test/runtimes installs. */
const RUNTIMES: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  'this Node': [process.execPath],
  node22: [NODE_22],
  node24: [join(INSTALLED, 'node24/bin/node')],
  node26: [join(INSTALLED, 'node26/bin/node')],
  bun: [join(INSTALLED, 'bun/bin/bun')],
  deno: [join(INSTALLED, 'deno/deno'), 'run', '--allow-net'],
};

let folder: string;
let server: Server;
/** Requests so far, by path. */
const requests = new Map<string, number>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redflag-fetch-'));
  const shared = { bundle: true, format: 'esm', logLevel: 'silent', target: 'es2022' } as const;
  const exercise = path('exercise.ts');
  await build({ ...shared, entryPoints: [exercise], outfile: join(folder, 'exercise.mjs') });
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const run = `import { exercise } from './exercise.mjs';\nconsole.log(await exercise('${originOf(server)}'));\n`;
  await writeFile(join(folder, 'run.mjs'), run);
  const worker = `import { exercise } from ${JSON.stringify(exercise)};
    export default { fetch: async () => new Response(await exercise('${originOf(server)}')) };`;
  await build({ ...shared, stdin: { contents: worker, resolveDir: folder }, outfile: join(folder, 'worker.mjs') });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => requests.clear());

function originOf(of: Server): string {
  return `http://127.0.0.1:${(of.address() as AddressInfo).port}`;
}

const answer: RequestListener = (request, response) => {
  request.resume();
  const [, name = ''] = request.url!.split('/');
  const count = (requests.get(name) ?? 0) + 1;
  requests.set(name, count);
  const isView = request.url!.includes('showreport');
  const result = isView ? '{"ReportAdvanceds":[],"count":0}' : `1-1-1.0-https://flags.example/report/${HASH}\r\n`;
  if (name === 'ok') return response.end(result);
  if (name === 'busy') return response.writeHead(count < 3 ? 503 : 200).end(count < 3 ? 'ERROR: Wait.' : result);
  if (name === 'cut') {
    if (count > 2) return response.end(result);
    // The second time in the middle of the body.
    if (count === 1) return request.socket.destroy();
    response.writeHead(200, { 'content-length': '1000' }).write('1-1-', () => request.socket.destroy());
  }
  if (name === 'lost') return request.socket.destroy();
  if (name === 'redirect') return response.writeHead(302, { location: `/ok/api/` }).end();
  if (name === 'stalled') response.writeHead(200).write('1-1-');
  if (name === 'endless') {
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  }
};

function expectAll(printed: string): void {
  expect(JSON.parse(printed)).toEqual(EXPECTED);
  // A report and a redirected request are sent once, and nothing follows the redirect.
  expect([requests.get('ok'), requests.get('redirect'), requests.get('lost')]).toEqual([2, 1, 1]);
}

for (const [name, [program, ...args]] of Object.entries(RUNTIMES)) {
  const isListed = name === 'this Node' || LISTED.includes(`"${name}"`);
  // In CI, a missing runtime is a failure and no reason to skip.
  const skipped = !process.env['CI'] && (!isListed || !existsSync(program));
  if (skipped) console.warn(`test/client/slow-fetch.test.ts: skipped, no ${name} (npm install --prefix test/runtimes)`);
  it.skipIf(skipped)(`the client works with the fetch of ${name}`, async () => {
    expectAll((await promisify(execFile)(program, [...args, join(folder, 'run.mjs')])).stdout);
  });
}

const noBrowser = reasonToSkip();
if (noBrowser !== undefined) console.warn(`test/client/slow-fetch.test.ts: skipped, ${noBrowser}`);
it.skipIf(noBrowser !== undefined)('the client works with the fetch of a browser', async () => {
  const opened = await openBrowser((request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end('<!doctype html>');
    if (request.url !== '/exercise.mjs') return answer(request, response);
    response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, 'exercise.mjs')));
  });
  try {
    const page = await opened.browser.newPage();
    await page.goto(opened.origin);
    const code = `import('/exercise.mjs').then(({ exercise }) => exercise('${opened.origin}'))`;
    expectAll((await page.evaluate(code)) as string);
  } finally {
    await opened.close();
  }
});

const noWorkerd = !LISTED.includes('"miniflare"') || (!existsSync(join(INSTALLED, 'miniflare')) && !process.env['CI']);
if (noWorkerd)
  console.warn('test/client/slow-fetch.test.ts: skipped, no miniflare (npm install --prefix test/runtimes)');
it.skipIf(noWorkerd)('the client works with the fetch of workerd', async () => {
  const script = `import { Miniflare } from ${JSON.stringify(join(INSTALLED, 'miniflare/dist/src/index.js'))};
    import { readFileSync } from 'node:fs';
    const script = readFileSync(${JSON.stringify(join(folder, 'worker.mjs'))}, 'utf8');
    const flare = new Miniflare({ modules: true, script, compatibilityDate: '2025-01-01' });
    console.log(await (await flare.dispatchFetch('http://worker/')).text());
    await flare.dispose();`;
  await writeFile(join(folder, 'workerd.mjs'), script);
  // The newest miniflare needs Node 22.
  expectAll((await promisify(execFile)(NODE_22, [join(folder, 'workerd.mjs')])).stdout);
});
