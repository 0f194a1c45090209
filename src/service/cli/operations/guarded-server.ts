import {
  createServer,
  IncomingMessage,
  STATUS_CODES,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { addressBucket } from '../../../core/engine/limits.ts';
import {
  toServerSettings,
  type ClosedConnections,
  type ServerLimits,
  type ServerSettings,
  type ServerUsage,
} from './server-limits.ts';
import { statusOfUnreadable } from '../../../core/http/status.ts';

/** A server that bounds what clients can take. */
export interface GuardedServer {
  /** A server of `node:http` that does not listen yet. */
  readonly server: Server;
  /** Returns what the open connections use now. */
  usage(): ServerUsage;
  /** Returns how many connections the server closed because of a bound, since it was made. */
  closed(): ClosedConnections;
  /**
   * Stops the server: no new connections, idle ones are closed at once, and each reply closes its connection. After
   * `graceMs` milliseconds, the connections that are left are cut. Resolves when none is open.
   */
  finish(graceMs: number): Promise<void>;
}

/** Most requests that a client may send ahead without a reply to the first one. */
const MAX_REQUESTS_AHEAD = 32;
/** Headers of a request. Browsers and proxies send about 30. */
const MAX_HEADERS = 100;
/**
 * Node keeps each piece of a body, until it is read, as an object of several hundred bytes. Above this number, pieces
 * must have 64 bytes on average. Networks send more than 500, programs some thousands.
 */
const MAX_SHORT_PIECES = 256;
const SHORT_PIECE_BYTES = 64;

/**
 * Returns a server of `node:http` that bounds the connections and memory that clients can take. It cuts off a client
 * that is too slow to send its request or to take its reply, and it bounds connections and the bytes of unread replies.
 *
 * - If all connections are in use, a new one replaces the one for whose client the server has waited the longest. If
 *   the server waits for none, the new connection is closed. So is a connection above `connectionsPerAddress`.
 * - If replies above `replyBytes` wait, the connections with the oldest unread replies are closed. If bodies above the
 *   same number of bytes wait for their rest, those for whose clients the server has waited the longest are closed.
 * - The requests of a connection run one after the other. With more than 32 unanswered ones it is closed. While one
 *   waits for its turn, nothing more is read.
 * - A connection on which bodies come in more than 256 pieces of less than 64 bytes is closed.
 * - After a request that cannot be read, the requests before it are still answered. Then the connection is closed.
 *
 * Throws TypeError or RangeError for a wrong bound.
 */
export function createGuardedServer(listener: RequestListener, limits: ServerLimits = {}): GuardedServer {
  const settings = toServerSettings(limits);
  const { headersTimeout, requestTimeout, keepAliveTimeout, checkMs } = settings;
  const guard = new Guard(listener, settings);
  // Node calls `push` for each piece of a body, as it parses it.
  class Message extends IncomingMessage {
    override push(piece: Uint8Array | null): boolean {
      if (piece === null) guard.completes(this);
      return (piece === null || guard.takes(this.socket, piece.length)) && super.push(piece);
    }
  }
  const server = createServer({
    IncomingMessage: Message,
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: checkMs,
  });
  // Node drops further ones, and the listener refuses such a request.
  server.maxHeadersCount = MAX_HEADERS;
  server.on('connection', (socket) => guard.open(socket));
  server.on('request', (request, response) => guard.take(request, response));
  // Otherwise, Node would answer these requests itself, past the guard.
  server.on('checkExpectation', (request, response) => guard.take(request, response));
  // Node would send its reply at once, in the place of the replies to the requests before it.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => guard.refuse(error.code, socket as Socket));
  server.on('listening', () => {
    const checks = setInterval(() => guard.cutSlowReaders(), checkMs).unref();
    server.once('close', () => clearInterval(checks));
  });
  return {
    server,
    usage: () => guard.usage(),
    closed: () => guard.closed,
    finish: (graceMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => guard.cutAll(), graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        guard.stop();
      }),
  };
}

/** True if a client waits for something before it sends its body, but not for leave to send it (RFC 9110, 10.1.1). */
function hasUnmetExpectation({ headers }: IncomingMessage): boolean {
  return headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue';
}

