import {
  optionError,
  refuseUnknown,
  requireFunction,
  requireOneOf,
  requireString,
  requireWhole,
} from '../domain/options.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { PublicReport, ReportDraft } from '../domain/report.ts';
import { DIALECTS, type Dialect } from '../protocol/dialect.ts';
import { formatForm, type FormRequest } from '../protocol/form.ts';
import { OK } from '../protocol/reply.ts';
import { parseViewer } from '../protocol/viewer.ts';
import { withDeadline } from './deadline.ts';
import { READERS, toViewerQuery, type ClientQueryResult, type SentReport } from './dialects.ts';
import { ServiceError, UnexpectedResponseError } from './errors.ts';
import { exchange, retryAfterSeconds, type Reply } from './exchange.ts';
import { answerWithRetries, waitOrAbort, type RetryPolicy } from './retry.ts';
import { serviceAddress } from './service-address.ts';

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The service's base address (protocol 4), or the address of its form endpoint, which ends in `/api` or `/api/`. */
  readonly baseUrl: string;
  /**
   * The reporter's API key (protocol 5). Without a key, only `view` works; the other operations reject with TypeError.
   */
  readonly apiKey?: string | undefined;
  /** `classic` if the service answers as older ones do, with `OK:…` and `<report>…`. Default: `specification`. */
  readonly dialect?: Dialect | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Time limit in milliseconds for a call with all its retries: above 0, at most 2,147,483,647. Default: 10,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum number of retries of a `query`, `view` or `ping`: 0 to 10. `report` and `remove` are never retried.
   * Default: 2.
   */
  readonly retries?: number | undefined;
  /** Maximum size of a reply in bytes, after decompression: at least 1,024. Default: 4 MiB. */
  readonly replyBytes?: number | undefined;
  /** Returns a number from 0 to below 1, for the time before a retry. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Resolves after the time before a retry, and rejects if the signal aborts. Default: a timer. */
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. The service may have answered already. */
  readonly signal?: AbortSignal | undefined;
}

/** Whether a service accepts an API key. */
export interface KeyCheck {
  /** True if the service answered a query with the key. A key for reports only is not accepted. */
  readonly accepted: boolean;
  /** Text of the service about a key that it refuses, at most 500 characters. It is untrusted: escape it. */
  readonly details: string | undefined;
}

/**
 * The operations of a service. A read (`query`, `view`, `ping`) is retried after a lost connection, after the statuses
 * 429 and 5xx, and after an error with status 200 and `Retry-After`, as long as the time limit allows. A `report` or
 * `remove` is sent once. After a {@link ServiceError} with a status from 400 to 499, it has not taken effect. After any
 * other error, it may have taken effect. They reject with:
 * - {@link ServiceError} when the service refuses;
 * - {@link UnexpectedResponseError} when the reply does not follow the protocol;
 * - `ReplyTooLargeError` when the reply is larger than `replyBytes`;
 * - the signal's reason, or a `TimeoutError` after `timeoutMs`;
 * - the platform's error, in most of them TypeError, when there is no connection.
 */
export interface Client {
  /**
   * Submits a report (protocol 4.2). If an identifier is not a hash, rejects with TypeError and sends nothing. If you
   * send a report again after an error, some services store it twice. `redflag serve` recognises it for 24 hours.
   */
  report(draft: ReportDraft, options?: CallOptions): Promise<SentReport>;
  /**
   * Deletes a report (protocol 4.3). If the code is not 16 hex characters, rejects with TypeError and sends nothing.
   */
  remove(deletionCode: string, options?: CallOptions): Promise<void>;
  /** Scores hashed identifiers (protocol 4.4). If one is not a hash, rejects with TypeError and sends nothing. */
  query(identifiers: readonly Identifier[], options?: CallOptions): Promise<ClientQueryResult>;
  /**
   * Returns the reports behind a link or its hash, newest first (protocol 4.5). Returns undefined if there are none
   * (404) or the service fails (5xx). Protocol 7 treats both as missing data. Rejects with TypeError if `linkOrHash` is
   * neither.
   */
  view(linkOrHash: string, options?: CallOptions): Promise<PublicReport[] | undefined>;
  /**
   * Asks whether the service accepts the API key, with a query of one hash that belongs to no value. It counts as a
   * query of one identifier. `accepted` is true only if the service answers the query. A key for reports only is
   * therefore not accepted. Rejects with {@link ServiceError} if the service refuses, but not clearly because of the
   * key: neither with the status 401 or 403, nor with a text about a key.
   */
  ping(options?: CallOptions): Promise<KeyCheck>;
}

// A healthy service answers sooner. A checkout can wait this long.
const DEFAULT_TIMEOUT_MS = 10_000;
// With a pause of at most 0.2 and 0.4 seconds, both fit into the time of a checkout.
const DEFAULT_RETRIES = 2;
// The viewer of redflag sends at most 1 MiB by default. Others may have larger bounds.
const DEFAULT_REPLY_BYTES = 4 * 1024 * 1024;
/** Room for a result with a long link. */
const MIN_REPLY_BYTES = 1024;

const NAMES = ['baseUrl', 'apiKey', 'dialect', 'fetch', 'timeoutMs', 'retries', 'replyBytes', 'random', 'wait'];
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Keys, codes and hashes are longer. */
const SECRET_LENGTH = 12;

/** No value is known to have this hash. */
const PING = [{ kind: 'email', hash: '0'.repeat(40) }];

/**
 * Returns a client for any service with this protocol. Throws TypeError for an unknown or invalid option, and
 * RangeError for a number out of range.
 */
