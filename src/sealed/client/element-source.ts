import type { JsonValue } from '../json.ts';
import { fromBase64Url, toBase64Url, toInput } from '../encoding.ts';
import { fromReply, verifyEvaluator } from '../evaluation.ts';
import { MAX_BATCH, type Random } from '../group/group.ts';
import { blind, unblind, verifyProof } from '../group/voprf.ts';
import type { Manifest } from '../manifest-format.ts';
import type { ClientFolder, Elements } from './client-folder.ts';
import { serviceError } from '../errors.ts';
import type { Requests } from './requests.ts';

/** An epoch whose key a verified manifest states. */
export interface EvaluationEpoch {
  readonly number: number;
  /** In base64url, as the next one. */
  readonly publicKey: string;
  /** Public key of the evaluator, which makes the first step. */
  readonly evaluator: string;
}

/** Returns the current epoch of a manifest. */
export function currentEpoch({ epoch, evaluator }: Manifest): EvaluationEpoch {
  return { number: epoch.number, publicKey: epoch.publicKey, evaluator: evaluator.publicKey };
}

/** Returns the epoch that follows. Undefined until it has a key. */
export function nextEpoch({ next, evaluator }: Manifest): EvaluationEpoch | undefined {
  if (next === null) return undefined;
  return { number: next.number, publicKey: next.publicKey, evaluator: evaluator.publicKey };
}

export interface ElementSourceOptions {
  readonly requests: Requests;
  /** Address of `evaluate`. */
  readonly url: string;
  readonly folder: ClientFolder;
  readonly random: Random;
}

/** Evaluations after which they are written. A process that is killed loses at most so many. */
const SAVED_EACH = 2048;

/** Evaluates hashes obliviously, each once per epoch. */
export interface ElementSource {
  /** Returns the elements that are kept. */
  read(epoch: EvaluationEpoch, hashes: readonly string[]): Promise<Elements>;
  /**
   * Returns the elements of all hashes. Sends only blinded elements, and only for hashes without a kept element: up to
   * {@link MAX_BATCH} per request. Rejects with `SealedError`: with `invalid-proof`, `invalid-evaluator-proof` or
   * `invalid-element` for a reply that another key made. Such a reply is never used, and the request not repeated.
   */
  evaluate(epoch: EvaluationEpoch, hashes: readonly string[], signal?: AbortSignal): Promise<Elements>;
}

export function createElementSource({ requests, url, folder, random }: ElementSourceOptions): ElementSource {
  /** Evaluations under way, by epoch key and hash: concurrent calls share them. */
  const underWay = new Map<string, Promise<Elements>>();

  async function evaluateBatch(epoch: EvaluationEpoch, hashes: readonly string[], signal?: AbortSignal) {
    const blinds = hashes.map((hash) => blind(toInput(hash), random));
    const blinded = blinds.map((one) => one.blinded);
    const body = { epoch: epoch.number, blinded: blinded.map(toBase64Url) };
    const { first, last } = parseReply(await requests.post(url, body, true, signal), epoch, hashes.length);
    // The same check as that of the operator: a client trusts neither of the two.
    verifyEvaluator(fromBase64Url(epoch.evaluator)!, blinded, first);
    verifyProof(fromBase64Url(epoch.publicKey)!, first.evaluated, last);
    const elements: Elements = new Map(
      hashes.map((hash, at) => [hash, unblind(blinds[at]!.blind, last.evaluated[at]!)]),
    );
    folder.add(epoch.publicKey, elements);
    return elements;
  }

  /** Begins one request, and shares it with concurrent calls. */
  function begin(epoch: EvaluationEpoch, batch: readonly string[], signal?: AbortSignal): Promise<Elements> {
    const evaluated = evaluateBatch(epoch, batch, signal).finally(() => {
      for (const hash of batch) underWay.delete(keyOf(epoch, hash));
    });
    for (const hash of batch) underWay.set(keyOf(epoch, hash), evaluated);
    return evaluated;
  }

  /** Evaluates up to {@link SAVED_EACH} hashes. */
  async function evaluateSome(
    epoch: EvaluationEpoch,
    hashes: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Elements> {
    const elements: Elements = new Map();
    for (;;) {
      const unread = hashes.filter((hash) => !elements.has(hash));
      // Read again each time: a concurrent call may have kept some meanwhile.
      for (const [hash, element] of await folder.read(epoch.publicKey, unread)) elements.set(hash, element);
      const missing = unread.filter((hash) => !elements.has(hash));
      if (missing.length === 0) return elements;
      const fresh = missing.filter((hash) => !underWay.has(keyOf(epoch, hash))).slice(0, MAX_BATCH);
      if (fresh.length > 0) {
        // Blinding and verifying take the thread for milliseconds: one batch at a time.
        for (const [hash, element] of await begin(epoch, fresh, signal)) elements.set(hash, element);
      } else {
        // If the call that began this request fails, this one sends its own.
        await underWay.get(keyOf(epoch, missing[0]!))?.catch(() => undefined);
      }
    }
  }

  return {
    read: (epoch, hashes) => folder.read(epoch.publicKey, hashes),
    async evaluate(epoch, hashes, signal) {
      const asked = [...new Set(hashes)];
      const elements: Elements = new Map();
      try {
        for (let at = 0; at < asked.length; at += SAVED_EACH) {
          const some = await evaluateSome(epoch, asked.slice(at, at + SAVED_EACH), signal);
          for (const [hash, element] of some) elements.set(hash, element);
          await folder.save();
        }
      } finally {
        // Also what came before an error.
        await folder.save();
      }
      return elements;
    },
  };
}

function keyOf(epoch: EvaluationEpoch, hash: string): string {
  return `${epoch.publicKey} ${hash}`;
}

/** A reply has both steps. */
function parseReply(value: JsonValue, epoch: EvaluationEpoch, count: number) {
  const reply = Object(value) as Readonly<Record<string, JsonValue | undefined>>;
  const last = fromReply(reply, count);
  const first = fromReply(reply['evaluator'], count);
  if (reply['epoch'] !== epoch.number || last === undefined || first === undefined)
    throw serviceError('unexpected-reply', 200);
  return { first, last };
}
