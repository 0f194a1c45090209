import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNoticePrinter } from '../../src/service/data-folder/notice-printer.ts';

const MINUTE = 60_000;

describe('notices', () => {
  let printed: unknown[];
  let printer: ReturnType<typeof createNoticePrinter>;
  const full = { event: 'store-unavailable', error: 'disk full' };
  beforeEach(() => {
    vi.useFakeTimers();
    printed = [];
    printer = createNoticePrinter((notice) => void printed.push(notice));
  });
  afterEach(() => {
    printer.close();
    vi.useRealTimers();
  });

  it('of one kind are printed once a minute, with the number of those left out', () => {
    for (let n = 0; n < 1000; n++) printer.print(full);
    expect(printed).toEqual([full]);
    vi.advanceTimersByTime(MINUTE);
    expect(printed).toEqual([full, { ...full, leftOut: 999 }]);
    printer.print(full);
    vi.advanceTimersByTime(MINUTE);
    expect(printed).toEqual([full, { ...full, leftOut: 999 }, { ...full, leftOut: 1 }]);
    vi.advanceTimersByTime(10 * MINUTE);
    expect(printed).toHaveLength(3);
    printer.print(full);
    expect(printed).toHaveLength(4);
    expect(vi.getTimerCount()).toBe(1);
  });

  it('of different kinds do not hide one another', () => {
    const others = [
      { event: 'store-unavailable', error: 'no connection' },
      { event: 'store-unavailable', error: 'disk full', cause: 'Error (ENOSPC)' },
      { event: 'internal-error', error: 'TypeError' },
      { event: 'identifiers-peppered', moved: 3 },
      { event: 'ended-key-used', keyId: 'one', reporterId: 'a' },
      { event: 'ended-key-used', keyId: 'two', reporterId: 'a' },
      { event: 'unusual-usage', reporterId: 'a', identifiers: 5_000, usual: 20 },
      { event: 'unusual-usage', reporterId: 'b', identifiers: 5_000, usual: 20 },
      { event: 'accusation-burst', reportId: 'c', reporterIds: ['a', 'b'], reports: 5 },
      { event: 'accusation-burst', reportId: 'd', reporterIds: ['a', 'b'], reports: 5 },
    ];
    for (const notice of [full, ...others, full]) printer.print(notice);
    expect(printed).toEqual([full, ...others]);
  });

  it('of very many kinds are bounded by their events', () => {
    for (let n = 0; n < 10_000; n++) printer.print({ event: 'internal-error', error: new Error(`reason ${n}`) });
    expect(printed).toHaveLength(65);
    expect(vi.getTimerCount()).toBe(65);
  });

  it('left out before the end are counted at the end', () => {
    for (let n = 0; n < 3; n++) printer.print(full);
    printer.close();
    expect(printed).toEqual([full, { ...full, leftOut: 2 }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
