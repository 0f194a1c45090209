import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { lend, SoundConnectionError } from '../../src/stores/postgres/lend.ts';
import type { PostgresClient, PostgresPool } from '../../src/stores/postgres/pool.ts';

/** A pool of one connection. `answer` answers its queries. */
function createPool(answer: (text: string) => Promise<void> = async () => {}) {
  const queries: string[] = [];
  const released: (Error | undefined)[] = [];
  const client: PostgresClient = {
    async query({ text }) {
      queries.push(text);
      await answer(text);
      return { rows: [], fields: [] };
    },
    release: (error) => void released.push(error),
  };
  const pool: PostgresPool = { connect: async () => client };
  return { pool, queries, released };
}

const PREPARE = "SELECT set_config('jit', 'off', false), pg_is_in_recovery() AS follows";

describe('a lent connection', () => {
  it('is prepared at its first loan only, and returned after the task', async () => {
    const { pool, queries, released } = createPool();
    for (const n of [1, 2])
      expect(await lend(pool, 1000, async (client) => client.query({ text: `task ${n}` }).then(() => n))).toBe(n);
    expect(queries).toEqual([PREPARE, 'task 1', 'task 2']);
    expect(released).toEqual([undefined, undefined]);
  });

  it('that cannot be prepared is closed before the task, and prepared at the next loan', async () => {
    const broken = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const isBroken = { now: true };
    const { pool, queries, released } = createPool(async () => {
      if (isBroken.now) throw broken;
    });
    const task = vi.fn<() => Promise<string>>(async () => 'done');
    const refused = await lend(pool, 1000, task).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    expect(refused).toMatchObject({ message: 'the database cannot answer now', cause: broken });
    expect(task).not.toHaveBeenCalled();
    expect(released).toEqual([refused]);
    isBroken.now = false;
    expect(await lend(pool, 1000, task)).toBe('done');
    expect(queries).toEqual([PREPARE, PREPARE]);
  });

  it('is closed if the task fails, unless the task left it sound', async () => {
    const { pool, released } = createPool();
    const failed = new Error('no answer');
    await expect(lend(pool, 1000, () => Promise.reject(failed))).rejects.toBe(failed);
    await expect(lend(pool, 1000, () => Promise.reject(new SoundConnectionError(failed, false)))).rejects.toBe(failed);
    expect(released).toEqual([failed, undefined]);
  });
});

describe('a pool without a connection', () => {
  it.each([
    [
      'refuses',
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      'the database cannot answer now',
    ],
    ['has no such database', Object.assign(new Error('none'), { code: '3D000' }), 'the database cannot answer now'],
    ['rejects a setting', Object.assign(new Error('bad'), { code: '22023' }), 'the database accepts no connection'],
  ])('that %s is unavailable', async (_, cause, message) => {
    const pool: PostgresPool = { connect: () => Promise.reject(cause) };
    const refused = await lend(pool, 1000, async () => 1).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    expect(refused).toMatchObject({ message, cause });
  });
});

describe('the time for a loan', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const LATE = new StoreUnavailableError('the database did not answer within 500 ms');

  it('ends a task that takes too long, and closes its connection', async () => {
    const { pool, released } = createPool();
    const settled = vi.fn();
    const lent = lend(pool, 500, () => new Promise(() => {})).catch((error: unknown) => (settled(), error));
    await vi.advanceTimersByTimeAsync(499);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await lent).toEqual(LATE);
    expect(released).toEqual([LATE]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('returns a connection that comes after it to the pool', async () => {
    const { pool, released, queries } = createPool();
    const slow: PostgresPool = { connect: () => new Promise((resolve) => setTimeout(resolve, 800)).then(pool.connect) };
    const lent = lend(slow, 500, async () => 1).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(800);
    expect(await lent).toEqual(LATE);
    expect(released).toEqual([undefined]);
    expect(queries).toEqual([]);
  });

  it('is unbounded if the caller says so', async () => {
    const { pool } = createPool();
    const lent = lend(pool, Infinity, () => new Promise((resolve) => setTimeout(resolve, 86_400_000, 'done')));
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(await lent).toBe('done');
  });
});
