import { RedflagError } from '../domain/redflag-error.ts';
import { retryAfterSeconds, type Reply } from './exchange.ts';

/** Upper bound of the first wait in milliseconds. It doubles with each retry. */
const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5_000;

/** What a policy judges: any reply, whatever its body is. */
type Judged = Omit<Reply, 'body'>;

export interface RetryPolicy<R extends Judged = Reply> {
  /** Maximum number of retries. */
  readonly retries: number;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  /** Resolves after the given time. Rejects if the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Returns true for a reply that asks for a retry. */
  readonly isTemporary: (reply: R) => boolean;
}

/**
 * Sends a request again as long as there is no connection, or the reply is temporary. Waits at random up to a bound
 * that doubles (full jitter), so that many clients do not retry together; `Retry-After` is added to it. Returns the
 * last reply, or throws the last error, if the wait would be longer than the time left.
 */
export async function answerWithRetries<R extends Judged>(
  send: () => Promise<R>,
  { retries, random, wait, isTemporary }: RetryPolicy<R>,
  signal: AbortSignal,
  leftMs: () => number,
): Promise<R> {
  for (let retry = 0; ; retry++) {
    const result = await send().catch((error: unknown) => ({ error }));
    const failed = 'error' in result;
    const again = failed ? !(result.error instanceof RedflagError) && !signal.aborted : isTemporary(result);
    const askedMs = failed ? 0 : 1000 * (retryAfterSeconds(result) ?? 0);
    const waitMs = askedMs + random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** retry);
    if (!again || retry >= retries || waitMs >= leftMs()) {
      if (failed) throw result.error;
      return result;
    }
    await wait(waitMs, signal);
  }
}

/** Resolves after the given time. Rejects with the reason of the abort, if the signal has aborted or aborts earlier. */
export function waitOrAbort(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
