import { beforeAll, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createPanelPages } from '../../src/service/panel/pages.ts';
import { hashOf } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { textOf } from '../http/asking.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { createTestPanel, tokenFor, type Fields, type TestBrowser, type TestPanel } from './visiting.ts';

const EMAIL = [{ kind: 'email', hash: hashOf(1) }];

const PAGES = createPanelPages();
const addressOf = (path: string): string => (path === '' ? '/panel' : `/panel/${path}`);
/** Every form of a page: those that do something, those that only search, and what a script asks for. */
const ACTIONS = PAGES.flatMap(({ role, path, actions, searches, data }) =>
  Object.keys({ ...actions, ...searches, ...data }).map((action) => ({ role, path, action })),
);
/** Forms that change nothing of what `stateOf` returns: searches, and the verification. */
const CHANGELESS = new Set([
  ...PAGES.flatMap(({ path, searches }) => Object.keys({ ...searches }).map((action) => `${path} ${action}`)),
  'audit verify',
  'many look-up-rows',
]);
/** What they change is in the audit log only. */
const ONLY_IN_LOG = new Set(['sign-in-link', 'sign-out-all', 'answer']);
/** Its form is in every page. */
const SIGN_OUT = 'sign-out';
/** The action of no page. Both roles have it. */
const SIGN_OUTS = (['operator', 'reporter'] as const).map((role) => ({ role, path: SIGN_OUT, action: SIGN_OUT }));

/** Ends the session that sends it. So it is sent with a session of its own. */
const SIGN_OUT_ALL = 'sign-out-all';
const isLast = ({ path, action }: { readonly path: string; readonly action: string }): boolean =>
  action === SIGN_OUT_ALL && path !== 'reporters';

/** Actions about the report with an open dispute. The others are about the report with a request for one. */
const OF_DISPUTED = new Set(['answer-dispute', 'decide', 'undo']);

/** Two reporters, and something of the first one, the victim, for each form. */
async function arrange() {
  const test = await createTestPanel({ personalData: 'allow', sameRequestSeconds: 0 });
  const { engine, apiKey, clock, reporterId } = test;
  const draft = { type: 'fraud', severity: 5, identifiers: EMAIL } as const;
  const disputed = unwrap(await engine.report({ apiKey, ...draft, text: `One ${EVIL}` }));
  clock.nowMs += 1;
  const waiting = unwrap(await engine.report({ apiKey, ...draft, text: `Two ${EVIL}`, severity: 6 }));
  const { reportId } = waiting;
  const newest = `${clock.nowMs}-${reportId}`;
  unwrap(await engine.openDispute({ reportId: disputed.reportId, reason: EVIL, by: EVIL }));
  unwrap(await engine.answerDispute({ reportId: disputed.reportId, reporterId, answer: EVIL, by: EVIL }));
  // Of two people: the requests of one network are one case.
  for (const [reason, client] of [
    [`Request ${EVIL}`, '192.0.2.9'],
    [`Again ${EVIL}`, '192.0.2.10'],
  ] as const)
    unwrap(await engine.requestDispute!({ identifiers: EMAIL, reason, client }));
  unwrap(await engine.protect({ hash: hashOf(7), reason: EVIL, by: EVIL }));
  unwrap(await engine.createReporter({ name: EVIL.slice(0, 80), verified: false, by: EVIL }));
  // The requests are stored after the answer to the person.
  await eventually(async () => expect(await engine.listDisputeRequests()).toHaveLength(2));
  const [request] = await engine.listDisputeRequests({ reporterId });
  expect(request?.reportId).toBe(reportId);
  const { requestId } = request!;
  const { keyId } = (await engine.listKeys()).find((one) => one.reporterId === reporterId)!;
  const { hash } = (await engine.listProtected())[0]!;
  /** What a form may name, all of the victim. */
  const victims = {
    keyId,
    requestId,
    deletionCode: waiting.deletionCode,
    reporterId,
    id: reporterId,
    hash,
    reason: 'reason',
    answer: 'answer',
    message: 'message',
    contact: 'https://evil.example',
    name: 'Evil Shop',
    person: 'Eve',
    scope: 'all',
    budget: '5',
    type: 'fraud',
    severity: '5',
    text: 'A text',
    identifiers: `email=${hashOf(1)}`,
    rows: JSON.stringify([{ type: 'fraud', severity: '5', text: 'A text', identifiers: `email=${hashOf(1)}` }]),
  };
  const victimsOf = (action: string): Fields => ({
    ...victims,
    reportId: OF_DISPUTED.has(action) ? disputed.reportId : reportId,
    reportIds: OF_DISPUTED.has(action) ? disputed.reportId : reportId,
    [`about-${reportId}`]: 'yes',
  });
  const sessions = {
    operator: await test.signedIn(null, EVIL),
    reporter: await test.signedIn(reporterId, EVIL),
    other: await test.signedIn(test.otherId, 'Eve'),
  };
  return { test, victims, victimsOf, disputedId: disputed.reportId, waitingId: reportId, newest, sessions };
}

