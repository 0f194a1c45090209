import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLineBound } from '../../../src/service/cli/operations/log.ts';
import { createStoreCounts } from '../../../src/service/cli/operations/store-counts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('lines above the bound are counted, and the number is a line at the end of each time', () => {
  const lines: object[] = [];
  const bound = createLineBound(2, 1_000, (line) => void lines.push(line));
  for (let n = 0; n < 5; n++) bound.write({ n });
  expect(lines).toEqual([{ n: 0 }, { n: 1 }]);
  vi.advanceTimersByTime(1_000);
  expect(lines).toEqual([{ n: 0 }, { n: 1 }, { event: 'requests-left-out', leftOut: 3 }]);
  bound.write({ n: 5 });
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(4);
  expect(vi.getTimerCount()).toBe(0);
  for (let n = 6; n < 9; n++) bound.write({ n });
  bound.close();
  expect(lines.slice(4)).toEqual([{ n: 6 }, { n: 7 }, { event: 'requests-left-out', leftOut: 1 }]);
  expect(vi.getTimerCount()).toBe(0);
});

it('rows are counted once a minute, and less often if that takes long', async () => {
  const zero = { reports: 0, removed: 0, identifiers: 0, links: 0, reporters: 0 };
  let calls = 0;
  let takesMs = 0;
  const counts = createStoreCounts({
    async count() {
      calls++;
      await vi.advanceTimersByTimeAsync(takesMs);
      return { ...zero, reports: calls };
    },
  });
  expect(counts.latest()).toEqual({});
  expect(counts.latest()).toEqual({});
  await vi.advanceTimersByTimeAsync(0);
  expect([counts.latest(), calls]).toEqual([{ ...zero, reports: 1 }, 1]);
  await vi.advanceTimersByTimeAsync(59_000);
  counts.latest();
  expect(calls).toBe(1);
  takesMs = 500;
  await vi.advanceTimersByTimeAsync(2_000);
  counts.latest();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toBe(2);
  await vi.advanceTimersByTimeAsync(490_000);
  counts.latest();
  expect(calls).toBe(2);
  await vi.advanceTimersByTimeAsync(20_000);
  counts.latest();
  expect(calls).toBe(3);
});

it('a count that fails keeps the last one', async () => {
  const counts = createStoreCounts({ count: () => Promise.reject(new Error('away')) });
  counts.latest();
  await vi.advanceTimersByTimeAsync(0);
  expect(counts.latest()).toEqual({});
  expect(await counts.known()).toBeUndefined();
});

it('callers wait for the first count only, and later get the last one at once', async () => {
  const zero = { reports: 0, removed: 0, identifiers: 0, links: 0, reporters: 0 };
  let calls = 0;
  const counts = createStoreCounts({
    async count() {
      calls++;
      await new Promise((resolve) => setTimeout(resolve, 10));
      return { ...zero, reports: calls };
    },
  });
  const known = Promise.all([counts.known(), counts.known()]);
  await vi.advanceTimersByTimeAsync(10);
  expect(await known).toEqual([
    { ...zero, reports: 1 },
    { ...zero, reports: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(61_000);
  expect((await counts.known())?.reports).toBe(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(counts.latest().reports).toBe(2);
});
