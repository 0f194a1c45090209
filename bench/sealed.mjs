// The sealed look-up: steps of the VOPRF in Node and Chromium, requests of evaluations, a publication of a million
// identifiers and a replica of it. Each part has a process of its own. The service that publishes also answers.
import { strict as assert } from 'node:assert';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePage, bundleParts } from './sealed-bundle.mjs';

const PROCESS = fileURLToPath(new URL('sealed-process.mjs', import.meta.url));
/** On a busy machine, a turn would last until all threads of the garbage collector got a core. */
const FLAGS = ['--expose-gc', '--single-threaded-gc'];
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const FULL = {
  identifiers: 1_000_000,
  together: [1, 3, 32],
  slices: 11,
  /** Requests over HTTP. */
  amount: 800,
  binaries: [process.execPath],
  chromium: true,
  say: console.error,
};

/** With fewer identifiers and slices, the figures come sooner but are less exact. `binaries` are Node programs. */
export async function benchSealed(options = {}) {
  const { identifiers, together, slices, amount, binaries, chromium, say } = { ...FULL, ...options };
  await bundleParts();
  say('steps of the VOPRF');
  const runtimes = [];
  for (const binary of binaries) runtimes.push(await resultOf({ task: 'steps', together, slices }, binary));
  if (chromium && existsSync(CHROMIUM)) runtimes.push(await stepsInChromium({ together, slices }));
  const folder = await mkdtemp(join(tmpdir(), 'redflag-bench-'));
  try {
    const copy = join(folder, 'copy');
    await mkdir(copy);
    say(`filling a store with ${identifiers} identifiers`);
    const apiKey = await resultOf({ task: 'fill', folder, identifiers });
    await copyFile(join(folder, 'store.sqlite'), join(copy, 'store.sqlite'));
    say('requests of evaluations');
    const requests = await resultOf({ task: 'requests', copy, apiKey, slices });
    say('publications and the replica');
    return {
      identifiers,
      runtimes,
      requests,
      ...(await follow({ folder, copy, apiKey, identifiers, slices, amount })),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Publishes, downloads, queries, lives a day, and follows it. */
async function follow({ folder, copy, apiKey, identifiers, slices, amount }) {
  const service = open({ task: 'operate', folder, identifiers });
  try {
    const { published, port } = await service.next();
    const asking = { folder, copy, port, apiKey };
    const http = await resultOf({ task: 'http', amount, ...asking });
    const wire = await resultOf({ task: 'wire', ...asking });
    const downloaded = await resultOf({ task: 'download', ...asking });
    const { started, queries } = await resultOf({ task: 'query', slices, ...asking });
    service.send('a day later');
    const day = await service.next();
    // The reader of publications looks for a new one once a second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const followed = await resultOf({ task: 'follow', ...asking });
    const sizeOf = async (sequence, name) => (await stat(join(folder, 'sealed', `1-${sequence}`, name))).size;
    const bytes = {
      snapshot: await sizeOf(published.sequence, 'snapshot'),
      day: await sizeOf(day.sequence, 'snapshot'),
      store: (await stat(join(copy, 'store.sqlite'))).size,
    };
    return { published, http, wire, downloaded, started, queries, day, followed, bytes };
  } finally {
    await service.close();
  }
}

/** Starts a task in its own process. */
function open(options, execPath = process.execPath) {
  const child = fork(PROCESS, [JSON.stringify(options)], { execPath, execArgv: FLAGS });
  return {
    send: (message) => child.send(message),
    async next() {
      const answered = new AbortController();
      const { signal } = answered;
      try {
        const [{ result }] = await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(([code]) =>
            assert.fail(`"${options.task}" expected a result, got exit code ${code}`),
          ),
        ]);
        return result;
      } finally {
        answered.abort();
      }
    },
    async close() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      if (child.connected) child.disconnect();
      await exit;
    },
  };
}

async function resultOf(options, execPath) {
  const task = open(options, execPath);
  try {
    return await task.next();
  } finally {
    await task.close();
  }
}

/** Times the steps in a page. A page that is isolated has exact clocks. */
async function stepsInChromium(settings) {
  const { chromium } = await import('playwright-core');
  const script = await bundlePage();
  const server = createServer((request, response) => {
    response.setHeader('cross-origin-opener-policy', 'same-origin');
    response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.setHeader('content-type', request.url === '/' ? 'text/html' : 'text/javascript');
    response.end(request.url === '/' ? '<!doctype html><script type="module" src="/steps.js"></script>' : script);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => globalThis.timeSteps !== undefined);
    const steps = await page.evaluate((given) => globalThis.timeSteps({ ...given, voprf: globalThis.voprf }), settings);
    return { version: `Chromium ${browser.version()}`, steps };
  } finally {
    await browser.close();
    server.close();
  }
}
