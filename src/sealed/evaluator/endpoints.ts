import { HASHES } from '../byte-hashes.ts';
import { toReply } from '../evaluation.ts';
import type { Random } from '../group/group.ts';
import { evaluate as evaluateBatch, publicKeyOf } from '../group/voprf.ts';
import { createEvaluationQueue, isInvalidElement } from '../service/evaluate.ts';
import { RefusedRequest, replyWithJson, type SealedReply, type SealedRequest } from '../service/replies.ts';
import { invalidElement, readBlinded, readHead } from '../service/request-bodies.ts';
import { toBase64Url, toHex } from '../encoding.ts';
import type { DailyLimit } from './daily-limit.ts';
import type { HistorySigner } from './history-signer.ts';
import type { EvaluatorSecrets } from './secrets.ts';

/** What {@link createEvaluatorEndpoints} needs. */
export interface EvaluatorParts {
  readonly secrets: EvaluatorSecrets;
  readonly limit: Pick<DailyLimit, 'take'>;
  readonly signer: HistorySigner;
  readonly random: Random;
  /** Resolves after other work has run. */
  readonly giveTurn: () => Promise<void>;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  /** Called with the sequence of a manifest that is refused. */
  readonly onRefused: (sequence: number) => void;
  /** Called if the counts or what was signed cannot be saved; the reply is 503. */
  readonly onError: (error: unknown) => void;
}

/** The operator waits five seconds. A request that has waited longer here is not counted: its answer would be lost. */
const MAX_WAITED_MS = 4_000;

/**
 * Returns a separate evaluator over HTTP: a function from a plain request and its path to a plain reply. It answers
 * `POST /evaluate` of 1 to 32 blinded elements B with k0 · B and one proof, and `POST /sign` of a history with a
 * signature, or with 409 if it has signed another one. Elements of a request count, too, if one of them is invalid.
 * Returns undefined for another path. Never rejects.
 */
export function createEvaluatorEndpoints(parts: EvaluatorParts) {
  const { secrets, limit, signer, random, giveTurn, monotonic, onRefused, onError } = parts;
  const { sealingKey, token } = secrets;
  const publicKey = publicKeyOf(sealingKey);
  const run = createEvaluationQueue(giveTurn);
  // Digests are compared: the time of a comparison tells nothing about the token.
  const digestOf = (text: string): string => toHex(HASHES.sha256(new TextEncoder().encode(text)));
  const expected = digestOf(token);

  const requireOperator = (request: SealedRequest): void => {
    if (request.method !== 'POST')
      throw new RefusedRequest('invalid-request', 'the address expected POST', {
        status: 405,
        headers: { Allow: 'POST' },
      });
    const given = /^Bearer +(\S+)$/i.exec(request.header('authorization')?.trim() ?? '')?.[1] ?? '';
    if (digestOf(given) !== expected) throw new RefusedRequest('unauthorised', 'the token is not that of the operator');
  };

  const sign = async (request: SealedRequest): Promise<SealedReply> => {
    requireOperator(request);
    const head = await readHead(request);
    const signature = await signer.sign(head);
    if (signature !== undefined) return replyWithJson({ signature: toBase64Url(signature) });
    onRefused(head.sequence);
    throw new RefusedRequest('invalid-request', 'the evaluator has signed another history', { status: 409 });
  };

  const evaluate = async (request: SealedRequest): Promise<SealedReply> => {
    requireOperator(request);
    const blinded = await readBlinded(request);
    const arrivedMs = monotonic();
    return run((inTurn) =>
      inTurn(async () => {
        if (monotonic() - arrivedMs > MAX_WAITED_MS)
          throw new RefusedRequest('unavailable', 'the evaluator is too busy', { headers: { 'Retry-After': '1' } });
        const seconds = await limit.take(blinded.length);
        if (seconds !== undefined)
          throw new RefusedRequest('rate-limited', 'the daily limit is used up', {
            headers: { 'Retry-After': `${seconds}` },
          });
        return replyWithJson(toReply(evaluateBatch(sealingKey, publicKey, blinded, random)));
      }),
    );
  };

  return (request: SealedRequest, path: string): Promise<SealedReply> | undefined => {
    const answer = { '/evaluate': evaluate, '/sign': sign }[path];
    return answer?.(request).catch((error: unknown) => {
      if (error instanceof RefusedRequest) return error.reply;
      if (isInvalidElement(error)) return invalidElement().reply;
      onError(error);
      return new RefusedRequest('unavailable', 'the evaluator cannot answer now', { headers: { 'Retry-After': '5' } })
        .reply;
    });
  };
}
