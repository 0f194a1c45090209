import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashIdentifierSync } from '../../src/hash.ts';
import { launchBrowser, reasonToSkip } from '../browser/chromium.ts';
import { post, runCli, startForTest } from '../cli/service.ts';
import { hashOf } from '../engine/setup.ts';
import { openLook, refusedPage } from '../web/visit.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SCRIPT = '/usr/bin/script';
const LINK = /http:\/\/127\.0\.0\.1:\d+\/panel\/sign-in\/[0-9a-f]{64}/;
/** The answer to a query that no report matches. */
const NOTHING = /^0-0-0\.0-http:\/\/127\.0\.0\.1:\d+\/report\/[0-9a-f]{40}$/;

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'redflag-panel-')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

/** Starts `redflag serve` on a terminal, and returns what it prints up to its last line. */
async function serveOnTerminal(): Promise<{ readonly out: string; stop(): Promise<void> }> {
  const command = `exec ${process.execPath} ${CLI} serve --port 0 --data ${folder}`;
  const child = spawn(SCRIPT, ['-qefc', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let out = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
      if (/^Listening on \S+\r?\n/m.test(out)) resolve();
    });
    void ended.then(() => reject(new Error(`the service ended: ${out}`)));
  });
  return {
    out,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

describe('sign-in links of the program', () => {
  it.skipIf(!existsSync(SCRIPT))('are printed to a terminal, until an operator has signed in', async () => {
    const first = await serveOnTerminal();
    const link = LINK.exec(first.out)![0];
    const headers = { origin: new URL(link).origin };
    expect(
      await fetch(link, { method: 'POST', headers, redirect: 'manual', body: new URLSearchParams() }),
    ).toMatchObject({ status: 303 });
    await first.stop();
    const second = await serveOnTerminal();
    await second.stop();
    expect(second.out).not.toContain('/panel/');
  });

  it('are never printed to a log, and come from a command beside the service and without it', async () => {
    const service = await startForTest(['--data', folder]);
    expect(service.output.out + service.output.err).not.toContain('sign-in');
    const beside = await runCli(['panel', 'link', '--data', folder, '--by', 'Ada']);
    expect(beside).toMatchObject({ code: 0, out: expect.stringMatching(LINK) });
    const unknown = await runCli(['panel', 'link', '--data', folder, '--reporter', 'None', '--by', 'Ada']);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('no reporter has this name') });
    expect(service.output.out + service.output.err).not.toContain('sign-in');
    await service.stop('SIGTERM');
    const alone = await runCli(['panel', 'link', '--data', folder, '--by', 'Ada', '--json']);
    expect(JSON.parse(alone.out)).toEqual({
      url: null,
      path: expect.stringMatching(/^\/panel\/sign-in\/[0-9a-f]{64}$/),
      endsAt: expect.any(Number),
    });
    for (const args of [[], ['links'], ['link', 'x'], ['link', '--nobody', 'x']])
      expect(await runCli(['panel', ...args, '--data', folder])).toMatchObject({ code: 2 });
  });
});

