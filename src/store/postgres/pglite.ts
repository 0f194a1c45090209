import type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './pool.ts';

/** PGlite, PostgreSQL as WebAssembly in this process, named by its shape. */
export interface Pglite {
  query(text: string, values?: unknown[], options?: { rowMode?: 'array' | 'object' }): Promise<PostgresResult>;
  exec(text: string): Promise<unknown>;
}

/**
 * PGlite as a pool of one connection, which whoever wants it gets one after the other. The database is the store's alone while the store is open. It is for tests
 * and for trying things out: PGlite keeps nothing through a crash.
 */
export function createPglitePool(database: Pglite): PostgresPool {
  const state: { turn: Promise<void> } = { turn: Promise.resolve() };
  return {
    single: true,
    async connect() {
      const before = state.turn;
      const { promise, resolve } = openPromise();
      state.turn = promise;
      await before;
      return lendOnce(database, resolve);
    },
  };
}

function lendOnce(database: Pglite, done: () => void): PostgresClient {
  const state = { lent: true, asked: Promise.resolve() as Promise<unknown> };
  return {
    query({ text, values, rowMode }: PostgresQuery): Promise<PostgresResult> {
      if (!state.lent) return Promise.reject(new Error('the connection was given back'));
      const asked =
        values === undefined
          ? database.exec(text).then(() => ({ rows: [], fields: [] }))
          : database.query(text, values, { ...(rowMode && { rowMode }) });
      state.asked = asked;
      return asked;
    },
    release(error) {
      state.lent = false;
      if (!error) return done();
      // There is no other connection to take its place: what it was in the middle of is undone.
      void state.asked
        .catch(ignore)
        .then(() => database.exec('ROLLBACK'))
        .catch(ignore)
        .then(done);
    },
  };
}

function openPromise(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  const opened: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => (opened.resolve = resolve));
  return { promise, resolve: opened.resolve! };
}

const ignore = (): void => undefined;
