/** An export is damaged, cut off, or nothing that this program can read. The message names the line and never what is in it. */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}

/**
 * Why rows cannot go from one store to another: the source is of another schema, under another secret or under other peppers; a row of the source store is damaged;
 * the target holds something else; or it did not hold what the source has when it was read again.
 */
export type TransferProblem = 'schema' | 'secret' | 'peppers' | 'source' | 'target' | 'verification';

/** A copy was refused, or went wrong. With every problem but `verification` nothing was written. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly problem: TransferProblem;

  constructor(problem: TransferProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
