import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel, formOf } from './visiting.ts';

const DAY_MS = 86_400_000;
const EMAIL = [{ kind: 'email', hash: hashOf(1) }];
const KEY = /<p class="key"[^>]*>([0-9a-f]{16})</;

describe('keys in the panel', () => {
  it('are created with scope and end, work, and are shown once', async () => {
    const { engine, clock, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId, 'Ada');
    const html = await ada.done('/panel/keys', 'create-key', { scope: 'query', lastDay: '2026-01-31' });
    const apiKey = KEY.exec(html)![1]!;
    const query = await engine.query({ apiKey, identifiers: EMAIL });
    expect(query).toMatchObject({ ok: true });
    const report = { apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL };
    expect(await engine.report(report)).toMatchObject({ refusal: { reason: 'key-scope' } });
    expect((await engine.listAudit()).at(-1)).toMatchObject({ action: 'key-issued', actor: 'Ada', reporterId });
    expect(textOf(await ada.get('/panel/keys'))).not.toContain(apiKey);
    // The day that was chosen, not the moment after it.
    expect(textOf(await ada.get('/panel/keys'))).toMatch(/data-label="Ends"><div><time[^>]*>31 Jan(?:uary)? 2026</);
    clock.nowMs = Date.UTC(2026, 1, 1) - 1;
    expect(await engine.query({ apiKey, identifiers: EMAIL })).toMatchObject({ ok: true });
    clock.nowMs++;
    expect(await engine.query({ apiKey, identifiers: EMAIL })).toMatchObject({ ok: false });
  });

  it('have a name where they are listed, if they were created with one', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const operator = await signedIn(null);
    const lists = async () => [
      textOf(await ada.get('/panel/keys')),
      textOf(await operator.get(`/panel/reporters?id=${reporterId}&tab=keys`)),
    ];
    for (const html of await lists()) expect(html).not.toContain('>Name</th>');
    await ada.act('/panel/keys', 'create-key', { keyName: '  ' });
    expect(await ada.done('/panel/keys', 'create-key', { keyName: 'Till <1>' })).toContain('Its name is Till &lt;1>.');
    expect((await engine.listKeys({ reporterId })).map(({ keyName }) => keyName)).toEqual([null, null, 'Till <1>']);
    for (const html of await lists()) {
      expect(html).toContain('>Name</th>');
      expect(html).toMatch(/Revoke the key Till &lt;1> \([0-9a-f]{16}\)/);
    }
    expect(textOf(await ada.get('/panel/keys?csv=1'))).toContain(',Till <1>\r\n');
    const refused = await ada.done('/panel/keys', 'create-key', { keyName: 'a\u200bb' });
    expect(refused).toMatch(/id="keyName-error"[^>]*>The name must be one line of 1 to 40 characters/);
    expect(await engine.listKeys({ reporterId })).toHaveLength(3);
  });

  it('are replaced and revoked', async () => {
    const { engine, clock, reporterId, apiKey, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId);
    const html = await ada.done('/panel/keys', 'rotate-key');
    const next = KEY.exec(html)![1]!;
    const works = async (key: string) => (await engine.query({ apiKey: key, identifiers: EMAIL })).ok;
    expect([await works(apiKey), await works(next)]).toEqual([true, true]);
    // A replaced key has no second successor.
    expect(textOf(await ada.get('/panel/keys')).match(/value="rotate-key"/g)).toHaveLength(1);
    clock.nowMs += DAY_MS;
    expect([await works(apiKey), await works(next)]).toEqual([false, true]);
    expect(await ada.done('/panel/keys', 'revoke-key')).toMatch(/The key [0-9a-f]{16} is revoked/);
    expect(await works(next)).toBe(false);
    expect(textOf(await ada.get('/panel/keys'))).toContain('2 keys that ended');
  });

  it.each([
    ['2025-12-31', 'Expected a day from today on'],
    ['2026-02-30', 'Expected a day'],
    ['31.1.2026', 'Expected a day'],
    ['', 'There are 50 keys that work'],
  ])('are not created with the end %j if that is wrong, and not without bound', async (lastDay, wrong) => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    if (lastDay === '') for (let n = 1; n < 50; n++) unwrap(await engine.issueKey({ reporterId }));
    const before = await engine.listKeys();
    const ada = await signedIn(reporterId);
    expect(await ada.done('/panel/keys', 'create-key', { lastDay })).toContain(wrong);
    expect(await ada.done('/panel/keys', 'create-key', { scope: 'toString' })).toContain('Choose what the key may do');
    expect(await engine.listKeys()).toEqual(before);
  });
});