describe.skipIf(reasonToSkip())('the first visit of a reporter', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });

  it('signs in, creates a key, sees the report of its program, and deletes it', async () => {
    const service = await startForTest(['--data', folder]);
    const asked = ['--reporter', 'First reporter', '--name', 'Bob', '--by', 'Ada'];
    const link = LINK.exec((await runCli(['panel', 'link', '--data', folder, ...asked])).out)![0];
    const { page, problems, close } = await openLook(browser, ['light', 'phone']);
    await page.goto(link);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('Create a key', { exact: true }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const apiKey = await page.locator('.key').innerText();
    // The browser sends the form again.
    await page.reload();
    await page.getByText('This form was already sent').waitFor();
    expect(await page.getByText('Revoke', { exact: true }).count()).toBe(2);

    const identifier = { email: hashOf(1) };
    const report = { _action: 'report', _type: 'fraud', _value: '6', _text: 'Paid with a stolen card' };
    expect(await post(service, { ...report, _api: apiKey, ...identifier })).toMatchObject({ status: 200 });
    await page.getByRole('link', { name: 'Your reports' }).click();
    const shown = page.getByRole('article').filter({ hasText: 'Paid with a stolen card' });
    await shown.getByText('Delete', { exact: true }).click();
    await shown.getByRole('button', { name: 'Delete the report' }).click();
    await page.getByText(/^The report was deleted/).waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    expect((await post(service, { _action: 'query', _api: apiKey, ...identifier })).body).toMatch(NOTHING);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goBack();
    await page.reload();
    await page.getByText('You are not signed in').waitFor();
    // A link that was used.
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    // The page of the panel after the sign-out, and its reload.
    const signedOut = expect.stringMatching(refusedPage(403, '/panel/[0-9a-f]{32}/reports[?]done=\\S+'));
    const used = expect.stringMatching(refusedPage(403, new URL(link).pathname));
    expect(problems).toEqual([signedOut, signedOut, used]);
    await close();
    await service.stop('SIGTERM');
  });

  it('ends when the operator signs the reporter out', async () => {
    const service = await startForTest(['--data', folder]);
    const named = ['--data', folder, '--reporter', 'First reporter', '--by', 'Ada'];
    const [used, unused] = [
      LINK.exec((await runCli(['panel', 'link', ...named, '--name', 'Bob'])).out)![0],
      LINK.exec((await runCli(['panel', 'link', ...named, '--name', 'Eve'])).out)![0],
    ];
    const { page, close } = await openLook(browser, ['light', 'desktop']);
    await page.goto(used);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('Revoke', { exact: true }).waitFor();
    expect(await runCli(['panel', 'sign-out', ...named])).toMatchObject({ code: 0 });
    await page.getByText('Create a key', { exact: true }).click();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('You are not signed in').waitFor();
    await page.goto(unused);
    await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
    const { out } = await runCli(['keys', 'list', '--data', folder, '--json']);
    expect(JSON.parse(out)).toHaveLength(1);
    await close();
    await service.stop('SIGTERM');
  });
});

