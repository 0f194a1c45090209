import { createRequests } from '../client/requests.ts';
import type { JsonObject } from '../json.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { SealedError, serviceError, type SealedCode } from '../errors.ts';
import { fromReply, verifyEvaluator } from '../evaluation.ts';
import type { Evaluation, Random } from '../group/group.ts';
import { markOf, type Head } from '../history.ts';
import type { EvaluatorAccess } from '../keys.ts';
import { isMarkSignedBy } from '../manifest.ts';

/**
 * Asks an evaluator for k0 · B of 1 to 32 blinded elements B, and verifies its proof. Rejects with
 * {@link SealedEvaluatorError}, and with `invalid-element` if the evaluator refuses an element.
 */
export type AskEvaluator = (access: EvaluatorAccess, blinded: readonly Uint8Array[]) => Promise<Evaluation>;

/**
 * Asks an evaluator to sign the manifest of a head, and verifies the signature: 64 bytes. Rejects with
 * {@link SealedEvaluatorError}: `other-history` if it has signed a history that this one does not continue.
 */
export type AskSignature = (access: EvaluatorAccess, head: Head) => Promise<Uint8Array>;

/** Sends the requests to evaluators. */
export interface EvaluatorRequests {
  readonly evaluate: AskEvaluator;
  readonly sign: AskSignature;
}

/** The evaluator's limit is of a day. */
const MAX_RETRY_SECONDS = 86_400;

/** Time limit of a request with its retries, in milliseconds. A client waits longer. */
const TIMEOUT_MS = 5_000;

/** The separate evaluator did not evaluate or sign. The operator cannot do without it. */
export class SealedEvaluatorError extends SealedError {
  /** @internal */
  static override readonly kind = 'SealedEvaluatorError';

  constructor(code: SealedCode, retryAfterSeconds: number | undefined, options: ErrorOptions) {
    super(code, MESSAGES[code] ?? `the evaluator sent another reply than expected (${code}); check its address`, {
      ...options,
      retryAfterSeconds,
    });
  }
}

const AWAY = 'the evaluator does not answer; start it, or check its address';
const MESSAGES: Partial<Record<SealedCode, string>> = {
  unauthorised: 'the evaluator refuses the token of this operator; check its file for the operator',
  'rate-limited': 'the daily limit of the evaluator is used up',
  unavailable: AWAY,
  'no-connection': AWAY,
  timeout: AWAY,
  'invalid-evaluator-proof': 'the evaluator has another sealing key than this store; check its address',
  'bad-evaluator-signature': 'the evaluator has another signing key than this store; check its address',
  'other-history': 'the evaluator has signed another history of publications than that of this store',
};

export function createEvaluatorRequests({
  send,
  random,
}: {
  readonly send: typeof fetch;
  readonly random: Random;
}): EvaluatorRequests {
  const ask = async <T>(
    { url, token }: EvaluatorAccess,
    path: string,
    body: JsonObject,
    read: (reply: unknown) => T | undefined,
  ): Promise<T> => {
    const requests = createRequests({ send, apiKey: token, timeoutMs: TIMEOUT_MS, random });
    try {
      const answer = read(await requests.post(`${url}${path}`, body, true));
      if (answer === undefined) throw serviceError('unexpected-reply', 200);
      return answer;
    } catch (error) {
      throw toEvaluatorError(error);
    }
  };
  return {
    evaluate(access, blinded) {
      const body = { blinded: blinded.map((element) => toBase64Url(element)) };
      return ask(access, '/evaluate', body, (reply) => {
        const evaluation = fromReply(reply, blinded.length);
        if (evaluation !== undefined) verifyEvaluator(access.publicKey, blinded, evaluation);
        return evaluation;
      });
    },
    async sign(access, head) {
      const body = { ...head } as unknown as JsonObject;
      const signature = await ask(access, '/sign', body, (reply) =>
        fromBase64Url((Object(reply) as { readonly signature?: unknown }).signature),
      );
      if (isMarkSignedBy(access.key, access.publicKey, markOf(head), signature)) return signature;
      throw new SealedEvaluatorError('bad-evaluator-signature', undefined, {});
    },
  };
}

function toEvaluatorError(error: unknown): unknown {
  if (error instanceof SealedError && error.code === 'invalid-evaluator-proof')
    return new SealedEvaluatorError('invalid-evaluator-proof', undefined, { cause: error });
  if (error instanceof SealedError) {
    if (error.code === 'invalid-element')
      return new SealedError('invalid-element', 'the evaluator refuses an element', { cause: error });
    if (error.status === 409) return new SealedEvaluatorError('other-history', undefined, { cause: error.cause });
    // The error between them is worded for clients.
    const { retryAfterSeconds: seconds } = error;
    const waitSeconds = seconds === undefined ? undefined : Math.min(seconds, MAX_RETRY_SECONDS);
    return new SealedEvaluatorError(error.code, waitSeconds, { cause: error.cause });
  }
  return error;
}
