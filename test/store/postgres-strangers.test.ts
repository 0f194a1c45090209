import { describe, expect, it } from 'vitest';
import { createStrangers } from '../../src/stores/postgres/strangers.ts';

/** Works that end when the test says so. */
function createWorks() {
  const open: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  return {
    open,
    work: <T>(value: T): Promise<T> =>
      new Promise((resolve, reject) => open.push({ end: () => resolve(value), fail: reject })),
  };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('strangers of a PostgreSQL store', () => {
  it('use three connections at once, in the order of asking', async () => {
    const { inTurn } = createStrangers();
    const { open, work } = createWorks();
    const ended: number[] = [];
    const all = Array.from({ length: 20 }, (_, n) => inTurn(() => work(n)).then((one) => ended.push(one)));
    for (let n = 0; n < 20; n++) {
      await turns();
      expect(open.length).toBe(Math.min(20, n + 3));
      open[n]!.end();
    }
    await Promise.all(all);
    expect(ended).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('are keys and sessions that this process has not found to work, or not when it last looked', async () => {
    const { inTurn, find } = createStrangers();
    const { open, work } = createWorks();
    const ask = (works: boolean) =>
      find(
        'ab',
        async () => works,
        (found) => found,
      );
    const isAnswered = (works: boolean) => Promise.race([ask(works).then(() => true), turns().then(() => false)]);
    expect(await isAnswered(true)).toBe(true);
    const flood = [0, 1, 2].map((n) => inTurn(() => work(n)));
    expect(await isAnswered(true)).toBe(true);
    expect(await isAnswered(false)).toBe(true);
    expect(await isAnswered(true)).toBe(false);
    for (const { end } of open) end();
    await Promise.all(flood);
    expect(await isAnswered(true)).toBe(true);
  });

  it('that wait fail with the one that the database does not answer, and the next ones ask again', async () => {
    const { inTurn } = createStrangers();
    const { open, work } = createWorks();
    const all = Array.from({ length: 20 }, (_, n) => inTurn(() => work(n)));
    const settled = Promise.allSettled(all);
    open[1]!.fail(new Error('no answer'));
    await turns();
    for (const at of [0, 2]) open[at]!.end();
    const failed = (await settled).filter(({ status }) => status === 'rejected');
    expect(failed).toHaveLength(18);
    expect(open).toHaveLength(3);
    const next = inTurn(async () => 'asked');
    expect(await next).toBe('asked');
  });
});
