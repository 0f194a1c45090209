import { describe, expect, it } from 'vitest';
import { accept } from '../../src/core/domain/refusal.ts';
import { createViews, type CachedView } from '../../src/core/engine/views.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import { createProgramEngine as createEngine } from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { HttpReply } from '../../src/core/http/exchange.ts';
import { reading, textOf } from '../http/asking.ts';
import { hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const ASKED = [{ kind: 'email', hash: hashOf(1) }];
const REPORTS_AT_ONCE = 32;

const noTurn = (): Promise<void> => Promise.resolve();

/** Runs a task in a later turn of the event loop, in every runtime. */
const soon: (task: () => void) => unknown = typeof setImmediate === 'function' ? setImmediate : setTimeout;

/** A service with reports of one person, and the calls of its store. `text` makes the text of a report. */
async function serving(
  reports: number,
  { text = (n: number) => `Report ${n}`, viewBytes = 1024 * 1024, shared = false } = {},
) {
  const inner = await createMemoryStore();
  const calls: string[] = [];
  const asked = { ids: 0 };
  const block: { until?: Promise<void> } = {};
  const { stampOf, ...rest } = inner;
  const store: Store = {
    ...rest,
    ...(shared ? {} : { stampOf }),
    findLink: (linkHash) => (calls.push('findLink'), inner.findLink(linkHash)),
    findProtections: (hashes) => (calls.push('findProtections'), inner.findProtections(hashes)),
    async findNewest(of) {
      calls.push('findNewest');
      await block.until;
      return inner.findNewest(of);
    },
    findReports(ids) {
      calls.push('findReports');
      asked.ids += ids.length;
      return inner.findReports(ids);
    },
  };
  const clock = { nowMs: START };
  const engine = createEngine({
    store,
    secret: 'a secret of more than sixteen bytes',
    publicUrl: 'https://reports.example',
    clock: () => clock.nowMs,
    trustEpoch: 'on-demand',
    limits: { viewer: { requests: 1e9, windowSeconds: 1 } },
    bounds: { viewBytes },
  });
  const { reporterId } = unwrap(await engine.createReporter({ name: 'Sh"öp' }));
  const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
  const rows = Array.from({ length: reports }, (_, n) => ({
    report_id: (n + 1).toString(16).padStart(16, '0'),
    reporter_id: reporterId,
    type: 'fraud',
    severity: 1 + (n % 10),
    created_at: START - n * 60_000,
  }));
  await inner.putRows(
    'report',
    rows.map((row, n) => {
      return { ...row, nonce: row.report_id, fingerprint: row.report_id.repeat(2), text: text(n), removed_at: null };
    }),
  );
  await inner.putRows(
    'identifier',
    rows.map((row) => ({ ...row, ...ASKED[0], position: 0, disputed: 0, generation: 0 })),
  );
  const { link } = unwrap(await engine.query({ apiKey, identifiers: ASKED }));
  const answer = createAnswer(engine);
  const view = (headers: Record<string, string> = {}, path = new URL(link).pathname) =>
    answer(reading(path, '', headers));
  const report = (n: number, of: number) =>
    engine.report({
      apiKey,
      type: 'fraud',
      severity: 5,
      text: `New ${n}`,
      identifiers: [{ kind: 'email', hash: hashOf(of) }],
    });
  calls.length = 0;
  return { engine, inner, clock, calls, asked, block, view, report, apiKey, link };
}

const countOf = (reply: HttpReply): number => (JSON.parse(textOf(reply)) as { count: number }).count;

describe('a view', () => {
  it('asks the store for no reports while they are the same, with and without If-None-Match', async () => {
    const { calls, view, engine } = await serving(100);
    const first = await view();
    calls.length = 0;
    const tag = first.headers['ETag']!;
    expect(await view({ 'if-none-match': tag })).toMatchObject({ status: 304, body: '' });
    expect(await view()).toEqual(first);
    expect(calls).toEqual(['findLink', 'findProtections', 'findLink', 'findProtections']);
    await engine.close();
  });

  it('asks a shared store which reports there are, but for no texts', async () => {
    const { calls, view, engine } = await serving(100, { shared: true });
    const first = await view();
    calls.length = 0;
    expect(await view({ 'if-none-match': first.headers['ETag']! })).toMatchObject({ status: 304 });
    expect(await view()).toEqual(first);
    const once = ['findLink', 'findProtections', 'findNewest'];
    expect(calls).toEqual([...once, ...once]);
    await engine.close();
  });

  it.each([true, false])('is new after a report about the person, shared store: %s', async (shared) => {
    const { view, report, engine, calls } = await serving(3, { shared });
    const first = await view();
    await report(1, 1);
    const second = await view();
    expect([countOf(first), countOf(second)]).toEqual([3, 4]);
    expect(second.headers['ETag']).not.toBe(first.headers['ETag']);
    await report(2, 2);
    calls.length = 0;
    expect(await view()).toEqual(second);
    expect(calls).not.toContain('findReports');
    await engine.close();
  });

  it('leaves out whole reports, the oldest, beyond the bound in bytes, and reads none of them', async () => {
    const long = await serving(1_000, { text: (n) => `${n} ${'"\\\u{1f600}é'.repeat(400)}`, viewBytes: 100_000 });
    const reply = await long.view();
    const body = textOf(reply);
    // Bytes, so that all connections share them.
    const { length } = reply.body as Uint8Array;
    const { ReportAdvanceds, count } = JSON.parse(body) as {
      ReportAdvanceds: { description: string }[];
      count: number;
    };
    expect(length).toBeLessThanOrEqual(100_000);
    expect(length).toBeGreaterThan(90_000);
    expect(count).toBe(ReportAdvanceds.length);
    expect(ReportAdvanceds.map(({ description }) => Number.parseInt(description))).toEqual(
      Array.from({ length: count }, (_, n) => n),
    );
    expect(long.asked.ids).toBeLessThanOrEqual(count + REPORTS_AT_ONCE);
    await long.engine.close();
  });

  it('is the same through the fetch handler, with and without a body', async () => {
    const { view, engine, link } = await serving(200, { text: (n) => `${n} ${'läng '.repeat(50)}` });
    const expected = await view();
    const handle = createFetchHandler(engine);
    const reply = await handle(new Request(link));
    expect([reply.status, await reply.text()]).toEqual([200, textOf(expected)]);
    expect(reply.headers.get('etag')).toBe(expected.headers['ETag']);
    const head = await handle(new Request(link, { method: 'HEAD' }));
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', expected.headers['ETag']]);
    await engine.close();
  });

  it('shows the newest report in any case', async () => {
    const { view, engine } = await serving(3, { viewBytes: 1 });
    expect(countOf(await view())).toBe(1);
    await engine.close();
  });

  it('reads few reports in one turn of the event loop', async () => {
    const { view, engine, asked } = await serving(1_000);
    const turn = { last: 0, most: 0, viewing: true };
    const look = (): void => {
      turn.most = Math.max(turn.most, asked.ids - turn.last);
      turn.last = asked.ids;
      if (turn.viewing) soon(look);
    };
    soon(look);
    expect(countOf(await view())).toBe(1_000);
    turn.viewing = false;
    expect(turn.most).toBeLessThanOrEqual(REPORTS_AT_ONCE);
    await engine.close();
  });

  it('is read once for all that wait for it', async () => {
    const { view, block, calls, engine } = await serving(10);
    let open = (): void => undefined;
    block.until = new Promise((resolve) => (open = resolve));
    const replies = Array.from({ length: 100 }, () => view());
    for (let turn = 0; turn < 50; turn++) await new Promise<void>((resolve) => soon(resolve));
    expect(engine.load().views).toEqual({ reading: 1, waiting: 1 });
    open();
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(Array(100).fill(200));
    // Those that waited found the view that the first one made.
    expect(calls.filter((name) => name === 'findNewest')).toHaveLength(1);
    expect((await view()).status).toBe(200);
    await engine.close();
  });

  it('leaves in a turn of the event loop of its own if it is long, and is refused if too many wait', async () => {
    const { view, engine } = await serving(200, { text: (n) => `${n} ${'long '.repeat(50)}` });
    const first = await view();
    const state = { left: 0, last: 0, most: 0, viewing: true };
    const look = (): void => {
      state.most = Math.max(state.most, state.left - state.last);
      state.last = state.left;
      if (state.viewing) soon(look);
    };
    soon(look);
    const replies = await Promise.all(
      Array.from({ length: 70 }, async () => {
        const reply = await view();
        if (reply.status === 200) state.left++;
        return reply;
      }),
    );
    state.viewing = false;
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(64);
    expect(replies.find(({ status }) => status !== 200)).toMatchObject({
      status: 503,
      body: '{"ReportAdvanceds":[],"count":0}',
      headers: { 'Retry-After': '2' },
    });
    // Two of Node's timers may end in one turn.
    expect(state.most).toBeLessThanOrEqual(2);
    // A reply without a body waits for nothing.
    const tag = { 'if-none-match': first.headers['ETag']! };
    const known = await Promise.all(Array.from({ length: 100 }, () => view(tag)));
    expect(new Set(known.map(({ status }) => status))).toEqual(new Set([304]));
    await engine.close();
  });

  it.each(['view', 'record'] as const)('of one network does not keep others from theirs: %s', async (call) => {
    const { engine, block, apiKey } = await serving(10);
    const links: string[] = [];
    for (let n = 2; n < 82; n++) {
      const { link } = unwrap(
        await engine.query({ apiKey, identifiers: [...ASKED, { kind: 'phone', hash: hashOf(n) }] }),
      );
      links.push(link.slice(-40));
    }
    let open = (): void => undefined;
    block.until = new Promise((resolve) => (open = resolve));
    const ask = (n: number, client: string) => engine[call]({ linkHash: links[n]!, client });
    const many = links.slice(1).map((_, n) => ask(n + 1, `2001:db8:0:${n}::1`));
    for (let turn = 0; turn < 100; turn++) await new Promise<void>((resolve) => soon(resolve));
    expect(engine.load().views).toEqual({ reading: 1, waiting: 64 });
    const other = ask(0, '192.0.2.7');
    for (let turn = 0; turn < 100; turn++) await new Promise<void>((resolve) => soon(resolve));
    expect(engine.load().views).toEqual({ reading: 2, waiting: 64 });
    open();
    expect((await other).ok).toBe(true);
    expect((await Promise.all(many)).filter(({ ok }) => ok)).toHaveLength(65);
    await engine.close();
  });

  it('gives its place back when it fails', async () => {
    const { view, block, engine } = await serving(10);
    block.until = Promise.reject(new Error('no disk'));
    block.until.catch(() => undefined);
    for (let n = 0; n < 50; n++) expect((await view()).status).toBe(500);
    delete block.until;
    expect((await view()).status).toBe(200);
    await engine.close();
  });
});

describe('the turns of views', () => {
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise<void>((resolve) => soon(resolve));
  };

  it('go round the owners that wait', async () => {
    const views = createViews(noTurn);
    const begun: string[] = [];
    const asked = ['a1', 'b1', 'a2', 'a3', 'b2', 'b3', 'c1', 'c2', 'd1'];
    await Promise.all(
      asked.map((name) =>
        views.inTurn(
          name,
          async () => {
            begun.push(name);
            await settled();
            return accept(name);
          },
          name[0],
        ),
      ),
    );
    // Of `a` and `b`, one runs when `c` and `d` have had their turn.
    expect(begun.slice(0, 4)).toEqual(['a1', 'b1', 'c1', 'd1']);
    expect(begun.indexOf('c2')).toBeLessThan(8);
    expect([...begun].sort()).toEqual([...asked].sort());
  });

  it('let two read, 1,024 others wait, and refuse further ones before they read', async () => {
    const views = createViews(noTurn);
    let open = (): void => undefined;
    const until = new Promise<void>((resolve) => (open = resolve));
    const begun: number[] = [];
    const outcomes = Array.from({ length: 1_040 }, (_, n) =>
      views.inTurn(`${n}`, async () => {
        begun.push(n);
        await until;
        return accept(n);
      }),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    for (const outcome of await Promise.all(outcomes.slice(1_026)))
      expect(outcome).toEqual({ ok: false, refusal: { reason: 'overloaded', retryAfterSeconds: 2 } });
    open();
    expect(await Promise.all(outcomes.slice(0, 1_026))).toEqual(Array.from({ length: 1_026 }, (_, n) => accept(n)));
    expect(begun).toEqual(Array.from({ length: 1_026 }, (_, n) => n));
    expect(views.load()).toEqual({ reading: 0, waiting: 0 });
  });

  it('give each view that waited a turn of the event loop of its own', async () => {
    const events: string[] = [];
    const views = createViews(() => new Promise((resolve) => soon(resolve)));
    const outcomes = Array.from({ length: 6 }, (_, n) =>
      views.inTurn(`${n}`, () => {
        events.push('view');
        return Promise.resolve(accept(n));
      }),
    );
    let looking = true;
    const look = (): void => {
      events.push('other');
      if (looking) soon(look);
    };
    soon(look);
    await Promise.all(outcomes);
    looking = false;
    // The first two began at once. At most one view of each of the two places begins in a turn.
    expect(events.join(' ')).not.toContain('view view view');
  });

  it('read again for requests that come after the reading has begun', async () => {
    const views = createViews(noTurn);
    const written = { value: 0 };
    const read = async () => {
      const { value } = written;
      await settled();
      return accept(value);
    };
    const others = [views.inTurn('a', read), views.inTurn('b', read)];
    const waited = [views.inTurn('c', read), views.inTurn('c', read)];
    await Promise.all(others);
    await settled();
    // The view of `c` has read.
    written.value = 1;
    const later = views.inTurn('c', read);
    expect(await Promise.all([...waited, later])).toEqual([accept(0), accept(0), accept(1)]);
  });

  it('pass on a rejection to all that waited, and go on', async () => {
    const views = createViews(noTurn);
    const fail = () => Promise.reject(new Error('no disk'));
    const outcomes = ['a', 'b', 'c', 'c'].map((name) => views.inTurn(name, fail));
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow('no disk');
    expect(views.load()).toEqual({ reading: 0, waiting: 0 });
    expect(await views.inTurn('c', () => Promise.resolve(accept(1)))).toEqual(accept(1));
  });
});

describe('views in memory', () => {
  const kept = (bytes: number): CachedView => {
    return { identifiersKey: '', reportIds: [], stamp: 1, reports: [], bytes };
  };

  it('take no more bytes than they may: the least recently used go, and a larger one is not kept', () => {
    const views = createViews(noTurn, 10_000);
    for (const name of ['a', 'b', 'c']) views.keeper()(name, kept(2_000));
    expect(views.get('a')).toBeDefined();
    views.keeper()('d', kept(2_000));
    expect(['a', 'b', 'c', 'd'].map((name) => views.get(name) !== undefined)).toEqual([true, false, true, true]);
    views.keeper()('a', kept(9_500));
    expect(['a', 'c', 'd'].map((name) => views.get(name) !== undefined)).toEqual([false, true, true]);
    // Each entry costs something beside its reports.
    for (let n = 0; n < 100; n++) views.keeper()(`empty ${n}`, kept(0));
    expect(Array.from({ length: 100 }, (_, n) => views.get(`empty ${n}`)).filter(Boolean).length).toBe(10);
  });

  it('are forgotten, also those that are being read', () => {
    const views = createViews(noTurn);
    const keep = views.keeper();
    views.keeper()('a', kept(1));
    views.forget();
    keep('b', kept(1));
    expect([views.get('a'), views.get('b')]).toEqual([undefined, undefined]);
  });

  it('hold no copy of a deleted report', async () => {
    const { view, engine, report, apiKey, calls } = await serving(3);
    const { deletionCode } = unwrap(await report(1, 1));
    expect(countOf(await view())).toBe(4);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    calls.length = 0;
    expect(countOf(await view())).toBe(3);
    expect(calls).toContain('findReports');
    await engine.close();
  });
});
