import { beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { ALL_REPORTS } from '../../src/service/panel/operator/reports.tsx';
import { REPORTERS } from '../../src/service/panel/operator/reporters.tsx';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel } from './visiting.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { createOperatorVisit, type OperatorVisit } from './visit-operator.ts';

let test: TestEngine;
let operator: OperatorVisit;
let id: string;
beforeEach(async () => {
  test = await createTestEngine();
  operator = createOperatorVisit(test.engine, test.clock);
  id = test.reporterId;
});
const reporterNow = async (reporterId = id) =>
  (await test.engine.listReporters()).find((one) => one.reporterId === reporterId)!;
const TABS: Readonly<Record<string, string>> = { budget: 'standing', 'revoke-key': 'keys' };
const send = (action: string, fields: Record<string, string> = {}): Promise<string> =>
  operator.send(REPORTERS, action, { id, tab: TABS[action] ?? 'about', ...fields });
/** Who did what, newest last. */
const lastEntry = async () => (await test.engine.listAudit()).at(-1);

describe('the list of reporters', () => {
  it('shows state, standing and keys, sorted by name, and filters', async () => {
    unwrap(await test.engine.createReporter({ name: 'Aunverified', verified: false }));
    const asleep = unwrap(await test.engine.createReporter({ name: EVIL }));
    unwrap(await test.engine.suspendReporter({ reporterId: asleep.reporterId, suspended: true }));
    const all = await operator.show(REPORTERS);
    expect(all).toContain('All (4)');
    expect(all).toContain('To verify (1)');
    expect(all).not.toMatch(EVIL_HTML);
    expect(all).toContain('&lt;script>alert(1)&lt;/script>');
    expect(all.indexOf('Aunverified')).toBeLessThan(all.indexOf('First Shop'));
    // The state says it all: no verified reporter is also called established.
    expect(all).not.toMatch(/established|>Standing</);
    const unverified = await operator.show(REPORTERS, { list: 'unverified' });
    expect(unverified).toContain('Aunverified');
    expect(unverified).not.toContain('First Shop');
    const suspended = await operator.show(REPORTERS, { list: 'suspended' });
    expect(suspended).toContain('<span class="tag">suspended</span>');
    expect(suspended).not.toContain('First Shop');
    expect(await operator.show(REPORTERS, { list: EVIL })).toContain('First Shop');
  });

  it('counts the keys that work, and shows the last use', async () => {
    unwrap(await test.engine.query({ apiKey: test.apiKey, identifiers: [{ kind: 'email', hash: hashOf(1) }] }));
    const { keyId } = unwrap(await test.engine.issueKey({ reporterId: id }));
    unwrap(await test.engine.revokeKey({ keyId }));
    const html = await operator.show(REPORTERS);
    expect(html).toMatch(/First Shop<\/a><\/th>.*?data-label="Working keys"><div>1<\/div>.*?1 Jan 2026/s);
    expect(html).toMatch(/Second Shop<\/a><\/th>.*?data-label="Last used"><div><span class="quiet">never/s);
  });

  it('creates a reporter, and says at the field what is wrong', async () => {
    test.clock.nowMs += 1;
    const html = await operator.send(REPORTERS, 'create', { name: EVIL });
    const { reporterId, verified } = (await test.engine.listReporters()).at(-1)!;
    expect(verified).toBe(false);
    expect(html).toContain(`href="/panel/reporters?id=${reporterId}"`);
    // What comes next is there.
    expect(html).toMatch(
      new RegExp(`<form [^>]*action="/panel/reporters\\?id=${reporterId}#.*value="sign-in-link".*name="person"`, 's'),
    );
    const list = await operator.show(REPORTERS);
    expect(list.indexOf('Create a reporter')).toBeLessThan(list.indexOf('<table'));
    expect(html).not.toMatch(EVIL_HTML);
    test.clock.nowMs += 1;
    await operator.send(REPORTERS, 'create', { name: 'Third Shop', verified: 'yes' });
    expect((await test.engine.listReporters()).at(-1)).toMatchObject({ name: 'Third Shop', verified: true });
    expect(await lastEntry()).toMatchObject({ action: 'reporter-created', actor: 'Ada' });
    const taken = await operator.send(REPORTERS, 'create', { name: 'Third Shop', verified: 'yes' });
    expect(taken).toMatch(/id="name-error">[^<]+name/);
    expect(taken).toContain('value="Third Shop"');
    expect(taken).toMatch(/name="verified"[^>]* checked/);
    expect(await operator.send(REPORTERS, 'create', { name: ' ' })).toContain('id="name-error"');
  });

  it('says when a new name looks like another one', async () => {
    const create = async (name: string) => operator.send(REPORTERS, 'create', { name });
    expect(await create('Acme Shop')).not.toContain('looks like');
    for (const name of [
      'acme  shop',
      '\u0410\u0441m\u0435 Shop',
      'Acme-Shop.',
      'Acm\u00e9 Shop',
      '\uff21cme Shop',
      'Acrne Sh0p',
    ])
      expect([name, await create(name)]).toEqual([
        name,
        expect.stringMatching(/\d reporters? with a name that looks like this one: .*Acme Shop/),
      ]);
    expect(await create('Acme Shop 2')).not.toContain('looks like');
    expect(await create('\u5546\u5e97')).not.toContain('looks like');
  });

  it('shows 100 on a page', async () => {
    for (let n = 0; n < 101; n++) unwrap(await test.engine.createReporter({ name: `R${n}` }));
    expect(await operator.show(REPORTERS)).toContain('1 to 100 of 103');
    expect((await operator.show(REPORTERS, { from: '100' })).match(/role="rowheader"/g)).toHaveLength(3);
  });
});

