import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import type { Store } from '../../src/core/store/store.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { createCountedStore } from '../store/counted.ts';

const identifiers = [
  { kind: 'email', hash: hashOf(1) },
  { kind: 'phone', hash: hashOf(2) },
];
const COPIES = 240;
/** Statements and rows of one turn: a few for each of 100 reports. */
const MOST = 1_500;

/** An engine with a reporter that filed the same accusation many times. Counts what the store does in a turn. */
async function createCopies(given?: Store) {
  let inTurn = 0;
  let most = 0;
  let all = 0;
  const count = (steps: number) => {
    if (inTurn === 0)
      setImmediate(() => {
        most = Math.max(most, inTurn);
        inTurn = 0;
      });
    inTurn += steps;
    all += steps;
  };
  const store = createCountedStore(
    (rows) => count(1 + rows),
    () => count(1),
  );
  const test = await createTestEngine({ store: given ?? store, sameRequestSeconds: 0 });
  const { engine, apiKey, clock } = test;
  const reports = [];
  for (let n = 0; n < COPIES; n++) {
    clock.nowMs += 1000;
    // Each copy has an identifier of its own, so none is like the others by all that it has.
    const own = { kind: 'device', hash: hashOf(100 + n) };
    const draft = { type: 'fraud', severity: 7, text: `Copy ${n}`, identifiers: [...identifiers, own] };
    reports.push(unwrap(await engine.report({ apiKey, ...draft })));
  }
  clock.nowMs += 1000;
  const reportId = reports[COPIES - 1]!.reportId;
  unwrap(await engine.openDispute({ reportId, reason: 'It was not me', by: 'Ada' }));
  /** Returns how much the longest turn of a call did, and all together. */
  const measured = async <T>(call: () => Promise<T>) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    [most, all] = [0, 0];
    const value = await call();
    await new Promise((resolve) => setTimeout(resolve, 2));
    return { value, most, all };
  };
  const reported = async () => unwrap(await engine.query({ apiKey: test.otherKey, identifiers })).reported;
  return { ...test, store, reportId, measured, reported };
}

describe('very many copies of an accusation', () => {
  it('are counted, found wrong and erased in turns', async () => {
    const { engine, store, reportId, measured, reported } = await createCopies();
    const counted = await measured(() => engine.countAlike({ reportIds: [reportId] }));
    expect(counted.value).toEqual([{ reportId, reports: COPIES - 1 }]);
    // Who looks at the dispute waits for a part of them only, of all disputes together.
    const glanced = await measured(() => engine.countAlike({ reportIds: [reportId, reportId], effort: 100 }));
    expect(glanced.value).toEqual([{ reportId, reports: expect.any(Number), isCut: true }]);
    expect(glanced.value[0]!.reports).toBeGreaterThanOrEqual(50);
    expect(glanced.all).toBeLessThan(counted.all / 2);
    const decided = await measured(() => engine.decideDispute({ reportId, upheld: true, alike: true, by: 'Ada' }));
    expect(decided.value.ok).toBe(true);
    expect(await reported()).toBe(0);
    const upheld = await engine.listDisputes();
    expect(upheld.filter((one) => one.upheld)).toHaveLength(COPIES);
    const entries = (await engine.listAudit()).filter((one) => 'action' in one && one.action === 'dispute-upheld');
    expect(new Set(entries.map((one) => 'subject' in one && one.subject)).size).toBe(COPIES);
    const erased = await measured(() => engine.eraseIdentifiers({ hashes: [hashOf(2)], by: 'Ada' }));
    expect(erased.value).toMatchObject({ ok: true, value: { reports: COPIES } });
    expect(await store.check()).toEqual([]);
    for (const { most } of [counted, decided, erased]) expect(most).toBeLessThan(MOST);
  });

  it('are searched once for a hash, under however many kinds it was reported', async () => {
    const costOf = async (kinds: number): Promise<number> => {
      let read = 0;
      const store = createCountedStore((rows) => (read += 1 + rows));
      const { engine, apiKey, clock } = await createTestEngine({ store, sameRequestSeconds: 0 });
      const named = Array.from({ length: kinds }, (_, n) => ({
        kind: `kind_${'abcdefghijklmnop'[n]}`,
        hash: hashOf(1),
      }));
      let reportId = '';
      for (let n = 0; n < 20; n++) {
        clock.nowMs += 1000;
        const draft = { type: 'fraud', severity: 7, text: `Copy ${n}`, identifiers: named };
        ({ reportId } = unwrap(await engine.report({ apiKey, ...draft })));
      }
      clock.nowMs += 1000;
      unwrap(await engine.openDispute({ reportId, reason: 'It was not me', by: 'Ada' }));
      read = 0;
      expect(await engine.countAlike({ reportIds: [reportId] })).toEqual([{ reportId, reports: 19 }]);
      return read;
    };
    // A report with 16 kinds has 16 rows, and each is read twice.
    expect(await costOf(16)).toBeLessThan(20 * (await costOf(1)));
  });

  it('are found wrong and erased by the next call if the process ends between two writes', async () => {
    const medium = createMemoryMedium();
    const store = await openDurableStore({ medium });
    const fails = { in: Infinity };
    const failing = <A extends unknown[], T>(write: (...args: A) => Promise<T>) => {
      return async (...args: A): Promise<T> => {
        if (fails.in-- === 0) throw new StoreUnavailableError('the process ended');
        return write(...args);
      };
    };
    const { engine, reportId, reported } = await createCopies({
      ...store,
      decideDispute: failing(store.decideDispute),
      erase: failing(store.erase),
    });
    const uphold = () => engine.decideDispute({ reportId, upheld: true, alike: true, by: 'Ada' });
    const erase = () => engine.eraseIdentifiers({ hashes: [hashOf(1), hashOf(2)], by: 'Ada' });
    fails.in = 2;
    await expect(uphold()).rejects.toThrow('the process ended');
    expect((await engine.listDisputes({ reportId })).map(({ upheld }) => upheld)).toEqual([null]);
    expect(await reported()).toBe(COPIES - 100);
    expect(await uphold()).toEqual({ ok: true, value: undefined });
    expect(await reported()).toBe(0);
    expect(await uphold()).toEqual({ ok: false, refusal: { reason: 'no-open-dispute' } });
    fails.in = 2;
    await expect(erase()).rejects.toThrow('the process ended');
    expect(unwrap(await erase()).reports).toBe(COPIES - 100);
    expect(unwrap(await erase()).reports).toBe(0);
    expect(await store.check()).toEqual([]);
    // The journal has each of the writes.
    const disputes = await store.listDisputes();
    await engine.close();
    const again = await openDurableStore({ medium: createMemoryMedium(medium.bytes()) });
    expect(disputes).toHaveLength(COPIES);
    expect(await again.listDisputes()).toEqual(disputes);
    expect(await again.findMatches([hashOf(1), hashOf(2)])).toEqual([]);
    expect(await again.check()).toEqual([]);
    await again.close();
  });
});