describe('the overview of a reporter', () => {
  it('shows profile, standing with its reasons, usage and limits', async () => {
    const { engine, apiKey, reporterId, signedIn } = await createTestPanel();
    unwrap(await engine.query({ apiKey, identifiers: [...EMAIL, { kind: 'ip', hash: hashOf(2) }] }));
    const html = textOf(await (await signedIn(reporterId)).get('/panel/overview'));
    const [standing] = (await engine.listStandings({ reader: 'reporter' })).filter(
      (one) => one.reporterId === reporterId,
    );
    for (const text of ['First Shop', reporterId, 'verified by the operator', ...standing!.why])
      expect(html).toContain(text);
    expect(html).toMatch(/your reports are right with a probability/);
    expect(html).not.toMatch(/its reports|this reporter/);
    expect(html).toContain('2 of 20,000 identifiers today');
    expect(html).toMatch(/120 a minute/);
    expect(html).not.toContain('Second Shop');
    // Who is signed in, and for which organisation.
    expect(html).toContain('Ada<span class="quiet"> · First Shop</span>');
  });

  it('begins with the first steps that are left, each until the store shows it', async () => {
    const { engine, signedIn } = await createTestPanel();
    const { reporterId } = unwrap(await engine.createReporter({ name: 'New', verified: false }));
    const ada = await signedIn(reporterId);
    const left = async () => {
      const [, list = ''] = /<h2>First steps.*?<ul>(.*?)<\/ul>/s.exec(textOf(await ada.get('/panel/overview'))) ?? [];
      return [...list.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address);
    };
    const steps = ['/panel/overview#contact', '/panel/keys', '/panel', '/panel/report'];
    expect(await left()).toEqual(steps);
    const line = async () =>
      /<a href="\/panel\/overview">(First steps:[^<]*)</.exec(textOf(await ada.get('/panel')))?.[1];
    expect(await line()).toBe('First steps: 0 of 4 done');
    // The link leads to the field, below what it is for.
    expect(textOf(await ada.get('/panel/overview'))).toMatch(
      /<form [^>]*#form-set-contact.*People who find.*id="contact"/s,
    );
    const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
    expect(await left()).toEqual([steps[0], steps[2], steps[3]]);
    unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL }));
    expect(await left()).toEqual([steps[0]]);
    expect(await line()).toBe('First steps: 3 of 4 done');
    await ada.act('/panel/overview', 'set-contact', { contact: 'help@shop.example' });
    expect(await left()).toEqual([]);
    expect(await line()).toBeUndefined();
  });

  it('shows its own 12 months, and those of no other reporter', async () => {
    const { engine, apiKey, reporterId, otherId, signedIn } = await createTestPanel();
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: 'A text', identifiers: EMAIL }));
    const overviewOf = async (id: string) => textOf(await (await signedIn(id)).get('/panel/overview'));
    expect(await overviewOf(reporterId)).toContain('Reports: 1');
    expect(await overviewOf(otherId)).toContain('No reports in these months.');
  });

  it('shows what waits: disputes to answer, requests', async () => {
    const { engine, apiKey, reporterId, signedIn } = await createTestPanel();
    const overviewOf = async (id: string) => textOf(await (await signedIn(id)).get('/panel/overview'));
    expect(await overviewOf(reporterId)).not.toContain('What waits for you');
    const draft = { apiKey, type: 'fraud', severity: 5, text: 'A text' };
    const emailOf = (n: number) => [{ kind: 'email', hash: hashOf(n) }];
    const reportIds: string[] = [];
    for (const n of [1, 2, 3])
      reportIds.push(unwrap(await engine.report({ ...draft, identifiers: emailOf(n) })).reportId);
    for (const reportId of reportIds.slice(0, 2))
      unwrap(await engine.openDispute({ reportId, reason: 'I paid', by: 'Ops' }));
    unwrap(await engine.requestDispute!({ identifiers: emailOf(3), reason: 'No', client: '192.0.2.7' }));
    const html = await overviewOf(reporterId);
    expect(html).toMatch(/Disputes to answer<\/dt><dd><a href="\/panel\/disputes">2</);
    expect(html).toMatch(/Requests for a dispute<\/dt><dd><a href="\/panel\/disputes">1</);
    expect(html.indexOf('What waits for you')).toBeLessThan(html.indexOf('Public name'));
    expect(html).not.toContain('Create your first key');
    const operator = await signedIn(null);
    const ada = await signedIn(reporterId);
    const inMenus = async () =>
      Promise.all(
        [ada, operator].map(
          async (visitor) =>
            /\/panel\/disputes">Disputes(?: <span class="tag warn">(\d+))?/.exec(
              textOf(await visitor.get('/panel')),
            )![1],
        ),
      );
    expect(await inMenus()).toEqual(['3', '3']);
    unwrap(await engine.answerDispute({ reportId: reportIds[0]!, reporterId, answer: 'Never arrived' }));
    expect(await inMenus()).toEqual(['2', '3']);
    expect(await overviewOf(reporterId)).toMatch(/Disputes to answer<\/dt><dd><a href="\/panel\/disputes">1</);
    unwrap(await engine.decideDispute({ reportId: reportIds[0]!, upheld: false, by: 'Ops' }));
    const { reports } = unwrap(await engine.listReports({ reporterId, text: reportIds[2]! }));
    unwrap(await engine.deleteReport({ reporterId, deletionCode: reports[0]!.deletionCode }));
    expect((await inMenus())[0]).toBe('1');
    expect(await engine.countWaiting({ reporterId: 'none' })).toEqual({ disputes: 0, requests: 0 });
    expect((await inMenus())[1]).toMatch(/^[12]$/);
  });

  it('sets and removes the public contact', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId, 'Ada');
    const contactOf = async () => (await engine.listReporters())[0]!.contact;
    expect(await ada.done('/panel/overview', 'set-contact', { contact: ' privacy@shop.example ' })).toContain(
      'was saved',
    );
    expect(await contactOf()).toBe('privacy@shop.example');
    expect((await engine.listAudit()).at(-1)).toMatchObject({ action: 'contact-set', actor: 'Ada' });
    // The operator is told, with whose it is.
    expect(textOf(await (await signedIn(null)).get('/panel'))).toMatch(/action=contact-set">Contact set<.*First Shop/s);
    const wrong = await ada.done('/panel/overview', 'set-contact', { contact: 'javascript:alert(1)' });
    expect(wrong).toMatch(/aria-invalid="true"/);
    expect(await contactOf()).toBe('privacy@shop.example');
    expect(await ada.done('/panel/overview', 'set-contact', { contact: '' })).toContain('was removed');
    expect(await contactOf()).toBeNull();
  });

  it('changes its contact twenty times a day at most: each change is in the audit log', async () => {
    const { engine, reporterId, signedIn } = await createTestPanel();
    const ada = await signedIn(reporterId, 'Ada');
    const change = (n: number) => ada.done('/panel/overview', 'set-contact', { contact: `${n}@shop.example` });
    for (let n = 0; n < 20; n++) expect(await change(n)).toContain('was saved');
    expect(await change(20)).toMatch(/Too many contact requests.*aria-invalid="true"|aria-invalid="true".*Too many/s);
    expect((await engine.listAudit({ action: 'contact-set', limit: 99 })).length).toBe(20);
    // Not for the operator.
    const operator = await signedIn(null);
    expect(
      await operator.done(`/panel/reporters?id=${reporterId}`, 'contact', { id: reporterId, contact: '' }),
    ).toContain('was removed');
  });
});

