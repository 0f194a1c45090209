import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { launchBrowser, openServer, reasonToSkip } from '../browser/chromium.ts';
import { CALIBRATED, manyMatches, manyVoices, oneReport, richRecord, type TestRecord } from './records.ts';
import { LOOKS, expectGoodLook, openToLook } from './visit.ts';

const RECORDS = [
  ['a record with one report', () => oneReport()],
  ['a record with one old report', () => oneReport(400)],
  ['a record with a calibration map', () => oneReport(0, { model: CALIBRATED })],
  ['a record of five organisations', () => manyVoices()],
  ['a record with all that a record can have', () => richRecord()],
  ['a record with many matches', () => manyMatches()],
] as const;

describe.skipIf(reasonToSkip())('records as pictures', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });

  describe.each(RECORDS)('%s', (name, make) => {
    let record: TestRecord;
    let address: string;
    beforeAll(async () => {
      record = await make();
      const server = await openServer(createListener(record.engine, { pages: createPages(record.engine) }));
      address = server.origin + record.path;
      return server.close;
    });

    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look);
      await page.goto(address);
      await expectGoodLook(page, { name, look, problems });
      const summaries = await page.locator('summary').all();
      for (const summary of summaries) await summary.click();
      if (summaries.length > 0) await expectGoodLook(page, { name: `${name} opened`, look, problems });
      await close();
    });

    it('draws with the policy of the page, and prints its pictures', async () => {
      const page = await browser.newPage({ colorScheme: 'dark' });
      await page.goto(address);
      await page.emulateMedia({ media: 'print' });
      // Without the colours of the style, parts of a picture would be black.
      for (const part of await page.locator('svg .added').all())
        expect(await part.evaluate((element) => getComputedStyle(element).fill)).toBe('rgb(179, 38, 30)');
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
      for (const picture of await page.locator('main svg').all())
        expect(await picture.evaluate((element) => element.getBoundingClientRect().width)).toBeGreaterThan(10);
      // The words of the calculation are printed, too.
      for (const sentence of await page.locator('.sentences li').all())
        expect(await sentence.evaluate((element) => element.getBoundingClientRect().height)).toBeGreaterThan(10);
      // Each report also has a link, to the form about it alone. Its number is in its text.
      const printed = await page
        .locator(`a[data-printed][href="/dispute/${record.linkHash}"]`)
        .evaluate((link) => getComputedStyle(link, '::after').content);
      expect(printed).toBe(`" (https://reports.example/dispute/${record.linkHash})"`);
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}-print.png`, fullPage: true });
      expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(1_000);
      await page.close();
    });
  });

  it('have the languages in one line on a phone, in each of them', async () => {
    const { engine, path } = await oneReport();
    const server = await openServer(createListener(engine, { pages: createPages(engine) }));
    const page = await browser.newPage();
    const lines: Record<string, number> = {};
    for (const width of [360, 390])
      for (const language of ['en', 'de', 'es', 'fr', 'pl', 'tr']) {
        await page.setViewportSize({ width, height: 740 });
        await page.goto(`${server.origin}${path}?lang=${language}`);
        const shown = page.locator('.languages a:visible');
        expect(await shown.count()).toBeGreaterThanOrEqual(5);
        const tops = await shown.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
        lines[`${language} ${width}`] = new Set(tops).size;
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      }
    expect(Object.entries(lines).filter(([, number]) => number > 1)).toEqual([]);
    await page.close();
    await server.close();
  });
});
