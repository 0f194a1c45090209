import { createSeries } from '../../core/domain/series.ts';
import { RefusedRequest } from './replies.ts';

/** Runs a computation after those before it. Other work runs in between. */
export type InTurn = <T>(compute: () => T | Promise<T>) => Promise<T>;

/** Evaluations that may run or wait. On noble, that many take 13 seconds; on libsodium, 2. */
const MAX_EVALUATIONS = 256;
/** Those of one reporter: with a slow evaluator, it would otherwise hold all places. */
const MAX_EVALUATIONS_PER_REPORTER = 32;

/**
 * Returns a function that runs evaluations, whose computations run one after the other. `who` is their reporter.
 * Rejects with {@link RefusedRequest} if {@link MAX_EVALUATIONS} others run or wait, or
 * {@link MAX_EVALUATIONS_PER_REPORTER} of the same reporter. `giveTurn` resolves after other work has run.
 */
export function createEvaluationQueue(giveTurn: () => Promise<void>) {
  let waiting = 0;
  const waitingOf = new Map<string, number>();
  const inSeries = createSeries();
  const inTurn: InTurn = (compute) => inSeries(() => giveTurn().then(compute));
  return async <T>(evaluation: (inTurn: InTurn) => Promise<T>, who?: string): Promise<T> => {
    const own = (who !== undefined && waitingOf.get(who)) || 0;
    if (waiting >= MAX_EVALUATIONS || own >= MAX_EVALUATIONS_PER_REPORTER)
      throw new RefusedRequest('unavailable', 'too many evaluations wait', { headers: { 'Retry-After': '1' } });
    waiting++;
    if (who !== undefined) waitingOf.set(who, own + 1);
    try {
      return await evaluation(inTurn);
    } finally {
      waiting--;
      if (who !== undefined) {
        const left = waitingOf.get(who)! - 1;
        if (left > 0) waitingOf.set(who, left);
        else waitingOf.delete(who);
      }
    }
  };
}
