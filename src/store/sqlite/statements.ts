import { answerAtOnce, onlyReads, type SqlRow, type SqlValue, type SqlWork } from '../sql/statement.ts';
import type { SqliteDriver, SqliteStatement } from './driver.ts';

/** The statements of one connection, prepared once and kept. */
export interface KeptStatements {
  /** Runs one statement and answers its rows; none for one that writes. `beforeWrite` is called ahead of one that writes. */
  step(text: string, values: readonly SqlValue[], beforeWrite?: () => void): readonly SqlRow[];
  /** Runs a statement without parameters and rows: `BEGIN` and its like. */
  command(text: string): void;
  /** Frees them all. */
  free(): void;
}

export function keepStatements(driver: SqliteDriver): KeptStatements {
  const kept = new Map<string, { readonly statement: SqliteStatement; readonly writes: boolean }>();

  const prepare = (text: string) => {
    let entry = kept.get(text);
    if (entry === undefined) kept.set(text, (entry = { statement: driver.prepare(text), writes: !onlyReads(text) }));
    return entry;
  };

  /** A statement that failed may still be in the middle of its rows, which would keep its transaction open. */
  const drop = (text: string): void => {
    const entry = kept.get(text);
    kept.delete(text);
    try {
      entry?.statement.free();
    } catch {
      // Freeing tells the same error once more.
    }
  };

  const step = (text: string, values: readonly SqlValue[], beforeWrite?: () => void): readonly SqlRow[] => {
    const { statement, writes } = prepare(text);
    if (writes) beforeWrite?.();
    try {
      if (!writes) return statement.all(values);
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

/** Does a piece of work to its end, at once, with nothing in between. */
export function finish<T>(work: SqlWork<T>, step: (text: string, values: readonly SqlValue[]) => readonly SqlRow[]): T {
  let next = work.next([]);
  while (!next.done) next = work.next(answerAtOnce(next.value, step));
  return next.value;
}

/** Runs one statement that gives rows, once. */
export function ask(driver: SqliteDriver, text: string): readonly SqlRow[] {
  const statement = driver.prepare(text);
  try {
    return statement.all([]);
  } finally {
    statement.free();
  }
}
