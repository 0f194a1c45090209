import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureBlocking, type PastOrders } from '../../src/lab/blocking.ts';
import { renderOrders } from '../../src/lab/page/orders.ts';
import { renderPage } from '../../src/lab/page/page.ts';
import type { LabResult } from '../../src/lab/result.ts';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { LOOKS, expectGoodLook, openLook, openToLook } from '../web/visit.ts';
import { SAMPLE } from './sample-result.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/lab/slow-page.test.ts skipped: ${skipped}`);

const LONG = 'a-model-whose-name-has-no-place-to-break-and-goes-on-for-longer-than-a-phone-is-wide';

/** Names that are too long for any line. */
const WIDE: LabResult = {
  ...SAMPLE,
  title: LONG,
  models: SAMPLE.models.map((model) => ({ ...model, name: `${LONG}/${model.name}` })),
  attacks: [{ name: LONG, ratios: {}, points: {} }],
  standings: { count: 3, reporters: [{ ...SAMPLE.standings!.reporters[0]!, name: LONG }] },
};

/** Orders of two years, with fewer frauds than good orders at each number of Points up to 30, and more above. */
const ORDERS: PastOrders = {
  labels: Uint8Array.from({ length: 4000 }, (_, i) => (i % 9 === 0 || (i % 4 === 0 && i % 60 > 30) ? 1 : 0)),
  points: Uint8Array.from({ length: 4000 }, (_, i) => (i % 3 === 0 ? 0 : i % 60)),
  amounts: Float64Array.from({ length: 4000 }, (_, i) => 20_000 + 977 * (i % 83)),
  weeks: Uint32Array.from({ length: 4000 }, (_, i) => i / 40),
};

const PAGES: Readonly<Record<string, string>> = {
  '/sample': renderPage(SAMPLE),
  '/wide': renderPage(WIDE),
  '/orders': renderOrders({
    title: `${LONG}.csv`,
    blocking: measureBlocking(ORDERS, { earlier: 2000, margin: 0.4 }),
    splitAt: '2024-03-05T10:00:00.000Z',
    hasAmounts: true,
    assumed: { 'Counts as fraud': 'an outcome of fraud, chargeback, 1.' },
    read: ['Left out: 43 whose outcome is neither in --fraud nor in --good, 0 with a problem.'],
    warnings: ['with fewer than 30 frauds or good orders, the result may be due to chance.'],
  }),
};

describe.skipIf(skipped !== undefined)('the lab’s page in a browser', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    opened = await openBrowser((request, response) => {
      const html = PAGES[request.url!];
      if (html === undefined) response.writeHead(404).end();
      else response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
    });
  });

  afterAll(() => opened?.close());

  it.each(
    Object.keys(PAGES).flatMap(
      (path) =>
        [
          [path, 360, 740],
          [path, 1280, 900],
        ] as const,
    ),
  )('%s fits into %i × %i, requests nothing and logs nothing', async (path, width, height) => {
    const page = await opened.browser.newPage({ viewport: { width, height } });
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(`${opened.origin}${path}`);
    const widths = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await widths()).toBe(width);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    expect(await widths()).toBe(width);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([`${opened.origin}${path}`]);
    await page.close();
  });

  describe.each(Object.keys(PAGES))('%s', (path) => {
    it.each(LOOKS)('is accessible and has no cut table, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(opened.browser, look, { policyIn: 'document' });
      await page.goto(opened.origin + path);
      const name = `lab report ${path.slice(1)}`;
      // Browsers ask for an icon. A page of a file has none.
      await expectGoodLook(page, { name, look, problems, expected: /404/ });
      await close();
    });
  });

  it('shows the numbers of any threshold by keyboard, under its policy, and those of the table without a script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, problems, close } = await openLook(opened.browser, ['light', 'phone'], {
        javaScriptEnabled,
        policyIn: 'document',
      });
      await page.goto(`${opened.origin}/orders`);
      const rowOf = async (points: number): Promise<string[]> => {
        await page.locator('summary').evaluate((summary) => summary.parentElement!.setAttribute('open', ''));
        const rows = await page.locator('[data-each] tbody tr').allInnerTexts();
        const cells = rows.map((row) => row.split('\t'));
        return cells.find(([name]) => Number(name!.split(' ').at(-1)) >= points)!.slice(1);
      };
      const shown = async (): Promise<string[]> =>
        (await page.locator('.figures dd').allInnerTexts()).map((text) => `${text.replace(/\s+/, ' (')})`);
      const points = async (): Promise<number> => Number(await page.locator('[data-points]').innerText());
      const slider = page.getByRole('slider', { name: 'Hold orders from this number of Points' });
      const proposed = await points();
      expect(await shown()).toEqual(await rowOf(proposed));
      expect(await slider.count()).toBe(javaScriptEnabled ? 1 : 0);
      if (javaScriptEnabled) {
        const marked = () => page.locator('[data-chosen]').first().getAttribute('x1');
        const before = await marked();
        await slider.focus();
        for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
        expect(await points()).toBe(proposed + 3);
        expect(await shown()).toEqual(await rowOf(proposed + 3));
        expect(Number(await marked())).toBeGreaterThan(Number(before));
        await page.keyboard.press('Home');
        expect(await shown()).toEqual(await rowOf(1));
        await page.keyboard.press('End');
        expect(await slider.getAttribute('aria-valuetext')).toBe('100 Points: saved 0 (0 to 0)');
      }
      expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
      await close();
    }
  });

  it.each(['/sample', '/orders'])(
    'keeps all texts of a chart of %s inside its drawing, without overlaps',
    async (path) => {
      const page = await opened.browser.newPage({ viewport: { width: 360, height: 740 } });
      await page.goto(opened.origin + path);
      const faults = await page.evaluate(() =>
        [...document.querySelectorAll('svg.drawing')].flatMap((chart) => {
          const texts = [...chart.querySelectorAll('text')].map((text) => ({
            text: text.textContent,
            box: text.getBoundingClientRect(),
          }));
          // Charts may use the page's own margin, 16 pixels on a phone.
          const outside = texts.filter(({ box }) => box.left < 0 || box.right > innerWidth);
          const overlapping = texts.filter((one, index) =>
            texts
              .slice(index + 1)
              .some(
                ({ box }) =>
                  Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left) > 1 &&
                  Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > 4,
              ),
          );
          return [...outside, ...overlapping].map(
            ({ text }) => `${text} in ${chart.getAttribute('aria-label')!.slice(0, 40)}`,
          );
        }),
      );
      expect(faults).toEqual([]);
      await page.close();
    },
  );

  it('prints its explanations, on white also in dark mode', async () => {
    const page = await opened.browser.newPage({ colorScheme: 'dark' });
    await page.goto(`${opened.origin}/sample`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(
      await page
        .locator('.miss li')
        .last()
        .evaluate((item) => item.getBoundingClientRect().height),
    ).toBeGreaterThan(0);
    await page.close();
  });
});
