import { isCode, isHash, type Identifier } from '../domain/identifier.ts';
import type { PublicReport, ReportDraft } from '../domain/report.ts';
import type { QueryResult } from '../domain/verdict.ts';
import { parseBaseUrl } from '../protocol/base-url.ts';
import { formatForm, type FormRequest } from '../protocol/form.ts';
import { hashOfLink } from '../protocol/link.ts';
import { OK, parseError, parseResult } from '../protocol/reply.ts';
import { parseViewer } from '../protocol/viewer.ts';
import { withDeadline } from './deadline.ts';
import { ServiceError } from './service-error.ts';
import { UnexpectedResponseError } from './unexpected-response-error.ts';

export interface ClientOptions {
  /** The service's base address (spec 4), without `/api`. */
  readonly baseUrl: string;
  /** The reporter's API key (spec 5). The viewer needs none; without it the other three throw TypeError. */
  readonly apiKey?: string | undefined;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one request may take, its reply included, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What a service says about a report beside `OK`. Neither is part of the specification (silent: 2.4), so another operator may send none. */
export interface SentReport {
  readonly reportId: string | undefined;
  readonly deletionCode: string | undefined;
}

/** A query's result and the hash in its link. */
export interface ClientQueryResult extends QueryResult {
  /** 40 lowercase hex characters, for {@link Client.view}. */
  readonly linkHash: string;
}

/**
 * The four operations of a service. Each sends one request and never repeats it. They reject with {@link ServiceError} when the service said no, with
 * {@link UnexpectedResponseError} when the reply is not one of the protocol, with the signal's reason or a `TimeoutError` when the
 * time was over, and with the platform's TypeError when there was no connection.
 */
export interface Client {
  /** Submits a report (spec 4.2). Throws TypeError before anything is sent when an identifier is not a hash. */
  report(draft: ReportDraft, options?: CallOptions): Promise<SentReport>;
  /** Deletes a report (spec 4.3). */
  remove(deletionCode: string, options?: CallOptions): Promise<void>;
  /** Asks about hashed identifiers (spec 4.4). Throws TypeError before anything is sent when one is not a hash. */
  query(identifiers: readonly Identifier[], options?: CallOptions): Promise<ClientQueryResult>;
  /** The reports behind a link or its hash, newest first (spec 4.5). Undefined when there are none (404) and when the service failed (5xx), which counts as missing data (spec 7). */
  view(linkOrHash: string, options?: CallOptions): Promise<PublicReport[] | undefined>;
}

// Longer than a healthy service ever takes, shorter than a checkout waits.
const DEFAULT_TIMEOUT_MS = 10_000;

/** Makes a client of any service that speaks this protocol. Throws TypeError for options that cannot hold. */
export function createClient(options: ClientOptions): Client {
  const { origin, path } = parseBaseUrl('baseUrl', options.baseUrl);
  const endpoint = `${origin}${path}/api/`;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  if (!(timeoutMs > 0 && timeoutMs <= 2_147_483_647))
    throw new TypeError(`"timeoutMs" expected more than 0 and at most 2147483647, got ${String(timeoutMs)}`);
  // Called on its own: a browser's fetch refuses to run as the method of another object.
  const send = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request));

  async function exchange(url: string, init: RequestInit, { signal }: CallOptions): Promise<Reply> {
    return await withDeadline(timeoutMs, signal, async (deadline) => {
      // A followed redirect would turn the POST into a GET and lose its body.
      const response = await send(url, { ...init, redirect: 'manual', signal: deadline });
      const { status, headers } = response;
      const body = await response.text();
      if (status === 0 || (status >= 300 && status < 400)) throw new UnexpectedResponseError(status, body);
      // A line end after the text is the commonest slip of a server and means nothing.
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

  function apiKey(): string {
    if (options.apiKey === undefined || options.apiKey === '') throw new TypeError('"apiKey" expected a key, got none');
    return options.apiKey;
  }

  return {
    async report({ type, severity, text, identifiers }, call = {}) {
      const reply = await post({ action: 'report', apiKey: apiKey(), type, severity, text, identifiers }, call);
      if (reply.body !== OK) throw new UnexpectedResponseError(reply.status, reply.body);
      return { reportId: codeIn(reply.headers, 'X-Report-Id'), deletionCode: codeIn(reply.headers, 'X-Deletion-Code') };
    },

    async remove(deletionCode, call = {}) {
      const reply = await post({ action: 'delete', apiKey: apiKey(), deletionCode }, call);
      if (reply.body !== OK) throw new UnexpectedResponseError(reply.status, reply.body);
    },

    async query(identifiers, call = {}) {
      const reply = await post({ action: 'query', apiKey: apiKey(), identifiers }, call);
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

/** Retry-After in seconds; its other form, a date, is left out because it needs a clock that agrees with the server's. */
function retryAfterSeconds(headers: Headers): number | undefined {
  const value = headers.get('Retry-After');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
