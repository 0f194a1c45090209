import { beforeAll, describe, expect, it } from 'vitest';
import { toPage } from '../../src/service/web/document.tsx';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { PARTS } from './parts.tsx';
import { LOOKS, expectGoodLook, openLook } from './visit.ts';

describe.skipIf(reasonToSkip())('the design in a browser', () => {
  const { html, policy } = toPage('Parts of the design', PARTS, { forms: true });
  let opened: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    opened = await openBrowser((_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
        .end(html),
    );
    return opened.close;
  });

  it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
    const { page, problems, close } = await openLook(opened.browser, look, { bypassCSP: true });
    await page.goto(opened.origin);
    await page.locator('summary').click();
    await page.locator('.actions .button').nth(1).focus();
    await page.keyboard.press('Shift+Tab');
    await expectGoodLook(page, { name: 'the design', look, problems });
    // A table that does not fit scrolls in its own box, also with the keyboard.
    const box = page.locator('.scroll');
    const [inside = 0, outside = 0] = await box.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    if (look[1] === 'phone') expect(inside).toBeGreaterThan(outside);
    await close();
  });
});
