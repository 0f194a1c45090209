import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eachDay, untilMidnight } from '../../src/service/data-folder/midnight.ts';

const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 1, 28);

describe('untilMidnight', () => {
  it.each([
    [MIDNIGHT, DAY],
    [MIDNIGHT + 1, DAY - 1],
    [MIDNIGHT - 1, 1],
    [Date.UTC(2026, 1, 28, 18), 6 * 3_600_000],
    [0, DAY],
    [-1, 1],
    [-DAY - 5, 5],
  ])('from %d it is %d ms', (now, expected) => expect(untilMidnight(now)).toBe(expected));

  it('leads to the beginning of a day, wherever the machine is', () => {
    for (let now = MIDNIGHT; now < MIDNIGHT + 3 * DAY; now += 7_654_321) {
      expect(new Date(now + untilMidnight(now)).toISOString()).toMatch(/T00:00:00\.000Z$/);
    }
  });
});

describe('eachDay', () => {
  beforeEach(() => void vi.useFakeTimers({ now: MIDNIGHT - 3_600_000 }));
  afterEach(() => void vi.useRealTimers());

  it('works shortly after each midnight, also after one that failed, until it is stopped', async () => {
    const at: number[] = [];
    const errors: unknown[] = [];
    const failure = new Error('the disk is full');
    const { stop } = eachDay(
      async () => {
        at.push(Date.now());
        if (at.length === 1) throw failure;
      },
      (error) => errors.push(error),
    );
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(at).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(at).toHaveLength(1);
    expect(at[0]).toBeGreaterThan(MIDNIGHT);
    expect(errors).toEqual([failure]);
    await vi.advanceTimersByTimeAsync(2 * DAY);
    expect(at.map((moment) => Math.floor((moment - MIDNIGHT) / DAY))).toEqual([0, 1, 2]);
    expect(errors).toHaveLength(1);
    stop();
    await vi.advanceTimersByTimeAsync(2 * DAY);
    expect(at).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(0);
  });
});
