import { createNotifier } from '../../core/domain/notices.ts';
import { refuseUnknown, requireWhole } from '../../core/domain/options.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import type { FactsRequest, KeyRequest, KeyWithReporter, StoredFacts } from '../../core/store/records.ts';
import { AUDIT_WORK } from '../../core/store/sql/audit.ts';
import { CHECK_WORK } from '../../core/store/sql/check.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { NO_FACTS } from '../../core/store/sql/queries.ts';
import { createSqlStore, type Executor } from '../../core/store/sql/store.ts';
import type { SharedStore } from '../../core/store/store.ts';
import type { EngineStore } from '../../core/engine/context.ts';
import { createCoordination } from '../shared/coordination.ts';
import { readClock } from './bucket-work.ts';
import { hearErrors, lend } from './lend.ts';
import { looksUpToDate, migrate } from './migrate.ts';
import type { PostgresPool } from './pool.ts';
import { createReplica, type PostgresNotice, type Replica, type ReplicaOptions, type RunTask } from './replica.ts';
import { REQUEST_WORK } from './request-work.ts';
import { runWork, type RunSettings } from './run.ts';
import { createBuckets, createLeases } from './shared.ts';
import { createStatements } from './statements.ts';
import { createStrangers } from './strangers.ts';
import { toStoreError } from './unavailable.ts';
import { openView } from './view.ts';

/** Options of {@link createPostgresStore}. */
export interface PostgresStoreOptions {
  /** Pool of connections, such as `Pool` of `pg`. The caller ends it after the store is closed. */
  readonly pool: PostgresPool;
  /** PostgreSQL schema, created if missing. Default `redflag`. A lowercase letter, then up to 50 of a-z, 0-9, `_`. */
  readonly schema?: string;
  /**
   * Maximum milliseconds of a call, including its wait for a connection and for locks. A longer call rejects as
   * unavailable. Default 10,000.
   */
  readonly timeoutMs?: number;
  /** A streaming replica of the same server. It answers the matches of queries. If it fails, the primary answers. */
  readonly replica?: ReplicaOptions;
  /** Receives events that an operator should know. None needs action at once. */
  readonly onNotice?: (notice: PostgresNotice) => void;
}

const OPTIONS = ['pool', 'schema', 'timeoutMs', 'replica', 'onNotice'];
const SCHEMA = 'redflag';
const TIMEOUT_MS = 10_000;
/** Maximum milliseconds of a timer. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Creates a store on PostgreSQL 11 or newer, and brings its schema up to date. Any number of processes may use one
 * database at once. If a newer program updates the schema later, this program rejects writes as unavailable from then
 * on.
 *
 * A resolved write is as durable as the server's `synchronous_commit` promises. A call that rejects with
 * StoreUnavailableError wrote nothing, with one exception: the connection broke, or the time ran out, after the commit
 * was sent. Then the call may have written everything, but never a part. You can safely retry: the same report is found
 * by its fingerprint, and a removed report is `already-removed`.
 *
 * With a `replica`, the matches of a query are found there. Writes of other reporters may be up to its
 * `maxAgeMs` late. A reporter's own reports and deletions are visible at once, whichever process wrote them. So are
 * disputes, erasures and moves to another pepper. All other reads use the primary. Before you use a replica, update
 * every process to a version that counts writes (schema 5).
 *
 * Rejects with StoreFormatError if the schema is newer than this program or belongs to another program. Rejects with
 * StoreUnavailableError if the database cannot be reached, and with TypeError or RangeError for a wrong option. If a
 * `replica` answers but is not a standby of the same server, that is a wrong option.
 */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<EngineStore> {
  const { pool, schema = SCHEMA, timeoutMs = TIMEOUT_MS, replica: replicaOptions } = options;
  refuseUnknown(options, OPTIONS);
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(schema))
    throw new RangeError('"schema" expected a lowercase letter, then up to 50 characters of a-z, 0-9 and _');
  requireWhole('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS);
  const settings: RunSettings = { schema, statements: createStatements(schema), timeoutMs };
  hearErrors(pool);
  try {
    // A migration may take hours. Waiting for another process's migration may too.
    if (!(await lend(pool, timeoutMs, (client) => looksUpToDate(client, schema))))
      await lend(pool, Infinity, (client) => migrate(client, schema));
  } catch (error) {
    throw toStoreError(error);
  }
  const database = new PostgresDatabase(pool, settings);
  const replica =
    replicaOptions && (await createReplica(replicaOptions, settings, database.run, createNotifier(options.onNotice)));
  const plain = createSqlStore(database, undefined, readClock);
  const strangers = createStrangers();
  const findKey = (request: KeyRequest) =>
    strangers.find(
      request.digest,
      () => database.read(() => REQUEST_WORK.findKey(request)),
      (found) => doesWork(found, request.atMs),
    );
  const findFacts = (request: FactsRequest) => {
    const read = () => database.read(() => REQUEST_WORK.findFacts(request));
    const { key: asked } = request;
    return asked ? strangers.find(asked.digest, read, ({ key }) => doesWork(key, asked.atMs)) : read();
  };
  const buckets = createBuckets((start) => database.write(start));
  const waitForOlderCalls = createWaitForOlderCalls(plain, timeoutMs);
  const shared: SharedStore = {
    ...createLeases(pool, settings),
    takeTokens: (request) => strangers.inTurn(() => buckets.takeTokens(request)),
    nowMs: () => database.read(readClock),
  };

  return {
    ...(!pool.single && { shared, coordination: createCoordination(shared) }),
    ...plain,
    async findKey(request) {
      const found = await findKey(request);
      if (request.tokens) await buckets.counted(request.tokens);
      return found;
    },
    async findFacts(request) {
      const found = await (replica && !request.newest
        ? findWithReplica(request, replica, { findKey, findFacts, findDisputes: plain.findDisputes })
        : findFacts(request));
      if (request.key?.tokens) await buckets.counted(request.key.tokens);
      return found;
    },
    findSignIn: (digest) =>
      strangers.find(
        digest,
        () => plain.findSignIn(digest),
        (found) => found !== undefined,
      ),
    async readOldHashes(request) {
      const page = await plain.readOldHashes(request);
      if (pool.single || page.length > 0 || request.after !== '') return page;
      return (await waitForOlderCalls(request.generation)) ? plain.readOldHashes(request) : page;
    },
    putLink: (link, linksPerHash) => database.write(() => REQUEST_WORK.putLink(link, linksPerHash)),
    // No timeout: these read the whole store, or the whole audit log.
    check: () => database.readAll(CHECK_WORK.check),
    verifyAudit: (head) => database.readAll(() => AUDIT_WORK.verifyAudit(head)),
    async snapshot() {
      database.requireOpen();
      return openView(pool, settings);
    },
    async erased() {
      // Nothing to do: VACUUM frees deleted rows, and the server overwrites its write-ahead log.
      database.requireOpen();
    },
    close: () => database.close(),
  };
}