describe.skipIf(reasonToSkip())('what people type', () => {
  /** As it is typed, and the parts by which it is found in any spelling. */
  const TYPED = ['Lise.Meitner@Example.org', '+49 171 1234567', 'Otto.Hahn@Example.net', 'Fritz.Haber@Example.com'];
  const PARTS = /meitner|1234567|otto|hahn|haber|example\.(?:org|net|com)/i;

  it('is clear in no request, address, console, storage, log or file, in all flows of shop, operator and person', async () => {
    const browser = await launchBrowser();
    const service = await startForTest(['--data', folder]);
    const linkFor = async (...args: string[]) =>
      LINK.exec((await runCli(['panel', 'link', '--data', folder, '--by', 'Ada', ...args])).out)![0];
    const seen: string[] = [];
    const open = async (link: string) => {
      const { page, problems, close } = await openLook(browser, ['light', 'phone']);
      page.on('request', (one) => seen.push(`${one.url()} ${JSON.stringify(one.headers())} ${one.postData() ?? ''}`));
      page.on('console', (message) => seen.push(message.text()));
      await page.goto(link);
      return { page, problems, close };
    };
    const keep = async (page: Page) => {
      seen.push(
        await page.evaluate(async () => {
          const databases = (await indexedDB.databases()).map(({ name }) => name);
          return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, databases]);
        }),
      );
      seen.push(JSON.stringify(await page.context().cookies()));
    };

    // A shop looks a customer up, reports the customer, and looks a table up.
    const shop = await open(await linkFor('--reporter', 'First reporter', '--name', 'Bob'));
    await shop.page.getByRole('button', { name: 'Sign in' }).click();
    await shop.page.getByLabel('Email, phone number').fill(`${TYPED[0]}\n${TYPED[1]}`);
    await shop.page.getByRole('button', { name: 'Look up' }).click();
    await shop.page.getByRole('button', { name: 'Report this customer' }).click();
    await shop.page.getByLabel('What happened', { exact: true }).selectOption('fraud');
    await shop.page.getByLabel('Severity').selectOption('5');
    await shop.page.getByLabel('What happened, in your words').fill('Sent back an empty parcel');
    await shop.page.getByRole('button', { name: 'Send the report' }).click();
    await shop.page.getByRole('heading', { level: 1, name: 'The report was sent' }).waitFor();
    await keep(shop.page);
    await shop.page.getByRole('link', { name: 'Many at once' }).click();
    await shop.page.getByLabel('The table').fill(`email;phone\n${TYPED[0]};${TYPED[1]}\n${TYPED[2]};`);
    await shop.page.getByRole('button', { name: 'Look up 2 rows' }).click();
    await shop.page.getByText('Download all as CSV').waitFor();
    await keep(shop.page);

    // The operator finds the report, and adds to the allow-list and searches there.
    const operator = await open(await linkFor());
    await operator.page.getByRole('button', { name: 'Sign in' }).click();
    for (const [name, label] of [
      ['Reports', 'Search in all reports'],
      ['Allow-list', 'Search in the allow-list'],
    ] as const) {
      await operator.page.getByRole('link', { name, exact: true }).click();
      if (name === 'Allow-list') {
        await operator.page.getByLabel('Identifier', { exact: true }).fill(TYPED[3]!);
        await operator.page.getByLabel('Reason', { exact: true }).fill('Ours');
        await operator.page.getByRole('button', { name: 'Add to the allow-list' }).click();
        await operator.page.getByText('The identifier is on the allow-list.').waitFor();
      }
      await operator.page.getByLabel(label).fill(name === 'Reports' ? TYPED[0]! : TYPED[3]!);
      await operator.page.getByRole('button', { name: 'Search', exact: true }).click();
      await operator.page.getByText('Only with the identifier').waitFor();
      await operator.page.getByText(name === 'Reports' ? 'Sent back an empty parcel' : 'Ours').waitFor();
      await keep(operator.page);
    }

    // The person asks for a dispute, and sees the case.
    const person = await open(`${new URL(operator.page.url()).origin}/dispute`);
    await person.page.getByLabel('Email address').fill(TYPED[0]!);
    await person.page.getByLabel('Why is the report wrong?').fill('Not me.');
    await person.page.getByRole('button', { name: 'Send the request' }).click();
    await person.page.getByRole('button', { name: 'Show the case' }).click();
    await person.page.getByRole('heading', { name: 'Your case' }).waitFor();
    await keep(person.page);

    for (const { problems, close } of [shop, operator, person]) {
      expect(problems).toEqual([]);
      await close();
    }
    await browser.close();
    await service.stop('SIGTERM');
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    const stored = await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')));
    expect(stored.some((text) => text.includes('Sent back an empty parcel'))).toBe(true);
    for (const text of [...seen, ...stored, service.output.out, service.output.err]) {
      const plain = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
      expect(PARTS.exec(plain.replaceAll('+', ' '))?.[0], text.slice(0, 200)).toBeUndefined();
    }
  });
});