/** One open connection. */
class Connection {
  readonly socket: Socket;
  readonly address: string | undefined;
  /** The request that runs. */
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  /** Requests that the client sent ahead. */
  readonly ahead: (readonly [IncomingMessage, ServerResponse])[] = [];
  /** Status of a request that cannot be read. Nothing after it can be read either. */
  refused: number | undefined;
  /** Called when bytes were written or taken, and when a reply is over. Kept, so that no request creates functions. */
  readonly measure: () => void;
  readonly next: () => void;
  /** Bytes of replies that waited when last measured. */
  replyBytes = 0;
  /** Since when bytes have waited without a break, by the monotonic clock. */
  unreadSinceMs = 0;
  /** Pieces of bodies, and their bytes, since the last reply was taken. */
  pieces = 0;
  pieceBytes = 0;
  /** Bytes of bodies while the server waits for their rest. */
  waitingBytes = 0;
  /** Bytes received up to the end of the last request. More bytes belong to the next one. */
  receivedBefore = 0;

  constructor(
    socket: Socket,
    address: string | undefined,
    measure: (own: Connection) => void,
    next: (own: Connection) => void,
  ) {
    this.socket = socket;
    this.address = address;
    this.measure = () => measure(this);
    this.next = () => next(this);
  }

  /** True while the server, not the client, has to act. */
  get isServed(): boolean {
    return this.request?.complete === true && this.replyBytes === 0;
  }

  get isIdle(): boolean {
    return this.request === undefined && this.socket.bytesRead === this.receivedBefore;
  }
}

class Guard {
  readonly #listener: RequestListener;
  readonly #settings: ServerSettings;
  /** In the order of the last reply; before the first one, in the order of connecting. */
  readonly #open = new Set<Connection>();
  readonly #bySocket = new WeakMap<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();
  /** Connections with waiting bytes, the oldest first. */
  readonly #unread = new Set<Connection>();
  readonly closed = { refused: 0, cut: 0 };
  #replyBytes = 0;
  #bodyBytes = 0;
  #isStopping = false;

  constructor(listener: RequestListener, settings: ServerSettings) {
    this.#listener = listener;
    this.#settings = settings;
  }