/** True for a key that works at a time; without one, for a key that has not been revoked. */
function doesWork(found: KeyWithReporter | undefined, atMs = 0): boolean {
  return found !== undefined && !found.reporter.suspended && (found.key.endsAt ?? Infinity) > atMs;
}

/**
 * Returns what waits once for each pepper that moves hashes: until every call has ended that other processes began
 * before they used it. Such a call may still store hashes under the older pepper, which no query would find. Returns
 * false if there was nothing to wait for.
 */
function createWaitForOlderCalls({ findPeppers }: Pick<EngineStore, 'findPeppers'>, timeoutMs: number) {
  let waitedFor = 0;
  return async (generation: number): Promise<boolean> => {
    if (generation === waitedFor || (await findPeppers()).every(({ finishedAt }) => finishedAt !== null)) return false;
    await new Promise((resolve) => setTimeout(resolve, timeoutMs));
    waitedFor = generation;
    return true;
  };
}

/** Runs work on the connections of a pool. */
class PostgresDatabase implements Executor {
  readonly #pool: PostgresPool;
  readonly #settings: RunSettings;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(pool: PostgresPool, settings: RunSettings) {
    this.#pool = pool;
    this.#settings = settings;
  }

  read<T>(start: () => SqlWork<T>): Promise<T> {
    return this.#runWork(start, this.#settings.timeoutMs);
  }

  write<T>(start: () => SqlWork<T>): Promise<T> {
    return this.#runWork(start, this.#settings.timeoutMs);
  }

  /** Like `read`, without a time limit. */
  readAll<T>(start: () => SqlWork<T>): Promise<T> {
    return this.#runWork(start, Infinity);
  }

  #runWork<T>(start: () => SqlWork<T>, withinMs: number): Promise<T> {
    return this.run(withinMs, (client) => runWork(client, this.#settings, start));
  }

  readonly run: RunTask = async (withinMs, task, from = this.#pool) => {
    this.requireOpen();
    const operation = lend(from, withinMs, task, { mayFollow: from !== this.#pool });
    this.#running.add(operation);
    return operation.finally(() => this.#running.delete(operation));
  };

  /** Throws StoreUnavailableError if the store is closed. */
  requireOpen(): void {
    if (this.#isClosed) throw new StoreUnavailableError('the store is closed');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
  }
}

/** Reads the key, then the matches on the replica and the rest on the primary, at the same time. */
async function findWithReplica(
  { key: request, ...facts }: FactsRequest,
  replica: Replica,
  primary: Pick<EngineStore, 'findKey' | 'findFacts' | 'findDisputes'>,
): Promise<StoredFacts> {
  const key = request && (await primary.findKey(request));
  if (request && (!key || (request.tokens && !key.tokens?.taken))) return { ...NO_FACTS, ...(key && { key }) };
  const reader = key?.reporter.reporterId ?? facts.reader;
  const found = reader === undefined ? undefined : await replica.findUndisputedFacts(facts, reader);
  if (!found) return { ...(await primary.findFacts(facts)), ...(key && { key }) };
  const disputed = new Set(found.matches.filter((match) => match.disputed).map(({ reportId }) => reportId));
  const disputes = disputed.size === 0 ? [] : await primary.findDisputes([...disputed]);
  return { ...found, disputes, ...(key && { key }) };
}