describe.skipIf(reasonToSkip() ?? !existsSync(SCRIPT))('a service that begins with an empty folder', () => {
  const PERSON = 'Grace.Hopper@Example.org';
  const FALSE = 'Ordered, and never paid';
  const TRUE = 'Sent back an empty parcel';
  const REASON = 'Somebody else used my address. I never ordered there.';
  const ANSWER = 'The parcel was signed for by another person.';

  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });

  const signIn = async (page: Page, link: string): Promise<void> => {
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: /^(?:Overview|Look up a customer)$/ }).waitFor();
  };
  /** With how many wait. */
  const DISPUTES = /^Disputes(?: \d+(?: cases?)? waiting)?$/;
  const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true }).click();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  it('leads from the first link of the operator to a disputed, a wrong and a deleted report', async () => {
    const service = await serveOnTerminal();
    const first = LINK.exec(service.out)![0];
    const { origin } = new URL(first);
    const [operator, reporter, person] = [
      await openLook(browser, ['light', 'desktop']),
      await openLook(browser, ['light', 'desktop']),
      await openLook(browser, ['dark', 'phone']),
    ];

    await signIn(operator.page, first);
    await follow(operator.page, 'Reporters');
    await operator.page.getByText('Create a reporter', { exact: true }).click();
    await operator.page.getByLabel('Name of the organisation').fill('Second Shop');
    await press(operator.page, 'Create the reporter');
    await operator.page.getByRole('heading', { level: 1, name: 'Reporter created' }).waitFor();
    await operator.page.getByLabel('Name of the person').fill('Bob');
    await press(operator.page, 'Create the link');

    await signIn(reporter.page, LINK.exec(await operator.page.locator('main .key').innerText())![0]);
    await follow(reporter.page, 'Overview');
    await reporter.page.getByLabel('Email address, https address or phone number').fill('https://second.example/help');
    await press(reporter.page, 'Save the contact');
    await reporter.page.getByText('The contact was saved.').waitFor();
    await follow(reporter.page, 'Keys');
    await press(reporter.page, 'Create the key');
    const apiKey = await reporter.page.locator('.key').innerText();

    const email = hashIdentifierSync(PERSON);
    const ask = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ _api: apiKey, ...fields });
      const reply = await fetch(`${origin}/api/`, { method: 'POST', body });
      return { status: reply.status, body: await reply.text(), code: reply.headers.get('x-deletion-code') };
    };
    const draft = { _action: 'report', _type: 'fraud', email };
    expect(await ask({ ...draft, _value: '6', _text: FALSE })).toMatchObject({ status: 200, body: 'OK' });
    const { code } = await ask({ ...draft, _value: '4', _text: TRUE });
    const found = await ask({ _action: 'query', email });
    expect(found).toMatchObject({ status: 200, body: expect.stringMatching(/^[1-9]\d*-2-\d\.\d-http/) });
    const record = found.body.slice(found.body.indexOf('http'));
    const path = new URL(record).pathname;
    expect(record).toBe(`${origin}${path}`);

    const shown = person.page.locator('main');
    const reports = person.page.getByRole('article');
    await person.page.goto(record);
    expect(await reports.allInnerTexts()).toEqual([expect.stringContaining(FALSE), expect.stringContaining(TRUE)]);
    expect(await shown.innerText()).toContain('Second Shop: https://second.example/help');
    await follow(person.page, 'ask the operator to examine it');
    await person.page.getByLabel('Email address', { exact: true }).fill(` ${PERSON.toLowerCase()}`);
    await person.page.getByLabel('Why is the report wrong?').fill(REASON);
    await press(person.page, 'Send the request');
    await person.page.getByRole('heading', { name: 'Your request was received' }).waitFor();

    const disputed = (page: Page) => page.getByRole('article').filter({ hasText: FALSE });
    await follow(operator.page, DISPUTES);
    await follow(operator.page, /^Requests \([1-9] cases?\)$/);
    expect(await operator.page.locator('.said').allInnerTexts()).toContain(REASON);
    await operator.page.locator('summary').getByText('Open disputes', { exact: true }).click();
    // Both reports are about the person, but only one is wrong.
    await operator.page.getByLabel(TRUE).uncheck();
    await press(operator.page, 'Open the disputes');
    await operator.page.getByText('The dispute is open, in').waitFor();
    await person.page.goto(record);
    const mark = 'disputed, counts half';
    expect(await reports.filter({ hasText: mark }).allInnerTexts()).toEqual([expect.stringContaining(FALSE)]);

    await follow(reporter.page, DISPUTES);
    expect(await disputed(reporter.page).first().innerText()).toContain(REASON);
    await disputed(reporter.page).first().getByLabel('Your answer').fill(ANSWER);
    await press(reporter.page, 'Send the answer');
    await reporter.page.getByText('The operator sees your answer with the dispute.').waitFor();
    await follow(operator.page, DISPUTES);
    expect(await disputed(operator.page).locator('.said').allInnerTexts()).toContain(ANSWER);
    await press(operator.page, 'Uphold: report is wrong');
    await operator.page.getByText(/^Upheld: .* \(1 report\)\./).waitFor();
    await person.page.reload();
    expect(await reports.allInnerTexts()).toEqual([expect.stringContaining(TRUE)]);
    expect(await shown.innerText()).toContain('1 report was found wrong and does not count.');

    expect(await ask({ _action: 'delete', _code: code! })).toMatchObject({ status: 200, body: 'OK' });
    expect((await ask({ _action: 'query', email })).body).toMatch(NOTHING);
    expect((await person.page.reload())!.status()).toBe(404);
    await person.page.getByRole('heading', { level: 1, name: 'No reports' }).waitFor();
    expect(await shown.innerText()).not.toContain(FALSE);

    expect([...operator.problems, ...reporter.problems]).toEqual([]);
    expect(person.problems).toEqual([expect.stringMatching(refusedPage(404, path))]);
    for (const { close } of [operator, reporter, person]) await close();
    await service.stop();
  });
});
