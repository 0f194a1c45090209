import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { listen } from '../web/visit.ts';

/** A page, and the problems of `listen`. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly problems: string[];
}

/**
 * Gives each test a page whose origin stores nothing. Tests share one page, because a browser takes four times as long
 * to load the playground in a new process. `left` is an address of this origin that uses no storage.
 */
export function createVisits(browser: () => Browser, left: () => string, options: BrowserContextOptions = {}) {
  let kept: Visit | undefined;
  const alone: BrowserContext[] = [];
  const openVisit = async (own: BrowserContextOptions): Promise<Visit> => {
    const context = await browser().newContext(own);
    const page = await context.newPage();
    return { context, page, problems: listen(page, 'document') };
  };
  return {
    async begin(): Promise<Visit> {
      kept ??= await openVisit(options);
      const { context, page, problems } = kept;
      await page.goto(left());
      const session = await context.newCDPSession(page);
      const origin = new URL(left()).origin;
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await session.detach();
      problems.length = 0;
      return kept;
    },
    /** Opens a page of a context that ends with the test: for other options, and for scripts that stay in a page. */
    async beginAlone(own: BrowserContextOptions = {}): Promise<Visit> {
      const visit = await openVisit({ ...options, ...own });
      alone.push(visit.context);
      return visit;
    },
    /** Ends the visits of a test. The page of a test that failed is not used again. */
    async end(hasFailed: boolean): Promise<void> {
      for (const context of alone.splice(0)) await context.close();
      if (!kept) return;
      const { context, page } = kept;
      if (hasFailed || page.isClosed()) {
        kept = undefined;
        await context.close();
        return;
      }
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.unrouteAll();
      await context.setOffline(false);
      await page.setViewportSize(USUAL_SIZE);
    },
  };
}

const USUAL_SIZE = { width: 1280, height: 720 };
