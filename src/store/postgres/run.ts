import { onlyReads, type SqlAnswer, type SqlRow, type SqlStep, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { StoreFormatError, StoreUnavailableError } from '../errors.ts';
import { SoundConnectionError } from './lend.ts';
import { lockCalls } from './lock-number.ts';
import { POSTGRES_MIGRATIONS } from './schema.ts';
import type { PostgresClient } from './pool.ts';
import type { PreparedStatement, Statements } from './statements.ts';
import { codeOf, hasCrossed, isAnswer, toStoreError } from './unavailable.ts';
import { countWrites } from './writes.ts';

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
/** The OID of `bigint`, which drivers return as text. */
const INT8 = 20;

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
  const state = { begun: false, asking: false };
  const readers = new Set<string>();
  const begin = async (names: readonly string[]): Promise<void> => {
    const locking = names.length > 0 ? `SELECT ${lockCalls(settings.schema, names)}` : '';
    // One round trip. The locks need a statement of their own: a statement sees what was committed when it began, not
    // when it got its lock.
    const text = state.begun ? locking : `${beginText(settings)}; ${locking}`;
    const isFirst = !state.begun;
    state.begun = true;
    await client.query({ text }).catch((error: unknown) => {
      throw isFirst && codeOf(error) === DIVISION_BY_ZERO ? newerError(error) : error;
    });
  };
  const answer = async (step: SqlStep): Promise<SqlAnswer> => {
    if ('lock' in step) await begin(step.lock);
    if ('seenBy' in step) for (const reader of step.seenBy) readers.add(reader);
    if ('each' in step && !state.begun && !onlyReads(step.sql)) await begin([]);
    return answerRead(client, settings.statements, step);
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
    // Count and commit in one round trip: writes of one reporter then wait for each other only during the commit.
    if (state.begun) await client.query({ text: `${countWrites(settings.schema, readers)}COMMIT` });
    return next.value;
  } catch (error) {
    // An error that the work itself throws is misuse and passes unchanged.
    const told = state.asking ? toStoreError(error) : error;
    if (state.asking && !isAnswer(error)) throw told;
    try {
      if (state.begun) await client.query({ text: 'ROLLBACK' });
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
  while (!next.done) next = work.next(await answerRead(client, statements, next.value));
  return next.value;
}

/**
 * Returns the error for a schema that is newer than this program. The program could leave out new columns, so it only
 * reads from then on. The error keeps the server's code, which shows that the connection is usable.
 */
function newerError(cause: unknown): Error {
  const newer = new StoreFormatError(
    `the store has a newer schema than version ${POSTGRES_MIGRATIONS.length}, which this program knows: use a newer redflag`,
    { cause },
  );
  return Object.assign(new StoreUnavailableError('this program is too old to write to the store', { cause: newer }), {
    code: DIVISION_BY_ZERO,
  });
}

function beginText({ schema, timeoutMs }: RunSettings): string {
  // Not READ WRITE: if an operator sets READ ONLY as the default, it must apply. Reading the version keeps migrations
  // out until this transaction ends. If the version is newer, the statement fails with a division by zero.
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = ${timeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs};
    SELECT 1 / (version <= ${POSTGRES_MIGRATIONS.length})::int FROM "${schema}".redflag_version`;
}

/** Runs the statement of a step. Steps without a statement return no rows. */
async function answerRead(client: PostgresClient, statements: Statements, step: SqlStep): Promise<SqlAnswer> {
  const answers: SqlRow[][] = [];
  if (!('each' in step)) return answers;
  for (let from = 0; from < step.each.length; from += LISTS_AT_ONCE) {
    const some = step.each.slice(from, from + LISTS_AT_ONCE);
    const [only] = some;
    if (only && some.length === 1) {
      answers.push(await query(client, statements.one(step.sql), only));
      continue;
    }
    const parts: SqlRow[][] = some.map(() => []);
    const rows = await query(client, statements.many(step.sql, some), some.flat());
    for (const row of rows) parts[Number(row.pop())]?.push(row);
    answers.push(...parts);
  }
  return answers;
}

/** Runs a prepared statement. Returns rows as arrays, with whole numbers as numbers. */
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
