import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { BUDGET } from '../../src/core/store/sql/catalogue.ts';
import { find } from '../../src/core/store/sql/rows.ts';
import { createSqlStore } from '../../src/core/store/sql/store.ts';
import { openSqljsDatabase } from '../../src/core/store/sqljs/store.ts';
import { startSqlJs } from '../../src/core/store/sqljs/start.ts';
import { budget as runs } from '../budget.ts';
import { id } from '../contract/stored.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 1);
const db = openSqljsDatabase(await startSqlJs({}));
const reporters = { count: 0 };

/**
 * Processes of one store that look up identifiers of a fresh reporter. They share the clock of the store, or each has
 * its own, which runs on whatever the machine's clock says.
 */
function begin(budget: number, { processes = 1, isShared = false } = {}) {
  const reporterId = id(reporters.count++);
  const time = { nowMs: START, aheadMs: 0 };
  const state = { writes: 0, failing: false };
  const answered: { readonly at: number; readonly cost: number }[] = [];
  const start = () => {
    const aheadMs = time.aheadMs;
    const store = createSqlStore(
      {
        read: async (work) => db.run(work()),
        async write(work) {
          if (state.failing) throw new StoreUnavailableError('the disk is full');
          state.writes++;
          return db.run(work());
        },
      },
      undefined,
      isShared
        ? function* () {
            yield { lock: [] };
            return time.nowMs;
          }
        : undefined,
    );
    return { store, aheadMs };
  };
  const running = Array.from({ length: processes }, start);
  const sumSince = (from: number, until = Infinity): number =>
    answered.reduce((sum, { at, cost }) => sum + (at >= from && at < until ? cost : 0), 0);
  return {
    time,
    state,
    sumSince,
    /** Ends a process at once, as `kill -9` does, and starts another one. */
    kill: (at = 0) => (running[at % processes] = start()),
    async ask(cost = 1, at = 0, size = budget): Promise<number> {
      const { store, aheadMs } = running[at % processes]!;
      const waitMs = await store.spend({ reporterId, budget: size, cost, nowMs: time.nowMs + aheadMs });
      if (waitMs === 0) answered.push({ at: time.nowMs, cost });
      return waitMs;
    },
    giveBack(cost: number, at = 0): void {
      running[at % processes]!.store.giveBack(reporterId, cost);
      answered.push({ at: time.nowMs, cost: -cost });
    },
    /** The most identifiers in any 24 hours. */
    most: (): number => Math.max(0, ...answered.map(({ at }) => sumSince(at, at + DAY_MS))),
    async spans(): Promise<string> {
      const [row] = await running[0]!.store.read(() => find(BUDGET, 'reporterId', [reporterId]));
      return row?.spans ?? '';
    },
  };
}

