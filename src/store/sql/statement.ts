/** A value as SQL engines accept and return it. */
export type SqlValue = string | number | Uint8Array | null;

/** One row, in the order of the statement's columns. Only `rows.ts` and the drivers use it; other code uses names. */
export type SqlRow = readonly SqlValue[];

/**
 * One statement to run for each list of parameters. All lists have the same types at the same places. A server may run
 * a reading statement for all lists in one round trip. A statement that writes has exactly one list.
 */
export interface SqlStatement {
  readonly sql: string;
  readonly each: readonly (readonly SqlValue[])[];
}

/**
 * Names (`report/0a1b…`) to lock until the work ends. The work continues when it alone holds them. An engine that runs
 * one work at a time never waits. Data that was read before may have changed meanwhile.
 *
 * If work takes two locks one after the other, take the report's lock before the hash's lock. Otherwise two works may
 * deadlock, and one of them runs again.
 */
export interface SqlLock {
  readonly lock: readonly string[];
}

/** Means every reporter, in place of a reporter's id. */
export const EVERYBODY = '';

/** Reporters whose next queries must find what this work writes, on every server. Ids, or {@link EVERYBODY}. */
export interface SqlSeenBy {
  readonly seenBy: readonly string[];
}

/** Lets other work run, on an engine in this process. Later reads may then see other writes. A server ignores it. */
export interface SqlPause {
  readonly pause: true;
}

export type SqlStep = SqlStatement | SqlLock | SqlSeenBy | SqlPause;

/** The answer to a step: the rows for each list of a {@link SqlStatement}; empty for other steps. */
export type SqlAnswer = readonly (readonly SqlRow[])[];

/**
 * Work on the database, as a generator: it yields statements and receives their rows. The database answers at once
 * (SQLite in this process) or later (a server), so the same code serves both.
 *
 * After a conflict, a server may run the work again from the beginning. So work must not keep state outside itself.
 */
export type SqlWork<T> = Generator<SqlStep, T, SqlAnswer>;

/** Work with at most one statement. */
export type SingleRead<T> = Generator<SqlStatement, T, SqlAnswer>;

/** Runs one statement: `yield* sql('DELETE …', a, b)`. */
export function* sql(text: string, ...values: SqlValue[]): SingleRead<readonly SqlRow[]> {
  const [rows = []] = yield { sql: text, each: [values] };
  return rows;
}

/** True for a statement that only reads. In this store, statements that write begin with other words. */
export function onlyReads(text: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text);
}
