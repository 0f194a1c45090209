import { StoreUnavailableError, type Store, type StoreProblem } from '../store.ts';
import { createMethods, workOf } from '../sql/methods.ts';
import { hearErrors, lend } from './lend.ts';
import { looksUpToDate, migrate } from './migrate.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { createReplica, type PostgresNotice, type ReplicaOptions } from './replica.ts';
import { runWork, type RunSettings } from './run.ts';
import { createShared } from './shared.ts';
import { createStatements } from './statements.ts';
import { toStoreError } from './unavailable.ts';
import { openView } from './view.ts';

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions {
  /** Where connections come from: a `Pool` of `pg`. It stays the caller's, who ends it after the store is closed. */
  readonly pool: PostgresPool;
  /** The schema that holds the tables, made if it is not there: a lowercase letter, then up to 50 lowercase letters, digits and `_`; `redflag` unless given. */
  readonly schema?: string;
  /** How long an operation may take, with its wait for a connection and for others' locks, before it is refused as unavailable; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** A streaming replica of the same server, which answers the matches of queries. It never is the reason why an operation fails. */
  readonly replica?: ReplicaOptions;
  /** Told about what an operator should know and need not act on at once. */
  readonly onNotice?: (notice: PostgresNotice) => void;
}

const SCHEMA = 'redflag';
const TIMEOUT_MS = 10_000;
/** The longest that a timer can wait. */
const TIMEOUT_MS_MOST = 2_147_483_647;

/**
 * A store on PostgreSQL 11 or newer. Any number of processes may use one database at once. When a newer program brings the schema up to date meanwhile, this one
 * refuses to write from then on, as unavailable.
 *
 * What a writing method has resolved survives as the server promises by its `synchronous_commit`. A method that rejects with StoreUnavailableError wrote nothing, but
 * for one case: the connection was lost between asking for the commit and its answer. Then it may have written everything (never a part), and doing
 * it again is safe: the same report is found by its fingerprint, a removed one is `already-removed`.
 *
 * With a `replica`, `findMatches` for a reporter that asks is answered there: what others wrote may be up to its `maxAgeMs` late, while a reporter's own reports and
 * deletions, disputes, erasures and moves to another pepper are seen at once, whichever process did them. All else is read from the primary. All
 * processes have to be of a version that counts writes (schema 5) by then.
 *
 * Opens by bringing the schema up to date. Rejects with StoreFormatError when the schema is newer than this program or another's, with StoreUnavailableError when
 * the database is not there, with RangeError for a wrong option: a `replica` that is no standby of the same server, too, when it can be asked.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { pool, schema = SCHEMA, timeoutMs = TIMEOUT_MS, replica: replicaOptions } = options;
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(schema))
    throw new RangeError(
      `"schema" expected a lowercase letter and up to 50 of a-z, 0-9 and _, got ${JSON.stringify(schema)}`,
    );
  if (!Number.isSafeInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > TIMEOUT_MS_MOST) {
    throw new RangeError(`"timeoutMs" expected a whole number from 1 to ${TIMEOUT_MS_MOST}, got ${String(timeoutMs)}`);
  }
  const settings: RunSettings = { schema, statements: createStatements(schema), timeoutMs };
  const state: { closed: boolean } = { closed: false };
  const running = new Set<Promise<unknown>>();

  hearErrors(pool);
  try {
    // A migration may take hours, and waiting for another process's is as long.
    if (!(await lend(pool, timeoutMs, (client) => looksUpToDate(client, schema))))
      await lend(pool, Infinity, (client) => migrate(client, schema));
  } catch (error) {
    throw toStoreError(error);
  }

  const run = async <T>(withinMs: number, task: (client: PostgresClient) => Promise<T>, from = pool): Promise<T> => {
    if (state.closed) throw new StoreUnavailableError('the store is closed');
    const operation = lend(from, withinMs, task);
    running.add(operation);
    return operation.finally(() => running.delete(operation));
  };

  const notice = (told: PostgresNotice): void => {
    // Whoever is told has no say in what the store does: neither a throw nor a rejected promise gets any further.
    void (async () => options.onNotice?.(told))().catch(() => undefined);
  };
  const replica = replicaOptions && (await createReplica(replicaOptions, settings, run, notice));
  const methods = createMethods((name, args) =>
    run(timeoutMs, (client) => runWork(client, settings, () => workOf(name, args))),
  );

  return {
    ...(pool.single ? {} : { shared: createShared(pool, schema, timeoutMs) }),
    ...methods,
    async findMatches(hashes, asked) {
      return (asked && (await replica?.findMatches(hashes, asked.reader))) ?? methods.findMatches(hashes);
    },
    // Reading all takes as long as it takes.
    check: () =>
      run(Infinity, (client) => runWork(client, settings, () => workOf('check', []))) as Promise<StoreProblem[]>,
    async snapshot() {
      if (state.closed) throw new StoreUnavailableError('the store is closed');
      return openView(pool, settings);
    },
    async erased() {
      // What becomes of a removed row on the server's disk is the server's: VACUUM frees it, and the write-ahead log goes round.
      if (state.closed) throw new StoreUnavailableError('the store is closed');
    },
    async close() {
      state.closed = true;
      await Promise.allSettled(running);
    },
  };
}
