import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { StoreUnavailableError, unwrap } from '../../src/index.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { launchBrowser, openServer, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { LOOKS, expectGoodLook, listen, openToLook, refusedPage } from './visit.ts';

const EMAIL = [
  { kind: 'email', hash: hashOf(1) },
  { kind: 'ip', hash: hashOf(2) },
];
const TEXTS = [
  ['chargeback', 'Paid with a stolen card. The bank took the money back.\nSee https://shop.example/case/4711'],
  ['identity_theft', '<script>document.title = "run"</script><b onmouseover=alert(1)>bold</b>'],
  ['spam', 'averyverylongwordwithoutanyspaces'.repeat(12)],
] as const;
const NO_RECORD = `/report/${'0'.repeat(40)}`;

describe.skipIf(reasonToSkip())('pages in a browser', () => {
  let browser: Browser;
  let base: string;
  let path: string;
  /** A service whose limit of views this machine has used up. */
  let limitedBase: string;
  /** A service whose store does not answer. */
  let brokenBase: string;

  beforeAll(async () => {
    const { engine, apiKey, otherKey } = await createTestEngine();
    const server = await openServer(createListener(engine, { pages: createPages(engine) }));
    const { engine: limited } = await createTestEngine({ limits: { viewer: { requests: 1, windowSeconds: 3600 } } });
    const limitedServer = await openServer(createListener(limited, { pages: createPages(limited) }));
    const record = () => Promise.reject(new StoreUnavailableError('no space left'));
    const broken: Engine = { ...limited, record };
    const brokenServer = await openServer(createListener(broken, { pages: createPages(broken) }));
    [base, limitedBase, brokenBase] = [server.origin, limitedServer.origin, brokenServer.origin];
    expect(await fetch(limitedBase + NO_RECORD)).toMatchObject({ status: 404 });
    for (const [n, [type, text]] of TEXTS.entries()) {
      const key = n === 1 ? otherKey : apiKey;
      const { reportId } = unwrap(await engine.report({ apiKey: key, type, severity: 6, text, identifiers: EMAIL }));
      if (n === 1) await engine.openDispute({ reportId, reason: 'no', by: 'Ada' });
    }
    for (const [n, { reporterId }] of (await engine.listReporters()).entries()) {
      const contact = n === 0 ? `https://shop.example/${'fraud'.repeat(35)}` : '+49 30 1234567';
      unwrap(await engine.updateReporter({ reporterId, contact }));
    }
    path = new URL(unwrap(await engine.query({ apiKey, identifiers: EMAIL })).link).pathname;
    browser = await launchBrowser();
    return async () => {
      await browser.close();
      for (const opened of [server, limitedServer, brokenServer]) await opened.close();
    };
  });

  const places = [
    ['the record', 'Public record of reports', () => base + path, undefined],
    ['a link without reports', 'No reports', () => base + NO_RECORD, refusedPage(404, NO_RECORD)],
    ['a record over the limit', 'Not available now', () => limitedBase + NO_RECORD, refusedPage(429, NO_RECORD)],
    ['a record without a store', 'Not available now', () => brokenBase + NO_RECORD, refusedPage(503, NO_RECORD)],
    ['an unknown address', 'Page not found', () => `${base}/nothing`, refusedPage(404, '/nothing')],
    ['an address for programs', 'An address for programs', () => `${base}/api/`, refusedPage(404, '/api/')],
  ] as const;

  describe.each(places)('%s', (name, title, place, expected) => {
    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look);
      await page.goto(place());
      expect(await page.title()).toBe(title);
      await expectGoodLook(page, { name, look, problems, expected });
      await close();
    });
  });

  it('shows what reporters wrote and runs none of it, with and without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      const problems = listen(page);
      await page.goto(base + path);
      const content = await page.locator('main').innerText();
      for (const [, text] of TEXTS) expect(content).toContain(text);
      expect(await page.title()).toBe('Public record of reports');
      expect(problems).toEqual([]);
      await context.close();
    }
  });
});
