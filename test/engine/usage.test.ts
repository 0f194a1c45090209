import { createSealedOperations } from '../../src/sealed/engine/operations.ts';
import { describe, expect, it } from 'vitest';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import { createUsage } from '../../src/core/engine/usage.ts';
import { StoreUnavailableError, unwrap, type EngineNotice } from '../../src/index.ts';
import type { KeyWithReporter, KeyUsage } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { DAY, id, key, reporter } from '../contract/stored.ts';
import { createTestEngine, hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const identifiers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ kind: 'email', hash: hashOf(from + n) }));
const draft = { type: 'fraud', severity: 6, text: 'a text' };
/** Identifiers that one query may ask about. */
const bounds = { identifiers: 100_000 };
const ample = {
  bounds,
  limits: { query: { requests: 1e9, windowSeconds: 60 } },
  budgets: { identifiers: { verified: 1e9, new: 1e9 } },
};

async function createWatched(options: Parameters<typeof createTestEngine>[0] = {}) {
  const store = await createMemoryStore();
  const notices: EngineNotice[] = [];
  const calls: KeyUsage[] = [];
  const watched: Store = {
    ...store,
    async addUsage(usage) {
      calls.push(usage);
      return store.addUsage(usage);
    },
  };
  const test = await createTestEngine({ store: watched, onNotice: (notice) => notices.push(notice), ...options });
  const lastUsed = async (keyId: string) =>
    (await test.engine.listKeys()).find((one) => one.keyId === keyId)?.lastUsedAt;
  return { ...test, store, notices, calls, lastUsed };
}

describe('the last use of a key', () => {
  it('is the day of the last request that was accepted, and is saved once a day', async () => {
    const { engine, clock, reporterId, calls, lastUsed } = await createWatched({
      limits: { query: { requests: 2, windowSeconds: 60 } },
    });
    const { apiKey, keyId } = unwrap(await engine.issueKey({ reporterId, scope: 'query' }));
    clock.nowMs += 5 * 3600_000;
    expect(await lastUsed(keyId)).toBeNull();
    expect((await engine.query({ apiKey, identifiers: identifiers(1) })).ok).toBe(true);
    // Nothing is saved while the request is answered.
    expect(calls).toEqual([]);
    expect(await lastUsed(keyId)).toBe(START);
    expect(calls).toHaveLength(1);
    clock.nowMs += 3600_000;
    await engine.query({ apiKey, identifiers: identifiers(1) });
    expect(await lastUsed(keyId)).toBe(START);
    expect(calls.map(({ keys }) => keys.length)).toEqual([1, 0]);
    // Requests that are refused are no use: another action, a limit, another key.
    clock.nowMs = START + DAY;
    expect(await engine.report({ apiKey, ...draft, identifiers: identifiers(1) })).toMatchObject({ ok: false });
    await engine.query({ apiKey: 'f'.repeat(16), identifiers: identifiers(1) });
    expect(await lastUsed(keyId)).toBe(START);
    await engine.query({ apiKey, identifiers: identifiers(2) });
    await engine.query({ apiKey, identifiers: identifiers(2) });
    expect(await lastUsed(keyId)).toBe(START + DAY);
    expect(calls.at(-1)!.days).toEqual([{ reporterId, dayAt: START + DAY, identifiers: 2 }]);
  });

  it('is saved when the engine closes, and by reports and deletions too', async () => {
    const { engine, apiKey, otherKey, calls } = await createWatched();
    const { deletionCode } = unwrap(await engine.report({ apiKey, ...draft, identifiers: identifiers(1) }));
    await engine.remove({ apiKey: otherKey, deletionCode });
    await engine.close();
    expect(calls.map(({ keys, days }) => [keys.length, days.length])).toEqual([[2, 0]]);
  });

  it('that cannot be saved is a notice, and is saved with the next use', async () => {
    const failing = { fails: true };
    const store = await createMemoryStore();
    const { engine, apiKey, notices, lastUsed } = await createWatched({
      store: {
        ...store,
        addUsage: async (usage) => {
          if (failing.fails) throw new StoreUnavailableError('the disk is full');
          return store.addUsage(usage);
        },
      },
    });
    const { keyId } = (await engine.listKeys())[0]!;
    const ask = () => engine.query({ apiKey, identifiers: identifiers(1) });
    expect((await ask()).ok).toBe(true);
    expect(await lastUsed(keyId)).toBeNull();
    expect(notices).toEqual([{ event: 'usage-not-saved', error: expect.any(StoreUnavailableError) }]);
    failing.fails = false;
    expect((await ask()).ok).toBe(true);
    expect(await lastUsed(keyId)).toBe(START);
    expect(notices).toHaveLength(1);
  });
});

