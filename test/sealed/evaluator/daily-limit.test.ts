import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDailyLimit, type DayCount } from '../../../src/sealed/evaluator/daily-limit.ts';

const DAY = 86_400_000;
const FIRST = 21_000;

/** A limit whose process may be killed and started again. */
function open(daily: number) {
  const world = {
    now: FIRST * DAY,
    saved: [] as readonly DayCount[],
    saves: 0,
    fails: false,
    unusual: [] as object[],
    ended: [] as DayCount[],
    start: () =>
      createDailyLimit({
        daily,
        counts: world.saved,
        async save(counts) {
          await Promise.resolve();
          if (world.fails) throw new Error('the disk is full');
          world.saved = counts;
          world.saves++;
        },
        clock: () => world.now,
        onUnusual: (found) => world.unusual.push(found),
        onDayEnd: (ended) => world.ended.push(ended),
      }),
  };
  return world;
}

describe('the daily limit of an evaluator', () => {
  it('refuses what is above it until the next day, and takes nothing then', async () => {
    const world = open(100);
    const limit = world.start();
    world.now += DAY / 2;
    expect(await limit.take(90)).toBeUndefined();
    expect(await limit.take(11)).toBe(43_200);
    expect(await limit.take(10)).toBeUndefined();
    expect(await limit.take(1)).toBe(43_200);
    world.now += DAY / 2;
    expect(await limit.take(100)).toBeUndefined();
    expect(world.ended).toEqual([{ day: FIRST, elements: 100 }]);
  });

  it('never gives more than it a day, however often the process is killed, and loses little', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 32 }), fc.boolean()), { maxLength: 200 }),
        async (steps) => {
          const world = open(2_000);
          let limit = world.start();
          let [given, kills] = [0, 0];
          for (const [elements, isKilled] of steps) {
            if ((await limit.take(elements)) === undefined) given += elements;
            if (!isKilled) continue;
            kills++;
            limit = world.start();
          }
          expect(given).toBeLessThanOrEqual(2_000);
          // 2 elements are saved ahead.
          expect(world.saved.at(-1)?.elements ?? 0).toBeLessThanOrEqual(given + 2 * (kills + 1));
        },
      ),
    );
  });

  it('keeps the exact count over a stop', async () => {
    const world = open(1_000_000);
    const limit = world.start();
    await Promise.all([limit.take(3), limit.take(4), limit.take(5)]);
    expect(world.saved).toEqual([{ day: FIRST, elements: 1_003 }]);
    expect(world.saves).toBe(1);
    await limit.close();
    expect(world.saved).toEqual([{ day: FIRST, elements: 12 }]);
    const again = world.start();
    await again.take(1);
    await again.close();
    expect(world.saved).toEqual([{ day: FIRST, elements: 13 }]);
  });

  it('evaluates nothing while the count cannot be saved', async () => {
    const world = open(1_000);
    const limit = world.start();
    world.fails = true;
    const both = await Promise.allSettled([limit.take(1), limit.take(1)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    world.fails = false;
    expect(await limit.take(1)).toBeUndefined();
    expect(world.saved).toEqual([{ day: FIRST, elements: 4 }]);
  });

  it('gives no day its limit twice, wherever the clock jumps', async () => {
    for (const days of [8, 400, -400, -FIRST]) {
      const world = open(100);
      let limit = world.start();
      expect(await limit.take(100)).toBeUndefined();
      world.now += days * DAY;
      expect(await limit.take(100)).toBeUndefined();
      limit = world.start();
      expect(await limit.take(1)).toBe(86_400);
      world.now -= days * DAY;
      expect(await limit.take(1)).toBe(86_400);
      // Days that follow count as ever.
      world.now += DAY;
      expect(await world.start().take(100)).toBeUndefined();
    }
  });

  it('remembers the last 30 days on which it evaluated, and forgets older ones', async () => {
    const world = open(100);
    const limit = world.start();
    for (let day = 0; day < 40; day++) {
      await limit.take(1);
      world.now += DAY;
    }
    expect(world.saved.map(({ day }) => day - FIRST)).toEqual(Array.from({ length: 30 }, (_, n) => n + 10));
  });

  it('warns once of a day with more than ten times the mean of the last seven', async () => {
    const world = open(1_000_000);
    let limit = world.start();
    await limit.take(900_000);
    expect(world.unusual).toEqual([]);
    // The first day does not count after eight more.
    for (let day = 1; day <= 8; day++) {
      world.now += DAY;
      if (day % 2 === 0) await limit.take(200);
    }
    await limit.close();
    limit = world.start();
    world.unusual.length = 0;
    world.now += DAY;
    // 200 on each second day: 800 in 7 days.
    await limit.take(1_142);
    expect(world.unusual).toEqual([]);
    await limit.take(1);
    await limit.take(30);
    expect(world.unusual).toEqual([{ day: FIRST + 9, elements: 1_143, usual: 114 }]);
    expect(world.saved.map(({ day }) => day - FIRST)).toEqual([0, 2, 4, 6, 8, 9]);
  });

  it('does not warn of few elements', async () => {
    const world = open(1_000_000);
    const limit = world.start();
    await limit.take(1);
    world.now += DAY;
    await limit.take(999);
    expect(world.unusual).toEqual([]);
    await limit.take(1);
    expect(world.unusual).toEqual([{ day: FIRST + 1, elements: 1_000, usual: 1 }]);
  });
});
