import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CONTROL_NAME, ControlServer, addressOf, connectTo, pipeOf, type SocketAddress } from './control-socket.ts';
import { errorCode, prepareFolder, withFolderErrors } from './folder.ts';
import { FolderInUseError } from './in-use.ts';

/** A folder that only this process holds. Other processes reach it through a socket in the folder. */
export interface FolderLock {
  /**
   * Sets the handler for connections from `connectToFolder`; replaces an earlier handler. Without a handler,
   * connections are closed at once. A connection that sends no byte only probes whether the folder is held.
   */
  onConnection(handler: (socket: Socket) => void): void;
  /** Ends all connections and releases the folder. A second call does nothing. */
  release(): Promise<void>;
}

/** Socket names. A contender uses `control.<random>.sock`; the holder renames it to `control.held.<random>.sock`. */
const OWN_NAME = /^control\.(held\.)?[0-9a-f]{16}\.sock$/;
/** Milliseconds that a paused contender gets to put back a live socket that it moved away by mistake. */
const SETTLE_MS = 30;
/** Maximum attempts against simultaneous contenders. After these, the folder counts as in use. */
const MAX_ROUNDS = 8;

/**
 * Locks `folder` until {@link FolderLock.release} or the end of this process. Creates a missing folder. The lock does
 * not keep the process alive.
 *
 * The lock is a listening socket, which the kernel closes when the process ends. After `kill -9`, socket files remain
 * but no lock.
 *
 * Rejects with {@link FolderInUseError} if another process holds the folder, and with `FolderError` if the folder
 * cannot be used. Rejects with RangeError if the path is too long for a socket (not on Linux). Use a local disk: on a
 * network folder, processes on different machines do not see each other's sockets.
 *
 * Why two processes cannot hold the folder:
 * - Each contender listens on its own name and links it to `control.sock`. Only one link succeeds.
 * - A dead `control.sock` is moved away and probed again. If it is alive after all, it is put back.
 * - The contender marks itself as holder by renaming its own name. Only then does it look for other marks.
 * - If two contenders mark themselves, the later one sees the earlier mark, even after a long pause of either.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  await prepareFolder(folder);
  if (process.platform === 'win32') return lockPipe(folder);
  return withFolderErrors(folder, async () => {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const contender = await Contender.listen(folder);
      if (contender === undefined) continue;
      try {
        const held = (await contender.takeName()) && (await contender.markAndLook());
        if (held) return contender;
        await contender.release();
      } catch (error) {
        await contender.release();
        throw error;
      }
      // Two contenders may have seen each other and both stepped back. A random delay separates their next attempts.
      await delay(SETTLE_MS * Math.random() * (round + 1));
    }
    throw new FolderInUseError(folder);
  });
}

class Contender implements FolderLock {
  readonly #folder: string;
  readonly #server: ControlServer;
  readonly #address: SocketAddress;
  /** Identifies our socket under any name. The system does not reuse the number while we listen. */
  readonly #inode: bigint;
  #ownName: string;
  #released: Promise<void> | undefined;

  private constructor(folder: string, server: ControlServer, address: SocketAddress, ownName: string, inode: bigint) {
    this.#folder = folder;
    this.#server = server;
    this.#address = address;
    this.#ownName = ownName;
    this.#inode = inode;
  }

  /** Undefined if another contender removed our name before we listened on it. Try again then. */
  static async listen(folder: string): Promise<Contender | undefined> {
    const ownName = `control.${randomBytes(8).toString('hex')}.sock`;
    const address = await addressOf(folder, ownName);
    const server = new ControlServer();
    try {
      await server.listen(address.path);
      await chmod(path.join(folder, ownName), 0o600);
      const { ino } = await stat(path.join(folder, ownName), { bigint: true });
      return new Contender(folder, server, address, ownName, ino);
    } catch (error) {
      await server.close();
      await address.release();
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Links our socket to `control.sock`. False if a simultaneous contender won: try again. Throws if a live process
   * holds the folder.
   */
  async takeName(): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (await this.#link(this.#ownName, CONTROL_NAME)) return true;
      if (await this.#isAlive(CONTROL_NAME)) throw new FolderInUseError(this.#folder);
      await this.#moveDeadAway();
    }
    return false;
  }

  /** Marks us as holder. Then checks for other marks, and that `control.sock` is still ours. False: step back. */
  async markAndLook(): Promise<boolean> {
    const mark = this.#ownName.replace('control.', 'control.held.');
    if (!(await succeeds(rename(this.#path(this.#ownName), this.#path(mark)), 'ENOENT'))) return false;
    this.#ownName = mark;
    const others = await this.#look();
    if (others.live || !(await this.#keepName())) return false;
    await delay(SETTLE_MS);
    for (const name of others.dead) if (!(await this.#isAlive(name))) await rm(this.#path(name), { force: true });
    return this.#keepName();
  }

  onConnection(handler: (socket: Socket) => void): void {
    this.#server.handler = handler;
  }

  release(): Promise<void> {
    this.#released ??= (async () => {
      if (await this.#isOurs(CONTROL_NAME)) await rm(this.#path(CONTROL_NAME), { force: true });
      await rm(this.#path(this.#ownName), { force: true });
      await this.#server.close();
      // Release the address after the server has closed. Closing deletes the socket file, and a reused folder handle
      // could point to another folder.
      await this.#address.release();
    })();
    return this.#released;
  }

  /**
   * Returns whether another live process is marked as holder, and which names are dead. Probe a dead name again before
   * you remove it: its process may be about to listen.
   */
  async #look(): Promise<{ readonly live: boolean; readonly dead: readonly string[] }> {
    const dead: string[] = [];
    for (const name of await readdir(this.#folder)) {
      const match = OWN_NAME.exec(name);
      if (match === null || name === this.#ownName) continue;
      if (!(await this.#isAlive(name))) dead.push(name);
      else if (match[1] !== undefined) {
        // The other holder's `control.sock` was moved away by mistake. Restore it, then step back.
        if (await this.#isOurs(CONTROL_NAME)) await rm(this.#path(CONTROL_NAME), { force: true });
        await this.#link(name, CONTROL_NAME);
        return { live: true, dead };
      }
    }
    return { live: false, dead };
  }

  /** True if `control.sock` is ours. Restores it if another contender moved it away by mistake. */
  async #keepName(): Promise<boolean> {
    return (
      (await this.#isOurs(CONTROL_NAME)) ||
      ((await this.#link(this.#ownName, CONTROL_NAME)) && (await this.#isOurs(CONTROL_NAME)))
    );
  }

  async #moveDeadAway(): Promise<void> {
    const aside = `control.${randomBytes(8).toString('hex')}.sock`;
    if (!(await succeeds(rename(this.#path(CONTROL_NAME), this.#path(aside)), 'ENOENT'))) return;
    // Between the probe and the rename, another contender may have become the holder. If so, put its socket back.
    if (await this.#isAlive(aside)) await this.#link(aside, CONTROL_NAME);
    await rm(this.#path(aside), { force: true });
  }

  /** Gives a socket a second name. False if that name is taken or the first name is missing. */
  #link(from: string, to: string): Promise<boolean> {
    return succeeds(link(this.#path(from), this.#path(to)), 'EEXIST', 'ENOENT');
  }

  async #isAlive(name: string): Promise<boolean> {
    // A regular file refuses connections too, but it may belong to another program: do not move it away.
    const there = await lstat(this.#path(name)).catch(() => undefined);
    if (there === undefined) return false;
    if (!there.isSocket()) throw new Error(`${this.#path(name)} is not a socket: move it away`);
    try {
      const socket = await connectTo(this.#folder, name);
      socket?.destroy();
      return socket !== undefined;
    } catch {
      // Unreachable for another reason (no permission, full queue). A process may listen, so do not take the name.
      return true;
    }
  }

  async #isOurs(name: string): Promise<boolean> {
    const there = await stat(this.#path(name), { bigint: true }).catch(() => undefined);
    return there?.ino === this.#inode;
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }
}

/** Locks a folder on Windows by listening on a pipe. Only one process can listen, until it ends. Not tested. */
async function lockPipe(folder: string): Promise<FolderLock> {
  const server = new ControlServer();
  try {
    await server.listen(await pipeOf(folder));
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE' || errorCode(error) === 'EACCES') throw new FolderInUseError(folder);
    throw error;
  }
  return {
    onConnection(handler) {
      server.handler = handler;
    },
    release: () => server.close(),
  };
}

/** True if the action succeeded, false if it failed with one of these codes. */
async function succeeds(action: Promise<unknown>, ...codes: readonly string[]): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (codes.includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