describe('a key that has ended', () => {
  it('is told and recorded once a key and day when it is used, without the key', async () => {
    const { engine, clock, apiKey, otherKey, reporterId, notices } = await createWatched();
    const [first, second] = await engine.listKeys();
    const ask = async (key: string) => {
      const requests = [
        engine.query({ apiKey: key, client: '192.0.2.7', identifiers: identifiers(1) }),
        engine.report({ apiKey: key, ...draft, identifiers: identifiers(1) }),
        engine.checkKey({ apiKey: key, action: 'delete' }),
      ];
      for (const outcome of await Promise.all(requests))
        expect(outcome).toEqual({ ok: false, refusal: { reason: 'revoked-key' } });
    };
    unwrap(await engine.revokeKey(first!));
    for (let n = 0; n < 3; n++) await ask(apiKey);
    const notice = { event: 'ended-key-used', keyId: first!.keyId, reporterId };
    expect(notices).toEqual([notice]);
    unwrap(await engine.rotateKey({ keyId: second!.keyId, graceSeconds: 3600 }));
    clock.nowMs += 3600_000;
    await ask(otherKey);
    await ask(apiKey);
    expect(notices).toEqual([notice, { ...notice, keyId: second!.keyId, reporterId: second!.reporterId }]);
    clock.nowMs += DAY;
    await ask(apiKey);
    // After a clock that was ahead is set back, each day has its notice again. The log has one entry for each day.
    clock.nowMs += 1000 * DAY;
    await ask(apiKey);
    clock.nowMs -= 1001 * DAY;
    await ask(apiKey);
    await engine.listKeys();
    for (const at of [1, 2, 3]) {
      clock.nowMs += at * DAY;
      await ask(apiKey);
    }
    expect(notices).toHaveLength(8);
    await engine.listKeys();
    const uses = (await engine.listAudit()).filter(isSoundEntry).filter(({ action }) => action === 'ended-key-used');
    expect(uses.map(({ actor, subject }) => [actor, subject])).toEqual(
      [first!, second!, first!, first!, first!, first!].map(({ keyId }) => ['engine', keyId]),
    );
    expect(JSON.stringify(notices)).not.toMatch(new RegExp(`${apiKey}|${otherKey}|192`));
  });

  it('is told of ten keys of a reporter a day, so that they hide nothing; an unknown key is never told', async () => {
    const notices: EngineNotice[] = [];
    const store = await createMemoryStore();
    const usage = createUsage(store, { later: () => () => undefined }, (one) => notices.push(one));
    const use = (n: number, of: number, atMs: number) =>
      usage.endedKeyUsed({ key: { ...key(n), reporterId: id(of) }, reporter: reporter(of) }, atMs);
    for (let n = 0; n < 1_000; n++) use(n, 1, START);
    expect(notices).toHaveLength(10);
    use(2_000, 2, START);
    expect(notices).toHaveLength(11);
    await usage.save();
    expect(await store.listAudit({ before: Infinity, limit: 100 })).toHaveLength(11);
    use(500, 1, START + DAY);
    expect(notices).toHaveLength(12);
    // A clock that jumped ahead and back: another day is another day.
    use(500, 1, START);
    use(500, 1, START + 1);
    expect(notices).toHaveLength(13);
    const { engine, notices: none } = await createWatched();
    await engine.query({ apiKey: 'f'.repeat(16), identifiers: identifiers(1) });
    expect(none).toEqual([]);
  });
});

describe('unusual usage', () => {
  /** Asks about so many identifiers on each day, one day after the other, and returns the notices of the last one. */
  const after = async (days: readonly number[], last: readonly number[], evaluates = false) => {
    const { engine, clock, apiKey, reporterId, notices } = await createWatched(ample);
    const { takeElements } = createSealedOperations(engine, { atOnce: 1e6, verified: 1e6, new: 1e6 });
    const ask = async (count: number) => {
      if (count > 0 && evaluates) unwrap(await takeElements({ apiKey, elements: count }));
      else if (count > 0) unwrap(await engine.query({ apiKey, identifiers: identifiers(count) }));
      await engine.listKeys();
    };
    for (const count of days) {
      await ask(count);
      clock.nowMs += DAY;
    }
    expect(notices).toEqual([]);
    for (const count of last) await ask(count);
    // Each notice is also in the audit log, with its number and the time of its last use.
    const entries = (await engine.listAudit()).filter(isSoundEntry).filter(({ action }) => action === 'unusual-usage');
    expect(entries).toMatchObject(
      notices.map((notice) => ({
        actor: 'engine',
        atMs: clock.nowMs,
        reporterId,
        subject: null,
        amount: notice.event === 'unusual-usage' ? notice.identifiers : 0,
      })),
    );
    return notices.map((notice) => {
      expect(notice).toEqual({
        event: 'unusual-usage',
        reporterId,
        identifiers: expect.any(Number),
        usual: Math.max(...days.slice(-28)),
      });
      return notice.event === 'unusual-usage' ? notice.identifiers : 0;
    });
  };
  const week = (count: number) => Array.from({ length: 7 }, () => count);

  it('is three times the busiest day of the last 28, from 1,000 identifiers, once a day', async () => {
    expect(await after(week(500), [1_499])).toEqual([]);
    expect(await after(week(500), [1_499, 1, 5_000])).toEqual([1_500]);
    expect(await after(week(500), [9_000, 9_000])).toEqual([9_000]);
    // The busiest day counts, not the average.
    expect(await after([...week(10), 500], [1_499])).toEqual([]);
    expect(await after(week(10), [999])).toEqual([]);
    expect(await after(week(10), [999, 1])).toEqual([1_000]);
  });

  it('also counts evaluations of the sealed look-up', async () => {
    expect(await after(week(500), [1_499], true)).toEqual([]);
    expect(await after(week(500), [5_000], true)).toEqual([5_000]);
  });

  it('is not told of a reporter with fewer than seven past days', async () => {
    expect(await after([], [50_000])).toEqual([]);
    expect(await after(week(10).slice(1), [50_000])).toEqual([]);
    // Days without queries do not count.
    expect(await after([...week(10).slice(1), 0, 0, 0], [50_000])).toEqual([]);
    expect(await after([...week(10), 0, 0, 0], [50_000])).toEqual([50_000]);
  });

  it('forgets days after four weeks', async () => {
    const quiet = Array.from({ length: 27 }, () => 10);
    expect(await after([2_000, ...quiet], [5_999])).toEqual([]);
    expect(await after([2_000, ...quiet, 10], [1_000])).toEqual([1_000]);
  });

  it('adds up all keys of a reporter, and the distinct identifiers of each query', async () => {
    const { engine, apiKey, reporterId, calls } = await createWatched(ample);
    const { apiKey: another } = unwrap(await engine.issueKey({ reporterId }));
    await engine.query({ apiKey, identifiers: [...identifiers(3), ...identifiers(3)] });
    await engine.query({ apiKey: another, identifiers: identifiers(2) });
    await engine.report({ apiKey, ...draft, identifiers: identifiers(5) });
    await engine.listKeys();
    expect(calls.map(({ days }) => days)).toEqual([[{ reporterId, dayAt: START, identifiers: 5 }]]);
    expect(JSON.stringify(calls)).not.toMatch(/[0-9a-f]{20}/);
  });
});

