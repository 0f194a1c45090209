import { beforeEach, describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { DISPUTES } from '../../src/service/panel/operator/disputes.tsx';
import { ALL_REPORTS } from '../../src/service/panel/operator/reports.tsx';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { textOf } from '../http/asking.ts';
import { createOperatorVisit, type OperatorVisit } from './visit-operator.ts';
import { createTestPanel, formOf } from './visiting.ts';

const MANY = { panel: { requests: 1_000_000, windowSeconds: 1 } };
const emailOf = (n: number) => [{ kind: 'email', hash: hashOf(n) }];

let test: TestEngine;
let operator: OperatorVisit;
beforeEach(async () => {
  test = await createTestEngine({ limits: { report: { requests: 100, windowSeconds: 1 } } });
  operator = createOperatorVisit(test.engine, test.clock);
});

/** Files a report of the second shop about a person, and returns its id. */
async function report(n: number, text = `Text ${n}`): Promise<string> {
  const draft = { type: 'fraud', severity: 9, text, identifiers: emailOf(n) };
  return unwrap(await test.engine.report({ apiKey: test.otherKey, ...draft })).reportId;
}
const pointsOf = async (n: number): Promise<number> =>
  unwrap(await test.engine.query({ apiKey: test.apiKey, identifiers: emailOf(n) })).points;
let people = 0;
/** Requests of one network about one identifier would be one case. */
const ask = async (n: number, reason: string) =>
  unwrap(await test.engine.requestDispute!({ identifiers: emailOf(n), reason, client: `192.0.2.${++people}` }));
/** The case that is open: the reports whose disputes its buttons decide, and the lines of the list. */
const caseIn = (html: string) => ({
  reportIds: /name="reportIds" value="([^"]*)"(?=(?:(?!<\/form>).)*data-key="u">Uphold: (?:all|report))/s
    .exec(html)![1]!
    .split(','),
  lines: [...html.matchAll(/<a href="\/panel\/disputes\?[^"]*case=([0-9a-f]{16})#case"/g)].map(([, id]) => id),
  next: /name="next" value="([^"]*)"(?=(?:(?!<\/form>).)*data-key="u">Uphold: (?:all|report))/s.exec(html)?.[1],
});
/** The hidden fields of the form of an action, in the order of the page. */
const idsOf = (html: string, action: string, name: string): string[] =>
  [...html.matchAll(/<form.*?<\/form>/gs)]
    .map(([form]) => form)
    .filter((form) => form.includes(`name="do" value="${action}"`))
    .map((form) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)![1]!);

