import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** The screens on which every page is looked at. */
export const SIZES = { desktop: { width: 1200, height: 900 }, phone: { width: 360, height: 740 } };

/** The forms in which every page is looked at: each colour scheme and each size. With SCREENSHOTS=DIR all four. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['desktop', 'phone'] as const)
    .filter((size) => process.env['SCREENSHOTS'] !== undefined || (colorScheme === 'light') === (size === 'desktop'))
    .map((size) => [colorScheme, size] as const),
);
export type Look = (typeof LOOKS)[number];

/** Where pages have their policy. Static files have it in a `meta` element of the document. */
type PolicyPlace = 'header' | 'document';

type LookOptions = BrowserContextOptions & { readonly policyIn?: PolicyPlace };
interface LookPage {
  readonly page: Page;
  readonly problems: string[];
  close(): Promise<void>;
}

/** Opens a page in one of the forms. `problems` are those of {@link listen}. */
export async function openLook(
  browser: Browser,
  [colorScheme, size]: Look,
  { policyIn, ...options }: LookOptions = {},
): Promise<LookPage> {
  const context = await browser.newContext({ viewport: SIZES[size], colorScheme, ...options });
  const page = await context.newPage();
  return { page, problems: listen(page, policyIn), close: () => context.close() };
}

/** Pages that wait for the next test which looks, by form and policy. */
const idle = new WeakMap<Browser, Map<string, LookPage>>();

/**
 * Opens a page for {@link expectGoodLook}, with these cookies and nothing else. `close` keeps the page for the next
 * call: a browser takes as long for a new context as for all else of a look. A test that fails keeps its page.
 */
export async function openToLook(
  browser: Browser,
  look: Look,
  { policyIn = 'header', cookies = [] }: { readonly policyIn?: PolicyPlace; readonly cookies?: readonly Cookie[] } = {},
): Promise<LookPage> {
  const pages = idle.get(browser) ?? new Map<string, LookPage>();
  idle.set(browser, pages);
  const key = [...look, policyIn].join();
  const opened = pages.get(key) ?? (await openLook(browser, look, { bypassCSP: true, policyIn }));
  pages.delete(key);
  const { page, problems } = opened;
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  problems.length = 0;
  return {
    page,
    problems,
    async close() {
      await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
      pages.set(key, opened);
    },
  };
}

/**
 * Asserts that the page, as it is now, is accessible, fits its screen, cuts nothing without a cue, breaks no word, and
 * had no problem but those that `expected` matches. SCREENSHOTS=DIR keeps a picture of it, named `name`. The context
 * needs `bypassCSP`, for axe, as that of {@link openToLook} has.
 */
export async function expectGoodLook(
  page: Page,
  {
    name,
    look: [colorScheme, size],
    problems,
    expected = /$^/,
  }: {
    readonly name: string;
    readonly look: Look;
    readonly problems: readonly string[];
    readonly expected?: RegExp | undefined;
  },
): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(SIZES[size].width);
  const cut = page
    .locator('.card')
    .evaluateAll((cards) =>
      cards.filter((card) => card.scrollWidth > card.clientWidth).map(({ innerHTML }) => innerHTML.slice(0, 200)),
    );
  expect(await cut).toEqual([]);
  expect(await findCutTables(page)).toEqual([]);
  expect(await findCutValues(page)).toEqual([]);
  expect(await findBrokenWords(page)).toEqual([]);
  expect(await findTouching(page)).toEqual([]);
  expect(problems.filter((problem) => !expected.test(problem))).toEqual([]);
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const file = `${folder}/${name.replaceAll(/[^\w.]+/g, '-')}-${size}-${colorScheme}.png`;
  await page.screenshot({ path: file, fullPage: true });
}

/** Returns what axe finds in the page, as it is now. The context needs `bypassCSP`. */
export async function findViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: AXE });
  return page.evaluate(async () => {
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    // Without these types, axe describes every element that passes, too.
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}

/** Returns the beginnings of tables that go on beyond what holds them, where no shadow at its edge says so. */
function findCutTables(page: Page): Promise<string[]> {
  return page.locator('table').evaluateAll((tables) =>
    tables
      .filter(({ scrollWidth, parentElement }) => scrollWidth > parentElement!.clientWidth)
      .filter(({ parentElement }) => !getComputedStyle(parentElement!).backgroundImage.includes('gradient'))
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  );
}

/** Returns the values of up to 24 characters that their fields show in part. */
function findCutValues(page: Page): Promise<string[]> {
  return page
    .locator('input:not([type=hidden], [type=checkbox], [type=radio], [type=range], [type=file]):visible')
    .evaluateAll((fields) =>
      (fields as HTMLInputElement[])
        .filter(({ value, scrollWidth, clientWidth }) => value.length <= 24 && scrollWidth > clientWidth)
        .map(({ value }) => value),
    );
}

/** Returns what touches the card, table or button above it. */
function findTouching(page: Page): Promise<string[]> {
  return page.locator('.card, table, .scroll, .button').evaluateAll((all) =>
    all.flatMap((above) => {
      const below = above.nextElementSibling ?? above.closest('section')?.nextElementSibling;
      // The heading of a section keeps its own distance.
      if (!below || below.tagName === 'SECTION') return [];
      const [a, b] = [above.getBoundingClientRect(), below.getBoundingClientRect()];
      const isBelow = b.height > 1 && b.top >= a.top + a.height / 2 && b.left < a.right;
      return isBelow && b.top - a.bottom < 6 ? [below.outerHTML.slice(0, 200)] : [];
    }),
  );
}

/** Returns the words of up to 24 characters that begin in one line and end in the next, without a hyphen or slash. */
function findBrokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement?.closest('.key, pre, textarea, script')) continue;
      for (const { 0: word, index } of text.nodeValue!.matchAll(/\S+/g)) {
        for (const part of word.matchAll(/[\p{L}\p{N}]+/gu)) {
          if (word.length > 24) continue;
          const range = document.createRange();
          range.setStart(text, index + part.index);
          range.setEnd(text, index + part.index + part[0].length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });
}

/** Returns the only error that a browser may have at a refused page: the status of the page itself. */
export const refusedPage = (status: number, path: string): RegExp =>
  new RegExp(`^Failed to load resource: .* status of ${status} .*http://127\\.0\\.0\\.1:\\d+${path}$`);

/**
 * Collects what the page complains about: errors of scripts, the console with the address, requests to others, and
 * pages of a service whose policy is missing or not strict.
 */
export function listen(page: Page, policyIn: PolicyPlace = 'header'): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('dialog', (dialog) => void problems.push(dialog.message()));
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1[:/]|data:|blob:)/.test(request.url())) problems.push(request.url());
  });
  page.on('response', (response) => {
    const { 'content-type': type = '', 'content-security-policy': policy } = response.headers();
    const needsPolicy = policyIn === 'header' && type.startsWith('text/html');
    if (policy === undefined ? needsPolicy : !isStrict(policy))
      problems.push(`${response.url()} has the policy ${policy}`);
  });
  return problems;
}

/** True for a policy that allows nothing by default and no script or style within the page. */
export const isStrict = (policy: string): boolean =>
  policy.startsWith("default-src 'none'; ") && !policy.includes('unsafe-inline') && !policy.includes("'unsafe-eval'");

/** Waits until single keys work: a page must have been seen, and nothing may cover the buttons that decide. */
export async function waitForKeys(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      performance.now() > 300 &&
      [...document.querySelectorAll('.bar')].every(
        (bar) => !bar.checkVisibility() || bar.getAnimations({ subtree: true }).length === 0,
      ),
  );
}
