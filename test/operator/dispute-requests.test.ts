import { describe, expect, it } from 'vitest';
import { unwrap, type EngineNotice, type EngineOptions } from '../../src/index.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../src/core/store/errors.ts';
import { createTestEngine, hashOf, START } from '../engine/setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const EMAIL = { kind: 'email', hash: hashOf(1) };
const PHONE = { kind: 'phone', hash: hashOf(2) };
const OTHER = { kind: 'email', hash: hashOf(9) };
const draft = (n: number, over: object = {}) => ({
  type: 'fraud',
  severity: 6,
  text: `Report ${n}`,
  identifiers: [EMAIL, PHONE],
  ...over,
});
const REASON = 'Somebody else used my card.';
const DONE = { ok: true, value: undefined };
const FILED = {
  ok: true,
  value: { caseNumber: expect.stringMatching(/^([0-9a-hjkmnp-tv-z]{4}-){4}[0-9a-hjkmnp-tv-z]{4}$/) as string },
};
const refused = (reason: string, more: object = {}) => ({ ok: false, refusal: { reason, ...more } });

/** An engine that does not wait. `waits` has how long it would have waited. */
async function serving(options: Partial<EngineOptions> = {}) {
  const waits: number[] = [];
  const notices: EngineNotice[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const test = await createTestEngine({ wait, onNotice: (notice) => notices.push(notice), ...options });
  const { engine, apiKey } = test;
  return {
    ...test,
    waits,
    notices,
    report: async (n: number, key = apiKey, over: object = {}) =>
      unwrap(await engine.report({ apiKey: key, ...draft(n, over) })),
    ask: (identifiers = [EMAIL], over: object = {}) => engine.requestDispute!({ identifiers, reason: REASON, ...over }),
    waiting: () => engine.listDisputeRequests(),
  };
}

describe('a request for a dispute', () => {
  it('looks for a name once, however often it names it', async () => {
    const inner = await createMemoryStore();
    let searches = 0;
    const store = { ...inner, findReporterNamed: (name: string) => (searches++, inner.findReporterNamed(name)) };
    const { ask, report } = await serving({ store });
    await report(1);
    expect(await ask([EMAIL], { about: Array.from({ length: 10 }, (_, n) => `Nobody${' '.repeat(n)}`) })).toEqual(
      FILED,
    );
    expect(searches).toBe(1);
  });

  it('waits at the reporter of each report, under one id, until a dispute opens or it is refused', async () => {
    const { engine, clock, reporterId, otherKey, report, ask, waiting } = await serving({
      peppers: ['a pepper of sixteen bytes'],
    });
    const [first, second] = [await report(1), await report(2, otherKey)];
    await report(3, otherKey, { identifiers: [OTHER] });
    clock.nowMs += 5;
    expect(await ask([EMAIL, { kind: 'email', hash: hashOf(7) }])).toEqual(FILED);
    const requests = await waiting();
    expect(requests.map(({ reportId }) => reportId).sort()).toEqual([first.reportId, second.reportId].sort());
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(1);
    expect(requests[0]).toMatchObject({ requestedAt: START + 5, reason: REASON });
    const own = await engine.listDisputeRequests({ reporterId });
    expect(own.map(({ reportId }) => reportId)).toEqual([first.reportId]);
    expect(await engine.listDisputeRequests({ reporterId: 'nobody' })).toEqual([]);

    const { requestId } = requests[0]!;
    const refuse = (request: object) => engine.refuseDisputeRequest({ requestId, by: 'Ada', ...request });
    expect(await refuse({ by: '' })).toEqual(refused('invalid-name', { limitCharacters: 80 }));
    for (const wrong of [{ requestId: 'x' }, { requestId: '0'.repeat(16) }, { reportId: 'x' }])
      expect(await refuse(wrong)).toEqual(refused('unknown-request'));
    expect(await refuse({ reportId: second.reportId })).toEqual(DONE);
    expect(await refuse({ reportId: second.reportId })).toEqual(refused('unknown-request'));
    unwrap(await engine.openDispute({ reportId: first.reportId, reason: 'r', by: 'Ada' }));
    expect(await waiting()).toEqual([]);
    // The operator examines it already, or found it wrong.
    await ask();
    expect((await waiting()).map(({ reportId }) => reportId)).toEqual([second.reportId]);
    unwrap(await engine.decideDispute({ reportId: first.reportId, upheld: true, by: 'Ada' }));
    await ask([EMAIL], { reason: 'Once more' });
    expect((await waiting()).map(({ reportId }) => reportId)).toEqual([second.reportId, second.reportId]);
  });

  it('are refused together, those that were seen', async () => {
    const { engine, clock, report, ask, waiting } = await serving();
    const [first, second] = [await report(1), await report(2)];
    for (const reason of ['One', 'Two', 'Three']) {
      clock.nowMs += 1;
      await ask([EMAIL], { reason });
    }
    const { reportId } = first;
    const seen = (await waiting()).filter((one) => one.reportId === reportId);
    const requestIds = seen.map(({ requestId }) => requestId);
    const refuse = (request: object) => engine.refuseDisputeRequests({ reportId, requestIds, by: 'Ada', ...request });
    expect(await refuse({ by: '' })).toEqual(refused('invalid-name', { limitCharacters: 80 }));
    for (const wrong of [{ reportId: 'x' }, { reportId: '0'.repeat(16) }, { requestIds: [] }, { requestIds: ['x'] }])
      expect(await refuse(wrong)).toEqual(refused('unknown-request'));
    await expect(refuse({ requestIds: undefined })).rejects.toThrow(TypeError);
    await expect(refuse({ requestId: 'x' })).rejects.toThrow(TypeError);
    expect(await refuse({ requestIds: requestIds.slice(0, 2) })).toEqual({ ok: true, value: { refused: 2 } });
    expect((await waiting()).filter((one) => one.reportId === reportId).map(({ reason }) => reason)).toEqual(['Three']);
    expect(await refuse({})).toEqual({ ok: true, value: { refused: 1 } });
    expect(new Set((await waiting()).map((one) => one.reportId))).toEqual(new Set([second.reportId]));
    expect(await waiting()).toHaveLength(3);
  });

  it('changes no byte of any answer', async () => {
    const { engine, apiKey, otherKey, report, ask, waiting } = await serving();
    await report(1);
    await report(2, otherKey);
    const answers = async () => {
      const query = unwrap(await engine.explainQuery({ apiKey, identifiers: [EMAIL, PHONE] }));
      const view = unwrap(await engine.view({ linkHash: query.link.slice(-40) }));
      const record = unwrap(await engine.record!({ linkHash: query.link.slice(-40) }));
      return JSON.stringify({ query, view, record, standings: await engine.listStandings() });
    };
    const before = await answers();
    await ask([EMAIL, PHONE]);
    expect(await waiting()).toHaveLength(2);
    expect(await answers()).toBe(before);
  });

  it('is answered alike whether or not it matches, dropped or not', async () => {
    const { engine, report, ask, waits, waiting } = await serving();
    const { reportId } = await report(1);
    const answers = [await ask(), await ask([OTHER])];
    for (let n = 0; n < 25; n++) answers.push(await ask([PHONE], { reason: `Reason ${n}` }));
    // 20 about the phone number. They take no room from the one about the email address.
    expect(await waiting()).toHaveLength(21);
    await engine.openDispute({ reportId, reason: 'r', by: 'Ada' });
    answers.push(await ask());
    for (const answer of answers) expect(answer).toEqual(FILED);
    expect(new Set(waits)).toEqual(new Set([500]));
  });

  it('answers at a multiple of half a second, however long it took', async () => {
    let nowMs = 0;
    const { ask, waits } = await serving({ monotonic: () => (nowMs += 130) });
    await ask();
    expect(waits).toEqual([370]);
    const slow = await serving({ monotonic: () => (nowMs += 700) });
    await slow.ask();
    expect(slow.waits).toEqual([300]);
  });

  it('is about the newest 10 reports, and the next one about the next 10', async () => {
    const { clock, report, ask, waiting } = await serving();
    const reported: string[] = [];
    for (let n = 0; n < 22; n++) {
      clock.nowMs += 1000;
      reported.push((await report(n)).reportId);
    }
    await ask();
    const asked = async () => (await waiting()).map(({ reportId }) => reportId).sort();
    expect(await asked()).toEqual(reported.slice(12).sort());
    await ask([EMAIL], { reason: 'Another reason' });
    expect(await asked()).toEqual(reported.slice(2).sort());
  });

  it('is not filed without a valid reason and 1 to 3 hashes', async () => {
    const { report, ask, waiting } = await serving();
    await report(1);
    for (const [reason, problem] of [
      ['', { characters: 0 }],
      [' \n', { characters: 0 }],
      ['x'.repeat(501), { characters: 501 }],
      ['a\u0000b', { at: 2 }],
      [7, {}],
    ] as const)
      expect(await ask([EMAIL], { reason })).toEqual(refused('invalid-text', { limitCharacters: 500, ...problem }));
    expect(await ask([EMAIL], { reason: 'Write to ada@example.org or +49 171 1234567' })).toEqual(
      refused('personal-data', { kinds: ['email', 'phone'] }),
    );
    expect(await ask([])).toEqual(refused('no-identifier'));
    expect(await ask([{ kind: 'email', hash: 'ada@example.org' }])).toEqual(
      refused('invalid-identifier', { field: 'email' }),
    );
    const many = [1, 2, 3, 4].map((n) => ({ kind: 'email', hash: hashOf(n) }));
    expect(await ask(many)).toEqual(refused('too-many-identifiers', { limit: 3 }));
    await expect(ask([EMAIL], { client: 7 })).rejects.toThrow(TypeError);
    expect(await waiting()).toEqual([]);
    const redacting = await serving({ personalData: 'redact' });
    await redacting.report(1);
    expect(await redacting.ask([EMAIL], { reason: ' I am\u200f ada@exam\u200eple.org ' })).toEqual(FILED);
    expect(await redacting.waiting()).toMatchObject([{ reason: 'I am [email address]' }]);
  });

  it('is limited to five an hour and address, matching or not, valid or not', async () => {
    const { clock, report, ask } = await serving();
    await report(1);
    const from = (client: string, identifiers = [EMAIL]) => ask(identifiers, { client });
    expect(await ask([EMAIL], { client: '192.0.2.1', reason: '' })).toMatchObject(refused('invalid-text'));
    for (let n = 0; n < 4; n++) expect(await from('192.0.2.1', n % 2 ? [OTHER] : [EMAIL])).toEqual(FILED);
    const limit = { name: 'dispute', requests: 5, windowSeconds: 3600 };
    for (const identifiers of [[EMAIL], [OTHER]])
      expect(await from('192.0.2.1', identifiers)).toEqual(refused('limited', { limit, retryAfterSeconds: 720 }));
    // A request without a token is not read.
    expect(await ask([EMAIL], { client: '192.0.2.1', reason: '' })).toMatchObject(refused('limited'));
    expect(await from('192.0.2.2')).toEqual(FILED);
    clock.nowMs += 720_000;
    expect(await from('192.0.2.1')).toEqual(FILED);
    expect(await ask()).toEqual(FILED);
  });

  it('tells the operator and the reporter once that requests wait, and that one was refused', async () => {
    const { engine, reporterId, report, ask, waiting } = await serving();
    const { reportId } = await report(1);
    await ask();
    await ask([EMAIL], { reason: 'Another reason' });
    const [{ requestId } = { requestId: '' }] = await waiting();
    unwrap(await engine.refuseDisputeRequest({ requestId, by: 'Ada' }));
    const entries = (await engine.listAudit()).slice(-2);
    expect(entries).toMatchObject([
      { action: 'dispute-requested', actor: 'engine', reporterId, subject: reportId, amount: null },
      { action: 'dispute-request-refused', actor: 'Ada', reporterId, subject: reportId, amount: null },
    ]);
    expect(JSON.stringify(await engine.listAudit())).not.toContain(EMAIL.hash);
  });

  it('is answered alike if only matching reports make it fail, and rejects without a store', async () => {
    const store = await createMemoryStore();
    const { engine, report, ask, notices, waiting } = await serving({ store });
    await report(1);
    const [add, find] = [store.addDisputeRequest, store.findNewest];
    const fails = (error: Error) => async (): Promise<never> => Promise.reject(error);
    store.addDisputeRequest = fails(new StoreUnavailableError('full'));
    expect(await ask()).toEqual(FILED);
    store.addDisputeRequest = add;
    store.findNewest = fails(new StoreDamagedError('damaged'));
    expect(await ask()).toEqual(FILED);
    expect(notices.map(({ event }) => event)).toEqual(['dispute-request-lost', 'dispute-request-lost']);
    store.findNewest = fails(new StoreUnavailableError('gone'));
    await expect(ask()).rejects.toThrow(StoreUnavailableError);
    store.findNewest = find;
    expect(await waiting()).toEqual([]);
    await engine.close();
  });
});
