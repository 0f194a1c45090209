import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endWithin } from '../../src/service/cli/shutdown.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a process whose background work does not end is ended, with a line that says so', () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const print = vi.fn<(notice: { event: string }) => void>();
  endWithin(9_000, print);
  vi.advanceTimersByTime(8_999);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(exit.mock.calls).toEqual([[1]]);
  expect(print.mock.calls).toEqual([[{ event: 'stopped-early', advice: expect.stringContaining('no acknowledged') }]]);
});
