import { beforeEach, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { DISPUTES } from '../../src/service/panel/operator/disputes.tsx';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { createOperatorVisit, type OperatorVisit } from './visit-operator.ts';

const emailOf = (n: number) => [{ kind: 'email', hash: hashOf(n) }];

let test: TestEngine;
let operator: OperatorVisit;
beforeEach(async () => {
  test = await createTestEngine({
    wait: async () => undefined,
    limits: { report: { requests: 100, windowSeconds: 1 } },
  });
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
const ask = async (n: number, reason: string): Promise<void> =>
  unwrap(await test.engine.requestDispute!({ identifiers: emailOf(n), reason, client: `192.0.2.${++people}` }));
/** The hidden fields of the form of an action, in the order of the page. */
const idsOf = (html: string, action: string, name: string): string[] =>
  [...html.matchAll(/<form.*?<\/form>/gs)]
    .map(([form]) => form)
    .filter((form) => form.includes(`name="do" value="${action}"`))
    .map((form) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)![1]!);

describe('disputes to decide', () => {
  it('shows report, reason and answer as text, the oldest first', async () => {
    expect(await operator.show(DISPUTES)).toContain('No dispute waits for a decision.');
    const reportIds = [await report(1, EVIL), await report(2)];
    for (const reportId of reportIds) {
      unwrap(await test.engine.openDispute({ reportId, reason: EVIL, by: 'Ada' }));
      test.clock.nowMs += 1_000;
    }
    const html = await operator.show(DISPUTES);
    expect(html).not.toMatch(EVIL_HTML);
    expect(html.match(/&lt;script>alert\(1\)&lt;\/script>/g)).toHaveLength(3);
    expect(html).toContain('none yet');
    expect(html).toContain('To decide (2)');
    expect(idsOf(html, 'uphold', 'reportId')).toEqual(reportIds);
    expect(idsOf(html, 'reject', 'reportId')).toEqual(reportIds);
    expect(html).toContain('the standing of Second Shop falls');
  });

  it('upholds a dispute: the report does not count any more', async () => {
    const reportId = await report(1);
    unwrap(await test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    expect(await operator.send(DISPUTES, 'uphold', { reportId })).toContain('does not count any more');
    expect(await pointsOf(1)).toBe(0);
    const html = await operator.show(DISPUTES, { list: 'decided' });
    expect(html).toContain('<span class="tag">upheld</span>');
    expect(html).toContain('by Ada');
    expect(await operator.outcome(DISPUTES, 'uphold', { reportId })).toMatchObject({
      refusal: { reason: 'no-open-dispute' },
    });
  });

  it('rejects a dispute: the report counts as before', async () => {
    const reportId = await report(1);
    const before = await pointsOf(1);
    unwrap(await test.engine.openDispute({ reportId, reason: 'no', by: 'Bob' }));
    expect(await pointsOf(1)).toBeLessThan(before);
    expect(await operator.send(DISPUTES, 'reject', { reportId })).toContain('counts as before');
    expect(await pointsOf(1)).toBe(before);
    expect(await operator.show(DISPUTES, { list: 'decided' })).toContain('rejected');
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
    await operator.send(DISPUTES, 'uphold', { reportId });
  });

  it('shows 20 on a page', async () => {
    for (let n = 0; n < 23; n++)
      unwrap(await test.engine.openDispute({ reportId: await report(n), reason: 'no', by: 'Bob' }));
    const first = await operator.show(DISPUTES);
    expect(idsOf(first, 'uphold', 'reportId')).toHaveLength(20);
    expect(first).toContain('href="/panel/disputes?list=open&amp;from=20"');
    const second = await operator.show(DISPUTES, { list: 'open', from: '20' });
    expect(idsOf(second, 'uphold', 'reportId')).toHaveLength(3);
    expect(second).toContain('21 to 23 of 23');
  });
});

describe('requests for a dispute', () => {
  it('groups requests by report, opens a dispute from one, and forgets the others', async () => {
    const reportId = await report(1);
    expect(await operator.show(DISPUTES, { list: 'requests' })).toContain('No request waits.');
    await ask(1, EVIL);
    await ask(1, 'I paid in cash');
    const before = await pointsOf(1);
    const html = await operator.show(DISPUTES, { list: 'requests' });
    expect(html).not.toMatch(EVIL_HTML);
    expect(html).toContain('2 requests');
    expect(html).toContain('I paid in cash');
    expect(html).toContain('Text 1');
    expect(idsOf(html, 'open', 'reportId')).toEqual([reportId]);
    expect(await operator.outcome(DISPUTES, 'open', { reportId, reason: ' ' })).toMatchObject({
      errors: { reason: expect.stringContaining('must have 1 to 500 characters') },
    });
    expect(await operator.send(DISPUTES, 'open', { reportId, reason: 'Says it was paid' })).toContain('counts half');
    expect(await pointsOf(1)).toBeLessThan(before);
    expect(await test.engine.listDisputeRequests()).toEqual([]);
    expect(await operator.show(DISPUTES, { list: 'requests' })).toContain('No request waits.');
    const [dispute] = await test.engine.listDisputes();
    expect(dispute).toMatchObject({ reportId, openedBy: 'Ada', reason: 'Says it was paid' });
  });

  it('shows the form again with the typed reason, if it is refused', async () => {
    const reportIds = [await report(1), await report(2)];
    await ask(1, 'First');
    await ask(2, 'Second');
    await eventually(async () => expect(await test.engine.listDisputeRequests()).toHaveLength(2));
    const html = await operator.again(DISPUTES, 'open', { list: 'requests', reportId: reportIds[0]!, reason: 'Typed' });
    expect(html.match(/<details class="confirm" open>/g)).toHaveLength(1);
    expect(html).toContain('>Typed</textarea>');
    expect(html).toContain('>Second</textarea>');
  });

  it('refuses all requests about one report that were shown, with one entry', async () => {
    const reportId = await report(1);
    await report(2);
    for (const reason of ['Junk 1', 'Junk 2', 'Junk 3']) {
      test.clock.nowMs += 1;
      await ask(1, reason);
    }
    await ask(2, 'About another report');
    const html = await operator.show(DISPUTES, { list: 'requests' });
    // A single request has its own button only.
    expect(idsOf(html, 'refuse-all', 'reportId')).toEqual([reportId]);
    const requestIds = idsOf(html, 'refuse-all', 'requestIds')[0]!;
    // A clock that was set back: the request is older than those that were shown.
    test.clock.nowMs -= 3_600_000;
    await ask(1, 'Not seen yet');
    expect(await operator.send(DISPUTES, 'refuse-all', { reportId, requestIds })).toBe(
      '3 requests were deleted. No score has changed.',
    );
    expect((await test.engine.listDisputeRequests()).map(({ reason }) => reason).sort()).toEqual([
      'About another report',
      'Not seen yet',
    ]);
    expect(await test.engine.listAudit({ before: Infinity, limit: 1 })).toMatchObject([
      { action: 'dispute-request-refused', actor: 'Ada', subject: reportId, amount: 3 },
    ]);
    for (const wrong of [{ requestIds }, { reportId: EVIL, requestIds }, { reportId }, { reportId, requestIds: EVIL }])
      expect(await operator.outcome(DISPUTES, 'refuse-all', wrong)).toMatchObject({
        refusal: { reason: 'unknown-request' },
      });
    expect(await test.engine.listDisputeRequests()).toHaveLength(2);
  });

  it('refuses one request about one report, and changes no score', async () => {
    await report(1);
    await ask(1, 'First reason');
    test.clock.nowMs += 1;
    await ask(1, 'Second reason');
    const before = await pointsOf(1);
    const html = await operator.show(DISPUTES, { list: 'requests' });
    const [requestId] = idsOf(html, 'refuse', 'requestId');
    const [reportId] = idsOf(html, 'refuse', 'reportId');
    await operator.send(DISPUTES, 'refuse', { requestId: requestId!, reportId: reportId! });
    const left = await test.engine.listDisputeRequests();
    expect(left.map(({ reason }) => reason)).toEqual(['Second reason']);
    expect(await pointsOf(1)).toBe(before);
    expect(await operator.outcome(DISPUTES, 'refuse', { requestId: requestId!, reportId: EVIL })).toMatchObject({
      ok: false,
    });
  });
});