describe('a budget', () => {
  it('is exact within 24 hours, and free again after them', async () => {
    for (const budget of [1, 5, 64, 640]) {
      const { time, ask } = begin(budget);
      for (let n = 0; n < budget; n++) {
        expect(await ask()).toBe(0);
        time.nowMs += 1_000;
      }
      const waitMs = await ask();
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(DAY_MS - budget * 1_000);
      time.nowMs += waitMs - 1;
      expect(await ask()).toBeGreaterThan(0);
      time.nowMs += 1;
      expect(await ask()).toBe(0);
      time.nowMs += DAY_MS;
      for (let n = 0; n < budget; n++) expect(await ask()).toBe(0);
      expect(await ask()).toBe(DAY_MS);
    }
  });

  it('survives restarts: nothing is full again, and little is lost', async () => {
    const { time, ask, kill, sumSince } = begin(2_000);
    for (let day = 0; day < 3; day++) {
      const from = time.nowMs;
      for (let restart = 0; restart < 25; restart++) {
        for (let n = 0; n < 100; n++) await ask();
        kill();
      }
      expect(sumSince(from)).toBeGreaterThanOrEqual(2_000);
      expect(sumSince(from)).toBeLessThanOrEqual(2_100);
      time.nowMs += DAY_MS;
    }
  });

  it('costs a write for about a hundredth of it, and none for a refusal', async () => {
    for (const [budget, most] of [[2_000, 130]] as const) {
      const { ask, state } = begin(budget);
      for (let n = 0; n < budget; n++) expect(await ask()).toBe(0);
      expect(state.writes).toBeLessThan(most);
      await ask();
      const { writes } = state;
      for (let n = 0; n < 1_000; n++) expect(await ask()).toBeGreaterThan(0);
      expect(state.writes).toBe(writes);
    }
  });

  it('answers a request that costs more than it once nothing is used', async () => {
    const { time, ask } = begin(10);
    expect(await ask(32)).toBe(0);
    expect(await ask()).toBe(DAY_MS);
    time.nowMs += DAY_MS;
    expect(await ask()).toBe(0);
    expect(await ask(32)).toBe(DAY_MS);
  });

  it('that changes counts what was used before', async () => {
    const { ask } = begin(2_000);
    for (let n = 0; n < 100; n++) expect(await ask()).toBe(0);
    expect(await ask(1, 0, 100)).toBeGreaterThan(0);
    for (let n = 0; n < 5; n++) expect(await ask(1, 0, 105)).toBe(0);
    expect(await ask(1, 0, 105)).toBeGreaterThan(0);
    for (let n = 0; n < 1_895; n++) expect(await ask()).toBe(0);
    expect(await ask()).toBeGreaterThan(0);
  });

  it('takes back what was not looked up, whether a process holds it or not', async () => {
    for (const budget of [10, 6_000]) {
      const { ask, giveBack } = begin(budget);
      for (let n = 0; n < budget; n++) await ask();
      expect(await ask(3)).toBeGreaterThan(0);
      giveBack(3);
      expect(await ask(3)).toBe(0);
      expect(await ask()).toBeGreaterThan(0);
      giveBack(3);
      for (let n = 0; n < 3; n++) expect(await ask()).toBe(0);
      expect(await ask()).toBeGreaterThan(0);
    }
  });

  it('goes on while the store cannot be written, and counts that later', async () => {
    const { ask, state, kill } = begin(2_000);
    for (let n = 0; n < 500; n++) await ask();
    state.failing = true;
    for (let n = 0; n < 700; n++) expect(await ask()).toBe(0);
    state.failing = false;
    for (let n = 0; n < 40; n++) expect(await ask()).toBe(0);
    kill();
    let more = 0;
    while ((await ask()) === 0) more++;
    expect(more).toBeGreaterThanOrEqual(2_000 - 1_240);
    expect(more).toBeLessThanOrEqual(2_000 - 1_240 + 100);
    state.failing = true;
    kill();
    let unsaved = 0;
    while ((await ask().catch(() => 1)) === 0) unsaved++;
    expect(unsaved).toBe(2_000);
  });

  it('keeps little about a reporter, however its requests come', async () => {
    for (const [budget, processes] of [
      [600, 1],
      [600, 6],
      [60, 3],
    ] as const) {
      const { ask, kill, spans, time } = begin(budget, { processes, isShared: true });
      for (let n = 0; n < 2 * budget; n++) {
        await ask(1, n);
        time.nowMs += 60_000;
        if (n % 50 === 0) kill(n);
      }
      expect((await spans()).split(' ').length).toBeLessThan(400);
    }
  });

  const step = fc.record({
    process: fc.nat(3),
    cost: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 32 })),
    times: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 300 })),
    gapMs: fc.oneof(fc.constant(0), fc.nat(60_000), fc.nat(5 * HOUR_MS), fc.nat(30 * HOUR_MS)),
    kills: fc.oneof(fc.constant(false), fc.boolean()),
    /** How far the machine's clock is set at the restart. Set ahead, it cannot be told from a longer stop. */
    setBackMs: fc.oneof(fc.constant(0), fc.nat(48 * HOUR_MS)),
  });

  it.each([
    ['one process', { processes: 1, isShared: false }],
    ['four processes', { processes: 4, isShared: true }],
  ] as const)(
    'allows any 24 hours at most 1.05 times it, and refuses no request within it: %s',
    async (_, settings) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(32, 64, 100, 500, 2_000, 20_000),
          fc.array(step, { minLength: 1, maxLength: 40 }),
          async (budget, steps) => {
            const { time, ask, kill, most, sumSince } = begin(budget, settings);
            let isSetBack = false;
            for (const { process, cost, times, gapMs, kills, setBackMs } of steps) {
              time.nowMs += gapMs;
              if (kills) {
                isSetBack ||= setBackMs > 0;
                time.aheadMs -= setBackMs;
                kill(process);
              }
              for (let n = 0; n < times; n++) {
                const waitMs = await ask(cost, process);
                if (waitMs === 0) continue;
                if (!isSetBack) expect(sumSince(time.nowMs - DAY_MS + 1) + cost).toBeGreaterThan(budget);
                // A clock that is set back by less than a minute moves no spans.
                expect(waitMs).toBeLessThanOrEqual(DAY_MS + (isSetBack ? 60_000 : 0));
                break;
              }
            }
            expect(most()).toBeLessThanOrEqual(1.05 * budget);
          },
        ),
        { numRuns: runs(30) },
      );
    },
    60_000,
  );
});
