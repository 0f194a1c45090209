import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { SCRIPTS } from '../../src/service/web/scripts.generated.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel, formOf } from './visiting.ts';

const EMAIL = [{ kind: 'email', hash: hashOf(1) }];
const SENT = `email=${hashOf(1)} ip=${hashOf(2)}`;
const DRAFT = { type: 'refund_abuse', severity: '5', text: 'Sent back an empty parcel', identifiers: SENT };
const CODE = /<p class="key" id="deletion-code"[^>]*>([0-9a-f]{16})</;

describe('the look-up of a reporter', () => {
  it('says in words who reported, with the numbers and the record', async () => {
    const { engine, apiKey, otherKey, clock, reporterId, signedIn } = await createTestPanel();
    const draft = { type: 'stolen_card', severity: 6, text: 'A text', identifiers: EMAIL };
    unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.report({ apiKey: otherKey, ...draft, severity: 5 }));
    clock.nowMs += 3 * 86_400_000;
    const ada = await signedIn(reporterId);
    const html = await ada.done('/panel', 'look-up', { identifiers: SENT });
    expect(html).toContain(
      '2 organisations have reported this customer. A report of yours says: stolen card of severity 6, 3 days ago, with the same email.',
    );
    expect(html).toContain('Reported by you and Second Shop.');
    const { link, points } = unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    expect(html).toContain(`data-points="${points}"`);
    // Its link is of the whole set that was asked.
    expect(html).not.toContain(`href="${link}"`);
    expect(html).toMatch(
      /<a href="https:\/\/reports\.example\/report\/[0-9a-f]{40}" target="_blank" rel="noopener">Open the record \(new tab\)</,
    );
    expect(html).toContain('<a href="/docs/points" target="_blank" rel="noopener">How points arise');
    expect(html).toContain('19,998 of 20,000 identifiers left today');
    expect(html).not.toContain('strongly First Shop');
    // The verdict is the headline, and one region says it.
    expect(html).toMatch(/<h2 data-advice="true" hidden><\/h2><p class="lead">2 organisations/);
    expect(html.match(/role="status"/g)).toHaveLength(1);
    expect(html).toMatch(/<p class="unseen" role="status" data-spoken="true"><\/p><section id="answer"/);
    const nobody = await ada.done('/panel', 'look-up', { identifiers: `email=${hashOf(9)}` });
    expect(nobody).toContain('No organisation has reported this customer.');
    expect(nobody).not.toContain('Open the record');
    // "Reliability 0" would seem to be about the answer.
    expect(nobody).not.toContain('<meter');
    expect(nobody).toContain('Shift+Enter for a new line');
    expect(nobody).not.toContain('/docs/points');
  });

  it('names no strongest report where one organisation reported, and never the own name', async () => {
    const { engine, apiKey, otherKey, reporterId, otherId, signedIn } = await createTestPanel();
    const draft = { type: 'stolen_card', severity: 6, text: 'A text', identifiers: EMAIL };
    const answers = async () => {
      const said: string[] = [];
      for (const id of [reporterId, otherId]) {
        const html = await (await signedIn(id)).done('/panel', 'look-up', { identifiers: SENT });
        said.push(/data-said="([^"]*)"/.exec(html)![1]!);
      }
      return said;
    };
    unwrap(await engine.report({ apiKey, ...draft }));
    const what = 'stolen card of severity 6, today, with the same email.';
    expect(await answers()).toEqual([
      `Only you have reported this customer: ${what}`,
      `1 organisation has reported this customer, First Shop: ${what}`,
    ]);
    unwrap(await engine.report({ apiKey, ...draft, severity: 2, text: 'Another text' }));
    expect(await answers()).toEqual([
      `Only you have reported this customer, 2 times. The strongest report is ${what}`,
      `1 organisation has reported this customer, First Shop, 2 times. The strongest report is ${what}`,
    ]);
    unwrap(await engine.report({ apiKey: otherKey, ...draft, severity: 1 }));
    expect(await answers()).toEqual([
      `2 organisations have reported this customer. A report of yours says: ${what}`,
      `2 organisations have reported this customer. A report of First Shop says: ${what}`,
    ]);
  });

  it('also asks in the other spelling, and reports only in the first', async () => {
    const { engine, otherKey, reporterId, signedIn } = await createTestPanel();
    const identifiers = [{ kind: 'phone', hash: hashOf(4) }];
    unwrap(await engine.report({ apiKey: otherKey, type: 'fraud', severity: 5, text: 'A text', identifiers }));
    const ada = await signedIn(reporterId);
    const own = `phone=${hashOf(3)}`;
    const html = await ada.done('/panel', 'look-up', { identifiers: own, also: `phone=${hashOf(4)}` });
    expect(html).toContain('1 organisation has reported this customer');
    // The page opens the report with what was typed: nothing about the customer is in the address or the form.
    expect(html).toMatch(
      /<form action="\/panel\/report" data-begin="true"><button class="button">Report this customer/,
    );
    const report = textOf(await ada.get('/panel/report'));
    expect(report).not.toContain(hashOf(3));
    expect(html.match(new RegExp(hashOf(3), 'g'))).toBeNull();
  });

  it.each([
    ['', 'At least one hashed identifier is needed.'],
    ['email=carl@example.com', 'must be a hash'],
    ['carl@example.com', 'A field name is not valid'],
    [Array.from({ length: 33 }, (_, n) => `email=${hashOf(n)}`).join(' '), 'More than 32 identifiers'],
  ])('of %j is refused in words, without a clear value', async (identifiers, words) => {
    const { reporterId, signedIn } = await createTestPanel();
    const html = await (await signedIn(reporterId)).done('/panel', 'look-up', { identifiers });
    expect(html).toContain(words);
    expect(html).not.toContain('carl');
  });

  it('ends with the budget of the day', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 3 }));
    const ada = await signedIn(reporterId);
    expect(await ada.done('/panel', 'look-up', { identifiers: SENT })).toContain('1 of 3 identifiers left today');
    expect(await ada.done('/panel', 'look-up', { identifiers: SENT })).toContain('The daily budget');
  });

  it('needs a script of at most 60 KB, and says what to do without one', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const loaded = SCRIPTS.filter(({ file }) => /^(?:panel|chunk)-/.test(file));
    expect(loaded).toHaveLength(2);
    const sizes = loaded.map(({ gzip }) => Buffer.from(gzip, 'base64').length);
    expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(60 * 1024);
    // The list of hosts that many people share comes later, and is one file for all pages.
    const withList = SCRIPTS.filter(({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).includes('posteo'));
    expect(withList.map(({ file }) => file.split('-')[0])).toEqual(['platforms']);
    const ada = await signedIn(reporterId);
    for (const page of ['', '/report', '/many']) {
      const html = textOf(await ada.get(`/panel${page}`));
      expect(html).toMatch(/<div class="card" data-without-script="true">.*npx redflag (?:client|hash)/s);
      // A browser sends no field that a person types identifiers into.
      expect(html).toMatch(/<form [^>]*data-(?:hashes|many)="[^>]* hidden>/);
      for (const [field] of html.matchAll(/<textarea [^>]*(?:data-typed|id="table")[^>]*>/g))
        expect(field).not.toContain('name=');
    }
  });
});

