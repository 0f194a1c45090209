import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requireWhole } from '../domain/options.ts';
import type { Service } from '../engine/service.ts';
import type { AnswerOptions } from './answer-options.ts';
import { createAnswer } from './answer.ts';
import { BodyBytes } from './body.ts';
import { clientAddress } from './client-address.ts';
import { withHeaders, type AnswerLoad, type HttpReply } from './exchange.ts';
import { sentRequestId } from './request-id.ts';

export interface ListenerOptions extends AnswerOptions {
  /**
   * Number of the operator's proxies that append to X-Forwarded-For. Default: 0, which ignores the header. With
   * `requestIds`, the id of a proxy (`X-Request-Id`, `traceparent`) is used if it is a UUID or has 32 hex digits.
   */
  readonly trustProxies?: number | undefined;
}

/** A listener for `http.createServer` or Express' `use`. It answers every request and never calls `next`. */
export interface Listener {
  (request: IncomingMessage, response: ServerResponse, next?: unknown): void;
  /** Returns what waits in the service now. */
  load(): AnswerLoad;
}

/** Node's request, with the properties that frameworks add. */
interface FrameworkRequest extends IncomingMessage {
  /** The request target before a router removed its prefix. */
  readonly originalUrl?: string;
  readonly body?: unknown;
}

// If the connection closes while a client is sending, the client loses the reply. So first read and discard the rest of
// the upload, within these bounds.
const LINGER_MILLISECONDS = 2000;
const LINGER_BYTES = 4_194_304;
// Up to this declared length, Node discards an unread body itself and keeps the connection.
const KEEP_BYTES = 65_536;

/**
 * Returns the service as a listener of `node:http`. It also works in frameworks that pass Node's objects, and uses a
 * parsed body in `request.body`. If other code has read the stream and set no body, the reply is 400. Ignores
 * disconnecting clients. Throws TypeError or RangeError for a wrong option.
 */
export function createListener(service: Service, options: ListenerOptions = {}): Listener {
  const { trustProxies = 0, ...answerOptions } = options;
  requireWhole('trustProxies', trustProxies, 0);
  const answer = createAnswer(service, answerOptions);
  const takesIds = trustProxies > 0 && options.requestIds !== undefined;
  const sendLater = createSender();

  const listener = (request: FrameworkRequest, response: ServerResponse): void => {
    // Without these listeners, a broken connection would crash the process.
    request.on('error', ignore);
    response.on('error', ignore);
    if (lacksHeaders(request)) return void response.writeHead(431, { Connection: 'close' }).end();
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
      ...(takesIds && { requestId: sentRequestId(header) }),
      client: clientAddress(request.socket?.remoteAddress, header('x-forwarded-for'), trustProxies),
      body: (limitBytes) => readBody(request, limitBytes),
      parsedBody: parsedBodyOf(request),
    });
    // The answer never rejects.
    void answered.then((reply) => sendLater({ request, response, reply }));
  };
  return Object.assign(listener, { load: () => answer.load() });
}

/** Names and values of headers that Node keeps of a request, unless the server says how many lines it keeps. */
const NODE_PARTS = 2_000;

/** True if Node may have dropped header lines: proxies append X-Forwarded-For, so a client could send its own. */
function lacksHeaders({ rawHeaders, socket }: Partial<IncomingMessage>): boolean {
  const server = (socket as { readonly server?: { readonly maxHeadersCount?: number | null } } | undefined)?.server;
  const lines = server?.maxHeadersCount;
  const most = typeof lines === 'number' ? 2 * lines : NODE_PARTS;
  return rawHeaders !== undefined && most > 0 && rawHeaders.length >= most;
}

/** Returns path and query of a request target. Also accepts the absolute form that proxies send. */
export function splitTarget(target: string): [path: string, query: string] {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = relative.indexOf('?');
  return mark === -1 ? [relative, ''] : [relative.slice(0, mark), relative.slice(mark + 1)];
}

/**
 * Returns the body that a framework's parser produced. Returns undefined for an empty object with an unread stream,
 * because no parser ran.
 */
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
    // A stream that has ended emits no more events. Without this check, the promise would never settle.
    if (wasRead(request))
      return reject(
        new TypeError(
          '"request" expected an unread body, got one that was read; mount the listener before a body parser',
        ),
      );
    if (Number(request.headers['content-length']) > limitBytes) return resolve('too-large');

    const body = new BodyBytes(limitBytes);
    request.on('data', (chunk: Buffer | string) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, request.readableEncoding ?? 'utf8') : chunk;
      if (!body.add(bytes)) resolve('too-large');
    });
    request.on('end', () => resolve(body.whole()));
    // Node emits `close` after an error and after every complete request. Creating an error for each request would be
    // slow.
    request.on('close', () => {
      if (!request.readableEnded) reject(new Error('the client disconnected'));
    });
  });
}

interface Answered {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly reply: HttpReply;
}

/**
 * Returns a function that sends replies at the end of the turn, all of one turn together. To wake up a client for each
 * reply would cost the system more time than the reply itself.
 */
function createSender(): (answered: Answered) => void {
  let waiting: Answered[] = [];
  const send = (): void => {
    const answers = waiting;
    waiting = [];
    for (const { request, response, reply } of answers) {
      try {
        write(request, response, reply);
      } catch {
        // Other code has already started the response.
        response.destroy();
      }
    }
  };
  return (answered) => {
    if (waiting.length === 0) setImmediate(send);
    waiting.push(answered);
  };
}

function write(request: IncomingMessage, response: ServerResponse, reply: HttpReply): void {
  if (response.destroyed || response.writableEnded) return;
  const hasLength = request.method !== 'HEAD' && reply.status !== 304;
  const length = hasLength ? { 'Content-Length': `${Buffer.byteLength(reply.body)}` } : {};
  const headers = withHeaders(reply.headers, length);
  if (!isStillSending(request)) {
    response.writeHead(reply.status, headers);
    // Node appends a short text to the headers and encodes both at once. A long view comes as bytes.
    response.end(reply.body);
    return;
  }
  // HTTP/2 forbids this header. Its streams end without closing the connection.
  if (request.httpVersionMajor === 1) headers['Connection'] = 'close';
  response.writeHead(reply.status, headers);
  response.write(reply.body);
  linger(request, () => response.end());
}

/**
 * Returns true while a body that is long or of unknown length still arrives, even if the reply does not need the body.
 */
function isStillSending(request: IncomingMessage): boolean {
  if (request.complete !== false || request.destroyed) return false;
  return !(Number(request.headers['content-length']) <= KEEP_BYTES);
}

/** Discards the rest of an upload and calls `done` once: at the end of the upload, on disconnect, or at a bound. */
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
