import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hashIdentifierSync } from '../../src/hash.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { unwrap } from '../../src/index.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { launchBrowser, openServer, reasonToSkip, type OpenServer } from '../browser/chromium.ts';
import { createTestEngine, type TestEngine } from '../engine/setup.ts';
import { LOOKS, expectGoodLook, listen, openToLook } from './visit.ts';

const BASE = '/fraud-reports';
const TYPED = 'Ada.Lovelace@Example.org';
const REASON = 'Somebody else used my address.\nI never ordered there.';
const EVIL = '"><script>document.title = "run"</script><img src=x onerror=alert(1)>';
/** The defaults of a service; the quotes must not leave the attribute. */
const HASHINGS = [undefined, { prefix: `my "prefix" <b>'`, iterations: 4_000 }] as const;

describe.skipIf(reasonToSkip())('a request for a dispute in a browser', () => {
  let browser: Browser;
  const servers: OpenServer[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    return async () => {
      await browser.close();
      for (const server of servers) await server.close();
    };
  });

  /** A service with a report about the typed address, and the path of a link to it. */
  async function serving(hashing?: (typeof HASHINGS)[number]) {
    const test: TestEngine = await createTestEngine({
      publicUrl: `https://reports.example${BASE}`,
      limits: { dispute: { requests: 100, windowSeconds: 1 } },
    });
    const { engine, apiKey } = test;
    const pages = createPages(engine, { hashing });
    const server = await openServer(createListener(engine, { basePath: BASE, pages }));
    servers.push(server);
    const { origin } = server;
    const identifiers = [{ kind: 'email', hash: hashIdentifierSync(TYPED, hashing) }];
    const { reportId } = unwrap(
      await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'Paid with a stolen card', identifiers }),
    );
    const link = unwrap(await engine.query({ apiKey, identifiers })).link.slice(-40);
    return { ...test, origin, reportId, record: `${origin}${BASE}/report/${link}`, link };
  }

  const type = async (page: Page, identifier: string, reason: string) => {
    await page.locator('#identifier').fill(identifier);
    await page.getByLabel('Why is the report wrong?').fill(reason);
  };
  const send = (page: Page) => page.getByRole('button', { name: 'Send the request' }).click();
  const received = (page: Page) => page.getByRole('heading', { name: 'Your request was received' }).waitFor();

  it.each(HASHINGS)('leads from the record to a disputed report, and sends nothing in clear (%j)', async (hashing) => {
    const { engine, origin, record, reportId, link } = await serving(hashing);
    const page = await browser.newPage();
    const problems = listen(page);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
    await page.goto(record);
    await page.getByRole('link', { name: 'ask the operator to examine it' }).click();
    await page.waitForURL(`${origin}${BASE}/dispute/${link}`);
    expect(await page.locator('#without-script').isVisible()).toBe(false);
    await type(page, `  ${TYPED.toUpperCase()} `, REASON);
    await send(page);
    await received(page);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('received');
    // The page forgets what was typed, also if the person goes back to it.
    expect(await page.locator('#identifier').inputValue()).toBe('');
    // What it was about is shown, for a person who sees now that it is misspelt.
    expect(await page.locator('#asked').innerText()).toBe(`  ${TYPED.toUpperCase()} `);
    const hash = hashIdentifierSync(TYPED, hashing);
    const posts = sent.filter((request) => request.startsWith('POST'));
    expect(posts).toHaveLength(1);
    expect(posts[0]).toContain(`POST ${origin}${BASE}/dispute email=${hash}&_text=`);
    expect(sent.join('\n')).not.toMatch(/lovelace|example\.org/i);

    const requests = await engine.listDisputeRequests();
    expect(requests).toMatchObject([{ reportId, reason: REASON }]);
    await page.goto(record);
    expect(await page.getByText('disputed, counts half').count()).toBe(0);
    unwrap(await engine.openDispute({ reportId, reason: 'Looks true', by: 'Ada' }));
    await page.reload();
    expect(await page.getByText('disputed, counts half').count()).toBe(1);
    expect(await engine.listDisputeRequests()).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('leads in three steps to a case number, and with it to the decision in German, on a phone', async () => {
    const { engine, origin, record, reportId } = await serving();
    const context = await browser.newContext({
      locale: 'de-DE',
      bypassCSP: true,
      viewport: { width: 360, height: 800 },
    });
    const page = await context.newPage();
    const problems = listen(page);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(record);
    await page.locator('a[href*="/dispute/"]').first().click();
    // In the language of the page, which may not be that of the browser.
    await page.getByRole('button', { name: 'Widerspruch senden' }).click();
    await page.getByRole('alert').getByText('Geben Sie die E-Mail-Adresse').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('identifier');
    await page.locator('#identifier').fill(TYPED);
    await page.locator('#reason').fill(REASON);
    await page.getByRole('button', { name: 'Widerspruch senden' }).click();
    const number = page.locator('#case-number');
    await number.waitFor();
    const text = await number.innerText();
    expect(text).toMatch(/^([0-9a-z]{4}-){4}[0-9a-z]{4}$/);
    // What was to do before is gone.
    expect(await page.getByRole('link', { name: 'Haben Sie eine Fallnummer?' }).isVisible()).toBe(false);
    // The record's page has the status 404 once none of its reports counts.
    const expected = /404 \(Not Found\) \S+\/report\/\w+$/;
    const look = (name: string) => expectGoodLook(page, { name, look: ['light', 'phone'], problems, expected });
    await page.getByRole('button', { name: 'Kopieren' }).click();
    await look('a case number');
    const show = async (link: string) => {
      await page.getByRole('link', { name: link }).click();
      await page.waitForURL(`${origin}${BASE}/case`);
      await look('the form of a case');
      await page.getByLabel('Fallnummer').fill(text.toUpperCase());
      await page.getByRole('button', { name: 'Fall anzeigen' }).click();
      await page.getByText(text).waitFor();
    };
    // The page shows the number only once, and leads to the case with it.
    await page.getByRole('button', { name: 'Fall anzeigen' }).click();
    await page.getByRole('heading', { name: text }).waitFor();
    await look('a case that waits');
    for (const [language, what] of [
      ['English', 'Your request was received on'],
      ['Deutsch', 'Ihr Widerspruch ist am'],
    ] as const) {
      await page.getByRole('button', { name: language }).click();
      await page.getByText(what).waitFor();
      expect(await page.getByText(text).count()).toBe(1);
    }
    await page.getByLabel('Ihre Nachricht').fill('Ich habe dort nie bestellt.');
    await page.getByRole('button', { name: 'Nachricht senden' }).click();
    await page.getByRole('status').getByText('Ich habe dort nie bestellt.').waitFor();
    expect(await page.getByLabel('Ihre Nachricht').inputValue()).toBe('');
    unwrap(await engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    unwrap(await engine.answerPersons({ reportIds: [reportId], answer: 'Es tut uns leid.', by: 'Ada' }));
    // The person comes back by the link of the record, whose only report does not count any more.
    await page.goto(record);
    await look('a record without reports');
    await show('Haben Sie eine Fallnummer?');
    for (const said of ['dass diese Meldung falsch ist', 'Ich habe dort nie bestellt.', 'Es tut uns leid.'])
      await page.getByText(said).waitFor();
    await look('a decided case');
    expect(addresses.join()).not.toContain(text);
    expect(problems).toHaveLength(1);
    await context.close();
  });

  it('shows the same for an identifier without reports, another kind, and a script in every field', async () => {
    const { engine, origin } = await serving();
    const page = await browser.newPage();
    const problems = listen(page);
    await page.goto(`${origin}${BASE}/dispute`);
    // Only the languages, and the page of a case.
    expect(await page.locator('main a:not(nav a):not([href*="/case"])').count()).toBe(0);
    // The page repeats what was typed, and shows it as text.
    const content = async (typed: string) => {
      expect(await page.locator('#asked').innerText()).toBe(typed);
      const text = (await page.locator('main').innerText()).trim().replace(typed, 'TYPED');
      return text.replace(/([0-9a-z]{4}-){4}[0-9a-z]{4}/, 'NUMBER');
    };
    await type(page, 'nobody@example.org', REASON);
    await send(page);
    await received(page);
    const shown = await content('nobody@example.org');
    expect(shown).toContain('NUMBER');
    await page.reload();
    for (const kind of ['Phone number', 'IP address']) {
      await page.getByLabel('Kind of data').selectOption(kind);
      expect(await page.getByLabel(kind).getAttribute('id')).toBe('identifier');
    }
    await page.getByLabel('Kind of data').selectOption('Something else');
    expect(await page.getByLabel('Value').getAttribute('id')).toBe('identifier');
    await page.getByLabel('What is it called?').fill('<b>');
    await type(page, EVIL, EVIL);
    await send(page);
    await page.getByRole('alert').getByText('Use letters without accents').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('other-kind');
    await page.getByLabel('What is it called?').fill('Customer Number');
    await send(page);
    await received(page);
    expect(await content(EVIL)).toBe(shown);
    expect(await page.title()).toBe('Dispute a report about you');
    expect(await engine.listDisputeRequests()).toEqual([]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('finds a number in the spelling of the shop, and asks for a country code that is missing', async () => {
    const { engine, apiKey, origin, reportId } = await serving();
    const report = async (phone: string) => {
      const identifiers = [{ kind: 'phone', hash: hashIdentifierSync(phone, HASHINGS[0]) }];
      return unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'Paid late', identifiers }));
    };
    const filed = [await report('+4915123456789'), await report('+49-151-23456789'), await report('015123456789')];
    const page = await browser.newPage();
    await page.goto(`${origin}${BASE}/dispute`);
    await page.getByLabel('Kind of data').selectOption('Phone number');
    await page.getByText('With the country code').waitFor();
    await type(page, '0151 23456789', REASON);
    await send(page);
    await page.getByRole('alert').getByText('This number has no country code').waitFor();
    await page.locator('#identifier').fill('+49-151-23456789');
    await send(page);
    await received(page);
    const asked = async () => (await engine.listDisputeRequests()).map((request) => request.reportId).sort();
    expect(await asked()).toEqual([filed[0]!.reportId, filed[1]!.reportId].sort());
    await page.reload();
    await page.getByLabel('Kind of data').selectOption('Phone number');
    await type(page, '0151 23456789', REASON);
    await send(page);
    await page.getByRole('alert').getByText('This number has no country code').waitFor();
    // A shop may have reported it as it is.
    await send(page);
    await received(page);
    expect(await asked()).toEqual(filed.map((one) => one.reportId).sort());
    expect(await asked()).not.toContain(reportId);
    await page.close();
  });

  it('leads to another request with another spelling, and keeps both numbers', async () => {
    const { engine, origin, reportId } = await serving();
    const page = await browser.newPage();
    const problems = listen(page);
    await page.goto(`${origin}${BASE}/dispute`);
    await type(page, TYPED.replace('Example', 'Exmaple'), REASON);
    await send(page);
    await received(page);
    expect(await engine.listDisputeRequests()).toEqual([]);
    const number = await page.locator('#case-number').innerText();
    await page.getByRole('button', { name: 'Send another request' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('identifier');
    expect(await page.locator('#reason').inputValue()).toBe(REASON);
    await page.locator('#identifier').fill(TYPED);
    await send(page);
    await received(page);
    expect(await page.locator('#earlier code').allInnerTexts()).toEqual([number]);
    expect(await page.locator('#case-number').innerText()).not.toBe(number);
    expect(await engine.listDisputeRequests()).toMatchObject([{ reportId, reason: REASON }]);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('says what to mend, keeps what was typed, and can be used with the keyboard alone', async () => {
    const { engine, origin, reportId } = await serving();
    const page = await browser.newPage();
    await page.goto(`${origin}${BASE}/dispute`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByLabel('Kind of data').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type(TYPED);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Call me: +49 171 1234567');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('It seems to have: phone number').waitFor();
    expect(sent).toEqual([]);
    expect(await page.locator('#identifier').inputValue()).toBe(TYPED);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('reason');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('It was not me.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await received(page);
    expect(await engine.listDisputeRequests()).toMatchObject([{ reportId, reason: 'It was not me.' }]);
    await page.reload();
    await type(page, 'not provided', REASON);
    await send(page);
    await page.getByRole('alert').getByText('it stands for no value').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('identifier');
    await send(page);
    await received(page);
    await page.reload();
    await type(page, TYPED, REASON);
    await page.route('**/dispute', (route) => route.abort());
    await send(page);
    await page.getByRole('alert').getByText('The service did not answer.').waitFor();
    await page.route('**/dispute', (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '100' } }));
    await send(page);
    await page.getByRole('alert').getByText('Try again in 2 minutes.').waitFor();
    await page.close();
  });

  it('is refused with each of its errors: in view, announced, at its field, with what was typed', async () => {
    const { engine, apiKey, origin, link } = await serving();
    const identifiers = [{ kind: 'email', hash: hashIdentifierSync(TYPED) }];
    for (let n = 0; n < 10; n++)
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: `Paid late ${n}`, identifiers }));
    const context = await browser.newContext({ locale: 'de-DE', viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    const fields = ['#kind', '#other-kind', '#identifier', '#reason', '#about'] as const;
    const good = ['email', '', TYPED, REASON, ''];
    const hash = '0123456789abcdef0123456789abcdef01234567';
    const replies: Readonly<Record<string, { readonly status: number; readonly headers?: Record<string, string> }>> = {
      'Der Dienst lehnt diesen Widerspruch ab.': { status: 400 },
      'Versuchen Sie es in 2 Minuten noch einmal.': { status: 429, headers: { 'Retry-After': '100' } },
      'Der Dienst kann Ihren Widerspruch gerade nicht annehmen.': { status: 503 },
    };
    for (const [says, at, ...typed] of [
      ['Verwenden Sie Buchstaben ohne Akzente', '#other-kind', '', 'É'],
      ['Geben Sie die E-Mail-Adresse', '#identifier', 'email', '', ' '],
      ['er steht für keinen Wert', '#identifier', 'email', '', 'not provided'],
      ['ein Programm hat ihn beschädigt', '#identifier', 'email', '', 'ada@example\ufffd.org'],
      ['er benennt keine Person', '#identifier', 'email', '', 'noreply@example.org'],
      ['er ist schon eine Prüfsumme', '#identifier', 'email', '', hash],
      ['fehlt die Ländervorwahl', '#identifier', 'phone', '', '0151 23456789'],
      ['Schreiben Sie eine Begründung', '#reason', 'email', '', TYPED, ''],
      ['Das Zeichen Nummer 2 ist nicht erlaubt', '#reason', 'email', '', TYPED, 'a\u0007b'],
      ['scheint zu enthalten: Telefonnummer', '#reason', 'email', '', TYPED, 'Call +49 171 1234567'],
      ['Wählen Sie höchstens 10', 'input[type=checkbox]', 'email', '', TYPED, REASON, 'First Shop'],
      ...Object.keys(replies).map((text) => [text, replies[text]!.status === 400 ? '#reason' : '#send'] as const),
      ['Der Dienst hat nicht geantwortet.', '#send'],
    ] as const) {
      await page.goto(`${origin}${BASE}/dispute/${link}`);
      const values = good.map((value, n) => typed[n] ?? value);
      for (const [n, field] of fields.entries())
        if (field === '#kind') await page.locator(field).selectOption(values[n]!);
        else if (values[n] !== '') await page.locator(field).fill(values[n]!);
      if (says.includes('höchstens')) for (const box of await page.locator('.check input').all()) await box.check();
      const reply = replies[says];
      await page.unroute('**/dispute');
      await page.route('**/dispute', (route) => (reply ? route.fulfill(reply) : route.abort()));
      await page.locator('#send').click();
      const problem = page.getByRole('alert').getByText(says);
      await problem.waitFor();
      const box = (await problem.boundingBox())!;
      expect([says, box.y >= 0 && box.y + box.height <= 740]).toEqual([says, true]);
      const field = page.locator(at).first();
      expect([says, await field.evaluate((one) => one === document.activeElement)]).toEqual([says, true]);
      if (at !== '#send') expect(await field.getAttribute('aria-errormessage'), says).toBe('problem');
      for (const [n, one] of fields.entries()) expect(await page.locator(one).inputValue(), says).toBe(values[n]);
    }
    await context.close();
  });

  it('without scripts says what else to do, and cannot send anything', async () => {
    const { origin } = await serving();
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const reply = await page.goto(`${origin}${BASE}/dispute`);
    expect(reply!.headers()['content-security-policy']).toContain("form-action 'self'");
    await page.getByText('Without JavaScript, contact the organisation').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.locator('[name]:not(meta)').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      'case-field',
    ]);
    await context.close();
  });

  describe('the page of a case', () => {
    let place: string;
    let number: string;
    beforeAll(async () => {
      const { engine, apiKey, otherKey, clock, origin, reportId } = await serving();
      const identifiers = [{ kind: 'email', hash: hashIdentifierSync(TYPED) }];
      const make = async (key: string, kind: string) => {
        clock.nowMs += 86_400_000;
        const draft = { type: kind, severity: 5, text: 'Text', identifiers };
        return unwrap(await engine.report({ apiKey: key, ...draft }));
      };
      const second = await make(otherKey, 'identity_theft');
      const third = await make(apiKey, 'nonpayment');
      ({ caseNumber: number } = unwrap(await engine.requestDispute!({ identifiers, reason: REASON })));
      unwrap(await engine.readCase!({ number, text: 'I was abroad in that week.\nI can send you the ticket.' }));
      for (const one of [reportId, second.reportId, third.reportId])
        unwrap(await engine.openDispute({ reportId: one, reason: 'r', by: 'Ada' }));
      const decision = { upheld: true, answer: 'You are right about this one.', by: 'Ada' };
      unwrap(await engine.decideDispute({ reportId, ...decision }));
      unwrap(await engine.remove({ apiKey, deletionCode: third.deletionCode }));
      place = `${origin}${BASE}/case`;
    });

    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look);
      await page.goto(place);
      await page.getByLabel('Case number').fill('abcd');
      await page.getByRole('button', { name: 'Show the case' }).click();
      await page.getByText('There is no such case number').waitFor();
      const expected = /404 \(Not Found\) \S+\/case$/;
      await expectGoodLook(page, { name: 'a wrong case number', look, problems, expected });
      await page.getByLabel('Case number').fill(number);
      await page.getByRole('button', { name: 'Show the case' }).click();
      await page.getByRole('heading', { name: 'Messages' }).waitFor();
      await expectGoodLook(page, { name: 'a case', look, problems, expected });
      await close();
    });
  });

  describe('the page', () => {
    let place: string;
    beforeAll(async () => {
      const { origin, link } = await serving();
      place = `${origin}${BASE}/dispute/${link}`;
    });

    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look);
      await page.goto(place);
      await page.getByLabel('Kind of data').selectOption('Something else');
      await type(page, 'x', 'ada@example.org');
      await page.getByLabel('What is it called?').fill('passport');
      await send(page);
      await page.getByRole('alert').getByText('Remove personal data').waitFor();
      await expectGoodLook(page, { name: 'the form of a dispute', look, problems });
      await type(page, TYPED, REASON);
      await send(page);
      await received(page);
      await expectGoodLook(page, { name: 'a received request', look, problems });
      await close();
    });
  });
});
