import { describe, expect, it } from 'vitest';
import type { KeyWithReporter } from '../../src/core/store/records.ts';
import { createStrangers } from '../../src/stores/postgres/strangers.ts';
import { id, key, reporter } from '../contract/stored.ts';

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
const FOUND: KeyWithReporter = { key: key(5), reporter: { ...reporter(1), reporterId: id(1) } };

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

  it('are keys that this process has not found to work, or not when it last looked', async () => {
    const { inTurn, findingKey } = createStrangers();
    const { open, work } = createWorks();
    const find = (found: KeyWithReporter | undefined) =>
      findingKey(
        { digest: FOUND.key.digest, atMs: 1_000 },
        async () => found,
        (one) => one,
      );
    expect(await find(FOUND)).toBe(FOUND);
    const flood = [0, 1, 2].map((n) => inTurn(() => work(n)));
    const isAnswered = async (found: KeyWithReporter | undefined) => {
      const answer = find(found).then(() => true);
      return Promise.race([answer, turns().then(() => false)]);
    };
    expect(await isAnswered(FOUND)).toBe(true);
    for (const without of [
      undefined,
      { ...FOUND, key: { ...FOUND.key, endsAt: 1_000 } },
      { ...FOUND, reporter: { ...FOUND.reporter, suspended: true } },
    ]) {
      expect(await isAnswered(without)).toBe(true);
      const waits = find(FOUND);
      expect(await Promise.race([waits.then(() => true), turns().then(() => false)])).toBe(false);
      open.shift()!.end();
      await waits;
      flood.push(inTurn(() => work(3)));
      await turns();
    }
    for (const { end } of open) end();
    await Promise.all(flood);
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
