import { refuseUnknown, requireWhole } from '../../core/domain/options.ts';
import { orNull, toBytes, WHOLE } from '../../core/store/sql/columns.ts';
import {
  NO_FACTS,
  areCut,
  findLinkIdentifiers,
  findMatchesAtOnce,
  firstMatches,
} from '../../core/store/sql/queries.ts';
import { findProtections } from '../../core/store/sql/moderation.ts';
import { ask, together } from '../../core/store/sql/rows.ts';
import { EVERYBODY, type SingleRead, type SqlRow, type SqlValue } from '../../core/store/sql/statement.ts';
import { shape } from '../../core/store/sql/table.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import type { FactsRequest, StoredFacts } from '../../core/store/records.ts';
import { hearErrors } from './lend.ts';
import { isUpToDate } from './migrate.ts';
import { queryRows, type PostgresClient, type PostgresPool } from './pool.ts';
import { createLogPlaces, holdsAll, WRITE_COUNTS, type LogPlaces, type WriteCounts } from './replica-progress.ts';
import { queryAll } from './round-trip.ts';
import { LISTS_AT_ONCE, runWork, type RunSettings } from './run.ts';
import { toStoreError } from './unavailable.ts';

/** A streaming replica (hot standby) that may answer queries. */
export interface ReplicaOptions {
  /** Connections to the replica. The caller ends the pool after the store is closed. */
  readonly pool: PostgresPool;
  /** Maximum lag of other reporters' data, in milliseconds. Beyond it, the primary answers. Default 10,000. */
  readonly maxAgeMs?: number;
}

/** An event that the store has handled. */
export type PostgresNotice =
  /** The replica does not answer, lags, or is not a standby. The primary answers. The replica is probed every 5 s. */
  | { readonly event: 'replica-left'; readonly error: unknown }
  /** The replica answers again. */
  | { readonly event: 'replica-used' };

/** Facts without the disputes about the matches. */
export type UndisputedFacts = Omit<StoredFacts, 'disputes'>;

/** Runs a task on a connection to the primary or to another server. */
export type RunTask = <T>(
  withinMs: number,
  task: (client: PostgresClient) => Promise<T>,
  from?: PostgresPool,
) => Promise<T>;

const MAX_AGE_MS = 10_000;
/** Milliseconds until the primary answers instead: a slow replica must not delay answers. */
const ANSWER_MS = 1_000;
/** Milliseconds until a failed replica is probed again in the background. Until then, the primary answers. */
const RETRY_MS = 5_000;

/** Identifies a server and its database, whatever their address. A standby has the identity of its primary. */
const IDENTITY =
  "SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity";
/** The counts of writes, and the position of the log in bytes. */
const WRITTEN = `SELECT counts.*, (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint AS place FROM (${WRITE_COUNTS}) AS counts`;
const SHOWN = `SELECT counts.*, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS place, pg_is_in_recovery()::int AS follows FROM (${WRITE_COUNTS}) AS counts`;

const PROGRESS = shape({ own: orNull(WHOLE), everybodys: orNull(WHOLE), place: WHOLE });

/** The state of a server's data: its counts of writes, and its place in the log. */
interface Progress extends WriteCounts {
  readonly place: number;
}

/**
 * Creates a replica. Rejects with RangeError or TypeError for a wrong option, and with RangeError if the server answers
 * but is not a standby of the primary. If the server does not answer, or lacks the newest schema, the replica stays
 * unused for now and a notice is sent.
 */
export async function createReplica(
  options: ReplicaOptions,
  settings: RunSettings,
  run: RunTask,
  notice: (notice: PostgresNotice) => void,
): Promise<Replica> {
  const { pool, maxAgeMs = MAX_AGE_MS } = options;
  refuseUnknown(options, ['pool', 'maxAgeMs'], 'replica.');
  requireWhole('replica.maxAgeMs', maxAgeMs, 1);
  hearErrors(pool);
  const identity = await run(settings.timeoutMs, (client) => identityOf(client, settings)).catch((error: unknown) => {
    throw toStoreError(error);
  });
  const replica = new Replica(pool, maxAgeMs, settings, run, notice, identity);
  await replica.open();
  return replica;
}

/** Answers queries until it fails or lags. Then it is probed in the background, at most every {@link RETRY_MS}. */
export class Replica {
  readonly #pool: PostgresPool;
  readonly #maxAgeMs: number;
  readonly #settings: RunSettings;
  readonly #run: RunTask;
  readonly #notice: (notice: PostgresNotice) => void;
  /** The identity of the primary. */
  readonly #identity: unknown;
  readonly #answerMs: number;
  readonly #places: LogPlaces;
  readonly #verified = new WeakSet<object>();
  #isLeft = false;
  #probedAt = 0;

  constructor(
    pool: PostgresPool,
    maxAgeMs: number,
    settings: RunSettings,
    run: RunTask,
    notice: (notice: PostgresNotice) => void,
    identity: unknown,
  ) {
    this.#pool = pool;
    this.#maxAgeMs = maxAgeMs;
    this.#settings = settings;
    this.#run = run;
    this.#notice = notice;
    this.#identity = identity;
    this.#answerMs = Math.min(ANSWER_MS, settings.timeoutMs);
    this.#places = createLogPlaces(maxAgeMs);
  }

