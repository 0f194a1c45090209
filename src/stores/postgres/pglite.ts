import type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from './pool.ts';

/** PGlite, PostgreSQL as WebAssembly in this process, described by its shape. */
export interface Pglite {
  /** Runs one statement. */
  query(text: string, values?: unknown[], options?: { rowMode?: 'array' | 'object' }): Promise<PostgresResult>;
  /** Runs a script of statements. */
  exec(text: string): Promise<unknown>;
}

/**
 * Returns PGlite as a pool of one connection, which is lent to one user at a time. While the store is open, nothing
 * else may use the database. For tests and experiments only: a crash loses all data.
 */
export function createPglitePool(database: Pglite): PostgresPool {
  const state: { turn: Promise<void> } = { turn: Promise.resolve() };
  return {
    single: true,
    async connect() {
      const before = state.turn;
      const turn: { end: () => void } = { end: () => undefined };
      state.turn = new Promise((resolve) => (turn.end = resolve));
      await before;
      return lendOnce(database, turn.end);
    },
  };
}

function lendOnce(database: Pglite, done: () => void): PostgresClient {
  const state = { lent: true, asked: Promise.resolve() as Promise<unknown> };
  return {
    query({ text, values, rowMode }: PostgresQuery): Promise<PostgresResult> {
      if (!state.lent) return Promise.reject(new Error('the connection was released already'));
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
      // No other connection can replace this one, so roll back its transaction.
      void state.asked
        .catch(ignore)
        .then(() => database.exec('ROLLBACK'))
        .catch(ignore)
        .then(done);
    },
  };
}

const ignore = (): void => undefined;
