import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Service } from '../engine/service.ts';
import type { AnswerOptions } from './answer-options.ts';
import { createAnswer } from './answer.ts';
import { createBoundedBytes, declaresTooMuch } from './bounded-bytes.ts';
import { clientAddress } from './client-address.ts';
import type { HttpReply } from './exchange.ts';

/** The answer's options and what only a server knows. */
export interface ListenerOptions extends AnswerOptions {
  /** How many proxies of the operator stand in front and append to X-Forwarded-For. 0, the default: the header is not looked at. */
  readonly trustProxies?: number | undefined;
}

/** Fits `http.createServer` and Express' `use`. It answers everything it is given; the third argument is never called. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: unknown) => void;

/** What frameworks add to Node's request. */
interface FrameworkRequest extends IncomingMessage {
  /** The address as it was before a router cut its prefix off. */
  readonly originalUrl?: string;
  /** What a body parser made of the stream. */
  readonly body?: unknown;
}

// A client that is still sending when the reply is ready loses it when the connection is cut, so the rest of its upload is
// thrown away for a while first: time enough for a slow line to notice, and a bound for one that never stops.
const LINGER_MILLISECONDS = 2000;
const LINGER_BYTES = 4_194_304;
// An unread body that declares no more than this is left to Node, which throws it away and keeps the connection.
const KEEP_BYTES = 65_536;

/**
 * The service as a listener of `node:http`, under any framework that hands over Node's objects. A body that a parser left in `request.body` is
 * taken from there; a stream that something read without leaving one is answered 400. Clients that go away are nobody's error.
 * Throws TypeError for options that cannot hold.
 */
export function createListener(service: Service, options: ListenerOptions = {}): Listener {
  const trustProxies = options.trustProxies ?? 0;
  if (!Number.isSafeInteger(trustProxies) || trustProxies < 0)
    throw new TypeError(`"trustProxies" expected an integer of at least 0, got ${String(trustProxies)}`);
  const answer = createAnswer(service, options);

  return (request: FrameworkRequest, response) => {
    // Without listeners a broken connection would end the process.
    request.on('error', ignore);
    response.on('error', ignore);
    const [path, query] = splitTarget(request.originalUrl ?? request.url ?? '');
    const header = (name: string): string | undefined => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    };
    const answered = answer({
      method: request.method ?? '',
      path,
      query,
      header,
      client: clientAddress(request.socket?.remoteAddress, header('x-forwarded-for'), trustProxies),
      body: (limitBytes) => readBody(request, limitBytes),
      parsedBody: parsedBodyOf(request),
    });
    // The answer never rejects; what can still throw is a response that something else has already begun.
    answered.then((reply) => write(request, response, reply)).catch(() => response.destroy());
  };
}

/** Path and query of a request target, also of the absolute form that proxies send. */
function splitTarget(target: string): [path: string, query: string] {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = relative.indexOf('?');
  return mark === -1 ? [relative, ''] : [relative.slice(0, mark), relative.slice(mark + 1)];
}

/** What a parser left. An empty object beside an unread stream is the mark of a parser that was there for other types: then the stream is read. */
function parsedBodyOf(request: FrameworkRequest): unknown {
  const { body } = request;
  if (body === null || body === undefined) return undefined;
  const isEmptyObject =
    typeof body === 'object' &&
    !(body instanceof Uint8Array) &&
    Object.keys(body).length === 0 &&
    Object.prototype.toString.call(body) === '[object Object]';
  return isEmptyObject && !wasRead(request) ? undefined : body;
}

function wasRead(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded || request.destroyed;
}

function readBody(request: IncomingMessage, limitBytes: number): Promise<Uint8Array | 'too-large'> {
  return new Promise((resolve, reject) => {
    // Listening to a stream that has ended would wait for ever.
    if (wasRead(request)) {
      reject(new TypeError('"request" expected a body that was not read, got one that was'));
      return;
    }
    if (declaresTooMuch(request.headers['content-length'], limitBytes)) {
      resolve('too-large');
      return;
    }
    const collected = createBoundedBytes(limitBytes);
    request.on('data', (chunk: Buffer | string) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, request.readableEncoding ?? 'utf8') : chunk;
      if (!collected.add(bytes)) resolve('too-large');
    });
    request.on('end', () => resolve(collected.bytes()));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client went away.')));
  });
}

function write(request: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
  if (response.destroyed || response.writableEnded) return;
  const body = Buffer.from(reply.body, 'utf8');
  const headers: Record<string, string | number> = { ...reply.headers };
  if (request.method !== 'HEAD' && reply.status !== 304) headers['Content-Length'] = body.length;
  // Also a body that nobody wanted (404, 405, 415): waiting for its end to keep the connection would be a present to whoever never ends.
  const isStillSending = request.complete === false && !request.destroyed && !isShort(request);
  if (!isStillSending) {
    response.writeHead(reply.status, headers);
    response.end(body);
    return;
  }
  // HTTP/2 has no such header and ends only the stream.
  if (request.httpVersionMajor === 1) headers['Connection'] = 'close';
  response.writeHead(reply.status, headers);
  response.write(body);
  linger(request, () => response.end());
}

function isShort(request: IncomingMessage): boolean {
  return Number(request.headers['content-length']) <= KEEP_BYTES;
}

/** Throws the rest of an upload away, then calls `done` once: when it ended, when the client went away, or when the bounds are reached. */
function linger(request: IncomingMessage, done: () => void): void {
  const timer = setTimeout(finish, LINGER_MILLISECONDS);
  let isDone = false;
  function finish(): void {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done();
  }
  let bytes = 0;
  request.on('data', (chunk: Buffer | string) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) finish();
  });
  request.once('end', finish);
  request.once('close', finish);
  request.resume();
}

function ignore(): void {}
