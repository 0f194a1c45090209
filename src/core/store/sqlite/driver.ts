import type { Database } from 'sql.js';
import { StoreError, StoreUnavailableError } from '../errors.ts';
import { onlyReads, type SqlRow, type SqlStep, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { faultOf } from './faults.ts';

/**
 * SQLite in this process, in any build. Each call is synchronous. One connection, one transaction at a time. A call
 * throws the error of the build; `faultOf` distinguishes disk faults from misuse.
 */
export interface SqliteDriver {
  prepare(text: string): SqliteStatement;
  /** Runs any number of statements without parameters. */
  exec(text: string): void;
  /** Closes the connection. Free its statements first. */
  close(): void;
}

/** A prepared statement. If it throws, free it and never run it again. */
export interface SqliteStatement {
  /**
   * Runs a statement that returns rows. Values are in column order. Integers are numbers. A blob is a copy
   * (Uint8Array).
   */
  all(values: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement without rows. */
  run(values: readonly SqlValue[]): void;
  free(): void;
}

/** The statements of one connection, each prepared once. */
export interface KeptStatements {
  readonly step: RunStatement;
  /** Runs a statement without parameters and rows, such as `BEGIN`. */
  command(text: string): void;
  free(): void;
}

/** Runs one statement and returns its rows. A statement that writes returns none. */
export type RunStatement = (text: string, values: readonly SqlValue[]) => readonly SqlRow[];

/** Prepares each statement of a connection once. `beforeWrite` runs before each statement that writes. */
export function keepStatements(driver: SqliteDriver, beforeWrite?: () => void): KeptStatements {
  const kept = new Map<string, { readonly statement: SqliteStatement; readonly isRead: boolean }>();

  /** Frees a failed statement. It may still have rows to return, which would keep its transaction open. */
  const drop = (text: string): void => {
    const known = kept.get(text);
    kept.delete(text);
    try {
      known?.statement.free();
    } catch {
      // Freeing throws the error of the failed run again.
    }
  };

  const step: RunStatement = (text, values) => {
    let known = kept.get(text);
    if (known === undefined) kept.set(text, (known = { statement: driver.prepare(text), isRead: onlyReads(text) }));
    const { statement, isRead } = known;
    if (!isRead) beforeWrite?.();
    try {
      if (isRead) return statement.all(values);
      statement.run(values);
      return [];
    } catch (error) {
      drop(text);
      throw error;
    }
  };

  return {
    step,
    command: (text) => void step(text, []),
    free() {
      for (const text of kept.keys()) drop(text);
    },
  };
}

/** Runs the steps of a work until its next pause or its end. If the work has ended, the result is `done`. */
export function runToPause<T>(work: SqlWork<T>, run: RunStatement): IteratorResult<SqlStep, T> {
  let next = work.next([]);
  while (!next.done && !('pause' in next.value)) {
    const answers: (readonly SqlRow[])[] = [];
    if ('each' in next.value) for (const values of next.value.each) answers.push(run(next.value.sql, values));
    if ('reads' in next.value)
      for (const { sql, each } of next.value.reads) for (const values of each) answers.push(run(sql, values));
    next = work.next(answers);
  }
  return next;
}

/** Runs a work to its end and ignores its pauses. */
export function finish<T>(work: SqlWork<T>, run: RunStatement): T {
  let next = runToPause(work, run);
  while (!next.done) next = runToPause(work, run);
  return next.value;
}

/** Runs a work to its end. Each call of `run` continues to the next pause, where other work runs. */
export function finishInTurns<T>(run: () => IteratorResult<SqlStep, T>): T | Promise<T> {
  const next = run();
  if (next.done) return next.value;
  return new Promise((resolve) => setTimeout(resolve)).then(() => finishInTurns(run));
}

/** Runs one statement once and returns its first column. */
export function askColumn(driver: SqliteDriver, text: string): readonly SqlValue[] {
  const statement = driver.prepare(text);
  try {
    return statement.all([]).map(([value]) => value ?? null);
  } finally {
    statement.free();
  }
}

/** Runs {@link SqlWork} on a database in memory with a single user. */
export interface SingleRunner {
  /** Runs the work as one transaction. If it wrote, `beforeCommit` runs; if that throws, nothing is written. */
  run<T>(work: SqlWork<T>, beforeCommit?: () => void): T;
  /** Continues a work that only reads, to its next pause or its end. */
  read<T>(work: SqlWork<T>): IteratorResult<SqlStep, T>;
  /** Runs everything until {@link endBulk} as one transaction: in a replay, commits would cost more than the work. */
  beginBulk(): void;
  endBulk(): void;
  close(): void;
}

export function createSingleRunner(driver: SqliteDriver): SingleRunner {
  // `writing` is true from the first writing statement of a transaction until its end.
  const state = { writing: false, bulk: false };

  const statements = keepStatements(driver, () => {
    if (state.writing) return;
    // Begin at the first write only. Set `writing` first, because BEGIN calls this function too.
    state.writing = true;
    if (!state.bulk) statements.command('BEGIN');
  });

  const fail = (error: unknown): unknown => {
    try {
      if (state.writing && !state.bulk) statements.command('ROLLBACK');
    } catch {
      // SQLite rolled back already, as it does when memory runs out.
    }
    state.writing = false;
    if (error instanceof StoreError || !faultOf(error)) return error;
    return new StoreUnavailableError('the database in memory failed and was rolled back; often, memory has run out', {
      cause: error,
    });
  };

  return {
    run(work, beforeCommit) {
      try {
        const value = finish(work, statements.step);
        if (state.writing) beforeCommit?.();
        if (state.writing && !state.bulk) statements.command('COMMIT');
        state.writing = false;
        return value;
      } catch (error) {
        throw fail(error);
      }
    },
    read(work) {
      try {
        return runToPause(work, statements.step);
      } catch (error) {
        throw fail(error);
      }
    },
    beginBulk() {
      driver.exec('BEGIN');
      state.bulk = true;
    },
    endBulk() {
      state.bulk = false;
      driver.exec('COMMIT');
    },
    close() {
      statements.free();
      driver.close();
    },
  };
}

/** The driver of sql.js. */
export function sqljsDriver(db: Database): SqliteDriver {
  return {
    prepare(text) {
      const statement = db.prepare(text);
      return {
        all(values) {
          statement.bind(values as SqlValue[]);
          const rows: SqlRow[] = [];
          while (statement.step()) rows.push(statement.get());
          statement.reset();
          return rows;
        },
        run: (values) => statement.run(values as SqlValue[]),
        free: () => void statement.free(),
      };
    },
    exec: (text) => void db.run(text),
    close: () => db.close(),
  };
}
