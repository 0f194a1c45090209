import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { errorCode } from './folder.ts';

/** The name under which a folder's holder can be reached. */
export const CONTROL_NAME = 'control.sock';

/** Longest path in bytes that the system takes for a Unix socket (`sun_path` less its end). A longer one would be cut silently. */
const SOCKET_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** A socket's address, short enough for the system while it is held. */
export interface SocketAddress {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * How to name `<folder>/<name>` to `listen` and `connect`. A long path goes through an open folder on Linux; elsewhere it is refused with
 * RangeError. ENOENT when the folder is not there.
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

/** The pipe that stands for a folder on Windows, where sockets have no place in folders. Not tested: no Windows was at hand. */
export async function pipeOf(folder: string): Promise<string> {
  return `\\\\.\\pipe\\redflag-${createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')}`;
}

/** A connection to the socket at `<folder>/<name>`; undefined when nobody listens there. Rejects with what else the system says. */
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
    // ECONNREFUSED: the name is there and its process is gone. A process that is stopped or busy still accepts.
    if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
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

/**
 * A connection to the process that serves `folder` (see `lockFolder`), or undefined when none does. What is spoken on it is up to the two ends.
 * Rejects with the system's error when a process may be there but cannot be reached, as EACCES.
 */
export function connectToFolder(folder: string): Promise<net.Socket | undefined> {
  return connectTo(folder, CONTROL_NAME);
}