describe('the page of a reporter', () => {
  it('shows its standing with the reasons, its keys and its usage', async () => {
    const identifiers = [{ kind: 'email', hash: hashOf(1) }];
    unwrap(await test.engine.query({ apiKey: test.apiKey, identifiers }));
    const tabs = await Promise.all(['about', 'keys', 'standing'].map((tab) => operator.show(REPORTERS, { id, tab })));
    for (const tab of tabs) expect(tab).toContain('<h1>First Shop</h1>');
    const html = tabs.join('');
    expect(html).toContain('Verified by the operator.');
    const [key] = await test.engine.listKeys();
    expect(html).toContain(`<code>${key!.keyId}</code>`);
    expect(html).toContain('1 identifiers in queries in 28 days');
    expect(await operator.show(REPORTERS, { id: EVIL })).toMatch(/No reporter has this id.*href="\/panel\/reporters"/s);
  });

  it('verifies it, and takes the verification back', async () => {
    expect(await send('unverify')).toContain('not verified any more');
    expect((await reporterNow()).verified).toBe(false);
    expect(await operator.show(REPORTERS, { id, tab: 'standing' })).toContain(
      'Not verified by the operator: the reports of all such reporters together are bounded.',
    );
    const html = await operator.show(REPORTERS, { id });
    expect(html).toContain('value="verify"');
    expect(html).not.toContain('value="unverify"');
    expect(await send('verify')).toContain('is verified');
    expect((await reporterNow()).verified).toBe(true);
    expect(await lastEntry()).toMatchObject({ action: 'reporter-verified', actor: 'Ada' });
  });

  it('suspends it, and ends the suspension', async () => {
    // Above the parts of the page, so that the keyboard is there at once.
    for (const tab of ['about', 'audit'])
      expect(await operator.show(REPORTERS, { id, tab })).toMatch(
        /Suspend this reporter.*aria-label="Parts of this page"/s,
      );
    const ask = () => test.engine.query({ apiKey: test.apiKey, identifiers: [{ kind: 'email', hash: hashOf(1) }] });
    expect(await send('suspend')).toContain('is suspended');
    expect(await ask()).toMatchObject({ refusal: { reason: 'suspended-key' } });
    expect(await operator.show(REPORTERS, { id })).toContain('value="resume"');
    expect(await send('resume')).toContain('The suspension has ended.');
    expect((await ask()).ok).toBe(true);
  });

  it('sets a budget and the default, and refuses others at the field', async () => {
    expect(await send('budget', { budget: ' 5,000 ' })).toBe('The budget was saved.');
    expect((await reporterNow()).identifiersPerDay).toBe(5_000);
    for (const budget of ['0', '-5', '1.5', 'many', EVIL, '1000000001']) {
      const html = await send('budget', { budget });
      expect(html).toContain('id="budget-error">The budget must be a whole number from 1 to 1,000,000,000.');
      expect(html).not.toMatch(EVIL_HTML);
    }
    expect((await reporterNow()).identifiersPerDay).toBe(5_000);
    expect(await operator.show(REPORTERS, { id, tab: 'standing' })).toContain('value="5000"');
    await send('budget', { budget: '' });
    expect((await reporterNow()).identifiersPerDay).toBeNull();
  });

  it('sets and removes the contact, and says at the field what is wrong', async () => {
    expect(await send('contact', { contact: ' help@shop.example ' })).toBe('The contact was saved.');
    expect((await reporterNow()).contact).toBe('help@shop.example');
    const wrong = await send('contact', { contact: EVIL });
    expect(wrong).toContain('id="contact-error"');
    expect(wrong).not.toMatch(EVIL_HTML);
    expect(await send('contact', { contact: '' })).toBe('The contact was removed.');
    expect((await reporterNow()).contact).toBeNull();
  });

  it('revokes its keys, and no key of another reporter', async () => {
    const keys = await test.engine.listKeys();
    const mine = keys.find(({ reporterId }) => reporterId === id)!;
    const foreign = keys.find(({ reporterId }) => reporterId !== id)!;
    expect(await operator.outcome(REPORTERS, 'revoke-key', { id, keyId: foreign.keyId })).toMatchObject({
      refusal: { reason: 'unknown-key-id' },
    });
    expect(await send('revoke-key', { keyId: mine.keyId })).toContain(`The key ${mine.keyId} is revoked.`);
    const html = await operator.show(REPORTERS, { id, tab: 'keys' });
    expect(html).toContain('<span class="tag">revoked</span>');
    expect(html).not.toContain('value="revoke-key"');
    expect((await test.engine.listKeys()).filter(({ endsAt }) => endsAt === 0)).toHaveLength(1);
  });

  it('creates a sign-in link, which is shown once and works once', async () => {
    const html = await send('sign-in-link', { person: 'Eve' });
    const [, token] = /https:\/\/reports\.example\/panel\/sign-in\/([0-9a-f]{64})</.exec(html)!;
    expect(await operator.show(REPORTERS, { id })).not.toContain(token!);
    const started = unwrap(await test.engine.startSession({ token: token! }));
    expect(started.signIn).toMatchObject({ reporterId: id, name: 'Eve' });
    expect((await test.engine.startSession({ token: token! })).ok).toBe(false);
    expect(await send('sign-in-link', { person: ' ' })).toContain('id="person-error"');
  });

  it('lists who is signed in, and signs them out', async () => {
    const { engine } = test;
    expect(await operator.show(REPORTERS, { id })).toContain('No person is signed in.');
    for (const reporterId of [id, null]) {
      const { token } = unwrap(await engine.createSignInLink({ reporterId, name: `Eve of ${reporterId}` }));
      unwrap(await engine.startSession({ token }));
    }
    const html = await operator.show(REPORTERS, { id });
    expect(html).toContain(`>Eve of ${id}<`);
    expect(html).not.toContain('Eve of null');
    expect(await send('sign-out-all')).toContain('All sessions and sign-in links have ended.');
    expect(await operator.show(REPORTERS, { id })).not.toContain('Eve');
    expect(await engine.listSessions({ reporterId: id })).toEqual([]);
    expect(await engine.listSessions({ reporterId: 'x' })).toEqual([]);
    expect(await engine.listSessions({ reporterId: null })).toHaveLength(1);
    expect((await engine.listAudit()).at(-1)).toMatchObject({ action: 'signed-out', actor: 'Ada', reporterId: id });
  });

  it('is shown again after a change, and after a refused form', async () => {
    const panel = await createTestPanel();
    const browser = await panel.signedIn(null);
    const address = `/panel/reporters?id=${panel.reporterId}`;
    const done = await browser.done(address, 'suspend');
    expect(done).toContain('<h1>First Shop</h1>');
    expect(done).toContain('role="status">The reporter is suspended.');
    const refused = await browser.done(`${address}&tab=keys`, 'revoke-key', { keyId: 'f'.repeat(16) });
    expect(refused).toContain('<h1>First Shop</h1>');
    expect(refused).toContain('role="alert"');
  });

  it('refuses every action for an unknown reporter', async () => {
    const actions = ['verify', 'unverify', 'suspend', 'resume', 'budget', 'contact', 'sign-in-link', 'sign-out-all'];
    for (const action of actions) {
      const fields = { id: 'f'.repeat(16), person: 'Eve', budget: '5' };
      expect(await operator.outcome(REPORTERS, action, fields)).toMatchObject({
        refusal: { reason: 'unknown-reporter' },
      });
    }
  });
});

