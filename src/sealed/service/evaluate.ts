import { SealedGroupError } from '../errors.ts';
import { toReply } from '../evaluation.ts';
import type { Random, SealedGroup, SealedKeyPair } from '../group/group.ts';
import { publicKeyOf, secretKeyOf, type SealedKeys } from '../keys.ts';
import type { AskEvaluator } from './ask-evaluator.ts';
import { createEvaluationQueue } from './evaluation-queue.ts';
import { invalidElement } from './request-bodies.ts';

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
}

/**
 * Returns the function that evaluates a batch under the key of an epoch, and returns the reply. With a separate
 * evaluator, the reply has both steps: `evaluator` from the blinded elements, and the operator's from those of the
 * evaluator. Rejects with `Refused` for an invalid element, and as {@link AskEvaluator}.
 */
export function createEvaluate({ group, keys, random, giveTurn, askEvaluator }: EvaluateParts) {
  const run = createEvaluationQueue(giveTurn);
  /** The keys of an epoch, computed once. */
  const known = new WeakMap<SealedKeys, Map<number, SealedKeyPair>>();
  const pairOf = (epoch: number): SealedKeyPair => {
    const now = keys();
    const pairs = known.get(now) ?? new Map<number, SealedKeyPair>();
    known.set(now, pairs);
    const pair = pairs.get(epoch) ?? {
      secretKey: secretKeyOf(group, now, epoch),
      publicKey: publicKeyOf(group, now, epoch),
    };
    pairs.set(epoch, pair);
    return pair;
  };
  return (epoch: number, blinded: readonly Uint8Array[]) =>
    run(async (inTurn) => {
      const present = keys();
      try {
        const first = 'evaluator' in present ? await askEvaluator!(present.evaluator, blinded) : undefined;
        const own = await inTurn(() => {
          const { secretKey, publicKey } = pairOf(epoch);
          return group.evaluate(secretKey, publicKey, first?.evaluated ?? blinded, random);
        });
        return { epoch, ...toReply(own), ...(first && { evaluator: toReply(first) }) };
      } catch (error) {
        throw isInvalidElement(error) ? invalidElement() : error;
      }
    });
}

/** True if an element of a request is not canonical, or is the identity. */
export function isInvalidElement(error: unknown): boolean {
  return error instanceof SealedGroupError && error.code === 'invalid-element';
}
