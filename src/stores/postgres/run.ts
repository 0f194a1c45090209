import { SHA256 } from '../../core/crypto/crypto.ts';
import { toBytes } from '../../core/store/sql/columns.ts';
import { onlyReads, type SqlAnswer, type SqlRow, type SqlStep, type SqlWork } from '../../core/store/sql/statement.ts';
import { StoreFormatError, StoreUnavailableError } from '../../core/store/errors.ts';
import { SoundConnectionError } from './lend.ts';
import { POSTGRES_MIGRATIONS } from './schema.ts';
import type { PostgresClient } from './pool.ts';
import { readersToCount, COUNT_WRITE } from './replica-progress.ts';
import { canPipeline, queryAll, type BoundStatement, type Rows } from './round-trip.ts';
import type { Statements } from './statements.ts';
import { codeOf, hasCrossed, isAnswer, toStoreError } from './unavailable.ts';

/** Settings that all work of one store shares. */
export interface RunSettings {
  readonly schema: string;
  readonly statements: Statements;
  /** Milliseconds after which the server ends a statement, or an idle transaction. */
  readonly timeoutMs: number;
}

const DIVISION_BY_ZERO = '22012';
/**
 * Maximum runs of work that conflicts with other work. The other work has committed by then, so two almost always
 * suffice.
 */
const RUNS = 8;
/** Maximum parameter lists per statement. Each number of lists needs its own prepared statement. */
export const LISTS_AT_ONCE = 16;

/**
 * Runs work on a connection. Work that writes is one transaction. Pauses are ignored. Rejects with SoundConnectionError
 * if everything was rolled back and the connection is usable, otherwise with StoreUnavailableError.
 *
 * READ COMMITTED: each statement sees what was committed before it, so a read under a lock sees the previous holder's
 * writes. Reads before the first lock run outside a transaction, and so does work that only reads: each statement is
 * consistent by itself.
 */
export async function runWork<T>(client: PostgresClient, settings: RunSettings, start: () => SqlWork<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await runOnce(client, settings, start());
    } catch (error) {
      if (!(error instanceof SoundConnectionError) || !error.crossed || run === RUNS) throw error;
    }
  }
}

async function runOnce<T>(client: PostgresClient, settings: RunSettings, work: SqlWork<T>): Promise<T> {
  const { schema, statements } = settings;
  // `begun`: the work needs a transaction. `open`: the transaction's beginning was sent. `asking`: the server has not
  // answered, or answered with an error.
  const state = { begun: false, open: false, asking: false };
  const readers = new Set<string>();
  /** Statements that are sent with the next ones. A write has no answer to wait for. */
  let waiting: BoundStatement[] = [];

  const begin = (statements = beginning(settings)): void => {
    if (!state.begun) waiting.push(...statements);
    state.begun = true;
  };

  const send = async (): Promise<Rows[]> => {
    const sent = waiting;
    waiting = [];
    const isFirst = !state.open;
    state.open = state.begun;
    state.asking = true;
    try {
      const answers = await queryAll(client, sent);
      state.asking = false;
      return answers;
    } catch (error) {
      throw isFirst && codeOf(error) === DIVISION_BY_ZERO ? newerError(error) : error;
    }
  };

  const answer = async (step: SqlStep): Promise<SqlAnswer> => {
    if ('seenBy' in step) for (const reader of step.seenBy) readers.add(reader);
    if ('lock' in step) {
      begin();
      // Each lock needs its own statement before those of the work. A statement sees what was committed when it began,
      // not when it got its lock.
      for (const lock of lockNumbers(schema, step.lock)) waiting.push({ ...statements.one(LOCK), values: [`${lock}`] });
    }
    const parts = partsOf(statements, step);
    if ('each' in step && !onlyReads(step.sql)) {
      begin();
      waiting.push(...parts);
      return step.each.map(() => []);
    }
    if (parts.length === 0) return [];
    // If the reads are sent one after the other, they need an explicit transaction. One round trip is a transaction by
    // itself.
    if ('reads' in step && !canPipeline(client)) begin(beginning(settings).slice(0, 1));
    const from = waiting.length;
    waiting.push(...parts);
    const answers = await send();
    return toAnswer(parts, answers.slice(from));
  };

  try {
    let next = work.next([]);
    while (!next.done) next = work.next(await answer(next.value));
    if (state.begun) {
      // Count and commit together: writes of one reporter then wait for each other only during the commit.
      for (const reader of readersToCount(readers))
        waiting.push({ ...statements.one(COUNT_WRITE), values: [toBytes(reader)] });
      waiting.push({ ...statements.one('COMMIT'), values: [] });
      await send();
    }
    return next.value;
  } catch (error) {
    // An error that the work itself throws is misuse or damage, and passes unchanged.
    const told = state.asking ? toStoreError(error) : error;
    if (state.asking && !isAnswer(error)) throw told;
    try {
      if (state.open) await client.query({ text: 'ROLLBACK' });
    } catch {
      // The connection broke. Closing it rolls the work back.
      throw told;
    }
    throw new SoundConnectionError(told, state.asking && hasCrossed(error));
  }
}

