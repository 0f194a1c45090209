import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { unwrap } from '../../src/index.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { openBrowser, openServer, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { LOOKS, expectGoodLook, openLook, refusedPage, type Look } from '../web/visit.ts';

const TEXTS = [
  'Paid with a stolen card. The bank took the money back.\nSee https://shop.example/case/4711',
  '<script>document.title = "run"</script><b onmouseover=alert(1)>bold</b>',
  'averyverylongwordwithoutanyspaces'.repeat(12),
] as const;
const DAY_MS = 86_400_000;
/** A page, how it is opened, and the status with which the service refuses it. */
type Place = readonly [name: string, open: (page: Page) => Promise<unknown>, expected?: RegExp];

describe.skipIf(reasonToSkip())('the pages of a reporter in a browser', () => {
  let browser: Browser;
  let test: TestEngine;
  let base: string;
  /** A service that this machine has asked too often. */
  let limitedBase: string;

  beforeAll(async () => {
    const opened = await openBrowser();
    ({ browser, origin: base } = opened);
    const limitedServer = await openServer();
    limitedBase = limitedServer.origin;
    const limits = { panel: { requests: 1, windowSeconds: 3600 } };
    const { engine: limited } = await createTestEngine({ publicUrl: limitedBase, limits });
    limitedServer.answer(createListener(limited, { pages: createPages(limited, { panel: createPanel(limited) }) }));
    test = await createTestEngine({ publicUrl: base, limits: { panel: { requests: 10_000, windowSeconds: 1 } } });
    const { engine, apiKey, otherKey, clock, reporterId } = test;
    const panel = createPanel(engine, { clock: () => clock.nowMs });
    opened.answer(createListener(engine, { pages: createPages(engine, { panel }) }));
    for (let day = 0; day < 20; day++) {
      for (let n = 0; n < 1 + ((day * 7) % 5); n++)
        unwrap(await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: hashOf(n) }] }));
      clock.nowMs += DAY_MS;
    }
    for (const [n, text] of TEXTS.entries()) {
      const identifiers = [
        { kind: 'email', hash: hashOf(n) },
        { kind: 'ip', hash: hashOf(10 + n) },
      ];
      const draft = { apiKey, type: 'identity_theft', severity: 3 + n, text, identifiers };
      const { reportId } = unwrap(await engine.report(draft));
      unwrap(await engine.report({ ...draft, apiKey: otherKey }));
      clock.nowMs += DAY_MS;
      if (n < 2)
        unwrap(await engine.openDispute({ reportId, reason: n === 1 ? TEXTS[1] : 'I paid in cash.', by: 'Ada' }));
      if (n === 1) unwrap(await engine.decideDispute({ reportId, upheld: false, by: 'Ada' }));
    }
    const reason = 'I never ordered anything. Somebody else has used my address.';
    unwrap(
      await engine.requestDispute!({ identifiers: [{ kind: 'email', hash: hashOf(2) }], reason, client: '192.0.2.9' }),
    );
    await eventually(async () => expect((await engine.listDisputeRequests()).length).toBeGreaterThan(0));
    for (const [scope, endsAt] of [
      ['query', clock.nowMs + 40 * DAY_MS],
      ['report', null],
    ] as const)
      unwrap(await engine.issueKey({ reporterId, scope, endsAt }));
    const ended = unwrap(await engine.issueKey({ reporterId }));
    unwrap(await engine.revokeKey({ keyId: ended.keyId }));
    await signIn();
    const { reporterId: suspendedId } = unwrap(await engine.createReporter({ name: 'Third Shop' }));
    unwrap(await engine.suspendReporter({ reporterId: suspendedId, suspended: true }));
    const link = unwrap(await engine.createSignInLink({ reporterId: suspendedId, name: 'Eve', by: 'Ops' }));
    suspendedLink = `/panel/sign-in/${link.token}`;
    return async () => {
      await opened.close();
      await limitedServer.close();
    };
  });

  /** The cookie of one sign-in. */
  let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** Address of the first page of the session. */
  let home: string;
  /** A link of a reporter that is suspended. */
  let suspendedLink: string;
  const signIn = async (): Promise<void> => {
    const { engine, reporterId } = test;
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada Lovelace', by: 'Ops' }));
    const page = await browser.newPage();
    await page.goto(`${base}/panel/sign-in/${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    signedIn = await page.context().storageState();
    home = page.url();
    await page.close();
  };
  const overview = (page: Page) => page.goto(home);
  const link = async (page: Page, name: string): Promise<void> => {
    await overview(page);
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  const refused = (page: Page) => page.getByRole('heading', { level: 1, name: 'Not possible' }).waitFor();

  const places: readonly Place[] = [
    [
      'panel signed out',
      async (page) => {
        await page.goto(`${base}/panel`);
      },
    ],
    [
      'panel sign in',
      async (page) => {
        const { engine, reporterId } = test;
        const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada Lovelace', by: 'Ops' }));
        await page.goto(`${base}/panel/sign-in/${token}`);
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
      },
    ],
    [
      'panel with a cookie of another program',
      async (page) => {
        const name = 'redflag-panel';
        await page.context().addCookies([{ name, value: '0'.repeat(32), domain: '127.0.0.1', path: '/' }]);
        await overview(page);
        await refused(page);
      },
      refusedPage(403, '/panel/[0-9a-f]{32}/'),
    ],
    [
      'panel used link',
      async (page) => {
        await page.goto(`${base}/panel/sign-in/x`);
        await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
      },
      refusedPage(403, '/panel/sign-in/x'),
    ],
    ['panel overview', overview],
    ['panel keys', (page) => link(page, 'Keys')],
    [
      'panel keys with forms open',
      async (page) => {
        await link(page, 'Keys');
        for (const one of await page.locator('summary').all()) await one.click();
      },
    ],
    [
      'panel new key',
      async (page) => {
        await link(page, 'Keys');
        await page.getByLabel('What the key may do').selectOption('Only queries');
        await page.getByRole('button', { name: 'Create the key' }).click();
        await page.getByRole('heading', { name: 'Your new key' }).waitFor();
      },
    ],
    ['panel reports', (page) => link(page, 'Reports')],
    [
      'panel search',
      async (page) => {
        await link(page, 'Reports');
        await page.getByLabel('Search in your reports').fill('bank took');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('heading', { name: 'Reports that were found' }).waitFor();
        expect(page.url()).toBe(`${home}reports`);
      },
    ],
    [
      'panel report to delete',
      async (page) => {
        await link(page, 'Reports');
        for (const one of await page.locator('article').first().locator('summary').all()) await one.click();
      },
    ],
    ['panel disputes', (page) => link(page, 'Disputes')],
    [
      'panel message',
      async (page) => {
        await link(page, 'Disputes');
        await page.getByRole('textbox').first().fill('The parcel never came back.');
        await page.getByRole('button', { name: 'Send the answer' }).first().click();
        await page.getByRole('status').waitFor();
      },
    ],
    [
      'panel wrong contact',
      async (page) => {
        await overview(page);
        await page.getByLabel('Email address, https address or phone number').fill('not a contact');
        await page.getByRole('button', { name: 'Save the contact' }).click();
        await page.locator('.error').waitFor();
      },
    ],
    [
      'panel no page',
      async (page) => {
        await overview(page);
        await page.goto(`${home}there-is-none`);
        await refused(page);
      },
      refusedPage(404, '/panel/[0-9a-f]{32}/there-is-none'),
    ],
    [
      'panel foreign form',
      async (page) => {
        await page.setContent(`<form method="post" action="${base}/panel"><button>Send</button></form>`);
        await page.getByRole('button').click();
        await refused(page);
      },
      refusedPage(403, '/panel'),
    ],
    [
      'panel over the limit',
      async (page) => {
        for (let n = 0; n < 2; n++) {
          await page.goto(`${limitedBase}/panel/sign-in/x`);
          await page.getByRole('heading', { level: 1 }).waitFor();
        }
        await refused(page);
      },
      /status of 4(?:03|29) .*\/panel\/sign-in\/x$/,
    ],
    [
      'panel old form',
      async (page) => {
        await link(page, 'Reports');
        await page.locator('[role=search] [name=token]').evaluate((token) => token.setAttribute('value', 'old'));
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByText('The form did nothing').waitFor();
      },
      refusedPage(403, '/panel/[0-9a-f]{32}/reports'),
    ],
    [
      'panel too large form',
      async (page) => {
        await link(page, 'Reports');
        const fill = (token: Element): void => token.setAttribute('value', 'x'.repeat(100_000));
        await page.locator('[role=search] [name=token]').evaluate(fill);
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('alert').waitFor();
      },
      refusedPage(413, '/panel/[0-9a-f]{32}/reports'),
    ],
    [
      'panel of a suspended reporter',
      async (page) => {
        await page.goto(base + suspendedLink);
        await refused(page);
      },
      refusedPage(403, '/panel/sign-in/[0-9a-f]{64}'),
    ],
  ];

  describe.each(places.map((place) => [place[0], place] as const))('%s', (name, [, open, expected]) => {
    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look: Look) => {
      const { page, problems, close } = await openLook(browser, look, { bypassCSP: true, storageState: signedIn });
      await open(page);
      await expectGoodLook(page, { name, look, problems, expected });
      await close();
    });
  });

  it('runs nothing that people wrote, also without bypassing the policy', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    await link(page, 'Reports');
    const content = await page.locator('main').innerText();
    for (const text of TEXTS) expect(content).toContain(text);
    expect(await page.title()).toBe('Reports');
    expect(problems).toEqual([]);
    await close();
  });

  it('is used by keyboard alone', async () => {
    const { page, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    await link(page, 'Keys');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.locator('body').press('Tab');
    expect(await focused()).toBe('Sign out');
    for (const name of ['Overview', 'Keys', 'Reports', 'Disputes']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    }
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Replace');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Create the new key');
    await close();
  });

  it('replaces a key, and revokes the new one', async () => {
    const { engine, clock, reporterId } = test;
    const old = unwrap(await engine.issueKey({ reporterId, scope: 'query' }));
    const ask = async (apiKey: string) =>
      (await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: hashOf(40) }] })).ok;
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    await link(page, 'Keys');
    const rowOf = (keyId: string) => page.getByRole('row').filter({ hasText: keyId });
    await rowOf(old.keyId).getByText('Replace', { exact: true }).click();
    await rowOf(old.keyId).getByRole('button', { name: 'Create the new key' }).click();
    const apiKey = await page.locator('.key').innerText();
    expect([apiKey !== old.apiKey, await ask(apiKey), await ask(old.apiKey)]).toEqual([true, true, true]);
    const [, keyId = ''] = /Its id is (\w+)\./.exec(await page.locator('main').innerText()) ?? [];
    expect(await engine.listKeys({ keyId })).toMatchObject([{ reporterId, scope: 'query' }]);

    await page.getByRole('link', { name: 'All keys' }).click();
    // The old key has a successor, so it cannot be replaced again.
    expect(await rowOf(old.keyId).locator('summary').allInnerTexts()).toEqual(['Revoke']);
    await rowOf(keyId).getByText('Revoke', { exact: true }).click();
    await rowOf(keyId).getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect([await ask(apiKey), await ask(old.apiKey)]).toEqual([false, true]);
    clock.nowMs += DAY_MS;
    expect(await ask(old.apiKey)).toBe(false);
    expect(problems).toEqual([]);
    await close();
  });
});
