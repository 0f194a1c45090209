/** A value as SQL engines take and give it. */
export type SqlValue = string | number | Uint8Array | null;

/** One row, by column position. */
export type SqlRow = readonly SqlValue[];

/** One statement to run with its parameters. */
export interface SqlStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** One reading statement to run for each list of parameters, which are alike: text, whole numbers or bytes at each place. A server may take them in one go. */
export interface SqlEach {
  readonly sql: string;
  readonly each: readonly (readonly SqlValue[])[];
}

/** Names that nobody else may hold until the work has ended: what is read from here on stays true until then. */
export interface SqlLock {
  readonly lock: readonly string[];
}

/** Reporters whose queries must find what this work writes from then on, wherever they are answered: ids, or {@link EVERYBODY}. */
export interface SqlSeenBy {
  readonly seenBy: readonly string[];
}

export type SqlStep = SqlStatement | SqlEach | SqlLock | SqlSeenBy;

/** What a step is answered with: rows; for {@link SqlEach} the rows of each list; nothing for the others. */
export type SqlAnswer = readonly SqlRow[] | readonly (readonly SqlRow[])[];

/**
 * A piece of work on the database that says which statements it wants and is handed their rows. It does not know whether the engine below
 * answers at once (SQLite in this process) or later (a server), so one text serves both.
 *
 * It may be run again from its beginning when a server found that it crossed another's, so it keeps nothing outside itself.
 */
export type SqlWork<T> = Generator<SqlStep, T, SqlAnswer>;

/** Runs one statement inside a {@link SqlWork}: `const rows = yield* sql('SELECT …', a, b)`. */
export function* sql(text: string, ...values: SqlValue[]): SqlWork<readonly SqlRow[]> {
  return (yield { sql: text, values }) as readonly SqlRow[];
}

/** Runs one reading statement for each list of parameters; gives the rows of each, in the order of the lists. */
export function* each(text: string, lists: readonly (readonly SqlValue[])[]): SqlWork<readonly (readonly SqlRow[])[]> {
  if (lists.length === 0) return [];
  return (yield { sql: text, each: lists }) as readonly (readonly SqlRow[])[];
}

/**
 * Waits until this work alone holds all of `names` (`report/0a1b…`), which it does until it ends. On an engine that runs one work after
 * another there is nothing to wait for. What was read before may have changed meanwhile. Work that needs two locks one after the other takes
 * them in the order report, hash: two that wait for each other are both delayed, and one is run again.
 */
export function* lock(...names: string[]): SqlWork<void> {
  if (names.length > 0) yield { lock: names };
}

/** In the place of a reporter's id: whoever asks. */
export const EVERYBODY = '';

/** Says for whom what was written holds at once. Copies of the database that answer queries are held to it; an engine that has none does nothing. */
export function* seenBy(...readers: string[]): SqlWork<void> {
  yield { seenBy: readers };
}

/** The most rows that one statement inserts: their number is part of its text, and each text is prepared once. */
const INSERTED_AT_ONCE = 16;

/** Inserts rows, as few statements as it takes. `head` is the text before VALUES, `tail` what comes after. */
export function* insert(head: string, rows: readonly (readonly SqlValue[])[], tail = ''): SqlWork<void> {
  for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE) {
    const some = rows.slice(from, from + INSERTED_AT_ONCE);
    const row = `(${some[0]!.map(() => '?').join(', ')})`;
    yield* sql(`${head} VALUES ${some.map(() => row).join(', ')}${tail}`, ...some.flat());
  }
}

/** Answers a step on an engine that runs statements at once and one work after another. */
export function answerAtOnce(
  step: SqlStep,
  run: (sql: string, values: readonly SqlValue[]) => readonly SqlRow[],
): SqlAnswer {
  if ('values' in step) return run(step.sql, step.values);
  return 'each' in step ? step.each.map((values) => run(step.sql, values)) : [];
}

/** True for a statement that only reads; what writes begins with neither word here. */
export function onlyReads(text: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text);
}
