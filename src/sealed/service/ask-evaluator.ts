import { SealedServiceError, type SealedServiceCode } from '../client/errors.ts';
import { createRequests } from '../client/requests.ts';
import { toBase64Url } from '../encoding.ts';
import { SealedError, SealedGroupError } from '../errors.ts';
import { fromReply, verifyEvaluator } from '../evaluation.ts';
import type { Evaluation, Random, SealedGroup } from '../group/group.ts';
import type { EvaluatorAccess } from '../keys.ts';

/**
 * Asks an evaluator for k0 · B of 1 to 32 blinded elements B, and verifies its proof. Rejects with
 * {@link SealedEvaluatorError}, and with `invalid-element` if the evaluator refuses an element.
 */
export type AskEvaluator = (access: EvaluatorAccess, blinded: readonly Uint8Array[]) => Promise<Evaluation>;

/** The evaluator's limit is of a day. */
const MAX_RETRY_SECONDS = 86_400;

/** Time limit of a request with its retries, in milliseconds. A client waits longer. */
const TIMEOUT_MS = 5_000;

/** What {@link SealedEvaluatorError} can say. `invalid-evaluator-proof`: another key than pk0 made the elements. */
export type SealedEvaluatorCode = SealedServiceCode | 'invalid-evaluator-proof';

/** The separate evaluator did not evaluate. The operator cannot do without it. */
export class SealedEvaluatorError extends SealedError<SealedEvaluatorCode> {
  /** @internal */
  static override readonly kind = 'SealedEvaluatorError';

  /** Seconds to wait before the next request, if the evaluator sent them: at most a day. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: SealedEvaluatorCode, retryAfterSeconds: number | undefined, options: ErrorOptions) {
    super(
      code,
      MESSAGES[code] ?? `the evaluator sent another reply than expected (${code}); check its address`,
      options,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const AWAY = 'the evaluator does not answer; start it, or check its address';
const MESSAGES: Partial<Record<SealedEvaluatorCode, string>> = {
  unauthorised: 'the evaluator refuses the token of this operator; check its file for the operator',
  'rate-limited': 'the daily limit of the evaluator is used up',
  unavailable: AWAY,
  'no-connection': AWAY,
  timeout: AWAY,
  'invalid-evaluator-proof': 'the evaluator has another sealing key than this store; check its address',
};

/** Returns the function that asks evaluators. */
export function createAskEvaluator({
  group,
  send,
  random,
}: {
  readonly group: SealedGroup;
  readonly send: typeof fetch;
  readonly random: Random;
}): AskEvaluator {
  const jitter = (): number => new DataView(random(4).slice().buffer).getUint32(0) / 2 ** 32;
  return async ({ url, publicKey, token }, blinded) => {
    const requests = createRequests({ send, apiKey: token, timeoutMs: TIMEOUT_MS, jitter });
    try {
      const body = { blinded: blinded.map((element) => toBase64Url(element)) };
      const evaluation = fromReply(await requests.post(`${url}/evaluate`, body, true), blinded.length);
      if (evaluation === undefined) throw new SealedServiceError('unexpected-reply', 200);
      verifyEvaluator(group, publicKey, blinded, evaluation);
      return evaluation;
    } catch (error) {
      throw toEvaluatorError(error);
    }
  };
}

function toEvaluatorError(error: unknown): unknown {
  if (error instanceof SealedServiceError) {
    if (error.code === 'invalid-element')
      return new SealedGroupError('invalid-element', 'the evaluator refuses an element', { cause: error });
    // The error between them is worded for clients.
    const { retryAfterSeconds: seconds } = error;
    const waitSeconds = seconds === undefined ? undefined : Math.min(seconds, MAX_RETRY_SECONDS);
    return new SealedEvaluatorError(error.code, waitSeconds, { cause: error.cause });
  }
  if (error instanceof SealedGroupError)
    return new SealedEvaluatorError('invalid-evaluator-proof', undefined, { cause: error });
  return error;
}