describe('own reports in the panel', () => {
  it('are listed in pages, found by their text, and deleted', async () => {
    const { engine, apiKey, clock, reporterId, otherId, signedIn } = await createTestPanel();
    const made = [];
    for (let n = 1; n <= 25; n++) {
      clock.nowMs += 1000;
      const text = n % 10 === 3 ? `Needle ${n}` : `Report ${n}`;
      made.push(unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text, identifiers: EMAIL })));
    }
    const ada = await signedIn(reporterId);
    expect(textOf(await (await signedIn(otherId)).get('/panel/reports'))).toContain('You have no reports.');
    const first = textOf(await ada.get('/panel/reports'));
    expect([...first.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text).slice(0, 4)).toEqual([
      'Report 25',
      'Report 24',
      'Needle 23',
      'Report 22',
    ]);
    expect(first).toContain(made[24]!.deletionCode);
    expect(first).not.toContain('Report 5<');
    const older = /href="(\/panel\/reports\?before=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&');
    const second = textOf(await ada.get(older));
    expect([...second.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text)).toEqual([
      'Report 5',
      'Report 4',
      'Needle 3',
      'Report 2',
      'Report 1',
    ]);
    const found = await ada.done('/panel/reports', 'search', { text: 'needle' });
    expect([...found.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text)).toEqual([
      'Needle 23',
      'Needle 13',
      'Needle 3',
    ]);
    expect(found).toContain('value="needle"');
    expect(found).toContain('A text, a report id or a deletion code');
    const byCode = await ada.done('/panel/reports', 'search', { text: made[7]!.deletionCode });
    expect([...byCode.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text)).toEqual(['Report 8']);
    // No address of the page holds what was searched for, and no redirect does.
    const reply = await ada.act('/panel/reports', 'search', { text: 'Report 1' });
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.headers).not.toHaveProperty('Location');
    expect(textOf(reply)).not.toMatch(/(?:href|action)="[^"]*Report/);
    // What was found has the focus, and a deletion keeps the search.
    expect(found).toMatch(/<h2 id="found" tabindex="-1">.*action="\/panel\/reports#/s);
    expect(found).toMatch(/<form [^>]*action="\/panel\/reports#found" role="search"/);
    const shorter = textOf(await ada.post('/panel/reports', formOf(found, 'delete-report')));
    expect(shorter).toContain('The report was deleted');
    expect([...shorter.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text)).toEqual(['Needle 13', 'Needle 3']);
    expect(shorter).toContain('value="needle"');
    const none = await ada.done('/panel/reports', 'search', { text: 'nothing like it' });
    expect(none).toMatch(/<h2 id="found"[^>]*>No reports were found<.h2>/);
    const place = new URL(older, 'https://x').search;
    const afterOlder = await ada.post(`/panel/reports${place}`, formOf(second, 'delete-report'));
    expect(afterOlder.headers['Location']).toContain(place.slice(1));
    // A text in an address would be in logs and histories.
    expect(textOf(await ada.get('/panel/reports?text=needle'))).toContain('Report 25');
    const { headers } = await ada.act('/panel/reports', 'delete-report');
    // The next report has taken its place.
    expect(headers['Location']).toMatch(new RegExp(`#report-${made[23]!.reportId}$`));
    expect(headers['Location']).not.toContain(made[24]!.deletionCode);
    const deleted = textOf(await ada.get(headers['Location']!));
    expect(deleted).toContain('The report was deleted');
    expect(deleted).not.toContain('Report 25');
    expect(unwrap(await engine.query({ apiKey, identifiers: EMAIL })).reported).toBe(22);
  });
});