describe('disputes to decide', () => {
  it('decides only the disputes that the page showed', async () => {
    const [first, second] = [await report(1), await report(2)];
    for (const reportId of [first, second])
      unwrap(await test.engine.openDispute({ reportId, reason: 'Wrong person', by: 'Ada' }));
    const html = await operator.show(DISPUTES, { case: first });
    const [seen] = idsOf(html, 'decide', 'seen');
    test.clock.nowMs += 1_000;
    unwrap(await test.engine.decideDispute({ reportId: first, upheld: false, by: 'Grace' }));
    test.clock.nowMs += 1_000;
    unwrap(await test.engine.openDispute({ reportId: first, reason: 'The card was stolen', by: 'Grace' }));
    const sent = { reportIds: first, seen: seen!, upheld: 'yes' };
    expect(await operator.outcome(DISPUTES, 'decide', sent)).toEqual({
      ok: false,
      refusal: { reason: 'no-open-dispute' },
    });
    // Of several, the ones that are still open are decided.
    const both = { reportIds: `${first},${second}`, seen: `${seen},${seen}`, upheld: 'yes' };
    expect(await operator.send(DISPUTES, 'decide', both)).toContain(
      'Upheld: fraud of 1 Jan 2026, Second Shop (1 report).',
    );
    const states = (await test.engine.listDisputes()).map(({ reportId, upheld }) => [reportId === first, upheld]);
    expect(states).toEqual(
      expect.arrayContaining([
        [true, null],
        [true, false],
        [false, true],
      ]),
    );
    expect(states).toHaveLength(3);
  });

  it('does not refuse a request that came after the page, although it has the id of the one that it showed', async () => {
    await report(1);
    const ask = async (reason: string) => {
      const request = { identifiers: emailOf(1), reason, client: '192.0.2.1' };
      unwrap(await test.engine.requestDispute!(request));
      return (await test.engine.listDisputeRequests())[0]!.requestId;
    };
    const requestId = await ask('No');
    const html = await operator.show(DISPUTES, { list: 'requests' });
    const [seen] = idsOf(html, 'refuse', 'seen');
    await test.engine.refuseDisputeRequest({ requestId, by: 'Grace' });
    test.clock.nowMs += 1_000;
    expect(await ask('A court found that it was somebody else')).toBe(requestId);
    expect(await operator.outcome(DISPUTES, 'refuse', { requestId, seen: seen! })).toEqual({
      ok: false,
      refusal: { reason: 'unknown-request' },
    });
    const [left] = await test.engine.listDisputeRequests();
    expect(left?.reason).toBe('A court found that it was somebody else');
    const [now] = idsOf(await operator.show(DISPUTES, { list: 'requests' }), 'refuse', 'seen');
    expect(await operator.send(DISPUTES, 'refuse', { requestId, seen: now! })).toContain(
      'The request about 1 report was deleted',
    );
    expect(await test.engine.listDisputeRequests()).toEqual([]);
  });

  it('shows report, reason and answer as text, the oldest first, with what a decision changes', async () => {
    expect(await operator.show(DISPUTES)).toContain('No dispute waits for a decision.');
    const reportIds = [await report(1, EVIL), await report(2)];
    const before = await pointsOf(1);
    for (const reportId of reportIds) {
      unwrap(await test.engine.openDispute({ reportId, reason: EVIL, by: 'Ada' }));
      test.clock.nowMs += 86_400_000;
    }
    const html = await operator.show(DISPUTES);
    expect(html).not.toMatch(EVIL_HTML);
    expect(html.match(/&lt;script>alert\(1\)&lt;\/script>/g)).toHaveLength(3);
    expect(html).toContain('none yet');
    expect(html).toContain('To decide (2 cases)');
    expect(html.indexOf('Upheld: the report does not count')).toBeGreaterThan(html.indexOf('data-key="u"'));
    expect(caseIn(html)).toEqual({ reportIds: [reportIds[0]], lines: reportIds, next: reportIds[1] });
    expect(html).toContain('<span class="quiet">1 report, waiting 2 days</span>');
    expect(html).not.toMatch(/<h[1-3][^>]*>[^<]*[0-9a-f]{16}/);
    const shown = [...html.matchAll(/<dt>(Points now|If upheld|If rejected)<\/dt><dd>(\d+)</g)].map(([, , n]) =>
      Number(n),
    );
    expect(shown).toEqual([await pointsOf(1), 0, expect.any(Number)]);
    expect(shown[2]).toBeGreaterThan(shown[0]!);
    expect(shown[2]).toBeLessThanOrEqual(before);
    await operator.send(DISPUTES, 'decide', { reportIds: reportIds[0]! });
    expect(await pointsOf(1)).toBe(shown[2]);
    expect(caseIn(await operator.show(DISPUTES, { case: reportIds[1]! }))).toEqual({
      reportIds: [reportIds[1]],
      lines: [reportIds[1]],
      next: undefined,
    });
  });

  it('upholds a dispute: the report does not count any more', async () => {
    const reportId = await report(1);
    unwrap(await test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    expect(await operator.send(DISPUTES, 'decide', { upheld: 'yes', reportIds: reportId })).toContain(
      'does not count any more',
    );
    expect(await pointsOf(1)).toBe(0);
    const html = await operator.show(DISPUTES, { list: 'decided' });
    expect(html).toContain('<span class="tag">upheld</span>');
    expect(html).toContain('by Ada');
    expect(html).toContain(`href="/panel/reports?id=${reportId}"`);
    expect(await operator.outcome(DISPUTES, 'decide', { upheld: 'yes', reportIds: reportId })).toMatchObject({
      refusal: { reason: 'no-open-dispute' },
    });
  });

  it('rejects a dispute: the report counts as before', async () => {
    const reportId = await report(1);
    const before = await pointsOf(1);
    unwrap(await test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    expect(await pointsOf(1)).toBeLessThan(before);
    expect(await operator.send(DISPUTES, 'decide', { reportIds: reportId })).toContain('counts as before');
    expect(await pointsOf(1)).toBe(before);
    expect(await operator.show(DISPUTES, { list: 'decided' })).toContain('rejected');
  });

  it('says how many earlier reports are alike, and upholds them if the operator ticks the box', async () => {
    const make = async (text: string) => {
      test.clock.nowMs += 1000;
      const draft = { apiKey: test.otherKey, type: 'fraud', severity: 5, text, identifiers: emailOf(1) };
      return unwrap(await test.engine.report(draft)).reportId;
    };
    for (const text of ['One', 'Two']) await make(text);
    const reportId = await make('Three');
    const reopen = () => test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' });
    test.clock.nowMs += 1000;
    unwrap(await reopen());
    const html = await operator.show(DISPUTES);
    expect(html).toContain('If upheld: also 2 earlier reports about the same person');
    expect(html).toMatch(/<input type="checkbox"[^>]* name="alike" value="yes"/);
    expect(html).not.toContain('checked');
    await operator.send(DISPUTES, 'decide', { upheld: 'yes', reportIds: reportId });
    expect(await pointsOf(1)).toBeGreaterThan(0);
    unwrap(await reopen());
    await operator.send(DISPUTES, 'decide', { upheld: 'yes', reportIds: reportId, alike: 'yes' });
    expect(await pointsOf(1)).toBe(0);
    unwrap(await reopen());
    expect(await operator.show(DISPUTES)).not.toContain('alike');
    const found = await operator.show(ALL_REPORTS, { id: reportId });
    expect(found).toContain('Decide the dispute');
    expect(found).not.toContain('Open a dispute');
  });

  it('counts a part of very many earlier reports, so that the page does not wait', async () => {
    const reportId = await report(1);
    unwrap(await test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    const asked: unknown[] = [];
    const show = async (reports: number) => {
      const counting = vi.spyOn(test.engine, 'countAlike').mockImplementation(async (request) => {
        asked.push(request);
        return [{ reportId, reports, isCut: true }];
      });
      const html = await operator.show(DISPUTES);
      counting.mockRestore();
      return html;
    };
    expect(await show(150)).toContain('If upheld: also at least 150 earlier reports about the same person');
    expect(await show(0)).toContain('If upheld: also any earlier reports about the same person');
    expect(asked[0]).toEqual({ reportIds: [reportId], effort: 250 });
  });

  it('shows a dispute whose report was deleted', async () => {
    const identifiers = emailOf(1);
    const draft = { apiKey: test.otherKey, type: 'fraud', severity: 5, text: 'Erased', identifiers };
    const { reportId, deletionCode } = unwrap(await test.engine.report(draft));
    unwrap(await test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    unwrap(await test.engine.remove({ apiKey: test.otherKey, deletionCode }));
    const html = await operator.show(DISPUTES);
    expect(html).toContain('Deleted report');
    expect(html).not.toContain('Erased');
    await operator.send(DISPUTES, 'decide', { upheld: 'yes', reportIds: reportId });
    expect(await test.engine.listDisputes()).toMatchObject([{ reportId, upheld: true }]);
  });

  it('is one case for one person, however many reports, beside the rest of the record', async () => {
    const { engine, apiKey, otherKey } = test;
    const file = async (key: string, text: string, ...identifiers: readonly (readonly [string, number])[]) => {
      test.clock.nowMs += 1_000;
      const hashed = identifiers.map(([kind, n]) => ({ kind, hash: hashOf(n) }));
      return unwrap(await engine.report({ apiKey: key, type: 'fraud', severity: 5, text, identifiers: hashed }))
        .reportId;
    };
    // A chain: the first and the third have no identifier of their own in common.
    const one = [
      await file(otherKey, 'One', ['email', 1]),
      await file(apiKey, 'Two', ['email', 1], ['phone', 2]),
      await file(otherKey, 'Three', ['phone', 2], ['ip', 9]),
    ];
    const others = [
      // Many people have these.
      await file(apiKey, 'Four', ['ip', 9], ['email', 3]),
      await file(otherKey, 'Five', ['domain', 8], ['email', 4]),
      await file(apiKey, 'Six', ['domain', 8], ['email', 7]),
    ];
    unwrap(await engine.protect({ hash: hashOf(7), reason: 'Ours', by: 'Ada' }));
    const last = await file(otherKey, 'Seven', ['email', 7]);
    await file(apiKey, 'Not disputed', ['email', 1]);
    for (const reportId of [...one, ...others, last]) {
      test.clock.nowMs += 1_000;
      unwrap(await engine.openDispute({ reportId, reason: 'No', by: 'Bob' }));
    }
    const cases = await engine.listDisputeCases();
    expect(cases.map(({ disputes }) => disputes.map(({ reportId }) => reportId))).toEqual([
      one,
      ...others.map((reportId) => [reportId]),
      [last],
    ]);
    const html = await operator.show(DISPUTES, { case: one[1]! });
    expect(caseIn(html)).toMatchObject({ reportIds: one, lines: [one[0], ...others, last], next: others[0] });
    const record = html.slice(html.indexOf('The record of this person'), html.indexOf('<nav aria-label="Cases'));
    expect(record).toContain('Not disputed');
    expect(record).not.toContain('Three');
    // One report alone, after which the rest of the case is open, and then the rest.
    const alone = html.slice(html.indexOf('Decide about this report alone'));
    expect(/name="reportIds" value="([^"]*)".*?name="next" value="([^"]*)"/s.exec(alone)!.slice(1)).toEqual([
      one[0],
      one[1],
    ]);
    await operator.send(DISPUTES, 'decide', { reportIds: one[0]! });
    expect(await operator.send(DISPUTES, 'decide', { upheld: 'yes', reportIds: one.slice(1).join() })).toMatch(
      /^Upheld: fraud of 1 Jan 2026, First Shop and 1 other \(2 reports\)\. They were found wrong, and do not count any more/,
    );
    expect((await engine.listDisputeCases())[0]).toMatchObject({ caseId: others[0] });
    const { points, otherReports } = await engine.examineReports({ reportIds: ['f'.repeat(16), EVIL] });
    expect([points, otherReports]).toEqual([{ now: 0, ifUpheld: 0, ifRejected: 0 }, 0]);
  });

  it('opens the next case after each of 25 decisions', async () => {
    const panel = await createTestPanel({ limits: { ...MANY, report: { requests: 100, windowSeconds: 1 } } });
    const { engine, apiKey } = panel;
    for (let n = 0; n < 25; n++) {
      panel.clock.nowMs += 1;
      const draft = { type: 'fraud', severity: 5, text: `Report ${n}`, identifiers: emailOf(n) };
      const { reportId } = unwrap(await engine.report({ apiKey, ...draft }));
      unwrap(await engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    }
    const browser = await panel.signedIn(null);
    const page = await browser.get('/panel/disputes');
    expect(page.headers['Content-Security-Policy']).toMatch(/; script-src 'self' 'wasm-unsafe-eval';/);

    let html = textOf(page);
    for (let n = 0; n < 25; n++) {
      const [said] = [`<p class="said">Report ${n}<`];
      expect([n, html.includes(said)]).toEqual([n, true]);
      expect(html).toMatch(/<button class="button primary" name="upheld" value="yes" data-key="u"/);
      const reply = await browser.post('/panel/disputes', {
        ...formOf(html, 'decide'),
        ...(n % 2 ? { upheld: 'yes' } : {}),
      });
      const next = reply.headers['Location']!;
      expect(next).toMatch(/#case$/);
      html = textOf(await browser.get(next));
      expect(html).toMatch(
        /id="case"[^>]* role="status">(Upheld|Rejected): fraud of 1 Jan 2026, First Shop \(1 report\)\./,
      );
    }
    expect(html).toContain('No dispute waits for a decision.');
    expect((await engine.listDisputes()).filter(({ upheld }) => upheld)).toHaveLength(12);
  });
});

it('counts cases in the menu, on the first page and in the lists: two reports about one person are one', async () => {
  const { engine, apiKey, otherKey, signedIn } = await createTestPanel({ limits: MANY });
  for (const [key, n] of [
    [apiKey, 1],
    [otherKey, 1],
    [otherKey, 2],
  ] as const) {
    const draft = { apiKey: key, type: 'fraud', severity: 5, text: `Text ${n}`, identifiers: emailOf(n) };
    const { reportId } = unwrap(await engine.report(draft));
    if (n === 1) unwrap(await engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
  }
  const browser = await signedIn(null);
  const badge = async (page: string) =>
    /Disputes <span class="tag warn">(.*?)<\/span><span class="unseen"> waiting/.exec(
      textOf(await browser.get(page)),
    )?.[1];
  expect(await badge('/panel')).toBe('1 case');
  const html = textOf(await browser.get('/panel'));
  expect(html).toMatch(/<dt>Cases to decide<\/dt><dd><a [^>]*>1</);
  expect(textOf(await browser.get('/panel/disputes'))).toContain('To decide (1 case)');
  unwrap(await engine.requestDispute!({ identifiers: emailOf(2), reason: 'No.', client: '192.0.2.1' }));
  expect(await badge('/panel/audit')).toBe('2 cases');
  await browser.done('/panel/disputes?list=open', 'decide');
  const decided = textOf(await browser.get('/panel/disputes?list=decided'));
  expect(decided).toMatch(/aria-current="page">Decided</);
});

it('has lines that differ: severity, kinds of identifiers, and what was written', async () => {
  for (const [n, text] of ['Sent back a stone', 'Paid with a stolen card'].entries()) {
    unwrap(await test.engine.openDispute({ reportId: await report(n, text), reason: 'no', by: 'Bob' }));
    test.clock.nowMs += 1_000;
  }
  const lines = [...(await operator.show(DISPUTES)).matchAll(/<span class="line">.*?<\/a>/gs)].map(([line]) =>
    line.replaceAll(/<[^>]*>/g, '|').replaceAll(/\|+/g, '|'),
  );
  const rest = 'Second Shop, by email|1 report, waiting less than a minute|';
  expect(lines).toEqual([
    `|fraud, severity 9|Sent back a stone|${rest}`,
    `|fraud, severity 9|Paid with a stolen card|${rest}`,
  ]);
});

describe('requests for a dispute', () => {
  it('are one case each, whose disputes are opened together, with the reports that are ticked', async () => {
    test.clock.nowMs += 1_000;
    const draft = { type: 'fraud', severity: 9, text: 'Text 1 of the first', identifiers: emailOf(1) };
    const reportIds = [
      await report(1, 'Text 1'),
      unwrap(await test.engine.report({ apiKey: test.apiKey, ...draft })).reportId,
    ];
    expect(await operator.show(DISPUTES, { list: 'requests' })).toContain('No request waits.');
    await ask(1, EVIL);
    test.clock.nowMs += 1_000;
    await ask(1, 'I paid in cash');
    const before = await pointsOf(1);
    const html = await operator.show(DISPUTES, { list: 'requests' });
    expect(html).not.toMatch(EVIL_HTML);
    expect(html).toContain('Requests (2 cases)');
    expect(html).toContain('2 reports, ');
    // First what was reported, then what the person says of it.
    expect(html).toMatch(/id="report-[0-9a-f]{16}".*What the person says/s);
    for (const reportId of reportIds) expect(html).toMatch(new RegExp(`name="about-${reportId}"[^>]* checked`));
    const [requestId] = idsOf(html, 'open', 'requestId');
    const none = await operator.send(DISPUTES, 'open', { list: 'requests', requestId: requestId!, reason: 'None' });
    expect(none).toMatch(
      new RegExp(
        `role="alert">.*<a href="#about-${requestId}">Choose at least one report.*<fieldset[^>]* id="about-${requestId}"`,
        's',
      ),
    );
    expect(none).not.toMatch(/name="about-[^>]* checked/);
    const unknown = { requestId: requestId!, reason: 'r', [`about-${'f'.repeat(16)}`]: 'yes' };
    expect(await operator.outcome(DISPUTES, 'open', unknown)).toMatchObject({ refusal: { reason: 'unknown-report' } });
    const about = (...ids: string[]) => Object.fromEntries(ids.map((id) => [`about-${id}`, 'yes']));
    expect(await operator.outcome(DISPUTES, 'open', { ...about(...reportIds), reason: ' ' })).toMatchObject({
      errors: { reason: expect.stringContaining('must have 1 to 500 characters') },
    });
    const again = await operator.again(
      DISPUTES,
      'open',
      { list: 'requests', requestId: requestId!, reason: 'Typed', ...about(reportIds[1]!) },
      { reason: 'Wrong' },
    );
    expect(again).toMatch(/<details class="confirm" open><summary data-key="o">/);
    expect(again).toContain('>Typed</textarea>');
    expect(again).toMatch(new RegExp(`name="about-${reportIds[1]}"[^>]* checked`));
    expect(again).not.toMatch(new RegExp(`name="about-${reportIds[0]}"[^>]* checked`));
    const reason = 'Says it was paid';
    expect(await operator.send(DISPUTES, 'open', { ...about(...reportIds), reason })).toMatch(/^2 disputes are open/);
    expect(await pointsOf(1)).toBeLessThan(before);
    expect(await test.engine.listDisputeRequests()).toEqual([]);
    expect(await operator.show(DISPUTES, { list: 'requests' })).toContain('No request waits.');
    const disputes = await test.engine.listDisputes();
    expect(disputes.map((one) => one.reportId).sort()).toEqual([...reportIds].sort());
    for (const dispute of disputes) expect(dispute).toMatchObject({ openedBy: 'Ada', reason });
    expect(caseIn(await operator.show(DISPUTES)).reportIds.sort()).toEqual([...reportIds].sort());
  });

  it('keep what the person says of each report, if that differs', async () => {
    const reportIds = [await report(1, 'Text 1'), await report(1, 'Text 2')];
    const client = '192.0.2.1';
    for (const [n, reportId] of reportIds.entries()) {
      const request = { identifiers: emailOf(1), reason: `Reason ${n}`, about: [reportId], client };
      unwrap(await test.engine.requestDispute!(request));
    }
    const html = await operator.show(DISPUTES, { list: 'requests' });
    for (const [n, reportId] of reportIds.entries())
      expect(html).toMatch(new RegExp(`<article[^>]* id="report-${reportId}"(?:(?!</article>).)*Reason ${n}`, 's'));
    const [requestId] = idsOf(html, 'open', 'requestId');
    const about = Object.fromEntries(reportIds.map((id) => [`about-${id}`, 'yes']));
    await operator.send(DISPUTES, 'open', { list: 'requests', requestId: requestId!, reason: '', ...about });
    const disputes = new Map((await test.engine.listDisputes()).map((one) => [one.reportId, one.reason]));
    expect(reportIds.map((id) => disputes.get(id))).toEqual(['Reason 0', 'Reason 1']);
  });

  it('are answered with the refusal or the decision: the person reads it with the number', async () => {
    const reportIds = [await report(70), await report(71)];
    const asked = [await ask(70, 'Refused.'), await ask(71, 'Decided.')];
    const read = async (n: number) => unwrap(await test.engine.readCase!({ number: asked[n]!.caseNumber }));
    unwrap(await test.engine.readCase!({ number: asked[0]!.caseNumber, text: `More ${EVIL}`.slice(0, 500) }));
    const requests = await test.engine.listDisputeRequests();
    const { requestId } = requests.find((one) => one.reportId === reportIds[0])!;
    const html = await operator.show(DISPUTES, { list: 'requests', case: requestId });
    expect(html).toContain('The person</strong>: <span class="said">More ');
    expect(html).not.toMatch(EVIL_HTML);
    const refusal = { requestId, reportIds: reportIds[0]! };
    await operator.send(DISPUTES, 'refuse', { ...refusal, answer: 'Please write more.' });
    expect(await read(0)).toMatchObject({ reports: [{ state: 'refused' }] });
    expect((await read(0)).messages.at(-1)!.text).toBe('Please write more.');
    unwrap(await test.engine.openDispute({ reportId: reportIds[1]!, reason: 'r', by: 'Ada' }));
    expect(await operator.show(DISPUTES, { case: reportIds[1]! })).toContain('id="answer');
    const tooLong = { reportIds: reportIds[1]!, answer: 'x'.repeat(501) };
    await operator.send(DISPUTES, 'decide', tooLong);
    const personal = { reportIds: reportIds[1]!, answer: 'Write to ada@example.org' };
    const refused = await operator.send(DISPUTES, 'decide', personal);
    expect(refused).toMatch(/All who asked about these reports read the answer\. Remove from it: [^<]*email/);
    expect(refused).toContain('Write to ada@example.org</textarea>');
    expect(await read(1)).toMatchObject({ reports: [{ state: 'open' }], messages: [] });
    await operator.send(DISPUTES, 'decide', { reportIds: reportIds[1]!, answer: 'It was you.' });
    expect(await read(1)).toMatchObject({ reports: [{ state: 'rejected' }], messages: [{ text: 'It was you.' }] });
    // Reporters read disputes. The answer is only for the person.
    expect(JSON.stringify(await test.engine.listDisputes())).not.toContain('It was you.');
  });

  it('show some messages of some cases at once, and lead to the others', async () => {
    const reportId = await report(73);
    for (let n = 0; n < 12; n++) {
      const { caseNumber: number } = await ask(73, `Reason ${n}`);
      test.clock.nowMs += 1_000;
      for (let m = 0; m < 6; m++) unwrap(await test.engine.readCase!({ number, text: `Message ${n}-${m}.` }));
    }
    unwrap(await test.engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    const said = (html: string) => [...html.matchAll(/Message ([\d-]+)\./g)].map(([, one]) => one);
    const newest = (n: number, from = 2) => Array.from({ length: 6 - from }, (_, m) => `${n}-${from + m}`);
    const show = async (query: Readonly<Record<string, string>> = {}) =>
      await operator.show(DISPUTES, { case: reportId, ...query });
    const first = await show();
    const ordered = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
    expect(said(first)).toEqual(ordered.flatMap((n) => newest(n)));
    const links = [...first.matchAll(/messages=([0-9a-f]{16})#messages">… 2 earlier messages</g)];
    expect(links).toHaveLength(10);
    expect(first).toMatch(/from=10"[^>]*rel="next"/);
    expect(said(await show({ messages: links[0]![1]! })).slice(0, 10)).toEqual([...newest(11, 0), ...newest(10)]);
    expect(said(await show({ from: '10' }))).toEqual([...newest(1), ...newest(0)]);
  });

  it('say which of several reports their messages are about', async () => {
    const reportIds = [await report(1, 'One'), await report(1, 'Two'), await report(1, 'Three')];
    const write = async (about: readonly string[]) => {
      const client = `192.0.2.${++people}`;
      const asked = { identifiers: emailOf(1), reason: 'Not me.', about, client };
      const { caseNumber: number } = unwrap(await test.engine.requestDispute!(asked));
      unwrap(await test.engine.readCase!({ number, text: `About ${about.length}.` }));
    };
    const linesOf = (html: string) =>
      [...html.matchAll(/<p class="quiet">(About.*?)<\/p>/g)].map(([, line]) => line!.replace(/<.*?>/g, ''));
    const day = '1 Jan 2026';
    await write(reportIds.slice(0, 1));
    for (const reportId of reportIds) unwrap(await test.engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    test.clock.nowMs += 1_000;
    await write(reportIds);
    const html = await operator.show(DISPUTES);
    expect(linesOf(html)).toEqual(['About all 3 reports', `About fraud, Second Shop, ${day}`]);
    for (const [, id] of html.matchAll(/href="#(report-[0-9a-f]{16})"/g)) expect(html).toContain(` id="${id}"`);
    expect(html).toContain(`href="#report-${reportIds[0]}"`);
    // An answer is about one report, or about all.
    const [first = '', second = '', third = ''] = reportIds;
    await operator.send(DISPUTES, 'decide', { reportIds: third });
    for (const [about, message] of [
      [second, 'Of the second.'],
      ['', 'Of all.'],
    ] as const)
      await operator.send(DISPUTES, 'answer', { reportIds: [first, second].join(), about, message });
    const answered = await operator.show(DISPUTES);
    expect(answered).toMatch(new RegExp(`name="about".*<option value="${second}">fraud, Second Shop, ${day}<`, 's'));
    const plain = answered.replaceAll(/<.*?>/g, '');
    expect(plain).toContain(`You, about fraud, Second Shop, ${day}: Of the second.`);
    expect(plain).toContain('You: Of all.');
    await operator.send(DISPUTES, 'decide', { reportIds: second });
    expect(await operator.show(DISPUTES)).toContain('You</strong>, about another report: ');
    await operator.send(DISPUTES, 'decide', { reportIds: first });
    expect(linesOf(await operator.show(DISPUTES))).toEqual([]);
  });

  it('are answered although the reporter has deleted the report', async () => {
    const draft = { type: 'fraud', severity: 9, text: 'Text', identifiers: emailOf(72) };
    const { reportId, deletionCode } = unwrap(await test.engine.report({ apiKey: test.otherKey, ...draft }));
    const { caseNumber: number } = await ask(72, 'Not me.');
    const read = async () => unwrap(await test.engine.readCase!({ number }));
    const before = await read();
    unwrap(await test.engine.remove({ apiKey: test.otherKey, deletionCode }));
    unwrap(await test.engine.readCase!({ number, text: 'Please look.' }));
    expect(await read()).toEqual(before);
    const [request] = await test.engine.listDisputeRequests();
    const html = await operator.show(DISPUTES, { list: 'requests', case: request!.requestId });
    expect(html).toContain('Deleted report');
    expect(html).toContain('Please look.');
    expect(html).toContain('id="answer');
    unwrap(await test.engine.openDispute({ reportId, reason: 'r', by: 'Ada' }));
    await operator.send(DISPUTES, 'decide', { upheld: 'yes', reportIds: reportId, answer: 'You are right.' });
    expect(await read()).toMatchObject({
      reports: [{ state: 'upheld' }],
      messages: [{ text: 'Please look.' }, { text: 'You are right.' }],
    });
  });

  it('refuses one case, about all of its reports, changes no score, and opens the next case', async () => {
    for (const text of ['Text 1', 'Text 2']) await report(1, text);
    await ask(1, 'First reason');
    test.clock.nowMs += 1_000;
    await ask(1, 'Second reason');
    const before = await pointsOf(1);
    const html = await operator.show(DISPUTES, { list: 'requests' });
    expect(html).toContain('First reason');
    const [requestId] = idsOf(html, 'refuse', 'requestId');
    const [next] = idsOf(html, 'refuse', 'next');
    expect(await operator.outcome(DISPUTES, 'refuse', { requestId: requestId!, next: next! })).toMatchObject({
      value: { query: `list=requests&case=${next}` },
    });
    const left = await test.engine.listDisputeRequests();
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['Second reason']));
    expect(await pointsOf(1)).toBe(before);
    expect(await operator.outcome(DISPUTES, 'refuse', { requestId: requestId!, next: EVIL })).toMatchObject({
      refusal: { reason: 'unknown-request' },
    });
  });
});
