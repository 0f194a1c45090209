import { describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createPanelPages } from '../../src/service/panel/pages.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel, FORM_HEADERS, formOf, HOST } from './visiting.ts';

const HOUR_MS = 3_600_000;

/** Headers of a request with a cookie of another person. */
const asThief = (cookie: string, method: string): Readonly<Record<string, string>> =>
  method === 'GET' ? { cookie, host: HOST } : { ...FORM_HEADERS, cookie };
const DAY_MS = 24 * HOUR_MS;

describe('signing in to the panel', () => {
  it('says without a session how to get a link, and shows no page', async () => {
    const { browser } = await createTestPanel();
    for (const path of ['/panel', '/panel/keys', '/panel/nothing', '/panel/sign-out']) {
      const reply = await browser().get(path);
      expect(reply.status).toBe(path === '/panel' ? 200 : 403);
      expect(textOf(reply)).toContain('redflag panel link');
    }
    expect((await browser().get('/panels')).status).toBe(404);
    const strange = await browser().send('PUT', '/panel', '', {});
    expect(strange).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD, POST' } });
  });

  it('uses a link up by its button only, once', async () => {
    const { engine, reporterId, browser } = await createTestPanel();
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    const path = `/panel/sign-in/${token}`;
    const ada = browser();
    // Previews and prefetchers.
    for (const method of ['GET', 'HEAD', 'GET'])
      expect(await ada.send(method, path, '', {})).toMatchObject({ status: 200 });
    expect(ada.cookie).toBeUndefined();
    const started = await ada.post(path);
    expect(started).toMatchObject({ status: 303, headers: { Location: '/panel' } });
    expect(started.headers['Set-Cookie']).toMatch(
      /^__Secure-redflag-panel=[0-9a-f]{32}; Path=\/panel\/[0-9a-f]{32}\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(started.headers['Set-Cookie']).not.toContain(token);
    expect(textOf(await ada.get('/panel'))).toContain('First Shop');
    const replayed = await browser().post(path);
    expect(replayed).toMatchObject({ status: 403, body: expect.stringContaining('was used before') });
    expect(replayed.headers['Set-Cookie']).toBeUndefined();
    expect(await browser().post(`/panel/sign-in/${'0'.repeat(64)}`)).toMatchObject({ status: 403 });
    expect(await browser().post('/panel/sign-in/<script>')).toMatchObject({ status: 403 });
    const entries = (await engine.listAudit()).slice(-2);
    expect(entries).toMatchObject([
      { action: 'sign-in-link-created', actor: 'Ops', reporterId },
      { action: 'signed-in', actor: 'Ada', reporterId },
    ]);
  });

  it('ends all sessions and links of the operator, or of a reporter, when asked', async () => {
    const { engine, reporterId, signedIn, browser } = await createTestPanel();
    const [operator, another, reporter] = [await signedIn(null), await signedIn(null), await signedIn(reporterId)];
    const { token } = unwrap(await engine.createSignInLink({ reporterId: null, name: 'Ops', by: 'Ops' }));
    const isIn = async (one: typeof operator) => textOf(await one.get('/panel')).includes('Sign out');
    unwrap(await engine.endSessions({ reporterId: null, by: 'Eve' }));
    expect([await isIn(operator), await isIn(another), await isIn(reporter)]).toEqual([false, false, true]);
    expect(await browser().post(`/panel/sign-in/${token}`)).toMatchObject({ status: 403 });
    unwrap(await engine.endSessions({ reporterId }));
    expect(await isIn(reporter)).toBe(false);
    expect((await engine.listAudit()).slice(-2)).toMatchObject([
      { action: 'signed-out', actor: 'Eve', reporterId: null },
      { action: 'signed-out', actor: 'engine', reporterId },
    ]);
    for (const unknown of ['x', '0'.repeat(16)])
      expect(await engine.endSessions({ reporterId: unknown })).toMatchObject({
        refusal: { reason: 'unknown-reporter' },
      });
    expect(await engine.endSessions({ reporterId, by: '' })).toMatchObject({ refusal: { reason: 'invalid-name' } });
  });

  it('ends links after an hour, and sessions that are unused for 3 days or 14 days', async () => {
    const { engine, clock, reporterId, signedIn, browser } = await createTestPanel();
    const { token, endsAt } = unwrap(await engine.createSignInLink({ reporterId: null, name: 'Ops', by: 'Ops' }));
    expect(endsAt).toBe(clock.nowMs + HOUR_MS);
    const [operator, reporter] = [await signedIn(null), await signedIn(reporterId)];
    clock.nowMs += HOUR_MS;
    expect(await browser().post(`/panel/sign-in/${token}`)).toMatchObject({ status: 403 });
    clock.nowMs += 3 * DAY_MS - HOUR_MS;
    const ended = await operator.get('/panel');
    expect(textOf(ended)).toContain('You are not signed in');
    expect(ended.headers['Set-Cookie']).toContain('Max-Age=0;');
    clock.nowMs += 11 * DAY_MS - 1;
    expect(textOf(await reporter.get('/panel'))).toContain('Sign out');
    clock.nowMs += 14 * DAY_MS - 1;
    expect(textOf(await reporter.get('/panel'))).toContain('Sign out');
    clock.nowMs += 14 * DAY_MS;
    expect(textOf(await reporter.get('/panel'))).toContain('You are not signed in');
  });

  it('renews a session that is used, at most once an hour and for at most 30 or 90 days', async () => {
    for (const [isOperator, most] of [
      [true, 30],
      [false, 90],
    ] as const) {
      const { engine, clock, reporterId, signedIn } = await createTestPanel();
      const of = isOperator ? null : reporterId;
      const renewals = vi.spyOn(engine.context.store, 'renewSession');
      const person = await signedIn(of);
      const startedAt = clock.nowMs;
      clock.nowMs += HOUR_MS - 1;
      await person.get('/panel');
      expect(renewals).not.toHaveBeenCalled();
      clock.nowMs++;
      for (const path of ['/panel', '/panel/nothing', '/panel']) await person.get(path);
      expect(renewals).toHaveBeenCalledTimes(1);
      for (let day = 1; day < most; day++) {
        clock.nowMs = startedAt + day * DAY_MS;
        expect(textOf(await person.get('/panel/nothing'))).toContain('Sign out');
      }
      expect(await engine.listSessions({ reporterId: of })).toMatchObject([{ endsAt: startedAt + most * DAY_MS }]);
      clock.nowMs = startedAt + most * DAY_MS;
      expect(await engine.listSessions({ reporterId: of })).toEqual([]);
      expect(textOf(await person.get('/panel'))).toContain('You are not signed in');
    }
  });

  it('lets an operator invite another one, who then signs all out', async () => {
    const { engine, signedIn, browser } = await createTestPanel();
    const ada = await signedIn(null);
    const invited = textOf(await ada.act('/panel/operators', 'sign-in-link', { person: 'Bob' }));
    const [, token] = /\/panel\/sign-in\/([0-9a-f]{64})</.exec(invited)!;
    expect(textOf(await ada.get('/panel/operators'))).not.toContain(token);
    const bob = browser();
    await bob.post(`/panel/sign-in/${token}`);
    const shown = textOf(await bob.get('/panel/operators'));
    expect(shown).toMatch(/>Bob<.*>Ada</s);
    expect((await engine.listAudit()).slice(-2)).toMatchObject([
      { action: 'sign-in-link-created', actor: 'Ada', reporterId: null },
      { action: 'signed-in', actor: 'Bob', reporterId: null },
    ]);
    await bob.act('/panel/operators', 'sign-out-all');
    for (const one of [ada, bob]) expect(textOf(await one.get('/panel'))).toContain('You are not signed in');
  });

  it('shows pages although a session cannot be renewed', async () => {
    const { engine, clock, signedIn } = await createTestPanel();
    const operator = await signedIn(null);
    vi.spyOn(engine.context.store, 'renewSession').mockRejectedValue(new Error('the disk is full'));
    clock.nowMs += 2 * DAY_MS;
    expect(textOf(await operator.get('/panel/nothing'))).toContain('Sign out');
  });

  it('a suspended reporter’s staff lose their sessions at once, and cannot sign in again', async () => {
    const { engine, reporterId, signedIn, browser } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const form = formOf(textOf(await ada.get('/panel/keys')), 'create-key');
    const { cookie } = ada;
    const link = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    const keys = (await engine.listKeys()).length;
    expect(await ada.post('/panel/keys', form)).toMatchObject({ status: 403 });
    expect(await engine.listKeys()).toHaveLength(keys);
    const later = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    const refused = await browser().post(`/panel/sign-in/${later.token}`);
    expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('suspended') });
    unwrap(await engine.suspendReporter({ reporterId, suspended: false }));
    ada.cookie = cookie;
    expect(textOf(await ada.get('/panel'))).toContain('You are not signed in');
    expect(await browser().post(`/panel/sign-in/${link.token}`)).toMatchObject({ status: 403 });
    // The refused link was not used up.
    expect(await browser().post(`/panel/sign-in/${later.token}`)).toMatchObject({ status: 303 });
  });

  it('signs out, and keeps sessions of one browser apart', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const { cookie, place } = ada;
    expect(await ada.get('/panel/sign-out')).toMatchObject({ status: 404 });
    expect(await ada.post('/panel/sign-out', {})).toMatchObject({ status: 403 });
    const { token } = unwrap(await engine.createSignInLink({ reporterId: null, name: 'Ops', by: 'Ops' }));
    await ada.post(`/panel/sign-in/${token}`);
    const second = { cookie: ada.cookie, place: ada.place };
    expect([second.cookie === cookie, second.place === place]).toEqual([false, false]);
    const reply = await ada.post('/panel/sign-out', formOf(textOf(await ada.get('/panel/nothing')), 'sign-out'));
    expect(reply).toMatchObject({ status: 303, headers: { Location: '/panel?signed-out' } });
    expect(ada.cookie).toBeUndefined();
    ada.place = '';
    expect(textOf(await ada.get('/panel?signed-out'))).toContain('<h1>You are signed out</h1>');
    expect(textOf(await Object.assign(ada, second).get('/panel'))).toContain('You are not signed in');
    expect(textOf(await Object.assign(ada, { cookie, place }).get('/panel'))).toContain('First Shop');
  });

  it('says whose panel a link opens, before it is used, and counts who asks', async () => {
    const { engine, clock, reporterId, browser } = await createTestPanel({
      limits: { panel: { requests: 3, windowSeconds: 60 } },
    });
    const ask = async (of: string | null, name: string) => {
      const { token } = unwrap(await engine.createSignInLink({ reporterId: of, name, by: 'Ops' }));
      return textOf(await browser().get(`/panel/sign-in/${token}`)).replaceAll(/<[^>]*>/g, '');
    };
    expect(await ask(reporterId, 'Ada')).toMatch(/the panel of the reporter First Shop\. You act there as Ada\./);
    expect(await ask(null, 'Ops')).toMatch(/the panel of the operator of this service\. You act there as Ops\./);
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    const path = `/panel/sign-in/${token}`;
    expect(await browser().post(path)).toMatchObject({ status: 303 });
    for (const used of [path, `/panel/sign-in/${'0'.repeat(64)}`, '/panel/sign-in/x'])
      expect(await browser().get(used)).toMatchObject({ status: 403, body: expect.stringContaining('used before') });
    expect(await browser().get(path)).toMatchObject({ status: 429 });
    clock.nowMs += 60_000;
    const late = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    clock.nowMs += HOUR_MS;
    expect(await browser().get(`/panel/sign-in/${late.token}`)).toMatchObject({ status: 403 });
  });

  // Browsers send cookies of 127.0.0.1 to the programs of all ports, and take them from all.
  it.each([null, 'reporter'])('opens nothing with the cookie alone, or with a planted one: %s', async (role) => {
    const { engine, reporterId, otherId, signedIn, browser } = await createTestPanel();
    const victim = await signedIn(role === null ? null : reporterId, 'Victim');
    const attacker = await signedIn(otherId, 'Eve');
    expect(victim.cookie).not.toContain(victim.place);
    const stolen = victim.cookie!;
    const paths = ['/panel', '/panel/', '/panel/keys', `/panel/${attacker.place}/`, `/panel/${'0'.repeat(32)}/keys`];
    for (const path of [...paths, `/panel/${stolen.split('=')[1]}/`, `/panel/sign-out`])
      for (const method of ['GET', 'POST'])
        expect([path, textOf(await browser().send(method, path, '', asThief(stolen, method)))]).toEqual([
          path,
          expect.stringContaining('You are not signed in'),
        ]);
    // The address alone opens nothing either.
    expect(textOf(await browser().get(`/panel/${victim.place}/`))).toContain('You are not signed in');
    expect(textOf(await browser().get(`/panel/${victim.place}/`, { cookie: attacker.cookie }))).toContain(
      'You are not signed in',
    );
    const keys = await engine.listKeys();
    const form = formOf(textOf(await victim.get('/panel')), 'sign-out');
    for (const cookie of [
      `${victim.cookie}; ${attacker.cookie}`,
      `${attacker.cookie}; ${victim.cookie}`,
      `${victim.cookie};${victim.cookie}`,
      `other=1; ${victim.cookie}; ${attacker.cookie?.split('=')[0]}=`,
    ]) {
      const strange = { status: 403, body: expect.stringContaining('Delete the cookies of this site') };
      for (const path of ['/panel', '/panel/keys', '/panel/nothing'])
        expect(await victim.get(path, { cookie })).toMatchObject(strange);
      for (const path of ['/panel/keys', '/panel/sign-out'])
        expect(await victim.post(path, { ...form, do: 'create-key' }, { cookie })).toMatchObject(strange);
      expect(textOf(await victim.get('/panel', { cookie }))).not.toMatch(/Eve|Victim/);
    }
    expect(await engine.listKeys()).toEqual(keys);
    // A link is not used up in a browser that sends a planted cookie with it.
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    for (const method of ['GET', 'POST'])
      expect(
        await browser().send(method, `/panel/sign-in/${token}`, '', asThief(attacker.cookie!, method)),
      ).toMatchObject({ status: 403, body: expect.stringContaining('Delete the cookies') });
    expect(await browser().post(`/panel/sign-in/${token}`)).toMatchObject({ status: 303 });
    expect(textOf(await victim.get('/panel', { cookie: `a=b; ${victim.cookie}; c` }))).toContain('Sign out');
  });

  it('says whose panel it is before it shows a page to which another page led', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const [eve, operator] = [await signedIn(reporterId, 'Eve'), await signedIn(null, 'Ops')];
    const pathsOf = [
      [eve, ['/panel', '/panel/keys', '/panel/nothing', '/panel?done=x&seal=y']],
      [operator, ['/panel', '/panel/reporters', '/panel/audit']],
    ] as const;
    for (const [browser, paths] of pathsOf)
      for (const path of paths) {
        for (const site of ['same-site', 'cross-site', 'other']) {
          const reply = await browser.get(path, { 'sec-fetch-site': site });
          const text = textOf(reply);
          expect([reply.status, text.includes('<form'), text.includes('Sign out')]).toEqual([403, false, false]);
          expect(text.replaceAll(/<[^>]*>/g, '')).toContain(
            browser === eve
              ? 'the panel of the reporter First Shop. You act there as Eve.'
              : 'the panel of the operator of this service. You act there as Ops.',
          );
          expect(text).toContain('href="/panel"');
        }
        for (const site of ['same-origin', 'none', undefined])
          expect(textOf(await browser.get(path, { 'sec-fetch-site': site }))).toContain('Sign out');
      }
    // Each page has the names, also one that a form shows in reply.
    expect(textOf(await eve.act('/panel/keys', 'create-key'))).toMatch(/class="who".*Eve.*First Shop/s);
    for (const path of ['/panel', '/panel/keys', '/panel/nothing'])
      expect(textOf(await eve.get(path))).toMatch(/class="who".*Eve.*First Shop/s);
  });

  it('has its cookie and addresses under the public path, and a plain cookie without https', async () => {
    const { reporterId, signedIn, engine } = await createTestPanel({
      basePath: '/fraud%2Dcheck',
      publicUrl: 'http://reports.example/fraud-check',
    });
    const ada = await signedIn(reporterId);
    expect(ada.cookie).toMatch(/^redflag-panel=/);
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada' }));
    const reply = await ada.post(`/panel/sign-in/${token}`, {}, { origin: 'http://reports.example' });
    expect(reply.headers['Location']).toBe('/fraud-check/panel');
    expect(reply.headers['Set-Cookie']).toMatch(
      /; Path=\/fraud-check\/panel\/[0-9a-f]{32}\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    expect(textOf(await ada.get('/panel/keys'))).toContain('action="/fraud-check/panel/keys#form-create-key"');
  });

  it('is there with the classic dialect alone, without links to /docs', async () => {
    for (const dialect of ['specification', 'classic'] as const) {
      const { reporterId, signedIn, browser } = await createTestPanel({ dialect });
      const ada = await signedIn(reporterId);
      const shown = [
        await browser().get('/panel'),
        await ada.get('/panel'),
        await ada.act('/panel/keys', 'create-key', { label: 'Shop' }),
      ];
      for (const reply of shown) {
        expect(reply.status).toBe(200);
        expect(textOf(reply)).toContain('href="/"');
        expect(textOf(reply).includes('/docs')).toBe(dialect === 'specification');
      }
      expect(textOf(shown[2]!)).toContain('Your new key');
    }
  });

  it('works behind a proxy that strips the path of the public address', async () => {
    const { reporterId, signedIn, engine } = await createTestPanel({ publicUrl: 'https://reports.example/shop-1' });
    const ada = await signedIn(reporterId);
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada' }));
    const { headers } = await ada.post(`/panel/sign-in/${token}`);
    expect(headers['Location']).toBe('/shop-1/panel');
    expect(headers['Set-Cookie']).toContain(`; Path=/shop-1/panel/${ada.place}/; `);
    expect(textOf(await ada.get('/panel/keys'))).toContain('action="/shop-1/panel/keys#form-create-key"');
    expect(await ada.done('/panel/keys', 'create-key', { scope: 'all' })).toContain('Your new key');
    const signedOut = await ada.post('/panel/sign-out', formOf(textOf(await ada.get('/panel')), 'sign-out'));
    expect(signedOut.headers['Set-Cookie']).toContain(`; Path=/shop-1/panel/${ada.place}/; Max-Age=0;`);
  });

  it('lets no page of another site use up the limit of an address with pictures of sign-in links', async () => {
    const { browser, engine, reporterId } = await createTestPanel({
      limits: { panel: { requests: 4, windowSeconds: 60 } },
    });
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    const path = `/panel/sign-in/${token}`;
    for (const dest of ['image', 'iframe', 'empty', 'script'])
      for (let n = 0; n < 4; n++)
        expect(await browser().get(path, { 'sec-fetch-dest': dest })).toMatchObject({ status: 403 });
    expect(await browser().get(path, { 'sec-fetch-dest': 'document' })).toMatchObject({ status: 200 });
  });

  it('counts requests of an address, also guessed links and sessions', async () => {
    const { browser, engine, signedIn, reporterId } = await createTestPanel({
      limits: { panel: { requests: 4, windowSeconds: 60 } },
    });
    const ada = await signedIn(reporterId);
    // Cookies that no session can have cost nothing.
    for (let n = 0; n < 9; n++)
      expect(await browser().get('/panel/keys', { cookie: '__Secure-redflag-panel=x' })).toMatchObject({ status: 403 });
    const guess = (n: number) =>
      browser().get(`/panel/${`${n}`.repeat(32)}/`, { cookie: `__Secure-redflag-panel=${`${n}`.repeat(32)}` });
    for (const n of [1, 2, 4]) expect(await guess(n)).toMatchObject({ status: 200 });
    expect(await browser().post(`/panel/sign-in/${'0'.repeat(64)}`)).toMatchObject({ status: 403 });
    for (const reply of [await guess(3), await browser().post(`/panel/sign-in/${'0'.repeat(64)}`)])
      expect(reply).toMatchObject({ status: 429, headers: { 'Retry-After': '15' } });
    // Without a session nothing is read.
    expect(await browser().get('/panel')).toMatchObject({ status: 200 });
    // A person of this address who is signed in has a limit of its own.
    for (let n = 0; n < 4; n++) expect(await ada.get('/panel')).toMatchObject({ status: 200 });
    expect(await ada.get('/panel')).toMatchObject({ status: 429, headers: { 'Retry-After': '15' } });
    // So has a link, until it is used.
    const { token } = unwrap(await engine.createSignInLink({ reporterId: null, name: 'Ops', by: 'Ada' }));
    const link = `/panel/sign-in/${token}`;
    expect(await browser().get(link)).toMatchObject({ status: 200 });
    expect(await browser().post(link)).toMatchObject({ status: 303 });
    expect(await browser().post(link)).toMatchObject({ status: 429 });
  });
});

