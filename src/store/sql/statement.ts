/** A value as SQL engines take and give it. */
export type SqlValue = string | number | Uint8Array | null;

/** One row, by column position. */
export type SqlRow = readonly SqlValue[];

/** One statement to run with its parameters. */
export interface SqlStep {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * A piece of work on the database that says which statements it wants and is handed their rows. It does not know whether the engine below
 * answers at once (SQLite in this process) or later (a server), so one text serves both.
 */
export type SqlWork<T> = Generator<SqlStep, T, readonly SqlRow[]>;

/** Runs one statement inside a {@link SqlWork}: `const rows = yield* sql('SELECT …', a, b)`. */
export function* sql(text: string, ...values: SqlValue[]): SqlWork<readonly SqlRow[]> {
  return yield { sql: text, values };
}

/** True for a statement that only reads; what writes begins with neither word here. */
export function onlyReads(text: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text);
}