export function createClient(options: ClientOptions): Client {
  refuseUnknown(options, NAMES);
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, replyBytes = DEFAULT_REPLY_BYTES } = options;
  // Call fetch as a plain function: as a method of another object, a browser's fetch throws.
  const { fetch: send = (...request) => fetch(...request) } = options;
  const { retries = DEFAULT_RETRIES, random = Math.random, wait = waitOrAbort } = options;
  const endpoint = `${serviceAddress('baseUrl', options.baseUrl)}/api/`;
  if (apiKey !== undefined) requireString('apiKey', apiKey);
  const { dialect: dialectName = 'specification' } = options;
  requireOneOf('dialect', dialectName, DIALECTS);
  const dialect = READERS[dialectName];
  for (const [name, effect] of Object.entries({ fetch: send, random, wait })) requireFunction(name, effect);
  requireWhole('retries', retries, 0, 10);
  requireWhole('replyBytes', replyBytes, MIN_REPLY_BYTES);
  if (typeof timeoutMs !== 'number') throw new TypeError(`"timeoutMs" expected a number, got ${typeof timeoutMs}`);
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new RangeError(`"timeoutMs" expected more than 0 and at most ${MAX_TIMEOUT_MS}, got ${timeoutMs}`);

  const withoutRetries: RetryPolicy = { retries: 0, random, wait, isTemporary: () => false };
  const withRetries: RetryPolicy = { ...withoutRetries, retries, isTemporary };

  function isTemporary(reply: Reply): boolean {
    const { status, body } = reply;
    if (status === 429 || status >= 500 || dialect.isTemporary(body)) return true;
    // Some services send every error with status 200.
    return status === 200 && dialect.parseError(body) !== undefined && retryAfterSeconds(reply) !== undefined;
  }

  async function sendAll(policy: RetryPolicy, url: string, init: RequestInit, call: CallOptions): Promise<Reply> {
    refuseUnknown(call, ['signal']);
    const endMs = performance.now() + timeoutMs;
    return await withDeadline(timeoutMs, call.signal, (signal) =>
      answerWithRetries(
        () => exchange(send, url, { ...init, signal }, replyBytes),
        policy,
        signal,
        () => endMs - performance.now(),
      ),
    );
  }

  async function post(request: FormRequest, call: CallOptions): Promise<Reply> {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/plain' },
      body: new URLSearchParams(formatForm(request)).toString(),
    };
    const reply = await sendAll(request.action === 'query' ? withRetries : withoutRetries, endpoint, init, call);
    const refused = dialect.parseError(reply.body);
    if (refused !== undefined) {
      const { status } = reply;
      const details = withoutSent(refused, request);
      const seconds = retryAfterSeconds(reply);
      const isAboutKey = status === 401 || status === 403 || (status < 429 && dialect.isAboutKey(details));
      // With Retry-After, it is a limit. Its text may name keys, too.
      throw new ServiceError(status, details, seconds, isAboutKey && seconds === undefined);
    }
    if (reply.status < 200 || reply.status > 299) throw new UnexpectedResponseError(reply.status, reply.body);
    return reply;
  }

  function requireKey(): string {
    if (apiKey === undefined || apiKey === '') throw new TypeError('"apiKey" expected a key, got none');
    return apiKey;
  }

  async function query(identifiers: readonly Identifier[], call: CallOptions = {}): Promise<ClientQueryResult> {
    const reply = await post({ action: 'query', apiKey: requireKey(), identifiers }, call);
    return dialect.parseQuery(reply.body, endpoint) ?? unexpected(reply);
  }

  return {
    async report(draft, call = {}) {
      const reply = await post({ ...draft, action: 'report', apiKey: requireKey() }, call);
      return dialect.parseReport(reply) ?? unexpected(reply);
    },

    async remove(deletionCode, call = {}) {
      const reply = await post({ action: 'delete', apiKey: requireKey(), deletionCode }, call);
      if (reply.body !== OK) unexpected(reply);
    },

    query,

    async view(linkOrHash, call = {}) {
      const linkId = dialect.toLinkId(linkOrHash);
      if (linkId === undefined) throw optionError(TypeError, 'linkOrHash', dialect.linkIdForm, 'another text');
      const init = { method: 'GET', headers: { Accept: 'application/json' } };
      const reply = await sendAll(withRetries, endpoint + toViewerQuery(linkId), init, call);
      if (reply.status === 404 || reply.status >= 500) return undefined;
      const details = reply.status === 429 ? 'Too many viewer requests.' : dialect.parseError(reply.body);
      if (details !== undefined) throw new ServiceError(reply.status, details, retryAfterSeconds(reply));
      return (reply.status === 200 ? parseViewer(reply.body) : undefined) ?? unexpected(reply);
    },

    async ping(call) {
      try {
        await query(PING, call);
        return { accepted: true, details: undefined };
      } catch (error) {
        if (error instanceof ServiceError && error.isKeyRefused) return { accepted: false, details: error.details };
        throw error;
      }
    },
  };
}

/** Callers log the details of a refusal. A service that repeats what it got would put key, hashes and text there. */
function withoutSent(details: string, request: FormRequest): string {
  let text = details;
  for (const [, value] of formatForm(request)) {
    // The name of an action or type tells nothing about a person, and a short text may be a word of the refusal.
    if (value.length < SECRET_LENGTH) continue;
    for (const form of [value, encodeURIComponent(value), new URLSearchParams({ v: value }).toString().slice(2)])
      text = text.replaceAll(form, '…');
  }
  return text;
}

function unexpected({ status, body }: Reply): never {
  throw new UnexpectedResponseError(status, body);
}
