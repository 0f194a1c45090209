import { Refused } from './replies.ts';

/** Runs a computation after those before it. Other work runs in between. */
export type InTurn = <T>(compute: () => T) => Promise<T>;

/** Evaluations that may run or wait. On noble, that many take 13 seconds; on libsodium, 2. */
const MOST_WAITING = 256;

/**
 * Returns a function that runs evaluations, whose computations run one after the other. Rejects with {@link Refused} if
 * {@link MOST_WAITING} others run or wait. `giveTurn` resolves after other work has run.
 */
export function createEvaluationQueue(giveTurn: () => Promise<void>) {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: InTurn = (compute) => {
    const computed = last.then(giveTurn).then(compute);
    last = computed.catch(() => undefined);
    return computed;
  };
  return async <T>(evaluation: (inTurn: InTurn) => Promise<T>): Promise<T> => {
    if (waiting >= MOST_WAITING)
      throw new Refused('unavailable', 'too many evaluations wait', { headers: { 'Retry-After': '1' } });
    waiting++;
    try {
      return await evaluation(inTurn);
    } finally {
      waiting--;
    }
  };
}
