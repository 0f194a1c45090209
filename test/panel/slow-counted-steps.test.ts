import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { unwrap } from '../../src/index.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { findViolations, openLook, SIZES, waitForKeys, type Look } from '../web/visit.ts';

const CUSTOMER = 'Emmy.Noether@example.org';
/** Above 100, the page shows the worst rows. More would only hash for longer. */
const ROWS = { desktop: 120, phone: 10 };
const LOOKS: readonly Look[] = [
  ['light', 'desktop'],
  ['dark', 'phone'],
];

/** True if all of it is on the screen, and nothing covers its middle. */
const isOnScreen = (of: Locator): Promise<boolean> =>
  of.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && (element.contains(middle) || middle?.contains(element) === true);
  });

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
        // The pages of a long row of like steps differ in their words only. They are looked at in both sizes.
        const isLooked = steps.length <= 10 || at < 2 || at === steps.length - 1;
        const sizes = steps.length <= 10 ? [look[1]] : (['phone', 'desktop'] as const);
        for (const size of isLooked ? sizes : []) {
          await page.setViewportSize(SIZES[size]);
          expect([at + 1, size, await findViolations(page)]).toEqual([at + 1, size, []]);
        }
        expect([at + 1, problems]).toEqual([at + 1, []]);
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
    const test = await createTestEngine({ publicUrl: base, limits: { panel: { requests: 10_000, windowSeconds: 1 } } });
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

    it(`looks ${ROWS[look[1]]} rows of CSV up in four`, async () => {
      const test = await start();
      const { page, doSteps, press, close } = await open(look);
      await signIn(page, test, test.reporterId);
      const rows = Array.from({ length: ROWS[look[1]] }, (_, n) => `${n},customer${n}@example.org`);
      const buffer = Buffer.from(`order,email\n${rows.join('\n')}`);
      const count = await doSteps(
        async () => {
          await press('Many at once', 'link');
          await page.locator('#table:focus').waitFor();
        },
        async () => {
          await page.getByLabel('Or a file').setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer });
          await page.getByRole('button', { name: `Look up ${rows.length} rows` }).waitFor();
        },
        async () => {
          await press(`Look up ${rows.length} rows`);
          await page.getByText(`${rows.length} rows looked up.`).waitFor();
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

    it('decides each dispute with one key or touch, and takes the last decision back', async () => {
      const test = await start();
      const { engine, apiKey, clock } = test;
      const { page, doSteps, press, isPhone, close } = await open(look);
      await signIn(page, test, null);
      const disputes = isPhone ? 3 : 25;
      for (let n = 0; n < disputes; n++) {
        const draft = { apiKey, type: 'fraud', severity: 4, text: `Case ${n}. ${'Long. '.repeat(120)}` };
        const { reportId } = unwrap(
          await engine.report({ ...draft, identifiers: [{ kind: 'email', hash: hashOf(n) }] }),
        );
        unwrap(await engine.openDispute({ reportId, reason: 'Not me.', by: 'Ada' }));
        clock.nowMs += 1_000;
      }
      await page.goto(new URL('disputes', page.url()).href);
      const send = async (key: string, button: string, said: RegExp) => {
        // A key that is pressed before a page can be seen does nothing.
        if (!isPhone) await waitForKeys(page);
        const loaded = page.waitForEvent('load');
        if (isPhone) expect(await isOnScreen(page.getByRole('button', { name: button, exact: true }))).toBe(true);
        await (isPhone ? press(button) : page.keyboard.press(key));
        await loaded;
        await page.getByText(said).waitFor();
      };
      const steps = Array.from({ length: disputes }, (_, n) => async () => {
        const [key, button] = n % 2 ? ['u', 'Uphold: report is wrong'] : ['r', 'Reject: report stands'];
        await send(key!, button!, /^(?:Upheld|Rejected): fraud of .*, First Shop \(1 report\)\./);
      });
      expect(await doSteps(...steps)).toBe(disputes);
      expect(await engine.listDisputeCases()).toEqual([]);
      expect(await doSteps(() => send('z', 'Undo', /^Taken back: the report counts half again/))).toBe(1);
      expect(await engine.listDisputeCases()).toHaveLength(1);
      await close();
    });

    it('opens a dispute about a request in two', async () => {
      const test = await start();
      const { engine, apiKey } = test;
      const { page, doSteps, press, isPhone, close } = await open(look);
      await signIn(page, test, null);
      const identifiers = [{ kind: 'email', hash: hashOf(1) }];
      for (let n = 0; n < 4; n++)
        unwrap(await engine.report({ apiKey, type: 'fraud', severity: 4, text: `Text ${n}.`, identifiers }));
      unwrap(await engine.requestDispute!({ identifiers, reason: 'Not me.' }));
      await eventually(async () => expect(await engine.listDisputeRequests()).toHaveLength(4));
      if (!isPhone) await page.setViewportSize({ width: 1280, height: 720 });
      await page.goto(new URL('disputes?list=requests', page.url()).href);
      await page.getByRole('heading', { name: 'What the person says' }).waitFor();
      const button = page.getByRole('button', { name: 'Open the disputes' });
      const count = await doSteps(
        async () => {
          if (isPhone) {
            const link = page.getByRole('link', { name: 'Open disputes', exact: true });
            expect(await isOnScreen(link)).toBe(true);
            await link.tap();
          } else {
            await waitForKeys(page);
            await page.keyboard.press('o');
          }
          await page.locator('.confirm :focus:is(input, textarea)').waitFor();
          expect([await isOnScreen(page.locator(':focus')), await isOnScreen(button)]).toEqual([true, true]);
          expect(await page.locator('[data-send-hint]').first().isVisible()).toBe(!isPhone);
        },
        async () => {
          await (isPhone ? press('Open the disputes') : page.keyboard.press('Control+Enter'));
          await page.getByText('4 disputes are open').waitFor();
        },
      );
      expect(count).toBe(2);
      await close();
    });

    it('suspends a reporter with the fourth stop of the keyboard', async () => {
      const test = await start();
      const { page, doSteps, close } = await open(look);
      await signIn(page, test, null);
      await page.goto(new URL(`reporters?id=${test.reporterId}`, page.url()).href);
      const keys = ['Tab', 'Enter', 'Tab', 'Enter', 'Tab'];
      await doSteps(async () => {
        for (const key of keys) await page.keyboard.press(key);
        expect(await page.locator(':focus').innerText()).toBe('Suspend the reporter');
      });
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