describe('batches of usage', () => {
  /** Usage with a timer that the test runs. */
  const createManual = async (over: Partial<Store> = {}) => {
    const inner = await createMemoryStore();
    const calls: KeyUsage[] = [];
    const store: Store = {
      ...inner,
      async addUsage(usage) {
        calls.push(usage);
        return inner.addUsage(usage);
      },
      ...over,
    };
    const timers: { task: () => void; milliseconds: number }[] = [];
    const notices: EngineNotice[] = [];
    const later = (milliseconds: number, task: () => void) => {
      const timer = { task, milliseconds };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    };
    const usage = createUsage(store, { later }, (notice) => notices.push(notice));
    return { usage, calls, timers, notices };
  };
  const found = (n: number): KeyWithReporter => ({
    key: key(n, { reporterId: id(n) }),
    reporter: reporter(n, { reporterId: id(n) }),
  });

  it('are saved by one timer, a minute after the first use', async () => {
    const { usage, calls, timers } = await createManual();
    for (let n = 0; n < 5; n++) usage.used(found(1), 2, START);
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([60_000]);
    timers.shift()!.task();
    await usage.save();
    expect(calls).toEqual([
      {
        keys: [{ keyId: id(1), dayAt: START }],
        days: [{ reporterId: id(1), dayAt: START, identifiers: 10 }],
        since: START - 28 * DAY,
      },
    ]);
    expect(timers).toEqual([]);
    usage.used({ ...found(1), key: key(1, { reporterId: id(1), lastUsedAt: START }) }, 0, START);
    // A report with a key whose day is saved changes nothing.
    expect(timers).toEqual([]);
    usage.used(found(1), 1, START);
    expect(timers).toHaveLength(1);
    await usage.save();
    // No timer is left, so a closed engine has none.
    expect(timers).toEqual([]);
  });

  it('have one day each', async () => {
    const { usage, calls } = await createManual();
    usage.used(found(1), 2, START + DAY - 1);
    usage.used(found(1), 3, START + DAY);
    await usage.save();
    expect(calls.map(({ days }) => days)).toEqual([
      [{ reporterId: id(1), dayAt: START, identifiers: 2 }],
      [{ reporterId: id(1), dayAt: START + DAY, identifiers: 3 }],
    ]);
  });

  it('are bounded, also while the store hangs, and large ones are written in parts', async () => {
    const answer: { now?: () => void } = {};
    const hanging: KeyUsage[] = [];
    const { usage, timers } = await createManual({
      addUsage: (usage) => {
        hanging.push(usage);
        return new Promise((resolve) => (answer.now = () => resolve([])));
      },
    });
    usage.used(found(1), 1, START);
    timers.shift()!.task();
    await Promise.resolve();
    expect(hanging).toHaveLength(1);
    for (let minute = 0; minute < 50; minute++) {
      for (let n = 0; n < 300; n++) usage.used(found(300 * minute + n), 1, START);
      timers.shift()!.task();
    }
    expect(hanging).toHaveLength(1);
    const saved = usage.save();
    while (hanging.length < 51) {
      answer.now!();
      await Promise.resolve();
    }
    answer.now!();
    await saved;
    expect(hanging.slice(1).map(({ keys, days }) => [keys.length, days.length])).toEqual(
      Array.from({ length: 50 }, () => [200, 200]),
    );
  });
});
