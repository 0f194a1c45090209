import { onlyReads, type SqlAnswer, type SqlRow, type SqlStep, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { StoreFormatError } from '../sql/format-error.ts';
import { StoreUnavailableError } from '../store.ts';
import { SoundConnectionError } from './lend.ts';
import { lockCalls } from './lock-number.ts';
import { POSTGRES_MIGRATIONS } from './migrate.ts';
import type { PostgresClient } from './pool.ts';
import type { PreparedStatement, Statements } from './statements.ts';
import { hasCrossed, isAnswer, toStoreError } from './unavailable.ts';
import { countWrites } from './writes.ts';

/** What every run on one store has in common. */
export interface RunSettings {
  readonly schema: string;
  readonly statements: Statements;
  /** The server itself ends a statement that takes longer, and a transaction that nobody goes on with. */
  readonly timeoutMs: number;
}

const DIVISION_BY_ZERO = '22012';
/** How often work is done again that crossed another's. Whoever was in its way has committed by then, so the second run nearly always ends it. */
const RUNS = 8;
/** How many lists of parameters one statement takes; each count is a text of its own. */
export const LISTS_AT_ONCE = 16;
/** The type of `bigint`, which drivers give as text. */
const INT8 = 20;

/**
 * Runs work on a connection, as one transaction when it writes. Rejects with SoundConnectionError when nothing is left to undo and the connection is as it was,
 * otherwise with StoreUnavailableError.
 *
 * READ COMMITTED: each statement sees what was committed before it, so what is read under a lock is what the lock's last holder left. Work that only reads, and what
 * is read before the first lock, is in no transaction: each of its statements is whole by itself.
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
  const state = { begun: false, asking: false };
  const readers = new Set<string>();
  const begin = async (names: readonly string[]): Promise<void> => {
    const locking = names.length > 0 ? `SELECT ${lockCalls(settings.schema, names)}` : '';
    // One way to the server and back. The locks are a statement of their own, for a statement sees what was committed when it began and not when it got its lock.
    const text = state.begun ? locking : `${beginText(settings)}; ${locking}`;
    const isFirst = !state.begun;
    state.begun = true;
    await client.query({ text }).catch((error: unknown) => {
      throw isFirst && (error as { code?: unknown }).code === DIVISION_BY_ZERO ? newerError(error) : error;
    });
  };
  const answer = async (step: SqlStep): Promise<SqlAnswer> => {
    if ('lock' in step) {
      await begin(step.lock);
      return [];
    }
    if ('seenBy' in step) {
      for (const reader of step.seenBy) readers.add(reader);
      return [];
    }
    if ('each' in step) return readMany(client, settings.statements, step.sql, step.each);
    if (!state.begun && !onlyReads(step.sql)) await begin([]);
    return query(client, settings.statements.one(step.sql), step.values);
  };

  try {
    let next = work.next([]);
    while (!next.done) {
      state.asking = true;
      const answered = await answer(next.value);
      state.asking = false;
      next = work.next(answered);
    }
    state.asking = true;
    // In one go, so that a reporter's writes wait for each other no longer than the commit takes, and whoever waits for a row of the count is waited for by nobody.
    if (state.begun) await client.query({ text: `${countWrites(settings.schema, readers)}COMMIT` });
    return next.value;
  } catch (error) {
    // An error of the work itself (misuse) is told as it is.
    const told = state.asking ? toStoreError(error) : error;
    if (state.asking && !isAnswer(error)) throw told;
    try {
      if (state.begun) await client.query({ text: 'ROLLBACK' });
    } catch {
      // The connection went with the answer; closing it undoes the work.
      throw told;
    }
    throw new SoundConnectionError(told, state.asking && hasCrossed(error));
  }
}

/** Runs work within a transaction of the caller's, which holds whatever there is to lock. Rejects with what the server says. */
export async function runInside<T>(client: PostgresClient, statements: Statements, work: SqlWork<T>): Promise<T> {
  let next = work.next([]);
  while (!next.done) {
    const step = next.value;
    const answer =
      'lock' in step || 'seenBy' in step
        ? []
        : 'each' in step
          ? readMany(client, statements, step.sql, step.each)
          : query(client, statements.one(step.sql), step.values);
    next = work.next(await answer);
  }
  return next.value;
}

/** An older program that writes into a newer schema may leave out what is in it: it only reads from then on. The server's code stays, by which the connection is known to be sound. */
function newerError(cause: unknown): Error {
  const newer = new StoreFormatError(
    `the store was brought up to a newer schema than version ${POSTGRES_MIGRATIONS.length}, which is all that this program knows: use a newer redflag`,
    { cause },
  );
  return Object.assign(new StoreUnavailableError('this program writes nothing more', { cause: newer }), {
    code: DIVISION_BY_ZERO,
  });
}

function beginText({ schema, timeoutMs }: RunSettings): string {
  // Not READ WRITE: where the operator's default is to write nothing, that holds. The read of the version keeps who would change it out until this transaction has ended,
  // and divides by zero when somebody has.
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs};
    SELECT 1 / (version <= ${POSTGRES_MIGRATIONS.length})::int FROM "${schema}".redflag_version`;
}

async function readMany(
  client: PostgresClient,
  statements: Statements,
  sql: string,
  lists: readonly (readonly SqlValue[])[],
): Promise<readonly (readonly SqlRow[])[]> {
  const answers: SqlValue[][][] = lists.map(() => []);
  for (let from = 0; from < lists.length; from += LISTS_AT_ONCE) {
    const some = lists.slice(from, from + LISTS_AT_ONCE);
    if (some.length === 1) {
      answers[from] = await query(client, statements.one(sql), some[0]!);
      continue;
    }
    for (const row of await query(client, statements.many(sql, some), some.flat()))
      answers[from + (row.pop() as number)]!.push(row);
  }
  return answers;
}

/** Runs a prepared statement; its whole numbers as numbers. */
export async function query(
  client: PostgresClient,
  { name, text }: PreparedStatement,
  values: readonly SqlValue[],
): Promise<SqlValue[][]> {
  const { rows, fields } = await client.query({ name, text, values: values as SqlValue[], rowMode: 'array' });
  const found = rows as SqlValue[][];
  if (found.length === 0) return found;
  for (const [column, { dataTypeID }] of fields.entries()) {
    if (dataTypeID !== INT8) continue;
    for (const row of found) if (row[column] !== null) row[column] = Number(row[column]);
  }
  return found;
}
