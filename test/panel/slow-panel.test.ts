import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { unwrap } from '../../src/index.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { openBrowser, openServer, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { LOOKS, expectGoodLook, openLook, openToLook, refusedPage, type Look } from '../web/visit.ts';

const TEXTS = [
  'Paid with a stolen card. The bank took the money back.\nSee https://shop.example/case/4711',
  '<script>document.title = "run"</script><b onmouseover=alert(1)>bold</b>',
  'averyverylongwordwithoutanyspaces'.repeat(12),
] as const;
const DAY_MS = 86_400_000;
/** A customer with reports, as a person types it. Its hash is computed in the browser. */
const CUSTOMER = 'Carl.Gauss@Example.org';
/** Rows of a spreadsheet. One has no identifier. */
const TABLE = `order;email;phone;ip
1001;${CUSTOMER};+49 30 901820;192.0.2.7
1002;dora@example.com;;192.0.2.8
1003;none;;
1004;emil@example.com;030 901821;2001:db8::7`;
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
    const identifiers = [{ kind: 'email', hash: hashIdentifierSync(CUSTOMER) }];
    const draft = { type: 'stolen_card', severity: 6, text: TEXTS[0], identifiers };
    for (const key of [apiKey, otherKey]) unwrap(await engine.report({ apiKey: key, ...draft }));
    const reason = 'I never ordered anything. Somebody else has used my address.';
    unwrap(
      await engine.requestDispute!({ identifiers: [{ kind: 'email', hash: hashOf(2) }], reason, client: '192.0.2.9' }),
    );
    await eventually(async () => expect((await engine.listDisputeRequests()).length).toBeGreaterThan(0));
    for (const [scope, endsAt, keyName] of [
      ['query', clock.nowMs + 40.5 * DAY_MS, 'averyverylongnamewithoutanyspaces<i>1234'],
      ['report', null, null],
    ] as const)
      unwrap(await engine.issueKey({ reporterId, scope, endsAt, keyName }));
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
    await page.getByRole('heading', { level: 1, name: 'Look up a customer' }).waitFor();
    signedIn = await page.context().storageState();
    home = page.url();
    await page.close();
  };
  const overview = (page: Page) => page.goto(`${home}overview`);
  const link = async (page: Page, name: string, heading = name): Promise<void> => {
    await overview(page);
    // The menu says how many disputes wait.
    await page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^${name}(?: \\d+(?: cases?)? waiting)?$`) })
      .click();
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  };
  /** Opens the first page, whose field has the focus, and types lines. */
  const lookUp = async (page: Page, lines: readonly string[]): Promise<void> => {
    await page.goto(home);
    await page.getByRole('button', { name: 'Look up' }).waitFor();
    for (const [at, text] of lines.entries()) {
      if (at > 0) await page.keyboard.press('Shift+Enter');
      await page.keyboard.type(text);
    }
  };

  /** Without digits, which may look like a card number. */
  const freshWord = () => Math.random().toString(36).replaceAll(/[\d.]/g, 'x');
  const fillReport = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('What happened', { exact: true }).selectOption('fraud');
    await page.getByLabel('Severity').selectOption('5');
    await page.getByLabel('What happened, in your words').fill(text);
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
      refusedPage(403, '/panel/[0-9a-f]{32}/overview'),
    ],
    [
      'panel used link',
      async (page) => {
        await page.goto(`${base}/panel/sign-in/x`);
        await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
      },
      refusedPage(403, '/panel/sign-in/x'),
    ],
    ['panel look up', (page) => lookUp(page, [])],
    [
      'panel look up with values',
      (page) => lookUp(page, ['carl@example.com, 030 901820, none', 'Carl Ford; 192.0.2.7; shop.example']),
    ],
    [
      'panel look up answered',
      async (page) => {
        await lookUp(page, [CUSTOMER]);
        await page.keyboard.press('Enter');
        await page.getByText('Open the record').waitFor();
        for (const one of await page.locator('main summary:visible').all()) await one.click();
      },
    ],
    [
      'panel report with nothing chosen',
      async (page) => {
        await link(page, 'Report', 'Report a customer');
        await page.getByRole('button', { name: 'Send the report' }).click();
        await page.getByText('Choose what happened.').waitFor();
      },
    ],
    [
      'panel report',
      async (page) => {
        await link(page, 'Report', 'Report a customer');
        await page.getByLabel('The customer').fill(CUSTOMER);
        await page.getByLabel('What happened, in your words').fill('Call +49 30 901820');
        await page.getByText('The text seems to have: phone number.').waitFor();
      },
    ],
    [
      'panel report refused',
      async (page) => {
        await link(page, 'Report', 'Report a customer');
        await page.getByLabel('The customer').fill(CUSTOMER);
        await fillReport(page, 'Call +49 30 901820');
        await page.getByText('The text seems to have: phone number.').waitFor();
        await page.getByRole('button', { name: 'Send the report' }).click();
        await page.locator('.error').waitFor();
      },
    ],
    [
      'panel report sent',
      async (page) => {
        await link(page, 'Report', 'Report a customer');
        await page.getByLabel('The customer').fill('dora@example.com');
        await fillReport(page, `Never paid ${freshWord()}`);
        await page.getByRole('button', { name: 'Send the report' }).click();
        await page.getByRole('button', { name: 'Copy the code' }).waitFor();
      },
    ],
    ['panel many', (page) => link(page, 'Many at once')],
    [
      'panel many with a table',
      async (page) => {
        await link(page, 'Many at once');
        await page.getByLabel('Report each row').check();
        await page.getByLabel('The table, one customer a row').fill(TABLE);
        await page.getByLabel('What happened, in your words').fill('Never paid');
        await page.getByRole('button', { name: 'Report 3 rows' }).waitFor();
      },
    ],
    [
      'panel many looked up',
      async (page) => {
        await link(page, 'Many at once');
        await page.getByLabel('The table, one customer a row').fill(TABLE);
        await page.getByRole('button', { name: 'Look up 3 rows' }).click();
        await page.getByText('Download all as CSV').waitFor();
      },
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
        await page.getByText('Create a key').click();
        await page.getByLabel('What the key may do').selectOption('Only queries');
        await page.getByRole('button', { name: 'Create the key' }).click();
        await page.getByRole('heading', { name: 'Your new key' }).waitFor();
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Your new key');
      },
    ],
    ['panel reports', (page) => link(page, 'Your reports')],
    [
      'panel search',
      async (page) => {
        await link(page, 'Your reports');
        await page.getByLabel('Search in your reports').fill('bank took');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('heading', { name: 'Reports that were found' }).waitFor();
        expect(page.url()).toBe(`${home}reports#found`);
      },
    ],
    [
      'panel report to delete',
      async (page) => {
        await link(page, 'Your reports');
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
        await page.goto('about:blank');
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
        await link(page, 'Your reports');
        await page.locator('[role=search] [name=token]').evaluate((token) => token.setAttribute('value', 'old'));
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByText('The form did nothing').waitFor();
      },
      refusedPage(403, '/panel/[0-9a-f]{32}/reports#found'),
    ],
    [
      'panel too large form',
      async (page) => {
        await link(page, 'Your reports');
        const fill = (token: Element): void => token.setAttribute('value', 'x'.repeat(100_000));
        await page.locator('[role=search] [name=token]').evaluate(fill);
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('alert').waitFor();
      },
      refusedPage(413, '/panel/[0-9a-f]{32}/reports#found'),
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
      const { page, problems, close } = await openToLook(browser, look, signedIn);
      await open(page);
      await expectGoodLook(page, { name, look, problems, expected });
      await close();
    });
  });

  /** Records what the browser sends and keeps. Returns the function that returns which of the texts are in it. */
  const record = (page: Page, texts: readonly string[]): (() => Promise<string[]>) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      sent.push(request.url(), JSON.stringify(request.headers()));
      // A form is in URL encoding: a space is a plus.
      for (const [name, value] of new URLSearchParams(request.postData() ?? '')) sent.push(name, value);
    });
    page.on('console', (message) => sent.push(message.text()));
    return async () => {
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]),
      );
      const all = decodeURIComponent([...sent, kept].join('\n').replaceAll(/%(?![0-9a-f]{2})/gi, '%25')).toLowerCase();
      return texts.filter((text) => all.includes(text.toLowerCase()));
    };
  };

  it('looks a customer up in two steps, and sends hashes only', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'phone'], { storageState: signedIn });
    const found = record(page, ['Carl.Gauss', 'example.org', '901820', '192.0.2.7']);
    await page.goto(home);
    // 1: type. 2: Enter.
    await page.keyboard.type(`${CUSTOMER}, +49 30 901820, 192.0.2.7`);
    await page.keyboard.press('Enter');
    await page.locator('#answer').getByText('2 organisations have reported this customer').waitFor();
    await page.getByRole('heading', { name: 'Hold the order' }).waitFor();
    const spoken = page.locator('[data-spoken]');
    expect(await spoken.innerText()).toMatch(
      /^Hold the order\. 2 organisations have reported this customer\. A report of /,
    );
    expect(await page.getByLabel('Email, phone number, IP address or domain').inputValue()).toContain(CUSTOMER);
    expect(await found()).toEqual([]);
    // The thresholds are of this browser, and the answer follows them.
    await page.getByText('Your thresholds and settings').click();
    const hold = page.getByLabel('Hold an order from');
    for (const wrong of ['999', '', '10.5']) {
      await hold.fill(wrong);
      await hold.blur();
      await page.getByText('Type a whole number from 0 to 100.').waitFor();
      expect(await hold.getAttribute('aria-invalid')).toBe('true');
    }
    expect(await page.locator('.saved').count()).toBe(0);
    await hold.fill('90');
    await hold.blur();
    await page.locator('.saved').getByText('Saved.').waitFor();
    expect(await spoken.innerText()).toBe('Saved.');
    expect(await page.locator('.error').count()).toBe(0);
    await page.getByText('Look at the order').waitFor();
    // Kept only if wanted, and then in this browser only.
    await page.getByLabel('Keep my last 20 look-ups').check();
    // From the box, too: no text is typed into it.
    await page.keyboard.press('/');
    await page.keyboard.type('dora@example.org');
    await page.keyboard.press('Enter');
    await page.locator('#answer').getByText('No organisation has reported this customer.').waitFor();
    await page.getByText('Allow', { exact: true }).waitFor();
    expect(await spoken.innerText()).toBe('Allow. No organisation has reported this customer.');
    expect(await page.evaluate(() => localStorage.getItem('redflag-panel-recent'))).toBe('["dora@example.org"]');
    await page.getByText('Last look-ups').click();
    await page.getByRole('button', { name: 'dora@example.org' }).waitFor();
    await page.reload();
    await page.getByText('Last look-ups').click();
    await page.getByRole('button', { name: 'dora@example.org' }).waitFor();
    await page.getByRole('button', { name: 'Forget them' }).click();
    expect(await page.evaluate(() => localStorage.getItem('redflag-panel-recent'))).toBeNull();
    expect(await found()).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('loads the list of providers of mail when a domain is typed, and not before', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    const lists: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/platforms-')) lists.push(request.url());
    });
    await page.goto(home);
    const field = page.getByLabel('Email, phone number, IP address or domain');
    await field.fill('ada@posteo.de');
    await page.getByLabel('Kind of value 1').waitFor();
    expect(lists).toEqual([]);
    await field.fill('posteo.de');
    await field.blur();
    await page.getByText('No identifier: it names no person.').waitFor();
    expect(lists).toHaveLength(1);
    expect(lists[0]).not.toContain('posteo');
    expect(problems).toEqual([]);
    await close();
  });

  it('says what is no identifier, takes another kind, and copies the answer for a ticket', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], {
      storageState: signedIn,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(home);
    const button = page.getByRole('button', { name: 'Look up' });
    await button.waitFor();
    const topOf = async () => (await button.boundingBox())!.y;
    const top = await topOf();
    await page.keyboard.type('noreply@example.org,hello-4711');
    // What is wrong waits until the values are complete, and nothing moves the button meanwhile.
    const wrong = page.getByText('No identifier: it names no person.');
    expect([await wrong.isVisible(), await topOf()]).toEqual([false, top]);
    await page.keyboard.press('Tab');
    await wrong.waitFor();
    expect(await topOf()).toBe(top);
    await button.click();
    await page.getByText('Value 1 is no identifier').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-describedby'))).toContain('-error');
    await page.getByLabel('ask anyway').check();
    await button.click();
    // A bare word may be anything, so it is not asked about by a guess.
    await page.getByText('Choose what this is.').waitFor();
    expect(await page.getByLabel('Kind of value 2').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('kind-1');
    await page.getByLabel('Kind of value 2').selectOption('Other data');
    await button.click();
    await page.getByRole('button', { name: 'Copy for the ticket' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const ticket = await page.evaluate(() => navigator.clipboard.readText());
    expect(ticket).toMatch(/^Looked up .* UTC: noreply@example\.org, hello-4711\nNo organisation/);
    expect(ticket).toContain('Our threshold says: Allow');
    // An answer does not outlive the look-up that follows it, however that ends.
    const field = page.getByLabel('Email, phone number, IP address or domain');
    const answer = page.locator('#answer');
    await field.fill('');
    await page.keyboard.press('Enter');
    await page.getByText('Type an email, a phone number').waitFor();
    expect([await answer.innerText(), await page.locator('[data-spoken]').innerText()]).toEqual(['', '']);
    await field.fill('dora@example.org');
    await page.keyboard.press('Enter');
    await answer.getByText('No organisation').waitFor();
    await page.route('**/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await page.keyboard.press('Enter');
    await page.getByText('The service did not answer.').waitFor();
    expect(await answer.innerText()).toBe('');
    expect(problems.splice(0)).toEqual([expect.stringContaining('Failed to load resource')]);
    // Without a keyboard, no hint speaks of one.
    const touch = await openLook(browser, ['light', 'phone'], {
      storageState: signedIn,
      isMobile: true,
      hasTouch: true,
    });
    await touch.page.goto(home);
    await touch.page.getByRole('button', { name: 'Look up' }).waitFor();
    expect(await touch.page.getByText('Press Enter').isVisible()).toBe(false);
    expect(await page.getByText('Press Enter').isVisible()).toBe(true);
    await touch.close();
    expect(problems).toEqual([]);
    await close();
  });

  it('reports in four steps, copies the code, and undoes it', async () => {
    const { engine, reporterId } = test;
    const { page, problems, close } = await openLook(browser, ['dark', 'phone'], {
      storageState: signedIn,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const found = record(page, ['emmy', 'noether']);
    await page.goto(home);
    // 1: type and look up. 2: report this customer. 3: what happened. 4: send.
    await page.keyboard.type('Emmy.Noether@example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Report this customer' }).click();
    // Who it is, and the first choice. Nothing is preset, so no key too many sends a claim.
    const customer = page.getByLabel('The customer');
    await customer.waitFor();
    expect(await customer.inputValue()).toBe('Emmy.Noether@example.org');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    expect(await focused()).toBe('type');
    await page.getByRole('button', { name: 'Send the report' }).click();
    for (const text of ['Choose what happened.', 'Choose a severity from 1 to 10.', 'Write what happened.'])
      await page.getByText(text).waitFor();
    expect(await focused()).toBe('type');
    await fillReport(page, 'Call +49 30 901820');
    // What was written stays if the service is busy.
    await page.route('**/report', (route) => route.fulfill({ status: 429, body: 'Too many requests' }), { times: 1 });
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('The service did not answer.').waitFor();
    expect(await page.getByLabel('What happened, in your words').inputValue()).toBe('Call +49 30 901820');
    expect(problems.splice(0)).toEqual([expect.stringContaining('Failed to load resource')]);
    await page.getByRole('button', { name: 'Send the report' }).click();
    // The service refuses the text. The customer is still there.
    await page.getByRole('alert').filter({ hasText: 'There is a problem' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('notice bad');
    expect(await customer.inputValue()).toBe('Emmy.Noether@example.org');
    await page.getByLabel('What happened, in your words').fill('Sent back an empty parcel');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByRole('heading', { level: 1, name: 'The report was sent' }).waitFor();
    // The result has the focus, and the code is the next stop.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy the code');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    const identifiers = [{ kind: 'email', hash: hashIdentifierSync('emmy.noether@example.org') }];
    const reported = async () => unwrap(await engine.lookUp({ reporterId, identifiers })).reported;
    expect(await reported()).toBe(1);
    expect(unwrap(await engine.listReports({ reporterId, text: code })).reports).toMatchObject([
      { deletionCode: code, text: 'Sent back an empty parcel', severity: 5 },
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The report was deleted.').waitFor();
    expect(await reported()).toBe(0);
    // The message has the focus, and the form has what was typed, which only this page knows.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('notice ok');
    expect(await customer.inputValue()).toBe('Emmy.Noether@example.org');
    expect(
      await page.evaluate(() =>
        ['type', 'severity', 'text'].map((id) => (document.getElementById(id) as HTMLInputElement).value),
      ),
    ).toEqual(['fraud', '5', 'Sent back an empty parcel']);
    expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(
      /emmy/i,
    );
    await page.getByLabel('Severity').selectOption('6');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByRole('heading', { level: 1, name: 'The report was sent' }).waitFor();
    expect(await reported()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The report was deleted.').waitFor();
    expect(await reported()).toBe(0);
    // The way back leads to the page before.
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Look up' }).waitFor();
    expect(page.url()).toBe(home);
    expect(await found()).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('looks 300 rows up in four steps, in their order, and makes the file in the browser', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    const found = record(page, ['customer1', 'example.org', 'Carl.Gauss']);
    const rows = Array.from({ length: 300 }, (_, n) => `${n},${n === 250 ? CUSTOMER : `customer${n}@example.org`}`);
    await page.goto(home);
    // 1: Many at once. 2: choose the file. 3: look up. 4: the file with the results.
    await page.getByRole('link', { name: 'Many at once' }).click();
    // Rows can be pasted at once.
    await page.locator('#table:focus').waitFor();
    await page
      .getByLabel('Or a file')
      .setInputFiles({
        name: 'orders.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`order,email\n${rows.join('\n')}`),
      });
    await page.getByText(/^Uses 300 of your [\d,]+ identifiers left today\.$/).waitFor();
    await page.getByRole('button', { name: 'Look up 300 rows' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download all as CSV' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    // With the mark by which Excel knows UTF-8.
    expect(text.startsWith('\ufeff')).toBe(true);
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toBe('order,email,advice,points,reliability,reports,organisations,reason,record');
    expect(lines).toHaveLength(301);
    expect(lines[251]).toMatch(/^250,Carl\.Gauss@Example\.org,Hold,\d+,[\d.]+,2,2,"2 organisations have/);
    expect(lines[1]).toMatch(/^0,customer0@example\.org,Allow,0,0,0,0,No organisation/);
    const shown = page.locator('#results tbody tr');
    expect(await shown.count()).toBe(100);
    // The worst are among them. The order is that of the table, and its first column says which row it is.
    expect(await shown.first().innerText()).toMatch(/^1\s+0\s+customer0@example\.org\s+Allow\s/);
    expect(await shown.last().innerText()).toMatch(/^251\s+250\s+Carl\.Gauss@Example\.org\s+Hold\s+\d+\s+2\s/);
    expect(await shown.last().locator('.tag').getAttribute('class')).toBe('tag ');
    await page.getByText('300 rows looked up. Hold 1, Look 0, Allow 299. The 100 worst are shown').waitFor();
    expect(await page.locator('[data-plan]').innerText()).toBe('');
    // Results do not outlive their table.
    await page.getByLabel('The table, one customer a row').fill('email\n');
    await page.getByLabel('The table, one customer a row').blur();
    await page.getByText('There are no rows below the names').waitFor();
    expect(await page.locator('#results').innerText()).toBe('');
    expect(await found()).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('reports rows once, names those that fail, and can be stopped', async () => {
    const { engine, reporterId } = test;
    const { page, problems, close } = await openLook(browser, ['light', 'phone'], { storageState: signedIn });
    const found = record(page, ['gustav', 'example.net']);
    await link(page, 'Many at once');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('Paste rows, or choose a file.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('table');
    await page.getByLabel('The table, one customer a row').fill('030 901820\n030 901821\n');
    await page.getByText('Looks like phone numbers: not used').waitFor();
    const column = (await page.locator('#use-0').elementHandle())!;
    await page.getByLabel('The table, one customer a row').blur();
    expect(await column.evaluate((select) => select.isConnected)).toBe(true);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('No row has an identifier. Choose').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('use-0');
    // Only phone numbers need a country.
    expect(await page.locator('#country').isVisible()).toBe(false);
    await page.locator('#use-0').selectOption('phone');
    expect(await page.locator('#country').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Look up 2 rows' }).waitFor();
    expect([await page.locator('.error').count(), await page.getByText('Looks like phone').count()]).toEqual([0, 0]);
    await page.getByLabel('Report each row').check();
    const table = 'email,notes\ngustav@example.net,Never paid\nhanna@example.net,Call +49 30 901820\nida@example.net,';
    await page.getByLabel('The table, one customer a row').fill(table);
    await page.getByLabel('What happened, in your words').fill('No parcel came back');
    const send = async (): Promise<readonly string[]> => {
      await page.getByRole('button', { name: 'Report 3 rows' }).click();
      await page.getByText('Download all as CSV').waitFor();
      return page.locator('#results tbody tr').allInnerTexts();
    };
    await page.getByRole('button', { name: 'Report 3 rows' }).click();
    await page.getByText('Choose what happened.').waitFor();
    await page.getByLabel('What happened', { exact: true }).selectOption('fraud');
    await page.getByLabel('Severity').last().selectOption('5');
    const [first, refused, ...rest] = await send();
    const done = [first, ...rest];
    expect(refused).toMatch(/hanna@example\.net[^]*phone number/);
    expect(done).toHaveLength(2);
    expect((await send()).filter((row) => row.includes('reported before'))).toHaveLength(2);
    const { reports } = unwrap(await engine.listReports({ reporterId, text: 'No parcel came back' }));
    expect(reports).toHaveLength(1);
    // Hashing 5,000 rows takes longer than it takes to press the button.
    const fileOf = (rows: number) => {
      const text = Array.from({ length: rows }, (_, n) => `stop${n}@example.net`).join('\n');
      return { name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    };
    await page.getByLabel('Look up each row').check();
    await page.getByLabel('Or a file').setInputFiles(fileOf(5_000));
    await page.getByRole('button', { name: 'Look up 5,000 rows' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Stopped.').waitFor();
    await page.getByLabel('Or a file').setInputFiles(fileOf(5_001));
    await page.getByText('There are more than 5000 rows.').waitFor();
    expect(await found()).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('shows times in the zone of the reader, with UTC in the title', async () => {
    const zone = { storageState: signedIn, timezoneId: 'America/New_York' };
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], zone);
    for (const name of ['overview', 'keys']) {
      await page.goto(home + name);
      const time = page.locator('main time[datetime*="T"]').first();
      expect(await time.innerText(), name).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d GMT-\d$/);
      expect(await time.getAttribute('title'), name).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/);
    }
    expect(problems).toEqual([]);
    await close();
  });

  it('runs nothing that people wrote, also without bypassing the policy', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    await link(page, 'Your reports');
    const content = await page.locator('main').innerText();
    for (const text of TEXTS) expect(content).toContain(text);
    expect(await page.title()).toBe('Your reports');
    expect(problems).toEqual([]);
    await close();
  });

  it('has a menu of two lines on a phone', async () => {
    const { page, close } = await openLook(browser, ['light', 'phone'], { storageState: signedIn });
    await overview(page);
    const tops = page.locator('.top nav a').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(await tops).size).toBe(2);
    await close();
  });

  it('is used by keyboard alone', async () => {
    const { page, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    await link(page, 'Keys');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.locator('body').press('Tab');
    expect(await focused()).toBe('Skip to content');
    const names = ['Look up', 'Report', 'Many at once', 'Overview', 'Your reports', 'Disputes', 'Keys'];
    for (const name of [...names, 'Sign out', 'CSV of the list', 'Create a key']) {
      await page.keyboard.press('Tab');
      expect((await focused()).replace(/ \d+(?: cases?)? waiting$/, '')).toBe(name);
    }
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    for (const name of ['CSV of the list', 'Create a key', 'Replace']) {
      await page.keyboard.press('Tab');
      expect(await focused()).toBe(name);
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Create the new key');
    await close();
  });

  it('reports and undoes it by keyboard alone, one field after the other', async () => {
    const { engine, reporterId } = test;
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: signedIn });
    const identifiers = [{ kind: 'email', hash: hashIdentifierSync('ada.byron@example.org') }];
    const reported = async () => unwrap(await engine.lookUp({ reporterId, identifiers })).reported;
    const press = (key: string) => page.keyboard.press(key);
    await page.goto(`${home}report`);
    await page.getByRole('button', { name: 'Send the report' }).waitFor();
    await page.keyboard.type('Ada.Byron@example.org');
    for (const [id, typed] of [
      ['type', 'f'],
      ['severity', '5'],
      ['text', 'Sent back an empty parcel'],
    ] as const) {
      await press('Tab');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(id);
      await page.keyboard.type(typed);
    }
    const valueOf = (id: string) => page.locator(`#${id}`).inputValue();
    expect(await Promise.all(['identifiers', 'type', 'severity', 'text'].map(valueOf))).toEqual([
      'Ada.Byron@example.org',
      'fraud',
      '5',
      'Sent back an empty parcel',
    ]);
    // Before the report is sent: what was recognised in the first field.
    await press('Tab');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Kind of value 1');
    await press('Tab');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The report was sent' }).waitFor();
    expect(await reported()).toBe(1);
    for (const name of ['Copy the code', 'Undo']) {
      await press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    }
    await press('Enter');
    await page.getByText('The report was deleted.').waitFor();
    expect(await reported()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it('replaces a key, and revokes the new one', async () => {
    const { engine, clock, reporterId } = test;
    const old = unwrap(await engine.issueKey({ reporterId, scope: 'query' }));
    const ask = async (apiKey: string) =>
      (await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: hashOf(40) }] })).ok;
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], {
      storageState: signedIn,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await link(page, 'Keys');
    const rowOf = (keyId: string) => page.getByRole('row').filter({ hasText: keyId });
    await rowOf(old.keyId).getByText('Replace', { exact: true }).click();
    await rowOf(old.keyId).getByRole('button', { name: 'Create the new key' }).click();
    const apiKey = await page.locator('.key').innerText();
    await page.getByRole('button', { name: 'Copy the key' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(apiKey);
    expect([apiKey !== old.apiKey, await ask(apiKey), await ask(old.apiKey)]).toEqual([true, true, true]);
    const [, keyId = ''] = /Its id is (\w+)\./.exec(await page.locator('main').innerText()) ?? [];
    expect(await engine.listKeys({ keyId })).toMatchObject([{ reporterId, scope: 'query' }]);

    await page.getByRole('link', { name: 'All keys' }).click();
    // The old key has a successor, so it cannot be replaced again.
    expect(await rowOf(old.keyId).locator('summary').allInnerTexts()).toEqual(['Revoke']);
    // Large enough for a thumb, and apart.
    await page.setViewportSize({ width: 390, height: 800 });
    const boxes = await Promise.all(
      (await rowOf(keyId).locator('summary').all()).map(async (one) => (await one.boundingBox())!),
    );
    expect(boxes.map(({ height }) => height >= 40)).toEqual([true, true]);
    expect(boxes[1]!.y - boxes[0]!.y - boxes[0]!.height).toBeGreaterThanOrEqual(4);
    for (const one of await page.locator('.top nav a').all())
      expect((await one.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await rowOf(keyId).getByText('Revoke', { exact: true }).click();
    await rowOf(keyId).getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText(`The key ${keyId} is revoked.`).waitFor();
    expect([await ask(apiKey), await ask(old.apiKey)]).toEqual([false, true]);
    clock.nowMs += DAY_MS;
    expect(await ask(old.apiKey)).toBe(false);
    expect(problems).toEqual([]);
    await close();
  });
});
