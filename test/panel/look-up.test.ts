import { gzipSync } from 'node:zlib';
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
      '2 organisations have reported this customer, most strongly First Shop: stolen card of severity 6, 3 days ago, with the same email.',
    );
    expect(html).toContain('Reported by you and Second Shop.');
    const { link, points } = unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    expect(html).toContain(`data-points="${points}"`);
    // Its link is of the whole set that was asked.
    expect(html).not.toContain(`href="${link}"`);
    expect(html).toMatch(
      /<a href="https:\/\/reports\.example\/report\/[0-9a-f]{40}" target="_blank" rel="noopener">Open the record/,
    );
    expect(html).toContain('19,998 of 20,000 identifiers left today');
    const nobody = await ada.done('/panel', 'look-up', { identifiers: `email=${hashOf(9)}` });
    expect(nobody).toContain('No organisation has reported this customer.');
    expect(nobody).not.toContain('Open the record');
  });

  it('also asks in the other spelling, and reports only in the first', async () => {
    const { engine, otherKey, reporterId, signedIn } = await createTestPanel();
    const identifiers = [{ kind: 'phone', hash: hashOf(4) }];
    unwrap(await engine.report({ apiKey: otherKey, type: 'fraud', severity: 5, text: 'A text', identifiers }));
    const ada = await signedIn(reporterId);
    const own = `phone=${hashOf(3)}`;
    const html = await ada.done('/panel', 'look-up', { identifiers: own, also: `phone=${hashOf(4)}` });
    expect(html).toContain('1 organisation has reported this customer');
    const begin = formOf(html, 'begin');
    expect(begin).toMatchObject({ identifiers: own });
    const report = textOf(await ada.post('/panel/report', begin));
    expect(report).toContain('The customer is in the form already, by phone number.');
    expect(report).toContain(`data-sent="${own}"`);
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
    const loaded = SCRIPTS.filter(({ file }) => /^(?:panel|shared)-/.test(file));
    expect(loaded).toHaveLength(2);
    const sizes = loaded.map(({ text }) => gzipSync(text, { level: 9 }).length);
    expect(sizes[0]! + sizes[1]!).toBeLessThanOrEqual(60 * 1024);
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
    if (id !== 'identifiers') expect(html).toContain(`data-sent="${SENT}"`);
    expect(unwrap(await engine.listReports({ reporterId })).reports).toEqual([]);
  });
});
