import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const DAY = 86_400_000;
const refused = (reason: string, more: object = {}) => ({ ok: false, refusal: { reason, ...more } });
const draft = (n: number, text = `text ${n}`) => ({
  type: 'fraud',
  severity: 6,
  text,
  identifiers: [
    { kind: 'email', hash: hashOf(n) },
    { kind: 'phone', hash: hashOf(n + 100) },
  ],
});

/** Two reports of First Shop and one of Second Shop, a second apart. */
async function createReported(identifiersPerDay: number | null = null) {
  const test = await createTestEngine();
  const { engine, clock, apiKey, otherKey, reporterId } = test;
  unwrap(await engine.setBudget({ reporterId, identifiersPerDay }));
  const receipts = [];
  for (const [n, key] of [apiKey, apiKey, otherKey].entries()) {
    clock.nowMs += 1000;
    receipts.push(unwrap(await engine.report({ apiKey: key, ...draft(n) })));
  }
  const otherId = (await engine.listReporters()).find(({ name }) => name === 'Second Shop')!.reporterId;
  return { ...test, receipts, otherId };
}

describe('the last twelve months', () => {
  it('are counted from the store, of all and of one reporter', async () => {
    const { engine, clock, apiKey, reporterId, otherKey, receipts } = await createReported();
    const emails = (n: number) => ({
      identifiers: Array.from({ length: n }, (_, at) => ({ kind: 'email', hash: hashOf(at) })),
    });
    unwrap(await engine.query({ apiKey, ...emails(2) }));
    unwrap(await engine.query({ apiKey: otherKey, ...emails(3) }));
    const shown = async (of: string | null) =>
      (await engine.activityOf({ reporterId: of })).map(({ reports, identifiers }) => [reports, identifiers]);
    const none = (length: number) => Array.from({ length }, () => [0, 0]);
    expect((await engine.activityOf({ reporterId: null })).map(({ startsAt }) => startsAt)).toEqual(
      Array.from({ length: 12 }, (_, at) => Date.UTC(2025, 1 + at, 1)),
    );
    expect(await shown(null)).toEqual([...none(11), [3, 5]]);
    expect(await shown(reporterId)).toEqual([...none(11), [2, 2]]);
    expect(await shown('x')).toEqual([]);
    // The last millisecond of a month, and the first of the next one.
    clock.nowMs = Date.UTC(2026, 1, 1) - 1;
    unwrap(await engine.report({ apiKey, ...draft(7) }));
    clock.nowMs++;
    unwrap(await engine.report({ apiKey, ...draft(8) }));
    expect(await shown(null)).toEqual([...none(10), [4, 5], [1, 0]]);
    clock.nowMs += 60 * 3_600_000;
    unwrap(await engine.deleteReport({ reporterId, deletionCode: receipts[0]!.deletionCode }));
    expect(await shown(null)).toEqual([...none(10), [3, 5], [1, 0]]);
    // 31 December is in the year of eleven months later, and the counts of a year are kept.
    clock.nowMs = Date.UTC(2026, 11, 31);
    unwrap(await engine.query({ apiKey, ...emails(1) }));
    expect(await shown(reporterId)).toEqual([[2, 2], [1, 0], ...none(9), [0, 1]]);
    clock.nowMs = Date.UTC(2027, 0, 1);
    expect(await shown(reporterId)).toEqual([[1, 0], ...none(9), [0, 1], [0, 0]]);
  });

  it('of all are counted once an hour if they are over', async () => {
    const { engine, clock, apiKey, receipts, reporterId } = await createReported();
    const sums = async () =>
      (await engine.activityOf({ reporterId: null })).reduce((sum, { reports }) => sum + reports, 0);
    clock.nowMs = Date.UTC(2026, 1, 5);
    expect(await sums()).toBe(3);
    unwrap(await engine.deleteReport({ reporterId, deletionCode: receipts[0]!.deletionCode }));
    unwrap(await engine.report({ apiKey, ...draft(9) }));
    expect(await sums()).toBe(4);
    clock.nowMs += 3_600_000;
    expect(await sums()).toBe(3);
  });
});