/** Everything that forms of the panel may change. */
async function stateOf({ engine, reporterId }: TestPanel, ofVictim = false) {
  const isShown = (of: { readonly reporterId: string }): boolean => !ofVictim || of.reporterId === reporterId;
  return {
    reporters: (await engine.listReporters()).filter(isShown),
    keys: (await engine.listKeys()).filter(isShown),
    reports: unwrap(await engine.listReports({ reporterId })).reports,
    disputes: (await engine.listDisputes()).filter(isShown),
    requests: (await engine.listDisputeRequests()).filter(isShown),
    protections: await engine.listProtected(),
    entries: ofVictim ? 0 : (await engine.listAudit()).length,
  };
}

describe('every page and form of the panel', () => {
  let arranged: Awaited<ReturnType<typeof arrange>>;
  let test: TestPanel;
  let victimsOf: (action: string) => Fields;
  let operator: TestBrowser;
  let victim: TestBrowser;
  let other: TestBrowser;

  const tokenOf = (browser: TestBrowser, path: string): string => tokenFor(browser, path, test.clock.nowMs);

  beforeAll(async () => {
    arranged = await arrange();
    ({ test, victimsOf } = arranged);
    ({ operator, reporter: victim, other } = arranged.sessions);
  });

  it('are all known', () => {
    expect(PAGES.map(({ role, path }) => `${role} ${path}`)).toEqual([
      ...new Set(PAGES.map(({ role, path }) => `${role} ${path}`)),
    ]);
    expect(ACTIONS.length).toBeGreaterThan(10);
  });

  it('show nothing without a session, and do nothing', async () => {
    const before = await stateOf(test);
    for (const { path } of PAGES) {
      const reply = await test.browser().get(addressOf(path));
      expect(textOf(reply)).toContain('You are not signed in');
      expect(textOf(reply)).not.toMatch(/First Shop|One &lt;/);
    }
    for (const { path, action } of [...ACTIONS, ...SIGN_OUTS]) {
      const token = tokenOf(victim, path);
      const reply = await test.browser().post(addressOf(path), { ...victimsOf(action), do: action, token });
      expect([path, action, textOf(reply).includes('You are not signed in')]).toEqual([path, action, true]);
    }
    expect(await stateOf(test)).toEqual(before);
  });

  it('do nothing with a stolen token, without one, and by GET', async () => {
    const before = await stateOf(test);
    const ofOtherForm = { operator: tokenOf(operator, 'another'), reporter: tokenOf(victim, 'another') };
    for (const { role, path, action } of [...ACTIONS, ...SIGN_OUTS]) {
      const browser = role === 'operator' ? operator : victim;
      const fields = { ...victimsOf(action), do: action };
      const token = tokenOf(browser, path);
      for (const reply of [
        await browser.post(addressOf(path), { ...fields, token: tokenOf(role === 'operator' ? victim : other, path) }),
        await browser.post(addressOf(path), { ...fields, token: ofOtherForm[role] }),
        await browser.post(addressOf(path), fields),
      ])
        expect([path, action, reply.status]).toEqual([path, action, 403]);
      const query = new URLSearchParams({ ...fields, token }).toString();
      for (const method of ['GET', 'HEAD']) await browser.send(method, `${addressOf(path)}?${query}`, '', {});
      const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      expect(await browser.post(addressOf(path), { ...fields, token }, foreign)).toMatchObject({ status: 403 });
    }
    for (const browser of [operator, victim]) expect(await browser.get('/panel')).toMatchObject({ status: 200 });
    expect(await stateOf(test)).toEqual(before);
    expect(test.failures).toEqual([]);
  });

  it('do not exist for the other role', async () => {
    const before = await stateOf(test);
    for (const { role, path } of PAGES) {
      if (PAGES.some((page) => page.path === path && page.role !== role)) continue;
      const stranger = role === 'operator' ? victim : operator;
      const [reply, unknown] = [await stranger.get(addressOf(path)), await stranger.get('/panel/there-is-none')];
      expect([path, reply.status]).toEqual([path, 404]);
      const plain = (text: string): string => text.replaceAll(/name="token" value="[^"]*"/g, '');
      expect(plain(textOf(reply))).toBe(plain(textOf(unknown)));
    }
    for (const { role, path, action } of ACTIONS) {
      const stranger = role === 'operator' ? victim : operator;
      const token = tokenOf(stranger, path);
      const reply = await stranger.post(addressOf(path), { ...victimsOf(action), do: action, token });
      // Both roles may have a page with this path. It has no such action, or it is its own.
      const isShared = ACTIONS.some((one) => one.path === path && one.action === action && one.role !== role);
      expect(isShared).toBe(false);
      expect([path, action, reply.status]).toEqual([path, action, 404]);
    }
    expect(await stateOf(test)).toEqual(before);
  });

  it('show and change nothing of another reporter', async () => {
    const before = await stateOf(test, true);
    const { victims, disputedId, waitingId, newest } = arranged;
    const { keyId, requestId, deletionCode, id } = victims;
    // Without what a form may repeat of what was sent.
    const shownBy = (html: string): string[] => {
      const shown = html.replaceAll(/<input [^>]*>|<textarea.*?<\/textarea>/gs, '');
      const secrets = [keyId, disputedId, waitingId, requestId, deletionCode, id, 'One &lt;', 'Two &lt;'];
      return secrets.filter((secret) => shown.includes(secret));
    };
    // To the victim, these addresses show its own reports.
    expect(shownBy(textOf(await victim.get(`/panel/reports?id=${waitingId}`)))).toContain('Two &lt;');
    expect(shownBy(textOf(await victim.get(`/panel/reports?before=${newest}`)))).toEqual([
      disputedId,
      // In the address to which a deletion returns.
      waitingId,
      'One &lt;',
    ]);
    const all = new URLSearchParams(victims).toString();
    for (const { role, path } of PAGES) {
      if (role !== 'reporter') continue;
      for (const query of [
        '',
        `?${all}`,
        `?id=${waitingId}`,
        `?before=${newest}`,
        `?before=9999999999999-${waitingId}`,
      ])
        expect([path, query, shownBy(textOf(await other.get(addressOf(path) + query)))]).toEqual([path, query, []]);
    }
    for (const { role, path, action } of ACTIONS) {
      if (role !== 'reporter' || isLast({ path, action })) continue;
      for (const text of ['', waitingId, deletionCode, 'One']) {
        // A report has the text that its own reporter sends.
        const sent = action === 'submit-report' ? {} : { text };
        const fields = { ...victimsOf(action), ...sent, do: action, token: tokenOf(other, path) };
        const reply = await other.post(addressOf(path), fields);
        expect(reply.status).toBeLessThan(500);
        expect([path, action, shownBy(textOf(reply))]).toEqual([path, action, []]);
      }
    }
    expect(await stateOf(test, true)).toEqual(before);
    expect(test.failures).toEqual([]);
  });

  it('show texts of people as text, whatever they are', async () => {
    for (const { role, path } of PAGES) {
      const browser = role === 'operator' ? operator : victim;
      const addresses = ['', `?id=${test.reporterId}`, `?id=${arranged.waitingId}`, '?list=requests', '?list=decided'];
      for (const query of [
        ...addresses,
        `?${new URLSearchParams({ done: EVIL, seal: EVIL, before: EVIL }).toString()}`,
      ]) {
        const html = textOf(await browser.get(addressOf(path) + query));
        expect([path, query, EVIL_HTML.test(html)]).toEqual([path, query, false]);
      }
    }
    const shown = textOf(await victim.get('/panel/reports')) + textOf(await victim.get('/panel/disputes'));
    for (const part of ['One &lt;script>', 'Two &lt;script>', 'Request &lt;script>']) expect(shown).toContain(part);
  });

  it('refuse a script in every field without an error of the service', async () => {
    const names = new Set<string>();
    for (const { role, path } of PAGES)
      for (const query of ['', `?id=${test.reporterId}`, '?list=requests']) {
        const html = textOf(await (role === 'operator' ? operator : victim).get(addressOf(path) + query));
        for (const [, name] of html.matchAll(/<(?:input|textarea|select) [^>]*?name="([^"]+)"/g)) names.add(name!);
      }
    for (const own of ['do', 'token']) expect(names.delete(own)).toBe(true);
    // Fields of an input, a text area, a choice, a tick box and a hidden field, and that of a filter.
    const known = ['person', 'endsAt', 'answer', 'scope', 'verified', 'reportIds', 'action'];
    expect([...names]).toEqual(expect.arrayContaining(known));
    const evil = Object.fromEntries([...names, 'before', 'after', 'list', 'from'].map((name) => [name, EVIL]));
    for (const { role, path } of PAGES) {
      const query = new URLSearchParams(evil).toString();
      const reply = await (role === 'operator' ? operator : victim).get(`${addressOf(path)}?${query}`);
      expect([path, reply.status, EVIL_HTML.test(textOf(reply))]).toEqual([path, 200, false]);
    }
    const before = await stateOf(test);
    for (const { role, path, action } of ACTIONS.filter((one) => !isLast(one))) {
      const browser = role === 'operator' ? operator : victim;
      // Each with valid ids and a script in the texts, and with scripts only.
      for (const fields of [
        evil,
        { ...victimsOf(action), reason: EVIL, answer: EVIL, contact: EVIL, name: EVIL, scope: EVIL },
      ]) {
        if (fields !== evil && action !== 'set-contact' && action !== 'create-key') continue;
        const reply = await browser.post(addressOf(path), { ...fields, do: action, token: tokenOf(browser, path) });
        expect([path, action, reply.status < 500]).toEqual([path, action, true]);
        expect(textOf(reply)).not.toMatch(EVIL_HTML);
      }
    }
    expect(test.failures).toEqual([]);
    const after = await stateOf(test);
    expect({ ...after, entries: 0 }).toEqual({ ...before, entries: 0 });
  });

  it('sign out those of the own reporter only, whatever the form names', async () => {
    const { test: own, victimsOf: fieldsOf, sessions } = await arrange();
    const isIn = async (browser: TestBrowser) => textOf(await browser.get('/panel')).includes('Sign out');
    const signOut = async (browser: TestBrowser, path: string, fields: Fields = {}) => {
      const token = tokenFor(browser, path, own.clock.nowMs);
      return browser.post(addressOf(path), { ...fieldsOf(SIGN_OUT_ALL), ...fields, do: SIGN_OUT_ALL, token });
    };
    const { operator: ops, reporter, other: another } = sessions;
    const reply = await signOut(another, 'overview');
    expect(EVIL_HTML.test(textOf(reply))).toBe(false);
    expect([await isIn(ops), await isIn(reporter), await isIn(another)]).toEqual([true, true, false]);
    await signOut(ops, 'reporters', { id: '0'.repeat(16) });
    expect([await isIn(ops), await isIn(reporter)]).toEqual([true, true]);
    await signOut(ops, 'reporters');
    expect([await isIn(ops), await isIn(reporter)]).toEqual([true, false]);
    await signOut(ops, 'operators');
    expect(await isIn(ops)).toBe(false);
    expect(own.failures).toEqual([]);
  });

  // The forms do nothing above because of the session or the token, not because of what is in them.
  it.each(ACTIONS.filter(({ path, action }) => !CHANGELESS.has(`${path} ${action}`)))(
    'change something for the right $role: $path $action',
    async ({ role, path, action }) => {
      const { test: own, victimsOf: fieldsOf, sessions } = await arrange();
      const { engine, clock, reporterId } = own;
      if (action === 'verify') unwrap(await engine.updateReporter({ reporterId, verified: false }));
      if (action === 'resume') unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
      const { reportId = '' } = fieldsOf(action);
      if (action === 'undo') unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Bob' }));
      const further: Readonly<Record<string, Fields>> = {
        protect: { hash: hashOf(8) },
        undo: { seen: String(clock.nowMs) },
      };
      const fields = { ...fieldsOf(action), ...further[action] };
      // Each action of the operator is in the audit log. Links, sessions and messages are nowhere else.
      const stored = async () => ({ ...(await stateOf(own)), ...(ONLY_IN_LOG.has(action) ? {} : { entries: 0 }) });
      const before = await stored();
      const token = tokenFor(sessions[role], path, clock.nowMs);
      const reply = await sessions[role].post(addressOf(path), { ...fields, do: action, token });
      expect([200, 303]).toContain(reply.status);
      expect(await stored()).not.toEqual(before);
    },
  );

  describe('with a session that works no more', () => {
    const HOUR_MS = 3_600_000;

    const said = 'You are not signed in';
    /** Asks for every page and sends every form, and asserts that nothing is shown or changed. */
    async function expectClosed({ cookie, place }: Pick<TestBrowser, 'cookie' | 'place'>): Promise<void> {
      const before = await stateOf(test);
      // The service removes the cookie of an ended session.
      const browser = (): TestBrowser => Object.assign(test.browser(), { cookie, place });
      for (const { path } of PAGES) {
        const text = textOf(await browser().get(addressOf(path)));
        expect([path, text.includes(said), /First Shop|One &lt;|Two &lt;/.test(text)]).toEqual([path, true, false]);
      }
      for (const { path, action } of [...ACTIONS, ...SIGN_OUTS]) {
        const token = tokenOf(browser(), path);
        const reply = await browser().post(addressOf(path), { ...victimsOf(action), do: action, token });
        expect([path, action, textOf(reply).includes(said)]).toEqual([path, action, true]);
      }
      expect(await stateOf(test)).toEqual(before);
    }

    const roles = [
      ['operator', 3 * 24 * HOUR_MS, () => null],
      ['reporter', 14 * 24 * HOUR_MS, () => test.reporterId],
    ] as const;

    it.each(roles)('are closed after the %s signed out', async (_, __, idOf) => {
      const browser = await test.signedIn(idOf());
      const session = { cookie: browser.cookie, place: browser.place };
      expect(await browser.post('/panel/sign-out', { token: tokenOf(browser, SIGN_OUT) })).toMatchObject({
        status: 303,
      });
      await expectClosed(session);
    });

    it('are closed to a suspended reporter, also after the suspension', async () => {
      const { engine, reporterId } = test;
      const browser = await test.signedIn(reporterId);
      const session = { cookie: browser.cookie, place: browser.place };
      unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
      await expectClosed(session);
      unwrap(await engine.suspendReporter({ reporterId, suspended: false }));
      await expectClosed(session);
    });

    it.each(roles)('are closed when the session of the %s has expired', async (_, lastsMs, idOf) => {
      const browser = await test.signedIn(idOf());
      test.clock.nowMs += lastsMs - 1;
      const session = { cookie: browser.cookie, place: browser.place };
      test.clock.nowMs += 1;
      await expectClosed(session);
    });
  });
});