describe('forms of the panel', () => {
  it('need a page of the service, by what the browser says', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const keys = async () => (await engine.listKeys()).length;
    const before = await keys();
    const send = async (headers: Readonly<Record<string, string | undefined>>) => {
      const form = formOf(textOf(await ada.get('/panel/keys')), 'create-key');
      return (await ada.post('/panel/keys', form, headers)).status;
    };
    const none = { origin: undefined, 'sec-fetch-site': undefined };
    for (const [headers, status] of [
      [{}, 200],
      [none, 403],
      [{ ...none, origin: `https://${HOST}` }, 200],
      [{ ...none, origin: `http://${HOST}` }, 200],
      [{ ...none, origin: 'https://evil.example' }, 403],
      [{ ...none, origin: `https://${HOST}.evil.example` }, 403],
      [{ ...none, origin: 'null' }, 403],
      [{ ...none, origin: 'nonsense' }, 403],
      [{ ...none, host: 'inner:8377', origin: `https://${HOST}` }, 200],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{ 'sec-fetch-site': 'same-site' }, 403],
      [{ 'sec-fetch-site': 'none' }, 403],
      [{ origin: undefined }, 200],
      [{ origin: 'null' }, 200],
      [{ origin: 'https://evil.example' }, 403],
      [{ 'content-type': 'text/plain' }, 415],
      [{ 'content-type': 'application/json' }, 415],
      [{ 'content-type': 'multipart/form-data; boundary=x' }, 415],
    ] as const)
      expect([headers, await send(headers)]).toEqual([headers, status]);
    expect(await keys()).toBe(before + 6);
  });

  it('need the token of their session and their page, not older than 12 hours', async () => {
    const { engine, clock, reporterId, otherId, signedIn } = await createTestPanel();
    const [ada, eve] = [await signedIn(reporterId), await signedIn(otherId)];
    const form = formOf(textOf(await ada.get('/panel/keys')), 'create-key');
    const stolen = formOf(textOf(await eve.get('/panel/keys')), 'create-key')['token']!;
    const ofOtherPage = formOf(textOf(await ada.get('/panel/overview')), 'set-contact')['token']!;
    const ofSignOut = formOf(textOf(await ada.get('/panel/keys')), 'sign-out')['token']!;
    const [at, fresh, mac] = form['token']!.split('-') as [string, string, string];
    const before = await engine.listKeys();
    const forged = [
      '',
      stolen,
      ofOtherPage,
      ofSignOut,
      `${at}-${fresh}-${'0'.repeat(64)}`,
      `${(clock.nowMs + 1).toString(36)}-${fresh}-${mac}`,
      `${at}-${'0'.repeat(16)}-${mac}`,
      `${at}-${fresh}-${mac}0`,
    ];
    for (const token of forged) {
      const reply = await ada.post('/panel/keys', { ...form, token });
      expect(reply).toMatchObject({
        status: 403,
        body: expect.stringContaining('of another session or page, or too old'),
      });
    }
    const { token: _token, ...without } = form;
    expect(await ada.post('/panel/keys', without)).toMatchObject({ status: 403 });
    clock.nowMs += 12 * HOUR_MS;
    expect(await ada.post('/panel/keys', form)).toMatchObject({ status: 403 });
    expect(await engine.listKeys()).toEqual(before);
  });

  it('stay on the list of requests, also if one is refused', async () => {
    const { engine, apiKey, signedIn } = await createTestPanel();
    const identifiers = [{ kind: 'email', hash: hashOf(1) }];
    const draft = { type: 'fraud', severity: 5, text: 'A text', identifiers };
    unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.requestDispute!({ identifiers, reason: 'Not me', client: '192.0.2.7' }));
    const operator = await signedIn(null);
    const list = '/panel/disputes?list=requests';
    const refused = textOf(await operator.act(list, 'open', { reason: ' ' }));
    expect(refused).toMatch(/aria-current="page">Requests \(1 case\)/);
    const opened = await operator.done(list, 'open', { reason: 'Paid' });
    expect(opened).toContain('The dispute is open, in “To decide”.');
    expect(opened).toMatch(/>To decide \(1 case\).*aria-current="page">Requests \(0 cases\)/);
    // Without a choice, the list with work is shown.
    expect(textOf(await operator.get('/panel/disputes'))).toMatch(/aria-current="page">To decide \(1 case\)/);
  });

  it('take effect once, also if they are sent twice at once or from another process', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const before = (await engine.listKeys()).length;
    const form = formOf(textOf(await ada.get('/panel/keys')), 'create-key');
    const replies = await Promise.all([1, 2, 3].map(() => ada.post('/panel/keys', form)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 303, 303]);
    const again = await ada.post('/panel/keys', form);
    expect(textOf(await ada.get(again.headers['Location']!))).toContain(
      'This form was already sent. It does not take effect twice. If you have not copied a new key, replace it.',
    );
    expect((await engine.listKeys()).length).toBe(before + 1);
  });

  it('are refused if the clock is set back by more than ten minutes', async () => {
    const { clock, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const form = formOf(textOf(await ada.get('/panel/keys')), 'create-key');
    clock.nowMs -= 600_000;
    expect(await ada.post('/panel/keys', form)).toMatchObject({ status: 403 });
    clock.nowMs++;
    expect(await ada.post('/panel/keys', form)).toMatchObject({ status: 200 });
  });

  it('can be sent again if they did nothing: after a refusal, and after a failure of the store', async () => {
    const { engine, signedIn } = await createTestPanel();
    const ops = await signedIn(null);
    const page = '/panel/reporters';
    const form = { ...formOf(textOf(await ops.get(page)), 'create'), name: 'New Shop', verified: 'yes' };
    for (const _ of [1, 2]) {
      const blank = await ops.post(page, { ...form, name: ' ' });
      expect(blank).toMatchObject({ status: 200, body: expect.stringContaining('id="name-error"') });
      expect(textOf(blank)).toMatch(/id="verified"[^>]* checked/);
    }
    const failing = vi.spyOn(engine, 'createReporter').mockRejectedValueOnce(new Error('disk'));
    expect((await ops.post(page, form)).status).toBeGreaterThanOrEqual(500);
    failing.mockRestore();
    expect(textOf(await ops.post(page, form))).toContain('Reporter created');
    expect((await engine.listReporters()).filter(({ name }) => name === 'New Shop')).toHaveLength(1);
    expect(await ops.post(page, form)).toMatchObject({ status: 303 });
  });

  it('keep what was typed if they are refused', async () => {
    const { engine, clock, apiKey, reporterId, signedIn } = await createTestPanel();
    const draft = { type: 'fraud', severity: 5, text: 'A text', identifiers: [{ kind: 'email', hash: hashOf(1) }] };
    const { reportId } = unwrap(await engine.report({ apiKey, ...draft }));
    unwrap(await engine.openDispute({ reportId, reason: 'I paid', by: 'Ops' }));
    const ada = await signedIn(reporterId);
    const form = formOf(textOf(await ada.get('/panel/disputes')), 'answer-dispute');
    clock.nowMs += 13 * HOUR_MS;
    const old = await ada.post('/panel/disputes', { ...form, answer: 'It never arrived' });
    expect(old).toMatchObject({ status: 403, body: expect.stringContaining('>It never arrived</textarea>') });
    // It is said in the form that was sent.
    expect(textOf(old)).toMatch(
      new RegExp(`<form[^>]*><div id="form-answer-dispute-${reportId}"[^>]* role="alert"><p>The form did nothing`),
    );
    const again = await ada.post('/panel/disputes', {
      ...formOf(textOf(old), 'answer-dispute'),
      answer: ' '.repeat(3),
    });
    expect(again).toMatchObject({ status: 200, body: expect.stringContaining('>   </textarea>') });
  });

  it('refuse repeated, long and unknown fields, and unknown actions', async () => {
    const { failures, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const form = formOf(textOf(await ada.get('/panel/keys')), 'create-key');
    const text = new URLSearchParams(form).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      host: HOST,
      'sec-fetch-site': 'same-origin',
    };
    const send = (more: string) => ada.send('POST', '/panel/keys', text + more, headers);
    expect(await send('&do=revoke-key')).toMatchObject({ status: 400 });
    expect(await send(`&scope=${'x'.repeat(20_000)}`)).toMatchObject({ status: 413 });
    expect(await send('&scope=%ff')).toMatchObject({ status: 400 });
    for (const name of ['', 'toString', '__proto__', 'show', 'sign-out'])
      expect(await ada.post('/panel/keys', { ...form, do: name })).toMatchObject({ status: 404 });
    expect(failures).toEqual([]);
  });

  it('show a message after a redirect only if the service wrote it for this session', async () => {
    const { engine, reporterId, otherId, signedIn } = await createTestPanel();
    const [ada, eve] = [await signedIn(reporterId), await signedIn(otherId)];
    const { keyId } = (await engine.listKeys()).find((key) => key.reporterId === reporterId)!;
    const reply = await ada.act('/panel/keys', 'revoke-key', { keyId });
    expect(reply.status).toBe(303);
    const location = reply.headers['Location']!;
    expect(textOf(await ada.get(location))).toMatch(/role="status"[^>]*>The key [0-9a-f]+ is revoked/);
    expect(textOf(await eve.get(location))).not.toContain('is revoked');
    const forged = `/panel/keys?${new URLSearchParams({ done: 'Call +49 30 1234', seal: '0'.repeat(32) })}`;
    expect(textOf(await ada.get(forged))).not.toContain('1234');
    expect(textOf(await ada.get('/panel/keys?done=Call'))).not.toContain('Call');
  });

  it('are on pages that no cache keeps, no search engine lists, and no frame shows', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    for (const path of ['/panel', '/panel/keys', '/panel/nothing', '/panel/sign-in/x']) {
      const { headers } = await ada.get(path);
      expect(headers).toMatchObject({
        'Cache-Control': 'no-store',
        'X-Robots-Tag': 'noindex, nofollow',
        'Referrer-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
      expect(headers['Content-Security-Policy']).toMatch(/form-action 'self'; frame-ancestors 'none'$/);
      // A page without a session needs no script.
      const scripted = "script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; ";
      const policy = headers['Content-Security-Policy']!.replace(path.includes('sign-in') ? '-' : scripted, '');
      expect(policy).not.toMatch(/unsafe|script-src/);
    }
  });
});

