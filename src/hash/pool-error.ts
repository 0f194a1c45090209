/** Why a pool did not hash: it was closed; a worker did not start or died; a worker said that it could not. */
export type HashPoolProblem = 'closed' | 'worker-ended' | 'worker-failed';

/** The identifiers that a worker was hashing: positions in the caller's list or stream, from 0, both inclusive. */
export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

/** Thrown when a pool could not hash, through no fault of the values. The message never holds one. */
export class HashPoolError extends Error {
  override readonly name = 'HashPoolError';
  readonly reason: HashPoolProblem;
  /** Which identifiers have no hash because of it; undefined when it is not about some of them. */
  readonly indexes: IndexRange | undefined;

  constructor(reason: HashPoolProblem, message: string, indexes?: IndexRange) {
    super(message);
    this.reason = reason;
    this.indexes = indexes;
  }
}