describe('a reporter’s own reports', () => {
  it('are deleted by their code, and no other report is', async () => {
    const { engine, reporterId, otherId, receipts } = await createReported();
    const remove = (of: string, n: number) =>
      engine.deleteReport({ reporterId: of, deletionCode: receipts[n]!.deletionCode });
    expect(await remove('f'.repeat(16), 0)).toMatchObject(refused('unknown-reporter'));
    expect(await remove(reporterId, 2)).toMatchObject(refused('unknown-code'));
    expect(await remove(otherId, 0)).toMatchObject(refused('unknown-code'));
    expect(await engine.deleteReport({ reporterId, deletionCode: 'x' })).toMatchObject(refused('invalid-code'));
    expect(await remove(reporterId, 0)).toMatchObject({ ok: true });
    expect(await remove(reporterId, 0)).toMatchObject(refused('already-deleted'));
    const { reports } = unwrap(await engine.listReports({ reporterId }));
    expect(reports.map(({ reportId }) => reportId)).toEqual([receipts[1]!.reportId]);
  });

  it('have the codes that were given out, and the state of their disputes', async () => {
    const { engine, apiKey, reporterId, otherId, receipts } = await createReported();
    const list = async (reporter = reporterId) => unwrap(await engine.listReports({ reporterId: reporter })).reports;
    expect(await list()).toEqual(
      [1, 0].map((n) => ({
        reportId: receipts[n]!.reportId,
        deletionCode: receipts[n]!.deletionCode,
        type: 'fraud',
        severity: 6,
        text: `text ${n}`,
        createdAt: START + 1000 * (n + 1),
        kinds: ['email', 'phone'],
        requests: 0,
        dispute: 'none',
      })),
    );
    expect((await list(otherId)).map(({ text }) => text)).toEqual(['text 2']);
    const { reportId, deletionCode } = receipts[0]!;
    unwrap(await engine.openDispute({ reportId, reason: 'not me', by: 'Ada' }));
    expect((await list()).map(({ dispute }) => dispute)).toEqual(['none', 'open']);
    unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    expect((await list()).map(({ dispute }) => dispute)).toEqual(['none', 'upheld']);
    unwrap(await engine.remove({ apiKey, deletionCode }));
    expect((await list()).map(({ text }) => text)).toEqual(['text 1']);
  });

  it('come in pages, and can be searched', async () => {
    const { engine, reporterId, receipts } = await createReported();
    const first = unwrap(await engine.listReports({ reporterId, limit: 1 }));
    expect(first.next).toEqual({ createdAt: START + 2000, reportId: receipts[1]!.reportId });
    const second = unwrap(await engine.listReports({ reporterId, limit: 1, before: first.next }));
    expect(second.reports.map(({ text }) => text)).toEqual(['text 0']);
    expect(second.next).toBeUndefined();
    expect(unwrap(await engine.listReports({ reporterId, text: 'TEXT 0' })).reports).toHaveLength(1);
    expect(unwrap(await engine.listReports({ reporterId, text: 'text 2' })).reports).toEqual([]);
  });

  it('are found by deletion code or id, and no report of another reporter is', async () => {
    const { engine, apiKey, reporterId, otherId, receipts } = await createReported();
    const find = async (text: string, reporter = reporterId) =>
      unwrap(await engine.listReports({ reporterId: reporter, text }));
    const [first, second, other] = receipts;
    for (const text of [first!.deletionCode, first!.reportId, first!.deletionCode.toUpperCase()])
      expect(await find(text)).toMatchObject({ reports: [{ text: 'text 0', deletionCode: first!.deletionCode }] });
    // A text that has 16 hex digits is still found, but not in place of the report with this code.
    unwrap(await engine.report({ apiKey, ...draft(7, 'order 0123456789abcdef') }));
    unwrap(await engine.report({ apiKey, ...draft(8, `as in ${first!.deletionCode}`) }));
    expect((await find('0123456789ABCDEF')).reports.map(({ text }) => text)).toEqual(['order 0123456789abcdef']);
    expect((await find(first!.deletionCode)).reports.map(({ text }) => text)).toEqual(['text 0']);
    // Of another reporter, unknown, and deleted: alike.
    unwrap(await engine.remove({ apiKey, deletionCode: second!.deletionCode }));
    const nothing = await find('fedcba9876543210');
    expect(nothing.reports).toEqual([]);
    for (const text of [other!.deletionCode, other!.reportId, second!.deletionCode, second!.reportId])
      expect(await find(text)).toEqual(nothing);
    expect((await find(other!.deletionCode, otherId)).reports.map(({ text }) => text)).toEqual(['text 2']);
  });

  it('refuses searches of one reporter beyond those that may wait, and answers another one', async () => {
    const { engine, reporterId, otherId, receipts } = await createReported();
    const search = (of: string) => engine.listReports({ reporterId: of, text: 'TEXT' });
    const many = Array.from({ length: 30 }, () => search(reporterId));
    expect(unwrap(await search(otherId)).reports).toHaveLength(1);
    const answers = await Promise.all(many);
    const [overloaded] = answers.filter(({ ok }) => !ok);
    expect(overloaded).toEqual(refused('overloaded', { retryAfterSeconds: 2 }));
    for (const answer of answers) if (answer.ok) expect(answer.value.reports).toHaveLength(receipts.length - 1);
    expect(unwrap(await search(reporterId)).reports).toHaveLength(receipts.length - 1);
  });

  it('goes on in a search where the last page ended, however many reports there are', async () => {
    const store = await createMemoryStore();
    const { engine, reporterId } = await createTestEngine({ store });
    const rows = Array.from({ length: 5_600 }, (_, n) => ({
      report_id: (n + 1).toString(16).padStart(16, '0'),
      reporter_id: reporterId,
      nonce: (n + 1).toString(16).padStart(16, '0'),
      fingerprint: (n + 1).toString(16).padStart(32, '0'),
      type: 'fraud',
      severity: 6,
      text: n === 3 ? 'the needle' : 'hay',
      created_at: n,
      removed_at: null,
    }));
    await store.putRows('report', rows);
    const search = async (before?: { createdAt: number; reportId: string }) =>
      unwrap(await engine.listReports({ reporterId, text: 'Needle', before }));
    const first = await search();
    expect(first).toMatchObject({ reports: [], next: { createdAt: 600 } });
    const second = await search(first.next);
    expect(second.reports.map(({ text }) => text)).toEqual(['the needle']);
    expect(second.next).toBeUndefined();
  });

  it('refuse an unknown reporter and reject what is no page', async () => {
    const { engine, reporterId } = await createReported();
    for (const unknown of ['f'.repeat(16), 'x', `${reporterId}0`])
      expect(await engine.listReports({ reporterId: unknown })).toEqual(refused('unknown-reporter'));
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { text: '' }, { text: 'x'.repeat(201) }, { page: 1 }])
      await expect(engine.listReports({ reporterId, ...wrong })).rejects.toBeInstanceOf(Error);
    for (const before of [
      { createdAt: -1, reportId: '0'.repeat(16) },
      { createdAt: 1, reportId: 'x' },
    ])
      await expect(engine.listReports({ reporterId, before })).rejects.toBeInstanceOf(Error);
  });
});

