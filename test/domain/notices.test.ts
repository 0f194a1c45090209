import { expect, it, vi } from 'vitest';
import { createNotifier } from '../../src/core/domain/notices.ts';

it('passes each notice to the operator before the notifier returns', () => {
  const seen: string[] = [];
  const notify = createNotifier<string>((notice) => seen.push(notice));
  expect(notify('first')).toBeUndefined();
  notify('second');
  expect(seen).toEqual(['first', 'second']);
});

it.each<[string, ((notice: string) => unknown) | undefined]>([
  ['no operator listens', undefined],
  [
    'onNotice throws',
    () => {
      throw new Error('Broken.');
    },
  ],
  ['onNotice rejects', () => Promise.reject(new Error('Broken.'))],
])('ignores that %s', async (_, onNotice) => {
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', unhandled);
  try {
    expect(() => createNotifier(onNotice)('notice')).not.toThrow();
    // Node reports an unhandled rejection after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', unhandled);
  }
});
