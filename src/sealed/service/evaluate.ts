import { createSeries } from '../../core/domain/series.ts';
import { toHex } from '../encoding.ts';
import { SealedError } from '../errors.ts';
import { toReply } from '../evaluation.ts';
import type { Random } from '../group/group.ts';
import { evaluate, invertScalar, multiply, publicKeyOf } from '../group/voprf.ts';
import { epochKeyOf, type SealedKeys } from '../keys.ts';
import type { AskEvaluator } from './ask-evaluator.ts';
import { RefusedRequest } from './replies.ts';
import { invalidElement, type ReportBody } from './request-bodies.ts';

/** What {@link createEvaluate} needs. */
export interface EvaluateParts {
  /** Returns the present keys. They may change between calls; each change is another object. */
  readonly keys: () => SealedKeys;
  readonly random: Random;
  /** Resolves after other work has run. */
  readonly giveTurn: () => Promise<void>;
  /** Asks the evaluator that the keys name. */
  readonly askEvaluator: AskEvaluator;
}

/** An identifier as the service stores it: E as 64 lowercase hex characters. */
export interface ElementIdentifier {
  readonly kind: string;
  readonly element: string;
}

/** The computations of the endpoints, in one queue. Each rejects with `RefusedRequest` for an invalid element. */
export function createEvaluate({ keys, random, giveTurn, askEvaluator }: EvaluateParts) {
  const run = createEvaluationQueue(giveTurn);
  /** What follows from a key, computed once. */
  const known = new WeakMap<Uint8Array, { readonly publicKey: Uint8Array; readonly inverse: Uint8Array }>();
  const keyOf = (epoch: number) => {
    const secretKey = epochKeyOf(keys(), epoch);
    const { publicKey, inverse } = known.get(secretKey) ?? {
      publicKey: publicKeyOf(secretKey),
      inverse: invertScalar(secretKey),
    };
    known.set(secretKey, { publicKey, inverse });
    return { secretKey, publicKey, inverse };
  };
  const runFor = <T>(reporterId: string, computation: (inTurn: InTurn) => Promise<T>): Promise<T> =>
    run(computation, reporterId).catch((error: unknown) => {
      throw isInvalidElement(error) ? invalidElement() : error;
    });

  return {
    /**
     * Evaluates a batch of a reporter under the key of an epoch, and returns the reply. It has both steps: `evaluator`
     * from the blinded elements, and the operator's from those of the evaluator. Also rejects as {@link AskEvaluator}.
     */
    evaluate: (reporterId: string, epoch: number, blinded: readonly Uint8Array[]) =>
      runFor(reporterId, async (inTurn) => {
        const first = await askEvaluator(keys().evaluator, blinded);
        const own = await inTurn(() => {
          const { secretKey, publicKey } = keyOf(epoch);
          return evaluate(secretKey, publicKey, first.evaluated, random);
        });
        return { epoch, ...toReply(own), evaluator: toReply(first) };
      }),
    /** Returns the elements that the points of a report stand for. */
    toElements: (reporterId: string, { epoch, identifiers }: Pick<ReportBody, 'epoch' | 'identifiers'>) =>
      runFor(reporterId, (inTurn) =>
        inTurn(() => {
          const { inverse } = keyOf(epoch);
          // An element may have several kinds. It is computed once.
          const known = new Map<string, string>();
          return identifiers.map(({ kind, point }): ElementIdentifier => {
            const element = known.get(toHex(point)) ?? toHex(multiply(inverse, point));
            known.set(toHex(point), element);
            return { kind, element };
          });
        }),
      ),
  };
}

/** True if an element of a request is not canonical, or is the identity. */
export function isInvalidElement(error: unknown): boolean {
  return error instanceof SealedError && error.code === 'invalid-element';
}

/** Runs a computation after those before it. Other work runs in between. */
type InTurn = <T>(compute: () => T | Promise<T>) => Promise<T>;

/** Evaluations that may run or wait. That many take two seconds. */
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