/**
 * Runs work in the caller's transaction, which must hold every lock that the work needs. Rejects with the server's
 * error.
 */
export async function runInside<T>(client: PostgresClient, statements: Statements, work: SqlWork<T>): Promise<T> {
  let next = work.next([]);
  while (!next.done) {
    const parts = partsOf(statements, next.value);
    next = work.next(toAnswer(parts, await queryAll(client, parts)));
  }
  return next.value;
}

/**
 * Returns the error for a schema that is newer than this program. The program could leave out new columns, so it only
 * reads from then on. The error keeps the server's code, which shows that the connection is usable.
 */
function newerError(cause: unknown): Error {
  const newer = new StoreFormatError(
    `the store has a newer schema, but this program supports at most version ${POSTGRES_MIGRATIONS.length}: ` +
      'use a newer redflag',
    { cause },
  );
  return Object.assign(
    new StoreUnavailableError('this program is too old to write to the store; use a newer redflag', { cause: newer }),
    { code: DIVISION_BY_ZERO },
  );
}

/** The statements that begin a transaction. Those of the work follow in the same round trip. */
function beginning({ statements, timeoutMs }: RunSettings): BoundStatement[] {
  return [
    // Not READ WRITE: if an operator sets READ ONLY as the default, it must apply.
    { ...statements.one('BEGIN ISOLATION LEVEL READ COMMITTED'), values: [] },
    { ...statements.one(LIMIT_TIME), values: [`${timeoutMs}`, `${timeoutMs}`] },
    // Reading the version keeps migrations out until this transaction ends.
    { ...statements.one(KNOWN_VERSION), values: [] },
  ];
}

const LIMIT_TIME =
  "SELECT set_config('statement_timeout', ?, true), set_config('idle_in_transaction_session_timeout', ?, true)";
/** If the version is newer, the statement fails with a division by zero. */
const KNOWN_VERSION = `SELECT 1 / (version <= ${POSTGRES_MIGRATIONS.length})::int FROM redflag_version`;
const LOCK = 'SELECT pg_advisory_xact_lock(?)';

/** A statement of a step for some of its lists of parameters. */
interface Part extends BoundStatement {
  readonly lists: number;
}

/** Returns what to send for a step; nothing for a step without a statement. */
function partsOf(statements: Statements, step: SqlStep): Part[] {
  const asked = 'each' in step ? [step] : 'reads' in step ? step.reads : [];
  const parts: Part[] = [];
  for (const { sql, each, onlyIf } of asked) {
    for (let from = 0; from < each.length; from += LISTS_AT_ONCE) {
      const some = each.slice(from, from + LISTS_AT_ONCE);
      const isPlain = some.length === 1 && onlyIf === undefined;
      const statement = isPlain ? statements.one(sql) : statements.many(sql, some, onlyIf);
      parts.push({ ...statement, values: some.flat(), lists: some.length });
    }
  }
  return parts;
}

/** Returns the rows for each list of each part. */
function toAnswer(parts: readonly Part[], found: readonly Rows[]): SqlAnswer {
  return parts.flatMap(({ lists }, at) => {
    const rows = found[at] ?? [];
    if (lists === 1) return [rows];
    const ofList: SqlRow[][] = Array.from({ length: lists }, () => []);
    for (const row of rows) ofList[Number(row.pop())]?.push(row);
    return ofList;
  });
}

/**
 * Returns the number of an advisory lock, the same in every process and version. Advisory locks belong to the whole
 * database, so the number depends on the schema too. If two names have one number, their users only wait for each
 * other.
 */
export function lockNumber(schema: string, name: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${SHA256.digest(`redflag/${schema}/${name}`).slice(0, 16)}`));
}

/** Returns the numbers of these locks, sorted, so that two transactions cannot deadlock. */
function lockNumbers(schema: string, names: readonly string[]): bigint[] {
  return [...new Set(names.map((name) => lockNumber(schema, name)))].sort((a, b) => (a < b ? -1 : 1));
}
