import { toBytes } from '../sql/bytes.ts';
import { workOf } from '../sql/methods.ts';
import { EVERYBODY, type SqlEach, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { StoreUnavailableError, type Match } from '../store.ts';
import { hearErrors } from './lend.ts';
import { createLogPlaces } from './log-places.ts';
import { isUpToDate } from './migrate.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { LISTS_AT_ONCE, query, type RunSettings } from './run.ts';
import { toStoreError } from './unavailable.ts';
import { holdsAll, WRITE_COUNTS, type WriteCounts } from './writes.ts';

/** A streaming replica (hot standby) that queries may be answered by. */
export interface ReplicaOptions {
  /** Where connections to it come from. It stays the caller's, who ends it after the store is closed. */
  readonly pool: PostgresPool;
  /** How many milliseconds what it shows of others may be old before the primary answers; 10,000 unless given. */
  readonly maxAgeMs?: number;
}

/** Something happened that was dealt with. */
export type PostgresNotice =
  /** The replica is not asked any more, because it does not answer, is too far behind, or is no replica; the primary answers. It is tried again every 5 seconds. */
  | { readonly event: 'replica-left'; readonly error: unknown }
  /** It is asked again. */
  | { readonly event: 'replica-used' };

export interface Replica {
  /** What the store's method finds, or undefined where the primary has to answer. Never rejects. */
  findMatches(hashes: readonly string[], reader: string): Promise<Match[] | undefined>;
}

/** Runs a task on a connection to the primary, or to another server. */
export type RunTask = <T>(
  withinMs: number,
  task: (client: PostgresClient) => Promise<T>,
  from?: PostgresPool,
) => Promise<T>;

const MAX_AGE_MS = 10_000;
/** The primary answers when the replica has not by then: it is there to take work off, not to be waited for. */
const ANSWER_MS = 1_000;
/** One that was left is tried again after so long, beside the queries, which the primary answers meanwhile. */
const RETRY_MS = 5_000;

/** The same server under two addresses has the same number, and a database of it the same oid. Both come to a standby. */
const IDENTITY =
  "SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity";
/** What is written, and how far the log has got, in bytes. */
const WRITTEN = `SELECT counts.*, (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint AS place FROM (${WRITE_COUNTS}) AS counts`;
const SHOWN = `SELECT counts.*, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS place, pg_is_in_recovery() AS follows FROM (${WRITE_COUNTS}) AS counts`;

/** What a server has got. */
interface Progress extends WriteCounts {
  readonly place: number;
}

/**
 * Rejects with RangeError for a wrong option, and for a server that answers and is no standby of the primary. One that does not answer, or has not got the schema
 * yet, is left for now, with a notice.
 */
export async function createReplica(
  options: ReplicaOptions,
  settings: RunSettings,
  run: RunTask,
  notice: (told: PostgresNotice) => void,
): Promise<Replica> {
  const { pool, maxAgeMs = MAX_AGE_MS } = options;
  if (!Number.isSafeInteger(maxAgeMs) || maxAgeMs < 1)
    throw new RangeError(`"replica.maxAgeMs" expected a whole number from 1, got ${String(maxAgeMs)}`);
  hearErrors(pool);
  const { statements } = settings;
  const answerMs = Math.min(ANSWER_MS, settings.timeoutMs);
  const places = createLogPlaces(maxAgeMs);
  const proved = new WeakSet<object>();
  const state: { left: boolean; triedAt: number } = { left: false, triedAt: 0 };

  const identityOf = async (client: PostgresClient): Promise<SqlValue> =>
    (await query(client, statements.one(IDENTITY), []))[0]![0]!;
  const identity = await run(settings.timeoutMs, identityOf).catch((error: unknown) => {
    throw toStoreError(error);
  });

  /** Each connection once: its address may lead to another server by now. */
  const prove = async (client: PostgresClient): Promise<void> => {
    if (proved.has(client)) return;
    if ((await identityOf(client)) !== identity)
      throw new RangeError(
        '"replica" expected a standby of the primary, with the same database, got another server or database',
      );
    const { rows } = await client.query({ text: 'SELECT pg_is_in_recovery()', values: [], rowMode: 'array' });
    if ((rows[0] as [boolean])[0] !== true)
      throw new RangeError('"replica" expected a standby, got a server that takes writes itself');
    if (!(await isUpToDate(client, settings.schema)))
      throw new StoreUnavailableError('the replica has not got the newest schema yet');
    proved.add(client);
  };

  const leave = (error: unknown): void => {
    state.triedAt = performance.now();
    if (state.left) return;
    state.left = true;
    notice({ event: 'replica-left', error });
  };

  const ask = async (hashes: readonly string[], reader: string): Promise<Match[] | undefined> => {
    const askedAt = performance.now();
    const values = [toBytes(reader), toBytes(EVERYBODY)];
    const [writing, showing] = await Promise.allSettled([
      run(settings.timeoutMs, async (client) => toProgress((await query(client, statements.one(WRITTEN), values))[0]!)),
      run(
        answerMs,
        async (client) => {
          await prove(client);
          return readShown(client, settings, workOf('findMatches', [hashes]) as SqlWork<Match[]>, values);
        },
        pool,
      ),
    ]);
    // That is for the primary to tell.
    if (writing.status === 'rejected') return undefined;
    const written = writing.value;
    places.note(written.place, askedAt);
    if (showing.status === 'rejected') {
      leave(showing.reason);
      return undefined;
    }
    const { shown, found } = showing.value;
    const lacksForMs = places.lacksFor(shown.place, performance.now());
    if (lacksForMs > maxAgeMs) {
      leave(
        new StoreUnavailableError(`the replica lacks what the primary wrote ${Math.floor(lacksForMs / 1000)} s ago`),
      );
      return undefined;
    }
    if (state.left) notice({ event: 'replica-used' });
    state.left = false;
    return holdsAll(shown, written) && places.ageOf(shown.place, performance.now()) <= maxAgeMs ? found : undefined;
  };

  await run(answerMs, prove, pool).catch((error: unknown) => {
    if (error instanceof RangeError) throw error;
    leave(error);
  });

  return {
    async findMatches(hashes, reader) {
      if (hashes.length === 0) return undefined;
      if (!state.left) return ask(hashes, reader);
      if (performance.now() - state.triedAt >= RETRY_MS) {
        state.triedAt = performance.now();
        // Nobody waits for it.
        void ask(hashes, reader);
      }
      return undefined;
    },
  };
}

/** Runs a work's reading step and tells what the server had got in the same snapshot, of several the first. */
async function readShown<T>(
  client: PostgresClient,
  { statements }: RunSettings,
  work: SqlWork<T>,
  values: readonly SqlValue[],
): Promise<{ readonly shown: Progress; readonly found: T }> {
  const { sql, each } = work.next([]).value as SqlEach;
  const answers: SqlValue[][][] = each.map(() => []);
  const first: { shown?: Progress } = {};
  for (let from = 0; from < each.length; from += LISTS_AT_ONCE) {
    const some = each.slice(from, from + LISTS_AT_ONCE);
    for (const row of await query(client, statements.manyBeside(sql, some, SHOWN), [...some.flat(), ...values])) {
      // A standby that was made a server of its own follows nobody any more.
      if ((row.pop() as unknown) !== true) throw new StoreUnavailableError('the replica takes writes itself by now');
      const shown = toProgress(row.splice(-3));
      first.shown ??= shown;
      const at = row.pop();
      if (at !== null) answers[from + (at as number)]!.push(row);
    }
  }
  return { shown: first.shown!, found: work.next(answers).value as T };
}

/** Who has never written has no row. */
function toProgress([own, everybodys, place]: readonly SqlValue[]): Progress {
  return { own: Number(own ?? 0), everybodys: Number(everybodys ?? 0), place: Number(place) };
}