  usage(): ServerUsage {
    return { connections: this.#open.size, addresses: this.#perAddress.size, replyBytes: this.#replyBytes };
  }

  open(socket: Socket): void {
    const { connections, connectionsPerAddress, trustProxies } = this.#settings;
    const address = trustProxies > 0 ? undefined : addressBucket(socket.remoteAddress ?? '');
    const isFull = address !== undefined && (this.#perAddress.get(address) ?? 0) >= connectionsPerAddress;
    if (isFull || (this.#open.size >= connections && !this.#makeRoom())) {
      socket.destroy();
      this.closed.refused++;
      return;
    }
    const connection = new Connection(socket, address, this.#measure, this.#next);
    this.#open.add(connection);
    this.#bySocket.set(socket, connection);
    // Read the number again: making room may have changed it.
    if (address !== undefined) this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
    socket.on('drain', connection.measure);
    // Node reads on after a request that it has parsed.
    socket.on('resume', () => connection.ahead.length > 0 && socket.pause());
    socket.once('close', () => this.#forget(connection));
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#bySocket.get(request.socket);
    // The connection was refused or cut.
    if (connection === undefined || !this.#open.has(connection)) return;
    if (connection.request === undefined) this.#run(connection, request, response);
    else if (connection.ahead.length < MAX_REQUESTS_AHEAD) {
      // Once: to pause a socket that Node is about to resume would do nothing.
      if (connection.ahead.push([request, response]) === 1) connection.socket.pause();
    } else this.#cut(connection);
  }

  /** Counts a piece of a body. Returns false if the connection is closed, if need be because of this piece. */
  takes(socket: Socket, bytes: number): boolean {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined || !this.#open.has(connection)) return false;
    const pieces = ++connection.pieces;
    connection.pieceBytes += bytes;
    // A connection that is served is not cut: what it sent ahead must not cut others.
    if (!connection.isServed) {
      connection.waitingBytes += bytes;
      this.#bodyBytes += bytes;
    }
    if (this.#bodyBytes > this.#settings.replyBytes) this.#cutBodies();
    if (!this.#open.has(connection)) return false;
    if (pieces <= MAX_SHORT_PIECES || connection.pieceBytes >= pieces * SHORT_PIECE_BYTES) return true;
    this.#cut(connection);
    return false;
  }

  /** The whole body of a request has arrived. Those of requests that were sent ahead wait for their turn. */
  completes(request: IncomingMessage): void {
    const connection = this.#bySocket.get(request.socket);
    if (connection?.request === request) this.#forgetBody(connection);
  }

  /** Cuts connections whose bodies wait, the longest first: many uploads must not end a short form. */
  #cutBodies(): void {
    const waiting = [...this.#open].filter(({ waitingBytes, isServed }) => waitingBytes > 0 && !isServed);
    for (const connection of waiting.sort((a, b) => b.waitingBytes - a.waitingBytes)) {
      this.#cut(connection);
      if (this.#bodyBytes <= this.#settings.replyBytes) return;
    }
  }

  #run(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.request = request;
    connection.response = response;
    if (this.#isStopping) response.setHeader('Connection', 'close');
    // The whole reply has been handed to the socket.
    response.on('prefinish', connection.measure);
    response.on('close', connection.next);
    if (hasUnmetExpectation(request)) response.writeHead(417).end();
    else this.#listener(request, response);
  }

  /** Refuses a request that cannot be read, after the replies to the requests before it. */
  refuse(code: string | undefined, socket: Socket): void {
    const connection = this.#bySocket.get(socket);
    if (connection === undefined) return void socket.destroy();
    connection.refused ??= statusOfUnreadable(code);
    if (connection.request?.complete !== true) this.#end(connection, connection.refused);
  }

  #end({ socket, response }: Connection, status: number): void {
    if (socket.writable && response?.headersSent !== true)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
    socket.destroySoon();
  }

  /** The client has taken the reply, or the connection is closing. */
  readonly #next = (connection: Connection): void => {
    connection.request = undefined;
    connection.response = undefined;
    if (!this.#open.delete(connection)) return;
    this.#open.add(connection);
    this.#measure(connection);
    connection.receivedBefore = connection.socket.bytesRead;
    connection.pieces = 0;
    connection.pieceBytes = 0;
    this.#forgetBody(connection);
    const next = connection.ahead.shift();
    const { refused, socket } = connection;
    if (next !== undefined && connection.ahead.length === 0) socket.resume();
    // After a reply that closes the connection, nothing more can be answered.
    if (next !== undefined && socket.writable && (refused === undefined || next[0].complete))
      this.#run(connection, ...next);
    else if (refused !== undefined) this.#end(connection, refused);
    else if (this.#isStopping) socket.destroySoon();
  };

  /** Counts the bytes that wait on a connection. Then cuts connections until the bounds are kept. */
  readonly #measure = (connection: Connection): void => {
    if (!this.#open.has(connection)) return;
    const bytes = connection.socket.writableLength;
    this.#replyBytes += bytes - connection.replyBytes;
    connection.replyBytes = bytes;
    if (bytes === 0) {
      this.#unread.delete(connection);
      return;
    }
    if (!this.#unread.has(connection)) {
      connection.unreadSinceMs = performance.now();
      this.#unread.add(connection);
    }
    if (bytes > this.#settings.replyBytesPerConnection) this.#cut(connection);
    if (this.#replyBytes <= this.#settings.replyBytes) return;
    for (const oldest of this.#unread) {
      this.#cut(oldest);
      if (this.#replyBytes <= this.#settings.replyBytes) return;
    }
  };

  cutSlowReaders(): void {
    const latest = performance.now() - this.#settings.replyTimeout;
    // All of them: a reply that is written in parts has not been measured yet.
    for (const connection of this.#open) {
      this.#measure(connection);
      if (this.#unread.has(connection) && connection.unreadSinceMs <= latest) this.#cut(connection);
    }
  }

  /** Closes the connection for whose client the server has waited the longest. Returns false if there is none. */
  #makeRoom(): boolean {
    for (const connection of this.#open) {
      if (connection.isServed) continue;
      this.#cut(connection);
      return true;
    }
    return false;
  }

  stop(): void {
    this.#isStopping = true;
    for (const connection of this.#open) {
      const { response } = connection;
      // Node would keep the connection open for the client's next request.
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
      if (connection.isIdle) connection.socket.destroy();
    }
  }

  cutAll(): void {
    for (const connection of this.#open) this.#cut(connection);
  }

  /** Closes a connection without sending what waits. The system drops these bytes too. */
  #cut(connection: Connection): void {
    this.#forget(connection);
    this.closed.cut++;
    connection.socket.resetAndDestroy();
  }

  #forgetBody(connection: Connection): void {
    this.#bodyBytes -= connection.waitingBytes;
    connection.waitingBytes = 0;
  }

  /** Gives back all that was counted for a connection. */
  #forget(connection: Connection): void {
    if (!this.#open.delete(connection)) return;
    this.#unread.delete(connection);
    this.#replyBytes -= connection.replyBytes;
    this.#forgetBody(connection);
    const { address } = connection;
    if (address === undefined) return;
    const others = this.#perAddress.get(address)! - 1;
    if (others === 0) this.#perAddress.delete(address);
    else this.#perAddress.set(address, others);
  }
}
