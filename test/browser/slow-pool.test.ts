import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as BrowserDoor from '../../src/browser.ts';
import type * as HashDoor from '../../src/hash.ts';
import { chainVectors } from '../vectors/chain.ts';
import { openBrowser, reasonToSkip } from './chromium.ts';

declare global {
  var doors: { readonly browser: typeof BrowserDoor; readonly hash: typeof HashDoor };
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-pool.test.ts skipped: ${skipped}`);

/** A worker has the policy of its own script's answer, so each folder serves all with its policy. */
const POLICIES: Readonly<Record<string, string>> = {
  wasm: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  strict: "default-src 'none'; script-src 'self'",
  'no-worker': "default-src 'none'; script-src 'self'; worker-src 'none'",
};

const ENTRY = `import * as browser from 'DIST/browser.js'; import * as hash from 'DIST/hash.js'; globalThis.doors = { browser, hash };`;

describe.skipIf(skipped !== undefined)('the pool of redflag/browser', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    // The output of a bundler that does not know workers: one file, and the script where the user put it.
    const bundled = await build({
      stdin: { contents: ENTRY.replaceAll('DIST', './dist'), resolveDir: ROOT },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    opened = await openBrowser(async (request, response) => {
      const [, folder = '', name = ''] = /^\/([a-z-]+)\/(.*)$/.exec(request.url!) ?? [];
      response.setHeader('content-security-policy', POLICIES[folder] ?? '');
      try {
        if (name === '' || name === 'bundled.html')
          response
            .setHeader('content-type', 'text/html')
            .end(`<!doctype html><script type="module" src="${name === '' ? 'page' : 'bundle'}.js"></script>`);
        else {
          response.setHeader('content-type', 'text/javascript');
          if (name === 'page.js') response.end(ENTRY.replaceAll('DIST', './dist'));
          else if (name === 'bundle.js') response.end(bundled.outputFiles[0]!.text);
          else if (name.startsWith('dist/')) response.end(await readFile(join(ROOT, 'dist', basename(name))));
          else response.writeHead(404).end();
        }
      } catch {
        response.writeHead(404).end();
      }
    });
  });

  afterAll(() => opened?.close());

  async function open(path: string): Promise<Page> {
    const page = await opened.browser.newPage();
    await page.goto(`${opened.origin}/${path}`);
    await page.waitForFunction(() => globalThis.doors !== undefined);
    return page;
  }

  it.each(['wasm', 'strict'])('gives every known answer in the page and in workers (%s)', async (policy) => {
    const page = await open(`${policy}/`);
    const inputs = chainVectors.cases.map(({ input }) => input);
    const answers = await page.evaluate(
      async ([values, others]) => {
        const pool = doors.browser.createHashPool({ size: 2 });
        const streamed: string[] = [];
        for await (const hash of pool.hashStream(values)) streamed.push(hash);
        const inPage: string[] = [];
        for await (const hash of doors.hash.hashStream(values)) inPage.push(hash);
        const pooled = await pool.hashIdentifiers(values);
        const more: string[][] = [];
        for (const { input, prefix, iterations } of others)
          more.push(await pool.hashIdentifiers([input], { prefix, iterations }));
        await pool.close();
        return { streamed, inPage, pooled, more };
      },
      [
        inputs,
        chainVectors.otherParameters.map(({ input, prefix, iterations }) => ({ input, prefix, iterations })),
      ] as const,
    );
    const known = chainVectors.cases.map(({ digest }) => digest);
    expect(answers).toEqual({
      streamed: known,
      inPage: known,
      pooled: known,
      more: chainVectors.otherParameters.map(({ digest }) => [digest]),
    });
    await page.close();
  });

  it('uses WebAssembly in a worker under wasm-unsafe-eval, and only there', async () => {
    const force = () =>
      doors.browser
        .createHashPool({ size: 1, hasher: 'scalar' })
        .hashIdentifiers(['x'], { iterations: 1 })
        .then(
          () => 'hashed',
          (error: Error) => error.message,
        );
    const allowed = await open('wasm/');
    expect(await allowed.evaluate(force)).toBe('hashed');
    const forbidden = await open('strict/');
    expect(await forbidden.evaluate(force)).toMatch(
      /^a hash worker could not hash the identifier at index 0: Error: "hasher": this platform forbids .*use plain/,
    );
    await Promise.all([allowed.close(), forbidden.close()]);
  });

  it('says what to do where workers are forbidden or their script is not found, and the page hears no error of its own', async () => {
    const ask = (options: object) =>
      doors.browser
        .createHashPool(options)
        .hashIdentifiers(['x', 'y'])
        .then(
          () => 'hashed',
          (error: Error) => `${error.name}: ${error.message}`,
        );
    const forbidden = await open('no-worker/');
    expect(await forbidden.evaluate(ask, { size: 1 })).toMatch(/^HashPoolError: a hash worker [^]+workerUrl$/);
    const page = await open('wasm/bundled.html');
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    expect(await page.evaluate(ask, { size: 1 })).toMatch(
      /^HashPoolError: a hash worker ended before it had hashed the identifiers at index 0 to 1: its script could not be loaded; [^]+workerUrl$/,
    );
    expect(await page.evaluate(ask, { size: 1, workerUrl: '/wasm/dist/hash-worker.js' })).toBe('hashed');
    expect(
      await page.evaluate(async () =>
        doors.browser
          .createHashPool({ size: 1, spawn: () => new Worker('/wasm/dist/hash-worker.js', { type: 'module' }) })
          .hashIdentifiers(['x'], { iterations: 1 }),
      ),
    ).toHaveLength(1);
    expect(failures).toEqual([]);
    await Promise.all([forbidden.close(), page.close()]);
  });

  it('lets an abort stop the workers', async () => {
    const page = await open('strict/');
    const { reason, next } = await page.evaluate(async () => {
      const pool = doors.browser.createHashPool({ size: 2 });
      const values = Array.from({ length: 50 }, (_, at) => `x${at}`);
      const signal = AbortSignal.timeout(200);
      const stopped = await pool
        .hashIdentifiers(values, { iterations: 2 ** 40, signal })
        .catch((error: Error) => error.name);
      return { reason: stopped, next: (await pool.hashIdentifiers(values, { iterations: 2 })).length };
    });
    expect({ reason, next }).toEqual({ reason: 'TimeoutError', next: 50 });
    await page.close();
  });

  it.each(['wasm', 'strict'])(
    'keeps the page alive while it works, in the page and in workers (%s)',
    async (policy) => {
      const page = await open(`${policy}/`);
      const ticks = await page.evaluate(async () => {
        const values = Array.from({ length: 40 }, (_, at) => `person${at}@example.com`);
        const during = async (
          work: () => Promise<unknown>,
        ): Promise<{ timers: number; frames: number; longest: number }> => {
          let timers = 0,
            frames = 0,
            longest = 0,
            last = performance.now(),
            on = true;
          const timer = setInterval(() => {
            timers++;
            longest = Math.max(longest, performance.now() - last);
            last = performance.now();
          }, 1);
          const frame = (): void => {
            frames++;
            if (on) requestAnimationFrame(frame);
          };
          requestAnimationFrame(frame);
          await work();
          on = false;
          clearInterval(timer);
          return { timers, frames, longest };
        };
        const pool = doors.browser.createHashPool({ size: 2 });
        return [
          await during(() => doors.hash.hashIdentifiers(values, { hasher: 'plain' })),
          await during(async () => {
            for await (const _ of doors.hash.hashStream(values, { hasher: 'plain' }));
          }),
          await during(() => pool.hashIdentifiers(values)),
        ];
      });
      console.log(policy, JSON.stringify(ticks));
      // In the page, timers had a turn for every other identifier at least; the pool is done after few.
      for (const [at, { timers, frames }] of ticks.entries()) {
        expect(timers).toBeGreaterThanOrEqual(at === 2 ? 5 : 20);
        expect(frames).toBeGreaterThanOrEqual(2);
      }
      await page.close();
    },
  );
});
