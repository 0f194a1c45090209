import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { unwrap } from '../../src/index.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { findViolations, openLook, type Look } from '../web/visit.ts';

const CUSTOMER = 'Emmy.Noether@example.org';
const ROWS = Array.from({ length: 300 }, (_, n) => `${n},customer${n}@example.org`);
const LOOKS: readonly Look[] = [
  ['light', 'desktop'],
  ['dark', 'phone'],
];

/** What a person does in one go: types, presses a key or a button, chooses a file. */
type Step = () => Promise<unknown>;

// From a service without reports, as who uses it for the first time.
describe.skipIf(reasonToSkip())('the steps of each job, counted', () => {
  let browser: Browser;
  let answer: (test: TestEngine) => void;
  let base: string;
  beforeAll(async () => {
    const opened = await openBrowser();
    ({ browser, origin: base } = opened);
    answer = ({ engine, clock }) => {
      const panel = createPanel(engine, { clock: () => clock.nowMs });
      opened.answer(createListener(engine, { pages: createPages(engine, { panel }) }));
    };
    return opened.close;
  });

  /** Opens a page whose steps are counted. After each step, axe finds nothing, and there was no error. */
  async function open(look: Look) {
    const isPhone = look[1] === 'phone';
    const opened = await openLook(browser, look, { bypassCSP: true, hasTouch: isPhone });
    const { page, problems } = opened;
    const doSteps = async (...steps: readonly Step[]): Promise<number> => {
      for (const [at, step] of steps.entries()) {
        await step();
        // Of a long row of like steps, each is looked at on one of the sizes, the first and the last on both.
        const isAlike = at > 0 && at < steps.length - 1 && steps.length > 10 && (at % 2 === 0) === isPhone;
        expect([at + 1, isAlike ? [] : await findViolations(page), problems]).toEqual([at + 1, [], []]);
      }
      return steps.length;
    };
    const press = async (name: string, role: 'button' | 'link' = 'button') => {
      const control = page.getByRole(role, { name, exact: true }).first();
      await (isPhone ? control.tap() : control.click());
    };
    return { ...opened, doSteps, press, isPhone };
  }

  const signIn = async (page: Page, { engine }: TestEngine, reporterId: string | null): Promise<void> => {
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada' }));
    await page.goto(`${base}/panel/sign-in/${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: reporterId ? 'Look up a customer' : 'Overview' }).waitFor();
  };

  async function start(): Promise<TestEngine> {
    const test = await createTestEngine({
      publicUrl: base,
      wait: async () => undefined,
      limits: { panel: { requests: 10_000, windowSeconds: 1 } },
    });
    answer(test);
    return test;
  }

  describe.each(LOOKS)('%s on a %s', (...look) => {
    it('looks a customer up in two, and reports one in four', async () => {
      const test = await start();
      const { page, doSteps, press, isPhone, close } = await open(look);
      await signIn(page, test, test.reporterId);
      const lookUp: readonly Step[] = [
        // The field has the focus.
        async () => {
          await page.locator('textarea:focus').waitFor();
          await page.keyboard.type(CUSTOMER);
        },
        async () => {
          await (isPhone ? press('Look up') : page.keyboard.press('Enter'));
          await page.getByRole('button', { name: 'Report this customer' }).waitFor();
        },
      ];
      expect(await doSteps(...lookUp)).toBe(2);
      await page.reload();
      const count = await doSteps(
        async () => {
          for (const step of lookUp) await step();
        },
        async () => {
          await press('Report this customer');
          await page.getByLabel('The customer').waitFor();
        },
        async () => {
          await page.getByLabel('What happened', { exact: true }).selectOption('fraud');
          await page.getByLabel('Severity').selectOption('5');
          await page.getByLabel('What happened, in your words').fill('Sent back an empty parcel');
        },
        async () => {
          await press('Send the report');
          await page.getByRole('heading', { level: 1, name: 'The report was sent' }).waitFor();
        },
      );
      expect(count).toBe(4);
      expect(unwrap(await test.engine.searchReports({ text: 'empty parcel' })).reports).toHaveLength(1);
      await close();
    });

    it('looks 300 rows of CSV up in four', async () => {
      const test = await start();
      const { page, doSteps, press, close } = await open(look);
      await signIn(page, test, test.reporterId);
      const buffer = Buffer.from(`order,email\n${ROWS.join('\n')}`);
      const count = await doSteps(
        async () => {
          await press('Many at once', 'link');
          await page.locator('#table:focus').waitFor();
        },
        async () => {
          await page.getByLabel('Or a file').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
          await page.getByRole('button', { name: 'Look up 300 rows' }).waitFor();
        },
        async () => {
          await press('Look up 300 rows');
          await page.getByText('300 rows looked up.').waitFor();
        },
        async () => {
          const download = page.waitForEvent('download');
          await press('Download all as CSV', 'link');
          await (await download).path();
        },
      );
      expect(count).toBe(4);
      await close();
    });

    it('decides 25 disputes with 25 keys, and by touch', async () => {
      const test = await start();
      const { engine, apiKey, clock } = test;
      const { page, problems, doSteps, press, isPhone, close } = await open(look);
      await signIn(page, test, null);
      const decided = () => page.getByText(/^(?:Upheld|Rejected): 1 report\./).waitFor();
      const fill = async (from: number, disputes: number): Promise<void> => {
        for (let n = from; n < from + disputes; n++) {
          const draft = { apiKey, type: 'fraud', severity: 4, text: `Case ${n}.` };
          const identifiers = [{ kind: 'email', hash: hashOf(n) }];
          const { reportId } = unwrap(await engine.report({ ...draft, identifiers }));
          unwrap(await engine.openDispute({ reportId, reason: 'Not me.', by: 'Ada' }));
          clock.nowMs += 1_000;
        }
        await page.goto(new URL('disputes', page.url()).href);
        await page.getByRole('button', { name: 'Reject the dispute' }).waitFor();
      };
      await fill(100, 25);
      const keys = Array.from({ length: 25 }, (_, n) => async () => {
        // A key that is pressed before a page can be seen does nothing.
        await page.waitForFunction(() => performance.now() > 300);
        const loaded = page.waitForEvent('load');
        await page.keyboard.press(n % 2 ? 'u' : 'r');
        await loaded;
        await decided();
      });
      expect(await doSteps(...keys)).toBe(25);
      expect(await engine.listDisputeCases()).toEqual([]);
      if (isPhone) {
        await fill(200, 2);
        for (const name of ['Uphold the dispute', 'Reject the dispute']) {
          const loaded = page.waitForEvent('load');
          await press(name);
          await loaded;
          await decided();
        }
        expect([await engine.listDisputeCases(), problems]).toEqual([[], []]);
      }
      await close();
    });

    it('leads a person from the link to a case number in three', async () => {
      const { engine, apiKey } = await start();
      const identifiers = [{ kind: 'email', hash: hashIdentifierSync(CUSTOMER) }];
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'Never paid', identifiers }));
      const { link } = unwrap(await engine.query({ apiKey, identifiers }));
      const { page, doSteps, press, close } = await open(look);
      await page.goto(link);
      const count = await doSteps(
        async () => {
          await press('ask the operator to examine it', 'link');
          await page.locator('#identifier').waitFor();
        },
        async () => {
          await page.locator('#identifier').fill(CUSTOMER);
          await page.getByLabel('Why is the report wrong?').fill('Not me.');
        },
        async () => {
          await press('Send the request');
          await page.locator('#case-number').waitFor();
        },
      );
      expect(count).toBe(3);
      await eventually(async () => expect(await engine.listDisputeRequests()).toHaveLength(1));
      await close();
    });
  });
});
