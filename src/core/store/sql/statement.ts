/** A value as SQL engines accept and return it. */
export type SqlValue = string | number | Uint8Array | null;

/** One row, in the order of the statement's columns. Only `rows.ts` and the drivers use it; other code uses names. */
export type SqlRow = readonly SqlValue[];

/**
 * One statement to run for each list of parameters. All lists have the same types at the same places. A server may run
 * a reading statement for all lists in one round trip. A statement that writes has exactly one list.
 */
export interface SqlStatement {
  /** With `?` for each parameter. */
  readonly sql: string;
  /** Lists of parameters. The answer has the rows of each list. */
  readonly each: readonly (readonly SqlValue[])[];
  /** A condition of SQL without which a reading statement returns no rows. Only a server supports it. */
  readonly onlyIf?: string | undefined;
}

/** Reading statements whose answers are needed together. A server runs all of them in one round trip. */
export interface SqlReads {
  /** In the order of their answers. */
  readonly reads: readonly SqlStatement[];
}

/**
 * Names (`report/0a1b…`) to lock until the work ends. The work continues when no other work holds these locks. An
 * engine that runs one work at a time never waits. Data that was read before may have changed meanwhile.
 *
 * If work takes two locks one after the other, take the report's lock before the hash's lock. Otherwise two works may
 * deadlock, and one of them runs again.
 */
export interface SqlLock {
  /** All that the next statements need. */
  readonly lock: readonly string[];
}

/** Name of the lock for work that changes links of a hash or moves the hash to another pepper. */
export const hashLock = (hash: string): string => `hash/${hash}`;

/** Means every reporter, in place of a reporter's id. */
export const EVERYBODY = '';

/** Reporters whose next queries must find what this work writes, on every server. */
export interface SqlSeenBy {
  /** Ids. An empty text means every reporter. */
  readonly seenBy: readonly string[];
}

/** Lets other work run, on an engine in this process. Later reads may then see other writes. A server ignores it. */
export interface SqlPause {
  /** Distinguishes it from a statement. */
  readonly pause: true;
}

/** What a work yields. */
export type SqlStep = SqlStatement | SqlReads | SqlLock | SqlSeenBy | SqlPause;

/** The answer to a step: the rows for each list of each statement, in order; empty for steps without a statement. */
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