describe('an answer to a dispute', () => {
  it('is stored with the dispute, and recorded', async () => {
    const { engine, clock, reporterId, otherId, receipts } = await createReported();
    const { reportId } = receipts[0]!;
    const answer = (text: string, over: object = {}) =>
      engine.answerDispute({ reportId, reporterId, answer: text, by: 'Eve', ...over });
    expect(await answer('early')).toEqual(refused('no-open-dispute'));
    unwrap(await engine.openDispute({ reportId, reason: 'not me', by: 'Ada' }));
    clock.nowMs += DAY;
    expect(await answer('of another', { reporterId: otherId })).toEqual(refused('no-open-dispute'));
    expect(await answer('of another', { reporterId: 'x' })).toEqual(refused('no-open-dispute'));
    for (const text of ['', ' ', 'x'.repeat(501), 'a\0b', 7 as unknown as string])
      expect(await answer(text)).toEqual(refused('invalid-note', { limitCharacters: 500 }));
    expect(await answer('fine', { by: '' })).toEqual(refused('invalid-name', { limitCharacters: 80 }));
    unwrap(await answer('  we have the papers '));
    expect(await engine.listDisputes()).toMatchObject([{ answer: 'we have the papers', answeredAt: clock.nowMs }]);
    expect((await engine.listAudit()).at(-1)).toMatchObject({
      action: 'dispute-answered',
      actor: 'Eve',
      reporterId,
      subject: reportId,
    });
  });

  it('is changed a hundred times a day at most: each one is in the audit log', async () => {
    const { engine, reporterId, receipts } = await createReported();
    const { reportId } = receipts[0]!;
    unwrap(await engine.openDispute({ reportId, reason: 'not me', by: 'Ada' }));
    for (let n = 0; n < 100; n++) unwrap(await engine.answerDispute({ reportId, reporterId, answer: `No ${n}` }));
    expect(await engine.answerDispute({ reportId, reporterId, answer: 'Once more' })).toMatchObject({
      refusal: { reason: 'limited', limit: { name: 'answer' } },
    });
  });
});

