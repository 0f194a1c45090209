import { describe, expect, it } from 'vitest';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import { unwrap } from '../../src/index.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { createTestPanel, FORM_HEADERS, formOf, type TestBrowser } from './visiting.ts';

/** A panel, and how many requests of a role wait for the engine at once. */
async function visited() {
  const test = await createTestPanel();
  const { engine } = test;
  const running = new Map<string | null, number>();
  const most = new Map<string | null, number>();
  const countWaiting = engine.countWaiting.bind(engine);
  // Each page asks it last.
  engine.countWaiting = async (request) => {
    const { reporterId } = request;
    running.set(reporterId, (running.get(reporterId) ?? 0) + 1);
    most.set(reporterId, Math.max(most.get(reporterId) ?? 0, running.get(reporterId)!));
    await new Promise((resolve) => setTimeout(resolve, 5));
    running.set(reporterId, running.get(reporterId)! - 1);
    return countWaiting(request);
  };
  return { ...test, most };
}

const statusesOf = async (replies: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(replies)).map(({ status }) => status);
const ask = (browser: TestBrowser, number: number, page = 'keys') =>
  Array.from({ length: number }, () => browser.get(`/panel/${page}`));

describe('the work of the panel', () => {
  it('of one reporter takes turns, whatever its sessions ask, and is refused if too much waits', async () => {
    const { reporterId, otherId, most, signedIn } = await visited();
    const [bob, ben, eve] = [await signedIn(reporterId), await signedIn(reporterId, 'Ben'), await signedIn(otherId)];
    let done = 0;
    const flood = [...ask(bob, 20), ...ask(ben, 20, 'disputes')].map((one) => one.finally(() => done++));
    // Those that are refused are done at once.
    const refused = 40 - 17;
    const other = eve.get('/panel/keys').then(({ status }) => [status, done <= refused + 2]);
    const statuses = await statusesOf(flood);
    expect(statuses.filter((status) => status === 200)).toHaveLength(17);
    expect(statuses.filter((status) => status === 503)).toHaveLength(refused);
    expect(await other).toEqual([200, true]);
    expect(most.get(reporterId)).toBe(1);
  });

  it('lets other work run before each page, also if the store answers at once', async () => {
    const { reporterId, signedIn } = await createTestPanel();
    const bob = await signedIn(reporterId);
    let turns = 0;
    let isDone = false;
    const countTurn = (): void => {
      turns++;
      if (!isDone) setTimeout(countTurn);
    };
    setTimeout(countTurn);
    for (let n = 0; n < 10; n++) expect((await bob.get('/panel/keys')).status).toBe(200);
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('says when to ask again', async () => {
    const { reporterId, signedIn } = await visited();
    const replies = await Promise.all(ask(await signedIn(reporterId), 18));
    const refused = replies.find(({ status }) => status === 503)!;
    expect(refused.headers).toMatchObject({ 'Retry-After': '2' });
    expect(textOf(refused)).toContain('in 2 seconds');
  });

  it('of an operator waits for no reporter, and not for another operator', async () => {
    const { engine, reporterId, otherId, most, signedIn } = await visited();
    const { reporterId: thirdId } = unwrap(await engine.createReporter({ name: 'Third Shop' }));
    const reporters = await Promise.all([reporterId, otherId, thirdId].map((id) => signedIn(id)));
    const [ada, grace] = [await signedIn(null), await signedIn(null, 'Grace')];
    let done = 0;
    const flood = reporters.flatMap((one) => ask(one, 17)).map((one) => one.finally(() => done++));
    const own = ask(ada, 17, 'audit');
    const other = grace.get('/panel/audit').then(({ status }) => [status, done < 20]);
    expect(await other).toEqual([200, true]);
    expect(new Set(await statusesOf(own))).toEqual(new Set([200]));
    await Promise.all(flood);
    expect(most.get(null)).toBe(2);
  });

  it('includes forms and data, but no body that still arrives', async () => {
    const { reporterId, signedIn, most, answer } = await visited();
    const bob = await signedIn(reporterId);
    const form = formOf(textOf(await bob.get('/panel/many')), 'look-up-rows');
    const rows = JSON.stringify([{ identifiers: `email=${hashOf(1)}` }]);
    const headers: Record<string, string | undefined> = { ...FORM_HEADERS, cookie: bob.cookie };
    let isRead = false;
    void answer({
      method: 'POST',
      path: `/panel/${bob.place}/many`,
      query: '',
      header: (name) => headers[name],
      body: () => {
        isRead = true;
        return new Promise(() => {});
      },
    });
    const statuses = await statusesOf(Array.from({ length: 30 }, () => bob.post('/panel/many', { ...form, rows })));
    expect(statuses.filter((status) => status === 200)).toHaveLength(17);
    expect(most.get(reporterId)).toBe(1);
    expect(isRead).toBe(true);
  });
});

describe('a page about requests for a dispute', () => {
  it('reads only those that it shows', async () => {
    const store = await createSqljsStore();
    const read = { requests: 0, reports: 0 };
    const { findDisputeRequests, findReports } = store;
    Object.assign(store, {
      findDisputeRequests: async (request: Parameters<typeof findDisputeRequests>[0]) => {
        const rows = await findDisputeRequests(request);
        read.requests += rows.length;
        return rows;
      },
      findReports: async (reportIds: readonly string[]) => {
        read.reports += reportIds.length;
        return findReports(reportIds);
      },
    });
    const { engine, apiKey, reporterId, clock, signedIn } = await createTestPanel({
      store,
      limits: { report: { requests: 1_000, windowSeconds: 1 }, dispute: { requests: 10_000, windowSeconds: 1 } },
    });
    const codes: string[] = [];
    for (let n = 0; n < 120; n++) {
      clock.nowMs += 1_000;
      const identifiers = [{ kind: 'email', hash: hashOf(n) }];
      const draft = { apiKey, type: 'fraud', severity: 5, text: `Report ${n}`, identifiers };
      codes.push(unwrap(await engine.report(draft)).deletionCode);
      for (let m = 0; m < 6; m++) unwrap(await engine.requestDispute!({ identifiers, reason: `${n} ${m}` }));
    }
    for (const deletionCode of codes.slice(0, 60)) unwrap(await engine.deleteReport({ reporterId, deletionCode }));
    const [bob, operator] = [await signedIn(reporterId), await signedIn(null)];
    const show = async (browser: TestBrowser, page: string) => {
      Object.assign(read, { requests: 0, reports: 0 });
      return textOf(await browser.get(`/panel/${page}`));
    };
    expect(await show(bob, 'disputes')).toContain('The first 50 of 360 are shown.');
    expect(read).toEqual({ requests: 50, reports: 9 });
    expect(await show(bob, 'overview')).toMatch(/Requests for a dispute.*?360|360.*?Requests for a dispute/s);
    expect(read).toEqual({ requests: 0, reports: 0 });
    const listed = await show(operator, 'disputes?list=requests');
    expect(listed).toContain('Requests (720 cases)');
    expect(listed).toContain('520 more follow.');
    expect(read.requests).toBeLessThanOrEqual(501);
    expect(await show(operator, '')).toMatch(/Cases with a request.*?720/s);
    expect(read).toEqual({ requests: 0, reports: 0 });
    // A request that waits long after the list is shown at its end.
    const last = (await engine.listDisputeRequests({ limit: 500 })).at(-1)!;
    expect(await show(operator, `disputes?list=requests&case=${last.requestId}`)).toContain(last.reason);
    expect(read.requests).toBeLessThanOrEqual(501);
  });
});
