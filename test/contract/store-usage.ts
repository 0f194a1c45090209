import { expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import { DAY, id, key, reporter } from './stored.ts';

/** The scope, end and use of keys, and the budgets of reporters. The store has two reporters and nothing else. */
export function usageContract(storeOf: () => Store): void {
  const used = (reporterId: string, dayAt: number, identifiers: number) => ({ reporterId, dayAt, identifiers });

  it('keeps what a key may do and its planned end', async () => {
    const store = storeOf();
    const limited = key(5, { scope: 'query', endsAt: 99, issuedUntil: 99, keyName: 'Checkout' });
    expect(await store.addKey(limited)).toBe('added');
    expect(await store.addKey(key(6, { scope: 'report' }))).toBe('added');
    for (const one of [limited, key(6, { scope: 'report' })]) {
      // Twice: a store may remember the first answer.
      expect((await store.findKey(one))?.key).toEqual(one);
      expect((await store.findKey(one))?.key).toEqual(one);
    }
    await store.endKey({ keyId: id(5), endsAt: 50 });
    expect(await store.findKey(limited)).toMatchObject({ key: { endsAt: 50, issuedUntil: 99 } });
    expect(await store.check()).toEqual([]);
  });

  it('changes the budget of a reporter, at the next read of its key, and nothing else of it', async () => {
    const store = storeOf();
    await store.addKey(key(5));
    const budget = async () => (await store.findKey(key(5)))?.reporter;
    expect(await budget()).toEqual(reporter(1));
    expect(await store.updateReporter({ reporterId: id(1), identifiersPerDay: 500 })).toBe('updated');
    expect(await budget()).toEqual(reporter(1, { identifiersPerDay: 500 }));
    await store.updateReporter({ reporterId: id(1), suspended: true });
    expect(await budget()).toEqual(reporter(1, { identifiersPerDay: 500, suspended: true }));
    await store.updateReporter({ reporterId: id(1), suspended: false, identifiersPerDay: null });
    expect(await budget()).toEqual(reporter(1));
    expect(await store.updateReporter({ reporterId: id(9), identifiersPerDay: 5 })).toBe('unknown');
    expect(await store.listReporters()).toEqual([reporter(1), reporter(2)]);
    expect(await store.check()).toEqual([]);
  });

  it('counts what a reporter uses of its budget, of each reporter alone', async () => {
    const store = storeOf();
    const spend = async (cost: number, hours = 0, reporterId = id(1)) => {
      const nowMs = 9 * DAY + hours * 3_600_000;
      return store.spend({ reporterId, budget: 600, cost, nowMs, storeMs: nowMs });
    };
    for (let n = 0; n < 600; n++) expect(await spend(1)).toBe(0);
    // A browser asks its worker, so all methods are asynchronous there.
    expect(await store.isSpent(id(1), 9 * DAY)).toBe(false);
    expect([await spend(1), await spend(600, 0, id(2)), await spend(1, 1)]).toEqual([DAY, 0, DAY - 3_600_000]);
    expect([await store.isSpent(id(1), 9 * DAY), await store.isSpent(id(2), 9 * DAY)]).toEqual([true, false]);
    await store.giveBack(id(1), 3);
    expect([await spend(4), await spend(3), await spend(1)]).toEqual([DAY, 0, DAY]);
    expect(await spend(600, 24)).toBe(0);
    expect(await store.check()).toEqual([]);
  });

  it('saves the day of a key’s last use, never an earlier one', async () => {
    const store = storeOf();
    for (const n of [5, 6, 7]) await store.addKey(key(n));
    const use = (...keys: [n: number, day: number][]) =>
      store.addUsage({ keys: keys.map(([n, day]) => ({ keyId: id(n), dayAt: day * DAY })), days: [], since: 0 });
    const days = async () => (await store.listKeys()).map(({ lastUsedAt }) => lastUsedAt);
    expect(await days()).toEqual([null, null, null]);
    expect((await store.findKey(key(5)))?.key.lastUsedAt).toBeNull();
    expect(await use([5, 3], [6, 4], [9, 4])).toEqual([]);
    expect(await days()).toEqual([3 * DAY, 4 * DAY, null]);
    expect((await store.findKey(key(5)))?.key.lastUsedAt).toBe(3 * DAY);
    await use([5, 5], [6, 2]);
    expect(await days()).toEqual([5 * DAY, 4 * DAY, null]);
    expect((await store.findKey(key(5)))?.key.lastUsedAt).toBe(5 * DAY);
    // A key that has ended keeps its day.
    await store.endKey({ keyId: id(5), endsAt: 0 });
    expect(await days()).toEqual([5 * DAY, 4 * DAY, null]);
    expect(await use()).toEqual([]);
    expect(await store.check()).toEqual([]);
  });

  it('adds up the identifiers of a reporter and day, and tells about the days before', async () => {
    const store = storeOf();
    const add = (since: number, ...days: ReturnType<typeof used>[]) => store.addUsage({ keys: [], days, since });
    const first = { before: 0, pastDays: 0, busiest: 0 };
    expect(await add(0, used(id(1), DAY, 5), used(id(2), DAY, 7))).toEqual([
      { ...used(id(1), DAY, 5), ...first },
      { ...used(id(2), DAY, 7), ...first },
    ]);
    expect(await add(0, used(id(1), DAY, 4))).toEqual([{ ...used(id(1), DAY, 9), ...first, before: 5 }]);
    await add(0, used(id(1), 2 * DAY, 30));
    await add(0, used(id(1), 5 * DAY, 2));
    expect(await add(0, used(id(1), 3 * DAY, 1), used(id(1), 5 * DAY, 1))).toEqual([
      { ...used(id(1), 3 * DAY, 1), before: 0, pastDays: 2, busiest: 30 },
      // A day is read before the others of the same call are added.
      { ...used(id(1), 5 * DAY, 3), before: 2, pastDays: 2, busiest: 30 },
    ]);
    // Only days from `since` on count.
    expect(await add(3 * DAY, used(id(1), 6 * DAY, 1))).toMatchObject([{ pastDays: 2, busiest: 3 }]);
    expect(await add(3 * DAY, used(id(1), 6 * DAY, 1))).toMatchObject([{ before: 1, pastDays: 2, busiest: 3 }]);
    expect(await add(0, used(id(1), 6 * DAY, 1))).toMatchObject([{ before: 2, pastDays: 4, busiest: 30 }]);
    // Each new day of a reporter deletes its oldest one, if that is older than a year.
    const kept = 338 * DAY;
    await add(kept + DAY, used(id(1), 366 * DAY, 1));
    expect(await add(0, used(id(1), 366 * DAY, 1))).toMatchObject([{ before: 1, pastDays: 5, busiest: 30 }]);
    await add(kept + 4 * DAY, used(id(1), 369 * DAY, 1));
    await add(kept + 4 * DAY, used(id(1), 370 * DAY, 1));
    expect(await add(0, used(id(1), 370 * DAY, 1))).toMatchObject([{ before: 1, pastDays: 5, busiest: 3 }]);
    expect(await add(0, used(id(2), 6 * DAY, 1))).toMatchObject([{ before: 0, pastDays: 1, busiest: 7 }]);
    expect(await store.check()).toEqual([]);
  });

  it('loses one day of a reporter at most to a clock that is years ahead', async () => {
    const store = storeOf();
    const add = (day: number, ...ns: number[]) =>
      store.addUsage({ keys: [], days: ns.map((n) => used(id(n), day * DAY, day)), since: (day - 28) * DAY });
    for (let day = 100; day < 120; day++) await add(day, 1, 2);
    for (let n = 0; n < 50; n++) await add(9_000, 1);
    expect(await add(120, 1, 2)).toMatchObject([
      { pastDays: 19, busiest: 119 },
      { pastDays: 20, busiest: 119 },
    ]);
    expect(await store.check()).toEqual([]);
  });

  it('loses none of the counts that are added at once', async () => {
    const store = storeOf();
    await store.addKey(key(5));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        store.addUsage({ keys: [{ keyId: id(5), dayAt: DAY }], days: [used(id(1), DAY, 3)], since: 0 }),
      ),
    );
    const counts = answers.flat().map(({ before, identifiers }) => [before, identifiers]);
    expect(counts.sort(([a = 0], [b = 0]) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => [3 * n, 3 * n + 3]));
    expect(await store.check()).toEqual([]);
  });

  it('exports keys and budgets, but no counts', async () => {
    const store = storeOf();
    await store.addKey(key(5, { scope: 'report', endsAt: 99, issuedUntil: 99 }));
    await store.updateReporter({ reporterId: id(2), identifiersPerDay: 500 });
    await store.addUsage({ keys: [{ keyId: id(5), dayAt: DAY }], days: [used(id(1), DAY, 5)], since: 0 });
    const snapshot = await store.snapshot();
    expect(snapshot.tables.map(({ name }) => name)).not.toContain('reporter_usage');
    expect(await snapshot.readRows('api_key', undefined, 5)).toMatchObject([
      { scope: 'report', issued_until: 99, last_used_at: DAY },
    ]);
    expect(await snapshot.readRows('reporter', undefined, 5)).toMatchObject([
      { identifiers_per_day: null },
      { identifiers_per_day: 500 },
    ]);
    await snapshot.close();
    await expect(store.putRows('reporter_usage', [])).rejects.toBeInstanceOf(RangeError);
  });
}
