import type { SqlRow, SqlValue } from '../sql/statement.ts';

/**
 * SQLite in this process, as every build of it can be spoken to: each call runs wholly before it returns. One connection, one transaction at a time.
 * A call throws what the build throws; `faultOf` tells a fault of the disk from misuse.
 */
export interface SqliteDriver {
  prepare(text: string): SqliteStatement;
  /** Runs any number of statements without parameters. */
  exec(text: string): void;
  /** Closes the connection; its statements were freed before. */
  close(): void;
}

/** A statement that is kept to be run again. After it threw it is freed and never run again. */
export interface SqliteStatement {
  /**
   * Runs a statement that gives rows, to its end, and answers them as arrays in the order of the columns. Integers are numbers, and a blob is a Uint8Array
   * that nobody else holds.
   */
  all(values: readonly SqlValue[]): readonly SqlRow[];
  /** Runs a statement that gives no rows. */
  run(values: readonly SqlValue[]): void;
  /** Gives back what the statement holds. */
  free(): void;
}
