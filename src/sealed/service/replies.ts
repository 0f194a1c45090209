import { STATUSES, type SealedRefusal } from '../errors.ts';

/** A request, as the service's HTTP has it. */
export interface SealedRequest {
  /** Upper case. */
  readonly method: string;
  /** Returns the value of a header by its lowercase name; undefined if it is missing. */
  header(name: string): string | undefined;
  /** The client's address, if known. */
  readonly client?: string | undefined;
  /** Returns the whole body, or `too-large` if it is longer. Rejects if the body is incomplete. */
  body(limitBytes: number): Promise<Uint8Array | 'too-large'>;
  /** The body that a framework's parser produced, if any. */
  readonly parsedBody?: unknown;
}

/** A reply. Header names have their usual spelling. */
export interface SealedReply {
  /** 200 to 503. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Pages of any origin may use the look-up: a request has a key in a header, never a cookie. */
const COMMON = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Redflag-Signature, ETag, Retry-After, RateLimit, RateLimit-Policy',
  'X-Content-Type-Options': 'nosniff',
} as const;
const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' } as const;

/** Returns the reply with JSON. */
export function replyWithJson(value: object): SealedReply {
  return { status: 200, headers: { ...COMMON, ...JSON_HEADERS }, body: JSON.stringify(value) };
}

/** Returns the reply with bytes. `headers` say how they may be cached. */
export function replyWithBytes(body: Uint8Array, headers: Readonly<Record<string, string>>): SealedReply {
  return { status: 200, headers: { ...COMMON, 'Content-Type': 'application/octet-stream', ...headers }, body };
}

/** Returns the reply without a body, such as 304. */
export function replyEmpty(status: number, headers: Readonly<Record<string, string>>): SealedReply {
  return { status, headers: { ...COMMON, ...headers }, body: '' };
}

/** A request is refused. `message` is one sentence without a submitted value. */
export class RefusedRequest extends Error {
  readonly reply: SealedReply;

  constructor(
    code: SealedRefusal,
    message: string,
    more: {
      /** The current epoch, of `unknown-epoch`. */
      readonly epoch?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly status?: number;
    } = {},
  ) {
    super(message);
    const { epoch, headers, status = STATUSES[code] } = more;
    const known = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    this.reply = {
      status,
      headers: { ...COMMON, ...JSON_HEADERS, ...known, ...headers },
      body: JSON.stringify({ error: code, message, ...(epoch !== undefined && { epoch }) }),
    };
  }
}
