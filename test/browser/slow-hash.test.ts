import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as Door from '../../src/hash.ts';
import { chainVectors } from '../vectors/chain.ts';
import { openBrowser, reasonToSkip } from './chromium.ts';

declare global {
  /** The door, as the page's script defines it. */
  var redflagHash: typeof Door;
}

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-hash.test.ts skipped: ${skipped}`);

const POLICIES: Readonly<Record<string, string>> = {
  '/wasm': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  '/strict': "default-src 'none'; script-src 'self'",
};

describe.skipIf(skipped !== undefined)('the hash door in a browser', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    const bundle = await build({
      entryPoints: [fileURLToPath(new URL('../../src/hash.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'redflagHash',
      platform: 'browser',
      target: 'es2022',
    });
    const script = bundle.outputFiles[0]!.text;
    opened = await openBrowser((request, response) => {
      const policy = POLICIES[request.url ?? ''];
      if (request.url === '/hash.js') response.setHeader('content-type', 'text/javascript').end(script);
      else if (policy === undefined) response.writeHead(404).end();
      else {
        response.setHeader('content-security-policy', policy);
        response
          .setHeader('content-type', 'text/html; charset=utf-8')
          .end('<!doctype html><script src="/hash.js"></script>');
      }
    });
  });

  afterAll(() => opened?.close());

  async function open(path: string): Promise<Page> {
    const page = await opened.browser.newPage();
    await page.goto(`${opened.origin}${path}`);
    return page;
  }

  /** `hashed`, or the name of the error. */
  function forceScalar(page: Page): Promise<string> {
    return page.evaluate(() =>
      redflagHash.hashIdentifier('x', { hasher: 'scalar', iterations: 1 }).then(
        () => 'hashed',
        (error: Error) => error.message,
      ),
    );
  }

  it.each(Object.keys(POLICIES))('gives every known answer at %s', async (path) => {
    const page = await open(path);
    const inputs = chainVectors.cases.map(({ input }) => input);
    const hashes = await page.evaluate((values) => redflagHash.hashIdentifiers(values), inputs);
    expect(hashes).toEqual(chainVectors.cases.map(({ digest }) => digest));

    const others = chainVectors.otherParameters.map(({ input, prefix, iterations }) => ({ input, prefix, iterations }));
    const answers = await page.evaluate(
      (known) =>
        known.map(({ input, prefix, iterations }) => redflagHash.hashIdentifierSync(input, { prefix, iterations })),
      others,
    );
    expect(answers).toEqual(chainVectors.otherParameters.map(({ digest }) => digest));

    const five = await page.evaluate(
      (known) =>
        Promise.all(
          known.map(({ input, prefix, iterations }) =>
            redflagHash.hashIdentifiers(Array<string>(5).fill(input), { prefix, iterations }),
          ),
        ),
      others,
    );
    expect(five).toEqual(chainVectors.otherParameters.map(({ digest }) => Array(5).fill(digest)));
    await page.close();
  });

  it('compiles under wasm-unsafe-eval, and only there', async () => {
    const allowed = await open('/wasm');
    expect(await forceScalar(allowed)).toBe('hashed');
    const forbidden = await open('/strict');
    expect(await forceScalar(forbidden)).toMatch(/^"hasher": this platform forbids .* scalar: leave the option out/);
    await Promise.all([allowed.close(), forbidden.close()]);
  });

  it('keeps the page alive while it hashes a list', async () => {
    const page = await open('/wasm');
    const ticks = await page.evaluate(async () => {
      let count = 0;
      const timer = setInterval(() => count++, 1);
      await redflagHash.hashIdentifiers(Array.from({ length: 60 }, (_, at) => `person${at}@example.com`));
      clearInterval(timer);
      return count;
    });
    expect(ticks).toBeGreaterThanOrEqual(10);
    await page.close();
  });
});