describe('disputes in the panel of a reporter', () => {
  it('show reasons, take an answer, and show requests', async () => {
    const { engine, apiKey, otherKey, reporterId, signedIn } = await createTestPanel();
    const draft = { type: 'fraud', severity: 5, identifiers: EMAIL };
    const { reportId } = unwrap(await engine.report({ apiKey, ...draft, text: 'My report' }));
    const other = unwrap(await engine.report({ apiKey: otherKey, ...draft, text: 'Another report' }));
    unwrap(await engine.openDispute({ reportId, reason: 'I paid', by: 'Ops' }));
    unwrap(await engine.openDispute({ reportId: other.reportId, reason: 'Not mine', by: 'Ops' }));
    const ada = await signedIn(reporterId);
    const html = textOf(await ada.get('/panel/disputes'));
    expect(html).toMatch(/My report.*I paid/s);
    expect(html).not.toMatch(/Another report|Not mine/);
    expect(await ada.done('/panel/disputes', 'answer-dispute', { answer: 'Never\r\narrived' })).toContain(
      'Your answer',
    );
    const answerOf = async (id: string) => (await engine.listDisputes()).find((one) => one.reportId === id)!.answer;
    expect([await answerOf(reportId), await answerOf(other.reportId)]).toEqual(['Never\narrived', null]);
    // Another report's id with the own session.
    const form = formOf(textOf(await ada.get('/panel/disputes')), 'answer-dispute');
    const foreign = await ada.post('/panel/disputes', { ...form, reportId: other.reportId, answer: 'x' });
    expect(foreign).toMatchObject({ status: 404, body: expect.stringContaining('role="alert"') });
    expect(await answerOf(other.reportId)).toBeNull();
    unwrap(await engine.decideDispute({ reportId, upheld: false, by: 'Ops' }));
    expect(textOf(await ada.get('/panel/disputes'))).toContain('No dispute about a report of yours is open');
    expect(textOf(await ada.get('/panel/reports'))).toContain('dispute rejected');
  });

  it('show what was decided, the newest 20 first', async () => {
    const { engine, apiKey, otherKey, clock, reporterId, signedIn } = await createTestPanel({
      limits: { report: { requests: 100, windowSeconds: 1 }, panel: { requests: 1_000_000, windowSeconds: 1 } },
    });
    const decide = async (key: string, n: number, upheld: boolean) => {
      const identifiers = [{ kind: 'email', hash: hashOf(n) }];
      const draft = { type: 'fraud', severity: 5, text: `Report ${n}`, identifiers };
      const { reportId } = unwrap(await engine.report({ apiKey: key, ...draft }));
      unwrap(await engine.openDispute({ reportId, reason: `Reason ${n}.`, by: 'Ops' }));
      clock.nowMs += 1_000;
      unwrap(await engine.decideDispute({ reportId, upheld, by: 'Ops' }));
    };
    const ada = await signedIn(reporterId);
    expect(textOf(await ada.get('/panel/disputes'))).toContain('No dispute about a report of yours was decided yet.');
    await decide(otherKey, 90, true);
    for (let n = 1; n <= 21; n++) await decide(apiKey, n, n === 21);
    const html = textOf(await ada.get('/panel/disputes'));
    const decided = html.slice(html.indexOf('<h2>Decided'));
    expect([...decided.matchAll(/Reason (\d+)\./g)].map(([, n]) => Number(n))).toEqual(
      Array.from({ length: 20 }, (_, at) => 21 - at),
    );
    expect(decided.match(/>upheld</g)).toHaveLength(1);
    expect(decided).toContain('your standing falls');
    expect(decided.match(/>rejected</g)).toHaveLength(19);
    expect(decided).toContain('The first 20 of 21 are shown.');
    expect(html).not.toContain('Reason 90');
  });

  it('lead from a request to the deletion step of its report, however old it is', async () => {
    const { engine, apiKey, otherKey, clock, reporterId, signedIn } = await createTestPanel();
    const report = async (key: string, n: number) => {
      clock.nowMs += 1_000;
      const identifiers = [{ kind: 'email', hash: hashOf(n) }];
      const draft = { type: 'fraud', severity: 5, text: `Report ${n}`, identifiers };
      return unwrap(await engine.report({ apiKey: key, ...draft })).reportId;
    };
    const [reportId, foreign] = [await report(apiKey, 1), await report(otherKey, 2)];
    for (let n = 3; n <= 30; n++) await report(apiKey, n);
    const identifiers = [{ kind: 'email', hash: hashOf(1) }];
    unwrap(await engine.requestDispute!({ identifiers, reason: 'Not me', client: '192.0.2.7' }));
    const ada = await signedIn(reporterId);
    const link = /<a [^>]*href="(\/panel\/reports\?[^"]*)"/.exec(textOf(await ada.get('/panel/disputes')))![1]!;
    const page = textOf(await ada.get(link));
    expect([...page.matchAll(/class="said">([^<]*)</g)].map(([, text]) => text)).toEqual(['Report 1']);
    expect(page).toMatch(/<details class="confirm" open[^>]*><summary[^>]*>Delete</);
    expect(textOf(await ada.get('/panel/reports'))).not.toMatch(/<details class="confirm" open/);
    expect(textOf(await ada.get(`/panel/reports?id=${foreign}`))).toContain('No reports were found');
    // A code may be longer than a search.
    const wrong = await ada.act(link, 'delete-report', { deletionCode: 'x'.repeat(300) });
    expect([wrong.status, textOf(wrong).includes('deletion code')]).toEqual([400, true]);
    expect(await ada.done(link, 'delete-report')).toContain('The report was deleted');
    expect(await engine.findReports({ reportIds: [reportId] })).toEqual([]);
    expect(textOf(await ada.get(link))).toContain('No reports were found');
    expect(textOf(await ada.get('/panel/disputes'))).toContain('No request about your reports waits.');
  });
});