describe('what a person at a reporter does without a key', () => {
  const askOf = (n: number) => ({ identifiers: draft(n).identifiers });
  const left = async (engine: Awaited<ReturnType<typeof createReported>>['engine'], reporterId: string) =>
    unwrap(await engine.usageOf({ reporterId })).identifiersLeft;

  it('looks up, and learns who reported and why, as a query with a key answers', async () => {
    const { engine, clock, apiKey, otherKey, reporterId } = await createReported();
    unwrap(await engine.report({ apiKey: otherKey, ...draft(0, 'again'), severity: 9 }));
    clock.nowMs += 3 * DAY;
    const { organisations, strongest, sentences, ...answer } = unwrap(await engine.lookUp({ reporterId, ...askOf(0) }));
    expect(answer).toEqual(unwrap(await engine.query({ apiKey, ...askOf(0) })));
    expect(organisations).toEqual([
      { name: 'First Shop', reports: 1, isOwn: true },
      { name: 'Second Shop', reports: 1, isOwn: false },
    ]);
    expect(strongest).toEqual({
      reporter: 'Second Shop',
      isOwn: false,
      type: 'fraud',
      severity: 9,
      ageDays: 3,
      kinds: ['email', 'phone'],
      disputed: false,
    });
    expect(sentences.length).toBeGreaterThan(3);
    expect(unwrap(await engine.lookUp({ reporterId, ...askOf(50) }))).toMatchObject({
      points: 0,
      organisations: [],
      sentences: ['No report matches.'],
    });
  });

  it('counts against the budget of its reporter, and nothing that is refused or a retry', async () => {
    const { engine, reporterId, otherId } = await createReported(13);
    // Its two reports with a key have counted, too.
    expect(await left(engine, reporterId)).toBe(9);
    const before = await left(engine, otherId);
    unwrap(await engine.lookUp({ reporterId, ...askOf(0) }));
    expect(await left(engine, reporterId)).toBe(7);
    const wrong = [{ kind: 'email', hash: 'client@example.com' }];
    const refusal = await engine.lookUp({ reporterId, identifiers: wrong });
    expect(refusal).toMatchObject(refused('invalid-identifier'));
    expect(JSON.stringify(refusal)).not.toContain('example');
    const submit = (n: number) => engine.submitReport({ reporterId, ...draft(n) });
    const first = unwrap(await submit(7));
    expect(await left(engine, reporterId)).toBe(5);
    expect(unwrap(await submit(7))).toEqual({ ...first, duplicate: true });
    expect(await engine.submitReport({ reporterId, ...draft(8), type: 'unknown' })).toMatchObject(
      refused('invalid-type'),
    );
    // Both were given back: the budget has room for the next two.
    unwrap(await submit(8));
    unwrap(await engine.lookUp({ reporterId, ...askOf(8) }));
    expect(await engine.lookUp({ reporterId, ...askOf(8) })).toMatchObject(refused('limited'));
    expect(await submit(9)).toMatchObject(refused('limited'));
    expect(await left(engine, otherId)).toBe(before);
    expect(await engine.deleteReport({ reporterId, deletionCode: first.deletionCode })).toMatchObject({ ok: true });
  });

  it('is refused for a suspended and for an unknown reporter', async () => {
    const { engine, reporterId, receipts } = await createReported();
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    expect(await engine.lookUp({ reporterId, ...askOf(0) })).toEqual(refused('suspended-key'));
    const { deletionCode } = receipts[0]!;
    expect(await engine.deleteReport({ reporterId, deletionCode })).toEqual(refused('suspended-key'));
    for (const unknown of ['f'.repeat(16), '', 'x'])
      expect(await engine.submitReport({ reporterId: unknown, ...draft(0) })).toEqual(refused('unknown-reporter'));
  });
});

describe('the usage of a reporter', () => {
  it('has its budget, its limits and the days of four weeks', async () => {
    const { engine, clock, apiKey, reporterId } = await createReported();
    const ask = async (...ns: number[]) =>
      unwrap(await engine.query({ apiKey, identifiers: ns.map((n) => ({ kind: 'email', hash: hashOf(n) })) }));
    const usage = async () => unwrap(await engine.usageOf({ reporterId }));
    await ask(1, 2, 3);
    clock.nowMs += 2 * DAY;
    await ask(1, 2);
    const { days, ...known } = await usage();
    expect(known).toEqual({
      identifiersPerDay: 20_000,
      isOwnBudget: false,
      identifiersToday: 2,
      identifiersLeft: 19_998,
      limits: [
        { name: 'query', requests: 1800, windowSeconds: 60 },
        { name: 'report', requests: 120, windowSeconds: 60 },
        { name: 'delete', requests: 120, windowSeconds: 60 },
      ],
    });
    expect(days).toHaveLength(28);
    expect(days.at(-1)).toEqual({ dayAt: START + 2 * DAY, identifiers: 2 });
    expect(days.slice(-3).map(({ identifiers }) => identifiers)).toEqual([3, 0, 2]);
    unwrap(await engine.updateReporter({ reporterId, verified: false }));
    expect(await usage()).toMatchObject({ identifiersPerDay: 2_000, isOwnBudget: false });
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 50 }));
    expect(await usage()).toMatchObject({ identifiersPerDay: 50, isOwnBudget: true });
    expect(await engine.usageOf({ reporterId: 'f'.repeat(16) })).toEqual(refused('unknown-reporter'));
  });
});
