import { fromBase64Url, toBase64Url, toInput } from '../encoding.ts';
import { serviceError } from '../errors.ts';
import { fromReply, verifyEvaluator } from '../evaluation.ts';
import { MAX_BATCH } from '../group/group.ts';
import { blind, unblind, verifyProof } from '../group/voprf.ts';
import type { Manifest } from '../manifest-format.ts';
import type { Elements } from './client-folder.ts';
import type { ClientParts } from './client-options.ts';

/** An epoch whose key a verified manifest states. */
export interface EvaluationEpoch {
  readonly number: number;
  /** In base64url, as the next one. */
  readonly publicKey: string;
  /** Public key of the evaluator, which makes the first step. */
  readonly evaluator: string;
}

/** Returns the current epoch of a manifest. */
export function currentEpoch(manifest: Manifest): EvaluationEpoch {
  return toEpoch(manifest, manifest.epoch);
}

/** Returns the epoch that follows. Undefined until it has a key. */
export function nextEpoch(manifest: Manifest): EvaluationEpoch | undefined {
  return manifest.next === null ? undefined : toEpoch(manifest, manifest.next);
}

function toEpoch({ evaluator }: Manifest, { number, publicKey }: Omit<EvaluationEpoch, 'evaluator'>): EvaluationEpoch {
  return { number, publicKey, evaluator: evaluator.publicKey };
}

/** Evaluations after which they are written. A process that is killed loses at most so many. */
const SAVED_EACH = 2048;

/**
 * Returns the elements of all hashes, each evaluated once per epoch. Sends only blinded elements, and only for hashes
 * without a kept element: up to {@link MAX_BATCH} per request. Rejects with `SealedError`: with `invalid-proof`,
 * `invalid-evaluator-proof` or `invalid-element` for a reply that another key made. Such a reply is never used, and the
 * request not repeated.
 */
export type Evaluate = (epoch: EvaluationEpoch, hashes: readonly string[], signal?: AbortSignal) => Promise<Elements>;

/** Returns what evaluates hashes obliviously. */
export function createEvaluate({ requests, addresses, folder, random }: ClientParts): Evaluate {
  /** Evaluations under way, by epoch key and hash: concurrent calls share them. */
  const underWay = new Map<string, Promise<void>>();

  async function evaluateBatch(epoch: EvaluationEpoch, hashes: readonly string[], signal?: AbortSignal) {
    const blinds = hashes.map((hash) => blind(toInput(hash), random));
    const blinded = blinds.map((one) => one.blinded);
    const body = { epoch: epoch.number, blinded: blinded.map(toBase64Url) };
    const reply = Object(await requests.post(addresses.evaluate, body, true, signal)) as Record<string, unknown>;
    const [first, last] = [fromReply(reply['evaluator'], hashes.length), fromReply(reply, hashes.length)];
    if (reply['epoch'] !== epoch.number || last === undefined || first === undefined)
      throw serviceError('unexpected-reply', 200);
    // The same check as that of the operator: a client trusts neither of the two.
    verifyEvaluator(fromBase64Url(epoch.evaluator)!, blinded, first);
    verifyProof(fromBase64Url(epoch.publicKey)!, first.evaluated, last);
    folder.add(
      epoch.publicKey,
      hashes.map((hash, at) => [hash, unblind(blinds[at]!.blind, last.evaluated[at]!)]),
    );
  }

  /** Adds the elements of up to {@link SAVED_EACH} hashes. */
  async function evaluateSome(
    epoch: EvaluationEpoch,
    hashes: readonly string[],
    elements: Elements,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const keyOf = (hash: string): string => `${epoch.publicKey} ${hash}`;
    for (let missing = hashes; ;) {
      // Read again each time: a concurrent call may have kept some meanwhile.
      for (const [hash, element] of await folder.read(epoch.publicKey, missing)) elements.set(hash, element);
      missing = missing.filter((hash) => !elements.has(hash));
      if (missing.length === 0) return;
      const fresh = missing.filter((hash) => !underWay.has(keyOf(hash))).slice(0, MAX_BATCH);
      if (fresh.length > 0) {
        // Blinding and verifying take the thread for milliseconds: one batch at a time.
        const evaluated = evaluateBatch(epoch, fresh, signal).finally(() => {
          for (const hash of fresh) underWay.delete(keyOf(hash));
        });
        for (const hash of fresh) underWay.set(keyOf(hash), evaluated);
        await evaluated;
      } else {
        // If the call that began this request fails, this one sends its own.
        await underWay.get(keyOf(missing[0]!))?.catch(() => undefined);
      }
    }
  }

  return async (epoch, hashes, signal) => {
    const asked = [...new Set(hashes)];
    const elements: Elements = new Map();
    try {
      for (let at = 0; at < asked.length; at += SAVED_EACH) {
        await evaluateSome(epoch, asked.slice(at, at + SAVED_EACH), elements, signal);
        await folder.save();
      }
    } finally {
      // Also what came before an error.
      await folder.save();
    }
    return elements;
  };
}
