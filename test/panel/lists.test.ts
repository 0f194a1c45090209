import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createPanelPages } from '../../src/service/panel/pages.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
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

  it('have the rows of the visitor only', async () => {
    const { reportId, deletionCode, other, sessions } = await arrange();
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
        'deletion code': deletionCode,
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
});
