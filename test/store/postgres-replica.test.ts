import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PostgresClient, PostgresPool } from '../../src/store/postgres/pool.ts';
import { createReplica, type PostgresNotice, type ReplicaOptions } from '../../src/store/postgres/replica.ts';
import { POSTGRES_MIGRATIONS } from '../../src/store/postgres/schema.ts';
import { createStatements } from '../../src/store/postgres/statements.ts';
import { hash } from '../contract/stored.ts';

// A primary and a standby that only know how far their logs have come. Real servers are in
// slow-postgres-replica.test.ts.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A server whose tables are empty. */
function createServer() {
  const state = { identity: '1/5', place: 100, follows: true, own: null as string | null };
  const client: PostgresClient = {
    async query({ text, rowMode }) {
      const { identity, place, follows, own } = state;
      if (rowMode === 'array') {
        if (!text.includes('LATERAL'))
          return { rows: text.includes('AS place') ? [[own, null, place]] : [], fields: [{ dataTypeID: 20 }] };
        // The columns of a match and the number of its list, all NULL without a match, and those of the server.
        const columns = /SELECT (.*?) FROM/.exec(/LATERAL \((.*)\) AS found/s.exec(text)![1]!)![1]!.split(',');
        return { rows: [[...columns.map(() => null), null, own, null, place, Number(follows)]], fields: [] };
      }
      if (text.includes('system_identifier')) return { rows: [{ identity }], fields: [] };
      if (text.includes('AS follows')) return { rows: [{ follows }], fields: [] };
      return { rows: [{ version: POSTGRES_MIGRATIONS.length }], fields: [] };
    },
    release: () => {},
  };
  return { state, client, pool: { connect: async () => client } satisfies PostgresPool };
}

async function open(
  options: Partial<ReplicaOptions> = {},
  change: (standby: ReturnType<typeof createServer>) => void = () => {},
) {
  const [primary, standby] = [createServer(), createServer()];
  change(standby);
  const notices: PostgresNotice[] = [];
  const settings = { schema: 'redflag', statements: createStatements('redflag'), timeoutMs: 5000 };
  const replica = await createReplica(
    { pool: standby.pool, ...options },
    settings,
    (_, task, from) => task(from === standby.pool ? standby.client : primary.client),
    (notice) => notices.push(notice),
  );
  const find = async () => (await replica.findFacts({ hashes: [hash(1)] }, '0a'))?.matches;
  return { primary: primary.state, standby: standby.state, notices, find };
}

const left = (message: string) => ({ event: 'replica-left', error: expect.objectContaining({ message }) as unknown });

describe('a replica', () => {
  it('answers, without matches where its tables have none', async () => {
    const { find, notices } = await open();
    expect(await find()).toEqual([]);
    expect(notices).toEqual([]);
  });

  it('leaves the reader’s own writes to the primary until it has them', async () => {
    const { primary, standby, find, notices } = await open();
    primary.own = '3';
    standby.own = '2';
    expect(await find()).toBeUndefined();
    standby.own = '3';
    expect(await find()).toEqual([]);
    expect(notices).toEqual([]);
  });

  it('that lags more than ten seconds is left, in seconds, and used again when it has caught up', async () => {
    const { primary, standby, find, notices } = await open();
    expect(await find()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    primary.place = 200;
    expect(await find()).toEqual([]);
    vi.advanceTimersByTime(10_000);
    // It lacks what is ten seconds old, and may lack what is eleven seconds old.
    expect(await find()).toBeUndefined();
    expect(notices).toEqual([]);
    vi.advanceTimersByTime(2_900);
    expect(await find()).toBeUndefined();
    expect(notices).toEqual([left('the replica lacks what the primary wrote 12 s ago')]);

    standby.place = 200;
    vi.advanceTimersByTime(4_999);
    expect(await find()).toBeUndefined();
    expect(notices).toHaveLength(1);
    vi.advanceTimersByTime(1);
    // The primary still answers this one; the replica is probed meanwhile.
    expect(await find()).toBeUndefined();
    await vi.waitFor(() => expect(notices[1]).toEqual({ event: 'replica-used' }));
    expect(await find()).toEqual([]);
  });

  it('that was promoted is left', async () => {
    const { standby, find, notices } = await open();
    standby.follows = false;
    expect(await find()).toBeUndefined();
    expect(notices).toEqual([left('the replica was promoted and accepts writes')]);
  });

  it.each<[string, (standby: ReturnType<typeof createServer>) => void, string]>([
    [
      'another server',
      ({ state }) => (state.identity = '2/5'),
      '"replica" expected a standby of the primary with the same database, got another server or database',
    ],
    [
      'a server that accepts writes',
      ({ state }) => (state.follows = false),
      '"replica" expected a standby, got a server that accepts writes',
    ],
  ])('cannot be %s', async (_, change, message) => {
    await expect(open({}, change)).rejects.toThrow(new RangeError(message));
  });

  it('refuses a lag that is no whole number of milliseconds, and other options', async () => {
    await expect(open({ maxAgeMs: 0 })).rejects.toThrow('"replica.maxAgeMs" expected a whole number');
    await expect(open({ age: 1 } as never)).rejects.toThrow('"replica.age" is not an option');
  });
});
