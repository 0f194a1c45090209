import { withDeadline } from '../../core/client/deadline.ts';
import { exchangeBytes, retryAfterSeconds, type ByteReply } from '../../core/client/exchange.ts';
import { ReplyTooLargeError, UnexpectedResponseError } from '../../core/client/errors.ts';
import { answerWithRetries, waitOrAbort } from '../../core/client/retry.ts';
import { parseJson, type JsonObject, type JsonValue } from '../json.ts';
import type { Random } from '../group/group.ts';
import { serviceError, STATUSES, type SealedError, type SealedRefusal, type SealedServiceCode } from '../errors.ts';

/** How requests are sent. */
interface RequestOptions {
  readonly send: typeof fetch;
  readonly apiKey: string;
  /** Time limit of a call with its retries, in milliseconds. Downloads of a snapshot have {@link DOWNLOAD_MS}. */
  readonly timeoutMs: number;
  /** For the time before a retry. */
  readonly random: Random;
}

/** What to fetch. */
interface Download {
  readonly url: string;
  /** A longer reply is refused, if it also has more than 4 KiB. */
  readonly maxBytes: number;
  /** False for the manifest, which is public. Default: true. */
  readonly withKey?: boolean;
  /** Allow {@link DOWNLOAD_MS}. */
  readonly isLarge?: boolean;
}

/** Sends requests to a service, or to an evaluator. All methods reject with {@link SealedError}. */
export interface Requests {
  get(download: Download, signal?: AbortSignal): Promise<ByteReply>;
  /** Posts JSON and returns the JSON of the reply. `retries` is false for a request that must not be sent twice. */
  post(url: string, body: JsonObject, retries: boolean, signal?: AbortSignal): Promise<JsonValue>;
}

/** Time limit of a large download in milliseconds. */
const DOWNLOAD_MS = 600_000;
const RETRIES = 2;
/** Maximum bytes of a JSON reply: 32 elements and a proof take 2 kB. */
const JSON_BYTES = 64 * 1024;
/** A refusal may be longer than the bytes that were asked for. */
const MIN_REPLY_BYTES = 4096;

/** True for the `error` of a reply. */
const isNamed = (error: unknown): error is SealedRefusal => typeof error === 'string' && Object.hasOwn(STATUSES, error);

export function createRequests({ send, apiKey, timeoutMs, random }: RequestOptions): Requests {
  const authorization = { Authorization: `Bearer ${apiKey}` };

  async function sendAll(
    url: string,
    init: RequestInit,
    how: { readonly maxBytes: number; readonly retries: number; readonly limitMs: number },
    caller: AbortSignal | undefined,
  ): Promise<ByteReply> {
    let leftMs = how.limitMs;
    const policy = {
      retries: how.retries,
      random: () => new DataView(random(4).slice().buffer).getUint32(0) / 2 ** 32,
      async wait(milliseconds: number, signal: AbortSignal) {
        leftMs -= milliseconds;
        await waitOrAbort(milliseconds, signal);
      },
      isTemporary: ({ status }: ByteReply) => status === 429 || status >= 500,
    };
    // A page's address may name a customer. Keep it, cookies and copies of replies out of the exchange.
    const request = { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' } as const;
    try {
      return await withDeadline(how.limitMs, caller, (signal) =>
        answerWithRetries(
          () => exchangeBytes(send, url, { ...request, signal }, how.maxBytes),
          policy,
          signal,
          () => leftMs,
        ),
      );
    } catch (error) {
      if (caller?.aborted === true) throw error;
      throw serviceError(codeOf(error), 0, { cause: error });
    }
  }

  return {
    async get({ url, maxBytes, withKey = true, isLarge = false }, signal) {
      const headers = withKey ? authorization : {};
      const limitMs = isLarge ? DOWNLOAD_MS : timeoutMs;
      const how = { maxBytes: Math.max(maxBytes, MIN_REPLY_BYTES), retries: RETRIES, limitMs };
      const reply = await sendAll(url, { method: 'GET', headers }, how, signal);
      if (reply.status === 200) return reply;
      throw refusalOf(reply);
    },

    async post(url, body, retries, signal) {
      const init = {
        method: 'POST',
        headers: { ...authorization, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      };
      const how = { maxBytes: JSON_BYTES, retries: retries ? RETRIES : 0, limitMs: timeoutMs };
      const reply = await sendAll(url, init, how, signal);
      const value = reply.status === 200 ? parseJson(reply.body) : undefined;
      if (value !== undefined) return value;
      throw refusalOf(reply);
    },
  };
}

function codeOf(error: unknown): SealedServiceCode {
  if (error instanceof ReplyTooLargeError || error instanceof UnexpectedResponseError) return 'unexpected-reply';
  return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no-connection';
}

/** The status decides, unless the reply names another code that is known. */
function refusalOf(reply: ByteReply): SealedError {
  const { status } = reply;
  const named = (parseJson(reply.body) as { readonly error?: unknown } | null | undefined)?.error;
  const code = status < 400 ? 'unexpected-reply' : isNamed(named) ? named : codeOfStatus(status);
  return serviceError(code, status, { retryAfterSeconds: retryAfterSeconds(reply) });
}

function codeOfStatus(status: number): SealedServiceCode {
  if (status === 403) return 'unauthorised';
  const found = Object.entries(STATUSES).find(([, known]) => known === status);
  return (found?.[0] as SealedRefusal | undefined) ?? (status >= 500 ? 'unavailable' : 'unexpected-reply');
}

/** Returns the promise, or rejects with the signal's reason if it aborts first. The work of the promise goes on. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

/** The addresses of the sealed look-up below a service's base address. */
export function sealedAddresses(base: string) {
  const root = `${base}/sealed`;
  return {
    manifest: `${root}/manifest`,
    evaluate: `${root}/evaluate`,
    report: `${root}/report`,
    snapshot: (epoch: number, sequence: number) => `${root}/${epoch}/${sequence}/snapshot`,
  };
}
