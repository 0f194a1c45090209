import type { Refusal } from '../domain/refusal.ts';

/** A line is no event, or its event cannot have happened after those before it. The message names the line, and never what stands in it. */
export class LabEventError extends Error {
  override readonly name = 'LabEventError';
  /** From 1, blank lines counted. Of events that came from no file: which of them it is. */
  readonly line: number;
  /** Why the engine said no, when it was the engine. The message has the reason's name only: words are the protocol's. */
  readonly refusal: Refusal | undefined;

  constructor(line: number, problem: string, refusal?: Refusal) {
    super(`line ${line}: ${problem}${refusal === undefined ? '' : ` (${refusal.reason})`}`);
    this.line = line;
    this.refusal = refusal;
  }
}