describe('a report by hand', () => {
  it('is stored, shows its code once, and is undone by it', async () => {
    const { engine, apiKey, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const html = await ada.done('/panel/report', 'submit-report', DRAFT);
    const deletionCode = CODE.exec(html)![1]!;
    const { reports } = unwrap(await engine.listReports({ reporterId }));
    expect(reports).toMatchObject([{ deletionCode, type: 'refund_abuse', severity: 5, kinds: ['email', 'ip'] }]);
    const again = await ada.done('/panel/report', 'submit-report', DRAFT);
    expect(again).toContain('You reported this before');
    expect(CODE.exec(again)![1]).toBe(deletionCode);
    expect(again).not.toContain('Undo');
    const undone = await ada.post('/panel/report', formOf(html, 'delete-report'));
    expect(undone.headers['Location']).toContain('The+report+was+deleted');
    expect(unwrap(await engine.query({ apiKey, identifiers: EMAIL })).reported).toBe(0);
  });

  it('presets no claim about the customer, and leads to its result', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const html = textOf(await ada.get('/panel/report'));
    const many = textOf(await ada.get('/panel/many'));
    for (const name of ['type', 'severity'])
      for (const page of [html, many])
        expect(page).toMatch(new RegExp(`<select name="${name}" required[^>]*><option value(?:="")?>Choose…</option>`));
    expect(html.match(/<option [^>]*selected/g)).toBeNull();
    expect(html).not.toContain('data-undo');
    const { type, severity, ...rest } = DRAFT;
    for (const [given, left] of [
      [{ type }, 'severity'],
      [{ severity }, 'type'],
    ] as const)
      expect(await ada.done('/panel/report', 'submit-report', { ...rest, ...given, [left]: '' })).toContain(
        `id="${left}-error"`,
      );
    const sent = await ada.done('/panel/report', 'submit-report', DRAFT);
    expect(sent).toMatch(/<h1 tabIndex="-1" autofocus>The report was sent/i);
    expect(sent).toContain('You can undo here');
  });

  it.each([
    [{ type: 'unknown' }, 'type', 'Choose what happened.'],
    [{ severity: '11' }, 'severity', 'Choose a severity from 1 to 10.'],
    [{ text: ' ' }, 'text', 'Write 1 to 2000 characters'],
    [{ text: 'Carl is carl@example.com' }, 'text', 'Everyone can read the text. Remove from it: email address.'],
    [{ identifiers: '' }, 'identifiers', 'Type the email'],
    [{ identifiers: 'email=dora@example.com' }, 'identifiers', 'Type the email'],
  ])('with %j is refused at its field, and keeps what was typed', async (fields, id, words) => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const html = await (await signedIn(reporterId)).done('/panel/report', 'submit-report', { ...DRAFT, ...fields });
    expect(html).toMatch(new RegExp(`<p class="error" id="${id}-error">${words}`));
    expect(html).not.toContain('dora');
    if (id !== 'text') expect(html).toContain(`>${DRAFT.text}</textarea>`);
    // Who it is stays in the browser, whose script fills the field again.
    expect(html).not.toContain(hashOf(1));
    expect(unwrap(await engine.listReports({ reporterId })).reports).toEqual([]);
  });
});
