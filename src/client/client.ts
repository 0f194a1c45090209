import { isCode, isHash, type Identifier } from '../domain/identifier.ts';
import { refuseUnknown, requireFunction, requireString } from '../domain/options.ts';
import type { PublicReport, ReportDraft } from '../domain/report.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { formatForm, type FormRequest } from '../protocol/form.ts';
import { hashOfLink, parseBaseUrl } from '../protocol/link.ts';
import { OK, parseError, parseResult } from '../protocol/reply.ts';
import { parseViewer } from '../protocol/viewer.ts';
import { withDeadline } from './deadline.ts';
import { ServiceError, UnexpectedResponseError } from './errors.ts';

export interface ClientOptions {
  /** The service's base address (spec 4), without `/api`. */
  readonly baseUrl: string;
  /** The reporter's API key (spec 5). Without a key, only `view` works; the other operations reject with TypeError. */
  readonly apiKey?: string | undefined;
  /** Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Time limit in milliseconds for a request and its reply: above 0, at most 2,147,483,647. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * The codes of a report. Other services may omit both, because the specification does not say how to send them (2.4).
 */
export interface SentReport {
  readonly reportId: string | undefined;
  readonly deletionCode: string | undefined;
}

/** The result of a query, and the hash in the result's link. */
export interface ClientQueryResult extends QueryResult {
  /** 40 lowercase hex characters, for {@link Client.view}. */
  readonly linkHash: string;
}

/**
 * The four operations of a service. Each sends one request and never retries. They reject with:
 * - {@link ServiceError} when the service refuses;
 * - {@link UnexpectedResponseError} when the reply does not follow the protocol;
 * - the signal's reason, or a `TimeoutError` after `timeoutMs`;
 * - the platform's TypeError when there is no connection.
 */
export interface Client {
  /** Submits a report (spec 4.2). If an identifier is not a hash, rejects with TypeError and sends nothing. */
  report(draft: ReportDraft, options?: CallOptions): Promise<SentReport>;
  /** Deletes a report (spec 4.3). */
  remove(deletionCode: string, options?: CallOptions): Promise<void>;
  /** Scores hashed identifiers (spec 4.4). If one is not a hash, rejects with TypeError and sends nothing. */
  query(identifiers: readonly Identifier[], options?: CallOptions): Promise<ClientQueryResult>;
  /**
   * Returns the reports behind a link or its hash, newest first (spec 4.5). Returns undefined if there are none (404)
   * or the service fails (5xx). Spec 7 treats both as missing data. Rejects with TypeError if `linkOrHash` is neither.
   */
  view(linkOrHash: string, options?: CallOptions): Promise<PublicReport[] | undefined>;
}

// A healthy service answers sooner. A checkout can wait this long.
const DEFAULT_TIMEOUT_MS = 10_000;

const NAMES = ['baseUrl', 'apiKey', 'fetch', 'timeoutMs'];
const MOST_TIMEOUT_MS = 2_147_483_647;

/**
 * Returns a client for any service with this protocol. Throws TypeError for an unknown or invalid option, and
 * RangeError for a timeout out of range.
 */
export function createClient(options: ClientOptions): Client {
  refuseUnknown(options, NAMES);
  // Call fetch as a plain function: as a method of another object, a browser's fetch throws.
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, fetch: send = (...request) => fetch(...request) } = options;
  const { origin, path } = parseBaseUrl('baseUrl', options.baseUrl);
  const endpoint = `${origin}${path}/api/`;
  if (apiKey !== undefined) requireString('apiKey', apiKey);
  requireFunction('fetch', send);
  if (typeof timeoutMs !== 'number') throw new TypeError(`"timeoutMs" expected a number, got ${typeof timeoutMs}`);
  if (!(timeoutMs > 0 && timeoutMs <= MOST_TIMEOUT_MS))
    throw new RangeError(`"timeoutMs" expected more than 0 and at most ${MOST_TIMEOUT_MS}, got ${timeoutMs}`);

  async function exchange(url: string, init: RequestInit, call: CallOptions): Promise<Reply> {
    refuseUnknown(call, ['signal']);
    return await withDeadline(timeoutMs, call.signal, async (deadline) => {
      // Do not follow redirects: a redirect may turn the POST into a GET without a body.
      const response = await send(url, { ...init, redirect: 'manual', signal: deadline });
      const { status, headers } = response;
      const body = await response.text();
      if (status === 0 || (status >= 300 && status < 400)) throw new UnexpectedResponseError(status, body);
      // Many servers add a line break at the end. Ignore it.
      return { status, headers, body: body.trim() };
    });
  }

  async function post(request: FormRequest, call: CallOptions): Promise<Reply> {
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/plain' },
      body: new URLSearchParams(formatForm(request)).toString(),
    };
    const reply = await exchange(endpoint, init, call);
    const details = parseError(reply.body);
    if (details !== undefined) throw new ServiceError(reply.status, details, retryAfterSeconds(reply.headers));
    if (reply.status < 200 || reply.status > 299) throw new UnexpectedResponseError(reply.status, reply.body);
    return reply;
  }

  function requireKey(): string {
    if (apiKey === undefined || apiKey === '') throw new TypeError('"apiKey" expected a key, got none');
    return apiKey;
  }

  return {
    async report({ type, severity, text, identifiers }, call = {}) {
      const reply = await post({ action: 'report', apiKey: requireKey(), type, severity, text, identifiers }, call);
      if (reply.body !== OK) throw new UnexpectedResponseError(reply.status, reply.body);
      return { reportId: codeIn(reply.headers, 'X-Report-Id'), deletionCode: codeIn(reply.headers, 'X-Deletion-Code') };
    },

    async remove(deletionCode, call = {}) {
      const reply = await post({ action: 'delete', apiKey: requireKey(), deletionCode }, call);
      if (reply.body !== OK) throw new UnexpectedResponseError(reply.status, reply.body);
    },

    async query(identifiers, call = {}) {
      const reply = await post({ action: 'query', apiKey: requireKey(), identifiers }, call);
      const result = parseResult(reply.body);
      const linkHash = result && hashOfLink(result.link);
      if (result === undefined || linkHash === undefined) throw new UnexpectedResponseError(reply.status, reply.body);
      return { ...result, linkHash };
    },

    async view(linkOrHash, call = {}) {
      const linkHash = hashOfLink(linkOrHash) ?? linkOrHash.toLowerCase();
      if (!isHash(linkHash))
        throw new TypeError('"linkOrHash" expected a link or its 40 hex characters, got another text');
      const reply = await exchange(
        `${endpoint}?showreport=${linkHash}`,
        { method: 'GET', headers: { Accept: 'application/json' } },
        call,
      );
      if (reply.status === 404 || reply.status >= 500) return undefined;
      if (reply.status === 429)
        throw new ServiceError(429, 'Too many viewer requests.', retryAfterSeconds(reply.headers));
      const reports = reply.status === 200 ? parseViewer(reply.body) : undefined;
      if (reports === undefined) throw new UnexpectedResponseError(reply.status, reply.body);
      return reports;
    },
  };
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

function codeIn(headers: Headers, name: string): string | undefined {
  const value = headers.get(name);
  return value !== null && isCode(value) ? value : undefined;
}

/** Returns Retry-After in seconds. Ignores the date form, because the clocks of client and server may differ. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('Retry-After');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
