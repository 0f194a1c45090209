import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createPanelPages } from '../../src/service/panel/pages.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createCountedStore } from '../store/counted.ts';
import { createTestPanel, type TestBrowser } from './visiting.ts';

const EMAIL = [{ kind: 'email', hash: hashOf(1) }];
/** A spreadsheet would run it. */
const FORMULA = '=HYPERLINK("https://evil.example","x"), a text\nof two lines';

describe('the lists of the panel as files', () => {
  async function arrange() {
    const test = await createTestPanel({ sameRequestSeconds: 0 });
    const { engine, apiKey, otherKey, reporterId } = test;
    const draft = { type: 'fraud', severity: 6, identifiers: EMAIL };
    const { reportId, deletionCode } = unwrap(await engine.report({ apiKey, ...draft, text: FORMULA }));
    const other = unwrap(await engine.report({ apiKey: otherKey, ...draft, text: 'Of another' }));
    for (const id of [reportId, other.reportId])
      unwrap(await engine.openDispute({ reportId: id, reason: FORMULA, by: 'Ops' }));
    unwrap(await engine.protect({ hash: hashOf(7), reason: FORMULA, by: 'Ops' }));
    const sessions = { reporter: await test.signedIn(reporterId), operator: await test.signedIn(null) };
    return { ...test, reportId, deletionCode, other, sessions };
  }
  const rowsOf = async (browser: TestBrowser, page: string) => {
    const reply = await browser.get(`/panel/${page}?csv=1`);
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${page}.csv"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    });
    return parse(textOf(reply), { columns: true }) as Record<string, string>[];
  };

  it('have one link on each page with a list, and no cell that a spreadsheet runs', async () => {
    const { sessions, reporterId } = await arrange();
    const listed = createPanelPages().filter(({ csv }) => csv);
    expect(listed.map(({ role, path }) => `${role} ${path}`)).toEqual([
      'reporter reports',
      'reporter disputes',
      'reporter keys',
      'operator disputes',
      'operator reporters',
      'operator allow-list',
      'operator audit',
    ]);
    for (const { role, path } of listed) {
      const html = textOf(await sessions[role].get(`/panel/${path}`));
      expect(html.match(new RegExp(`href="/panel/${path}\\?csv=1"`, 'g'))).toHaveLength(1);
      for (const row of await rowsOf(sessions[role], path))
        for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+@\t\r]/);
    }
    expect(textOf(await sessions.operator.get(`/panel/reporters?id=${reporterId}`))).not.toContain('CSV of the list');
    const plain = textOf(await sessions.reporter.get('/panel/overview?csv=1'));
    expect(plain).toContain('<h1>Overview</h1>');
  });

  it('are beside the heading of the page, and have no deletion codes', async () => {
    const { deletionCode, sessions } = await arrange();
    const html = textOf(await sessions.reporter.get('/panel/reports'));
    expect(html).toMatch(/<h1>Your reports<\/h1><a [^>]*href="\/panel\/reports\?csv=1" download>CSV of the list</);
    expect(html).toContain(deletionCode);
    expect(textOf(await sessions.reporter.get('/panel/reports?csv=1'))).not.toContain(deletionCode);
  });

  it('have the rows of the visitor only', async () => {
    const { reportId, other, sessions } = await arrange();
    expect(await rowsOf(sessions.reporter, 'reports')).toEqual([
      {
        time: '2026-01-01 00:00:00',
        report: reportId,
        type: 'fraud',
        severity: '6',
        text: `'${FORMULA}`,
        kinds: 'email',
        dispute: 'open',
        requests: '0',
      },
    ]);
    expect(await rowsOf(sessions.reporter, 'disputes')).toMatchObject([{ report: reportId, decision: 'open' }]);
    const all = await rowsOf(sessions.operator, 'disputes');
    expect(all.map((row) => [row['report'], row['reporter']])).toEqual(
      expect.arrayContaining([
        [reportId, 'First Shop'],
        [other.reportId, 'Second Shop'],
      ]),
    );
    expect(await rowsOf(sessions.reporter, 'keys')).toMatchObject([{ 'may do': 'all', ends: '' }]);
    expect((await rowsOf(sessions.operator, 'reporters')).map(({ name }) => name)).toEqual([
      'First Shop',
      'Second Shop',
    ]);
    expect(await rowsOf(sessions.operator, 'allow-list')).toMatchObject([{ 'added by': 'Ops', reason: `'${FORMULA}` }]);
    expect((await rowsOf(sessions.operator, 'audit'))[0]).toMatchObject({ action: 'signed-in', who: 'Ada' });
  });

  it('have more rows than a page, newest first, and none for anybody else', async () => {
    const { engine, apiKey, clock, sessions, browser } = await arrange();
    for (let n = 0; n < 110; n++) {
      clock.nowMs += 1_000;
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: `Report ${n}`, identifiers: EMAIL }));
    }
    const rows = await rowsOf(sessions.reporter, 'reports');
    expect(rows).toHaveLength(111);
    expect([rows[0]!['text'], rows[109]!['text']]).toEqual(['Report 109', 'Report 0']);
    expect(textOf(await browser().get('/panel/reports?csv=1'))).toContain('You are not signed in');
    expect(await sessions.reporter.get('/panel/audit?csv=1')).toMatchObject({ status: 404 });
  });

  it('are written in turns, one at a time for a reporter, however often a session asks', async () => {
    const reports = 600;
    const read = { inTurn: 0, most: 0, all: 0 };
    const store = createCountedStore((rows) => {
      if (read.inTurn === 0)
        setImmediate(() => {
          read.most = Math.max(read.most, read.inTurn);
          read.inTurn = 0;
        });
      read.inTurn += 1 + rows;
      read.all += 1 + rows;
    });
    const { engine, apiKey, clock, reporterId, otherId, signedIn } = await createTestPanel({ store });
    for (let n = 0; n < reports; n++) {
      clock.nowMs += 1_000;
      unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text: `Report ${n}`, identifiers: EMAIL }));
      if (n % 2 === 0) unwrap(await engine.recordAction({ action: 'backed-up', by: 'Ops' }));
    }
    const [bob, eve, operator] = [await signedIn(reporterId), await signedIn(otherId), await signedIn(null)];
    const ask = async (ask: () => Promise<unknown>) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      Object.assign(read, { most: 0, all: 0 });
      await ask();
      await new Promise((resolve) => setTimeout(resolve, 2));
      return { ...read };
    };
    const one = await ask(async () => expect(await rowsOf(bob, 'reports')).toHaveLength(reports));
    const audit = await ask(async () => expect((await rowsOf(operator, 'audit')).length).toBeGreaterThan(reports / 2));
    let isOtherFirst = false;
    const many = await ask(async () => {
      let done = 0;
      const files = Array.from({ length: 40 }, () => bob.get('/panel/reports?csv=1').finally(() => done++));
      const other = eve.get('/panel/reports?csv=1').finally(() => (isOtherFirst = done <= 1));
      const replies = await Promise.all([...files, other]);
      for (const { status } of replies) expect(status).toBe(200);
      // To encode a copy for each would hold the process.
      expect(replies[20]!.body).toBeInstanceOf(Uint8Array);
      expect(replies[20]!.body).toBe(replies[21]!.body);
    });
    // A page of 100 reports, with the kinds, disputes and requests of each; and the lookups of many visitors.
    for (const { most } of [one, audit]) expect(most).toBeLessThan(700);
    expect(many.most).toBeLessThan(700 + 41 * 10);
    expect(many.all).toBeLessThan(3 * one.all);
    expect(isOtherFirst).toBe(true);
  });

  it('cost ten pages of the limit of a session', async () => {
    const { reporterId, signedIn } = await createTestPanel({ limits: { panel: { requests: 35, windowSeconds: 60 } } });
    const bob = await signedIn(reporterId);
    const asked = ['keys?csv=1', 'keys?csv=1', 'keys?csv=1', 'keys?csv=1', 'keys'];
    const statuses = [];
    for (const page of asked) statuses.push((await bob.get(`/panel/${page}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200]);
  });
});
