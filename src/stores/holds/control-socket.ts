import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { errorCode } from './folder.ts';

/** Name of the socket in a folder on which other processes reach the folder's holder. */
export const CONTROL_NAME = 'control.sock';

/**
 * Maximum bytes of a Unix socket path: `sun_path` without its terminator. The system silently truncates longer paths.
 */
const SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** A socket address within the system's path limit. It is valid until `release`. */
export interface SocketAddress {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Returns the address of `<folder>/<name>` for `listen` and `connect`. If the path is too long, Linux reaches it
 * through an open handle of the folder; other systems reject with RangeError. Rejects with ENOENT if the folder does
 * not exist.
 */
export async function addressOf(folder: string, name: string): Promise<SocketAddress> {
  const direct = path.join(path.resolve(folder), name);
  if (Buffer.byteLength(direct) <= SOCKET_PATH_BYTES) return { path: direct, release: async () => undefined };
  if (process.platform !== 'linux') {
    throw new RangeError(
      `the path of the folder is too long for a socket: ${direct} has more than ${SOCKET_PATH_BYTES} bytes; use a shorter one`,
    );
  }
  const handle = await open(folder, 'r');
  return { path: `/proc/self/fd/${handle.fd}/${name}`, release: () => handle.close() };
}

/** Returns the name of the pipe for a folder: Windows has no sockets in folders. Not tested on Windows. */
export async function pipeOf(folder: string): Promise<string> {
  return `\\\\.\\pipe\\redflag-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')}`;
}

/**
 * Connects to the socket `<folder>/<name>`. Undefined if no process listens there. Rejects with any other system error.
 */
export async function connectTo(folder: string, name: string): Promise<net.Socket | undefined> {
  try {
    if (process.platform === 'win32') return await connect(await pipeOf(folder));
    const address = await addressOf(folder, name);
    try {
      return await connect(address.path);
    } finally {
      await address.release();
    }
  } catch (error) {
    const code = errorCode(error);
    // ECONNREFUSED: the socket file exists but its process has ended. A stopped or busy process still accepts
    // connections.
    if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Connects to the process that holds `folder` (see `lockFolder`). Undefined if no process holds it. Rejects with the
 * system's error, such as EACCES, if a process may listen but cannot be reached.
 */
export function connectToFolder(folder: string): Promise<net.Socket | undefined> {
  return connectTo(folder, CONTROL_NAME);
}

function connect(address: string): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** The server side of the control socket. It can close all its connections. */
export class ControlServer {
  /** Handles connections. While it is undefined, connections are closed at once. */
  handler: ((socket: net.Socket) => void) | undefined;
  readonly #sockets = new Set<net.Socket>();
  readonly #server = net.createServer((socket) => {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Without a listener, an 'error' event would end this process. The handler gets 'close' instead.
    socket.on('error', () => socket.destroy());
    if (this.handler === undefined) socket.destroy();
    else this.handler(socket);
  });

  listen(address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      // Without `exclusive`, a cluster's primary process would listen and keep the lock after this process has ended.
      this.#server.listen({ path: address, exclusive: true }, () => {
        this.#server.off('error', reject);
        this.#server.unref();
        resolve();
      });
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