  /** Connects once. Rejects with RangeError if the server is not a standby of the primary. */
  async open(): Promise<void> {
    await this.#run(this.#answerMs, (client) => this.#verify(client), this.#pool).catch((error: unknown) => {
      if (error instanceof RangeError) throw error;
      this.#leave(error);
    });
  }

  /**
   * Finds the matches on the replica, and reads protections and linked identifiers on the primary. Undefined if the
   * primary must find the matches too. Never rejects.
   */
  async findUndisputedFacts(request: FactsRequest, reader: string): Promise<UndisputedFacts | undefined> {
    if (request.hashes.length === 0) return undefined;
    if (!this.#isLeft) return this.#answer(request, reader);
    if (performance.now() - this.#probedAt >= RETRY_MS) {
      this.#probedAt = performance.now();
      // In the background.
      void this.#answer(request, reader);
    }
    return undefined;
  }

  async #answer({ hashes, linkHash, short }: FactsRequest, reader: string): Promise<UndisputedFacts | undefined> {
    const askedAt = performance.now();
    const settings = this.#settings;
    const values = [toBytes(reader), toBytes(EVERYBODY)];
    const [writing, showing] = await Promise.allSettled([
      this.#run(settings.timeoutMs, (client) =>
        runWork(client, settings, () =>
          together(ask(PROGRESS, WRITTEN, ...values), findProtections(hashes), findLinkIdentifiers(linkHash)),
        ),
      ),
      this.#run(
        this.#answerMs,
        async (client) => {
          await this.#verify(client);
          return readShown(client, settings, short ? firstMatches(hashes) : findMatchesAtOnce(hashes), values);
        },
        this.#pool,
      ),
    ]);
    // If the primary failed, the caller asks the primary again and gets the error.
    if (writing.status === 'rejected') return undefined;
    const [[progress], protections, linkIdentifiers] = writing.value;
    const written = toProgress(progress?.own, progress?.everybodys, progress?.place);
    this.#places.note(written.place, askedAt);
    if (showing.status === 'rejected') {
      this.#leave(showing.reason);
      return undefined;
    }
    const { shown, found } = showing.value;
    const lacksForMs = this.#places.lacksFor(shown.place, performance.now());
    if (lacksForMs > this.#maxAgeMs) {
      this.#leave(new StoreUnavailableError(`the replica is ${Math.floor(lacksForMs / 1000)} s behind the primary`));
      return undefined;
    }
    if (this.#isLeft) this.#notice({ event: 'replica-used' });
    this.#isLeft = false;
    const ageMs = this.#places.ageOf(shown.place, performance.now());
    if (!holdsAll(shown, written) || ageMs > this.#maxAgeMs) return undefined;
    if (found.length === 0) return NO_FACTS;
    if (short && areCut(found)) return { matches: [], protections, linkIdentifiers, isCut: true };
    return { matches: found, protections, linkIdentifiers };
  }

  /** Verifies each connection once: its address may now lead to another server. */
  async #verify(client: PostgresClient): Promise<void> {
    if (this.#verified.has(client)) return;
    if ((await identityOf(client, this.#settings)) !== this.#identity)
      throw new RangeError(
        '"replica" expected a standby of the primary with the same database, got another server or database',
      );
    const recovery = { text: 'SELECT pg_is_in_recovery() AS follows' };
    const [standby] = await queryRows<{ readonly follows: boolean }>(client, recovery);
    if (!standby?.follows) throw new RangeError('"replica" expected a standby, got a server that accepts writes');
    if (!(await isUpToDate(client, this.#settings.schema)))
      throw new StoreUnavailableError('the replica does not have the newest schema yet');
    this.#verified.add(client);
  }

  #leave(error: unknown): void {
    this.#probedAt = performance.now();
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#notice({ event: 'replica-left', error });
  }
}

async function identityOf(client: PostgresClient, { statements }: RunSettings): Promise<unknown> {
  const [row] = await queryRows<{ readonly identity: unknown }>(client, statements.one(IDENTITY));
  return row?.identity;
}

/**
 * Runs a read. Returns the server's progress too, from the same snapshot. If the read needs several statements, the
 * progress of the first one counts.
 */
async function readShown<T>(
  client: PostgresClient,
  { statements }: RunSettings,
  read: SingleRead<T>,
  values: readonly SqlValue[],
): Promise<{ readonly shown: Progress; readonly found: T }> {
  const asked = read.next([]);
  if (asked.done) throw new RangeError('"read" expected a statement');
  const { sql, each } = asked.value;
  const answers: SqlRow[][] = each.map(() => []);
  const first: { shown: Progress | undefined } = { shown: undefined };
  for (let from = 0; from < each.length; from += LISTS_AT_ONCE) {
    const some = each.slice(from, from + LISTS_AT_ONCE);
    const statement = statements.manyBeside(sql, some, SHOWN);
    const [rows = []] = await queryAll(client, [{ ...statement, values: [...some.flat(), ...values] }]);
    for (const row of rows) {
      // A row of manyBeside has the columns of the read, the index of its parameter list, and the columns of SHOWN.
      const [list, own, everybodys, place, follows] = row.splice(-5);
      // A promoted standby no longer follows a primary.
      if (follows !== 1) throw new StoreUnavailableError('the replica was promoted and accepts writes');
      first.shown ??= toProgress(own, everybodys, place);
      if (typeof list === 'number') answers[from + list]?.push(row);
    }
  }
  if (!first.shown) throw new StoreUnavailableError('the replica did not report its replay position');
  const answered = read.next(answers);
  if (!answered.done) throw new RangeError('"read" expected one statement');
  return { shown: first.shown, found: answered.value };
}

/** A reporter without writes has no row. */
function toProgress(own: unknown, everybodys: unknown, place: unknown): Progress {
  return { own: Number(own ?? 0), everybodys: Number(everybodys ?? 0), place: Number(place) };
}
