import { toHex } from '../encoding.ts';
import { SealedError } from '../errors.ts';
import { toReply } from '../evaluation.ts';
import type { Random } from '../group/group.ts';
import { evaluate, invertScalar, multiply, publicKeyOf } from '../group/voprf.ts';
import { epochKeyOf, type SealedKeys } from '../keys.ts';
import type { AskEvaluator } from './ask-evaluator.ts';
import { createEvaluationQueue, type InTurn } from './evaluation-queue.ts';
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

type Step = ReturnType<typeof toReply>;

/** The computations of the endpoints, in one queue. Each rejects with `Refused` for an invalid element. */
export interface Computations {
  /**
   * Evaluates a batch of a reporter under the key of an epoch, and returns the reply. It has both steps: `evaluator`
   * from the blinded elements, and the operator's from those of the evaluator. Also rejects as {@link AskEvaluator}.
   */
  evaluate(
    reporterId: string,
    epoch: number,
    blinded: readonly Uint8Array[],
  ): Promise<Step & { readonly epoch: number; readonly evaluator: Step }>;
  /** Returns the elements that the points of a report stand for. */
  toElements(reporterId: string, body: Pick<ReportBody, 'epoch' | 'identifiers'>): Promise<ElementIdentifier[]>;
}

/** Returns the computations of the endpoints. */
export function createEvaluate({ keys, random, giveTurn, askEvaluator }: EvaluateParts): Computations {
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
    evaluate: (reporterId, epoch, blinded) =>
      runFor(reporterId, async (inTurn) => {
        const first = await askEvaluator(keys().evaluator, blinded);
        const own = await inTurn(() => {
          const { secretKey, publicKey } = keyOf(epoch);
          return evaluate(secretKey, publicKey, first.evaluated, random);
        });
        return { epoch, ...toReply(own), evaluator: toReply(first) };
      }),
    toElements: (reporterId, { epoch, identifiers }) =>
      runFor(reporterId, (inTurn) =>
        inTurn(() => {
          const { inverse } = keyOf(epoch);
          // An element may have several kinds. It is computed once.
          const known = new Map<string, string>();
          return identifiers.map(({ kind, point }) => {
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