describe('the pages of the panel', () => {
  it('lead a keyboard to the content first, and to "Sign out" last', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    for (const visitor of [await signedIn(reporterId), await signedIn(null)]) {
      const html = textOf(await visitor.get('/panel'));
      const stops = [...html.matchAll(/<(?:a|button)\b[^>]*>([^<]*)/g)].map(([, text]) => text);
      expect(stops[0]).toBe('Skip to content');
      expect(html).toMatch(/<a [^>]*href="#content">.*<main [^>]*id="content" tabindex="-1"/s);
      expect(html.indexOf('Sign out')).toBeGreaterThan(html.indexOf('</nav>'));
      expect(html.indexOf('Sign out')).toBeLessThan(html.indexOf('<main'));
    }
  });

  it('show once with the focus on their heading, a button that copies, and no list, what a form has made', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const [ada, operator] = [await signedIn(reporterId), await signedIn(null)];
    const keyPage = textOf(await ada.act('/panel/keys', 'create-key'));
    const links = [
      textOf(await operator.act('/panel/operators', 'sign-in-link', { person: 'Bob' })),
      textOf(await operator.act(`/panel/reporters?id=${reporterId}`, 'sign-in-link', { person: 'Bob' })),
    ];
    for (const html of [keyPage, ...links]) {
      expect(html).toMatch(/<h1 tabindex="-1" autofocus>/);
      const [, id] = /<button [^>]*data-copies="([^"]*)" hidden>Copy the (?:key|link)</.exec(html)!;
      expect(html).toMatch(new RegExp(`<p class="key" id="${id}"[^>]*>[^<]{16,}</p>`));
      expect(html).toMatch(/<script type="module" src="[^"]*\/keys-/);
      expect(html).not.toContain('CSV of the list');
    }
    expect(textOf(await operator.act('/panel/reporters', 'create', { name: 'New Shop' }))).toMatch(
      /<h1 [^>]*autofocus>/,
    );
    // A page that is left does not come back: what it showed once is lost.
    for (const [link] of keyPage.matchAll(/<a [^>]*href="[^"]*\/docs[^>]*>/g))
      expect(link).toContain('target="_blank"');
  });

  it('name each step that opens by what it is about', async () => {
    const { engine, apiKey, reporterId, signedIn } = await createTestPanel();
    for (let n = 0; n < 3; n++) {
      unwrap(await engine.issueKey({ reporterId, keyName: `System ${n}` }));
      unwrap(await engine.protect({ hash: hashOf(n + 9), reason: `Ours ${n}`, by: 'Ada' }));
      const identifiers = [{ kind: 'email', hash: hashOf(n) }];
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: `Text ${n}`, identifiers }));
    }
    const [ada, operator] = [await signedIn(reporterId), await signedIn(null)];
    const found = await ada.act('/panel/reports', 'search', { text: 'Text' });
    for (const html of [
      textOf(found),
      ...(await Promise.all(['/keys', '/reports'].map(async (page) => textOf(await ada.get(`/panel${page}`))))),
      ...(await Promise.all(
        ['/allow-list', '/reports', `/reporters?id=${reporterId}&tab=keys`].map(async (page) =>
          textOf(await operator.get(`/panel${page}`)),
        ),
      )),
    ]) {
      const steps = [...html.matchAll(/<summary([^>]*)>([^<]*)/g)].map(
        ([, attributes, text]) => /aria-label="([^"]*)"/.exec(attributes!)?.[1] ?? text!,
      );
      const buttons = [...html.matchAll(/<button([^>]*danger[^>]*)>([^<]*)/g)].map(
        ([, attributes, text]) => /aria-label="([^"]*)"/.exec(attributes!)?.[1] ?? text!,
      );
      expect(steps.length).toBeGreaterThanOrEqual(3);
      expect(new Set(steps).size).toBe(steps.length);
      expect(new Set(buttons).size).toBe(buttons.length);
    }
  });

  it('stay open while the person reads a page of the service, which opens in a new tab', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    for (const visitor of [await signedIn(reporterId), await signedIn(null)])
      for (const [link] of textOf(await visitor.get('/panel')).matchAll(/<a [^>]*href="\/(?:docs)?"[^>]*>[^<]*/g))
        expect(link).toMatch(/target="_blank" rel="noopener">[^<]* \(new tab\)$/);
  });

  it('say without a session what to do, and whom to ask', async () => {
    const { engine, reporterId, browser, signedIn } = await createTestPanel({
      operator: { name: 'Fraud Desk', contact: 'desk@reports.example' },
    });
    const { token } = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    const path = `/panel/sign-in/${token}`;
    expect(textOf(await browser().get(path))).toContain('a service that Fraud Desk runs');
    await browser().post(path);
    const ada = await signedIn(reporterId);
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    const later = unwrap(await engine.createSignInLink({ reporterId, name: 'Ada', by: 'Ops' }));
    const [notHere, used, ended, suspended] = await Promise.all([
      browser().get('/panel'),
      browser().get(path),
      ada.get('/panel'),
      browser().get(`/panel/sign-in/${later.token}`),
    ]);
    for (const reply of [notHere, used, ended, suspended])
      expect(textOf(reply)).toContain('<a href="mailto:desk@reports.example"');
    for (const reply of [notHere, used]) expect(textOf(reply)).toContain('Go back to the tab of the panel');
    for (const reply of [ended, suspended]) expect(textOf(reply)).toContain('suspended your organisation');
    const operator = await signedIn(null);
    const page = textOf(await operator.get(`/panel/reporters?id=${reporterId}`));
    expect(page).toContain('its people cannot sign in. End the suspension first.');
    expect(page).not.toContain('value="sign-in-link"');
  });

  it('have the script that shows times in the zone of the reader', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    for (const { role, path } of createPanelPages()) {
      const browser = await signedIn(role === 'operator' ? null : reporterId);
      expect(textOf(await browser.get(`/panel/${path}`)), path).toMatch(/<script type="module" src="[^"]*\/keys-/);
    }
  });

  it('with a field to search or to look up in have one that the key / focuses', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const [ada, operator] = [await signedIn(reporterId), await signedIn(null)];
    for (const html of [
      ...['', '/report', '/many', '/reports'].map(async (page) => textOf(await ada.get(`/panel${page}`))),
      ...['/reports', '/allow-list'].map(async (page) => textOf(await operator.get(`/panel${page}`))),
    ]) {
      expect((await html).match(/<(?:input|textarea) [^>]*data-key="\/"/g)).toHaveLength(1);
      expect(await html).toMatch(/<script type="module" src="[^"]*\/keys-/);
    }
  });
});
