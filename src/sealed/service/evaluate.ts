import { toHex } from '../encoding.ts';
import { SealedGroupError } from '../errors.ts';
import { toReply } from '../evaluation.ts';
import type { Random, SealedGroup, SealedKeyPair } from '../group/group.ts';
import { fromEpochKey, publicKeyOf, secretKeyOf, type SealedKeys } from '../keys.ts';
import type { AskEvaluator } from './ask-evaluator.ts';
import { createEvaluationQueue, type InTurn } from './evaluation-queue.ts';
import { invalidElement, type ReportBody } from './request-bodies.ts';

/** What {@link createEvaluate} needs. */
export interface EvaluateParts {
  readonly group: SealedGroup;
  /** Returns the present keys. They may change between calls; each change is another object. */
  readonly keys: () => SealedKeys;
  readonly random: Random;
  /** Resolves after other work has run. */
  readonly giveTurn: () => Promise<void>;
  /** Asks the evaluator that the keys name. Not needed if the operator has the sealing key itself. */
  readonly askEvaluator?: AskEvaluator | undefined;
  /** Returns the fingerprint of the sealing key. Without it, the service may not replace its key while it runs. */
  readonly sealOf?: ((keys: SealedKeys) => string) | undefined;
}

/** An identifier as the service stores it: E as 64 lowercase hex characters. */
export interface ElementIdentifier {
  readonly kind: string;
  readonly element: string;
  /** As in the engine's `SealedIdentifier`. */
  readonly seal?: string | undefined;
}

type Step = ReturnType<typeof toReply>;

/** The computations of the endpoints, in one queue. Each rejects with `Refused` for an invalid element. */
export interface Computations {
  /**
   * Evaluates a batch of a reporter under the key of an epoch, and returns the reply. With a separate evaluator, the
   * reply has both steps: `evaluator` from the blinded elements, and the operator's from those of the evaluator. Also
   * rejects as {@link AskEvaluator}.
   */
  evaluate(
    reporterId: string,
    epoch: number,
    blinded: readonly Uint8Array[],
  ): Promise<Step & { readonly epoch: number; readonly evaluator?: Step }>;
  /** Returns the elements that the points of a report stand for. */
  toElements(reporterId: string, body: Pick<ReportBody, 'epoch' | 'identifiers'>): Promise<ElementIdentifier[]>;
}

/** Returns the computations of the endpoints. */
export function createEvaluate({ group, keys, random, giveTurn, askEvaluator, sealOf }: EvaluateParts): Computations {
  const run = createEvaluationQueue(giveTurn);
  const pairOf = perEpoch((present, epoch): SealedKeyPair => {
    return { secretKey: secretKeyOf(group, present, epoch), publicKey: publicKeyOf(group, present, epoch) };
  });
  const inverseOf = perEpoch((present, epoch) => fromEpochKey(group, present, epoch));
  const runFor = <T>(reporterId: string, computation: (inTurn: InTurn) => Promise<T>): Promise<T> =>
    run(computation, reporterId).catch((error: unknown) => {
      throw isInvalidElement(error) ? invalidElement() : error;
    });

  return {
    evaluate: (reporterId, epoch, blinded) =>
      runFor(reporterId, async (inTurn) => {
        const present = keys();
        const first = 'evaluator' in present ? await askEvaluator!(present.evaluator, blinded) : undefined;
        const own = await inTurn(() => {
          const { secretKey, publicKey } = pairOf(keys(), epoch);
          return group.evaluate(secretKey, publicKey, first?.evaluated ?? blinded, random);
        });
        return { epoch, ...toReply(own), ...(first && { evaluator: toReply(first) }) };
      }),
    toElements: (reporterId, { epoch, identifiers }) =>
      runFor(reporterId, (inTurn) =>
        inTurn(() => {
          const present = keys();
          const inverse = inverseOf(present, epoch);
          const seal = sealOf?.(present);
          // An element may have several kinds. It is computed once.
          const known = new Map<string, string>();
          return identifiers.map(({ kind, point }) => {
            const element = known.get(toHex(point)) ?? toHex(group.multiply(inverse, point));
            known.set(toHex(point), element);
            return { kind, element, seal };
          });
        }),
      ),
  };
}

/** Returns the function that computes once for each epoch of the same keys. */
function perEpoch<T>(compute: (keys: SealedKeys, epoch: number) => T): typeof compute {
  const known = new WeakMap<SealedKeys, Map<number, T>>();
  return (keys, epoch) => {
    const values = known.get(keys) ?? new Map<number, T>();
    known.set(keys, values);
    const value = values.get(epoch) ?? compute(keys, epoch);
    values.set(epoch, value);
    return value;
  };
}

/** True if an element of a request is not canonical, or is the identity. */
export function isInvalidElement(error: unknown): boolean {
  return error instanceof SealedGroupError && error.code === 'invalid-element';
}