describe('the reports of all', () => {
  it('are found by their text, reporter, type, day and hashes, never by an address', async () => {
    const panel = await createTestPanel();
    const { engine, apiKey, otherKey, clock, reporterId } = panel;
    const file = async (key: string, n: number, type: string, text: string) => {
      const identifiers = [{ kind: 'email', hash: hashOf(n) }];
      return unwrap(await engine.report({ apiKey: key, type, severity: 4, text, identifiers })).reportId;
    };
    const first = await file(apiKey, 1, 'fraud', 'Never paid');
    clock.nowMs += 86_400_000;
    const second = await file(otherKey, 2, 'spam', `Sent letters ${EVIL}`);
    const operator = await panel.signedIn(null);
    const textsOf = (html: string) => [...html.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text);
    const newest = textOf(await operator.get('/panel/reports'));
    expect(newest).not.toMatch(EVIL_HTML);
    expect(newest.indexOf('Sent letters')).toBeLessThan(newest.indexOf('Never paid'));
    // No identifier of 16 characters is in a heading.
    expect(newest).not.toMatch(/<h[1-3][^>]*>[^<]*[0-9a-f]{16}|<header>[^/]*<code/);
    for (const [fields, found] of [
      [{ text: 'NEVER' }, ['Never paid']],
      [{ text: first }, ['Never paid']],
      [{ reporter: 'First Shop' }, ['Never paid']],
      [{ reporter: reporterId }, ['Never paid']],
      [{ type: 'fraud' }, ['Never paid']],
      [{ until: '2026-01-01' }, ['Never paid']],
      [{ since: '2026-01-03' }, []],
      [{ text: `${hashOf(1).toUpperCase()}, ${hashOf(8)} ` }, ['Never paid']],
      [{ text: hashOf(8) }, []],
      [{ type: 'fraud', reporter: 'Second Shop' }, []],
    ] as const) {
      const reply = await operator.act('/panel/reports', 'find', fields);
      expect([fields, textsOf(textOf(reply))]).toEqual([fields, found]);
      expect(reply.headers).not.toHaveProperty('Location');
      // What was searched for is in the form again, and what was found has the focus.
      for (const [name, value] of Object.entries(fields).filter(([, text]) => !/^[0-9A-F]{40}/i.test(text)))
        expect(textOf(reply)).toMatch(
          new RegExp(`name="${name}"[^>]*value="${value.trim()}|value="${value}" selected`),
        );
      expect(textOf(reply)).toMatch(/<h2 id="form-find" tabindex="-1">/);
    }
    expect(textsOf(textOf(await operator.get('/panel/reports?text=NEVER')))).toHaveLength(2);
    // A hash is named beside the field, which is empty. Further searches are about it, until its box is not ticked.
    const searched = `${hashOf(1)} ${hashOf(8)}`;
    for (const [fields, found] of [
      [{ text: searched }, ['Never paid']],
      [{ searched, text: 'NEVER' }, ['Never paid']],
      [{ searched, text: 'letters' }, []],
      [{ searched, type: 'spam' }, []],
      [{ searched, text: first }, ['Never paid']],
    ] as const) {
      const html = textOf(await operator.act('/panel/reports', 'find', fields));
      expect([fields, textsOf(html)]).toEqual([fields, found]);
      expect(html).toMatch(new RegExp(`type="checkbox" id="searched" name="searched" value="${searched}" checked`));
      expect(html).toContain('Only with the identifier that you searched for');
      expect(/<input name="text"[^>]*>/.exec(html)![0]).not.toContain(hashOf(1));
    }
    const wrong = textOf(await operator.act('/panel/reports', 'find', { text: searched, reporter: 'Nobody' }));
    expect(wrong).toContain(`name="searched" value="${searched}" checked`);
    expect(wrong).toContain('There is a problem');
    // The script of the page hashes an identifier in the field.
    expect(newest).toMatch(/<form [^>]*data-iterations="32000".*<input name="text"[^>]* data-hash-kind="or-text"/s);
    const opened = await operator.done(`/panel/reports?id=${second}`, 'open-dispute', { reason: 'Says it was paid' });
    expect(opened).toMatch(/role="status">The dispute is open/);
    expect(opened).toContain('disputed, counts half');
    expect(opened).not.toContain('Never paid');
    expect(await engine.listDisputes()).toMatchObject([
      { reportId: second, openedBy: 'Ada', reason: 'Says it was paid' },
    ]);
  });

  it('go on in pages, also those of one reporter', async () => {
    const { engine, apiKey, clock } = test;
    for (let n = 0; n < 45; n++) {
      clock.nowMs += 1;
      const identifiers = [{ kind: 'email', hash: hashOf(n) }];
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: `Report ${n};`, identifiers }));
    }
    for (const [page, fields, path] of [
      [ALL_REPORTS, {}, 'reports'],
      [REPORTERS, { id, tab: 'reports' }, 'reporters'],
    ] as const) {
      const shown: string[][] = [];
      for (let next: Record<string, string> | undefined = fields; next !== undefined;) {
        const html = await operator.show(page, next);
        shown.push([...html.matchAll(/class="said">Report (\d+);/g)].map(([, n]) => n!));
        const [, query] = new RegExp(`href="/panel/${path}\\?([^"]*)" rel="next"`).exec(html) ?? [];
        next =
          query === undefined ? undefined : Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')));
      }
      expect(shown.map(({ length }) => length)).toEqual([20, 20, 5]);
      expect(shown.flat()).toEqual(Array.from({ length: 45 }, (_, n) => `${44 - n}`));
    }
  });

  it('are beside what was done to a reporter, in the audit part of its page', async () => {
    unwrap(await test.engine.createReporter({ name: 'Other', by: 'Bob' }));
    unwrap(await test.engine.suspendReporter({ reporterId: id, suspended: true, by: 'Eve' }));
    const html = await operator.show(REPORTERS, { id, tab: 'audit' });
    expect(html).toMatch(/Reporter suspended.*Eve/s);
    expect(html).not.toContain('Bob');
  });
});
