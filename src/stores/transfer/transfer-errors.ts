import { RedflagError } from '../../core/domain/redflag-error.ts';

/** An export is damaged, truncated or of another format. The message contains the line's number, never its content. */
export class ExportError extends RedflagError {
  static override readonly kind = 'ExportError';
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}

/**
 * Why rows cannot be copied from one store to another:
 * - `schema`, `secret`, `peppers`, `seal`: these differ between source and target.
 * - `source`: a row of the source store is damaged.
 * - `target`: the target has rows that the source lacks.
 * - `verification`: after the copy, source and target have different rows.
 */
export type TransferProblem = 'schema' | 'secret' | 'peppers' | 'seal' | 'source' | 'target' | 'verification';

/** A copy was refused or failed. Nothing was written unless the problem is `verification`. */
export class TransferError extends RedflagError {
  static override readonly kind = 'TransferError';
  /** Why the copy was refused or failed. */
  readonly problem: TransferProblem;

  constructor(problem: TransferProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
