import { randomBytes } from 'node:crypto';
import { chmod, link, lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ControlServer } from './control-server.ts';
import type { SocketAddress } from './control-socket.ts';
import { CONTROL_NAME, addressOf, connectTo, pipeOf } from './control-socket.ts';
import { errorCode, prepareFolder, withFolderErrors } from './folder.ts';
import { FolderInUseError } from './in-use.ts';

/** A folder that is this process's alone, and the socket on which others may talk to it. */
export interface FolderLock {
  /**
   * Sets who answers connections (`connectToFolder`); until then, and for all but the latest handler, they are closed at once.
   * A connection that ends without a byte is somebody looking whether the folder is served.
   */
  onConnection(handler: (socket: Socket) => void): void;
  /** Ends all connections and gives the folder free. A second call does nothing. */
  release(): Promise<void>;
}

/** Contenders' sockets are `control.<random>.sock`; the one that believes it holds the folder renames its own to `control.held.<random>.sock`. */
const OWN_NAME = /^control\.(held\.)?[0-9a-f]{16}\.sock$/;
/** A contender paused between finding a dead socket and moving it away needs this long, in ms, to have put back a live one taken by mistake. */
const SETTLE_MS = 30;
/** Rounds lost to others who move at the same time, before the folder is called in use. */
const MAX_ROUNDS = 8;

/**
 * Makes `folder` this process's alone, until {@link FolderLock.release} or the process's end: the lock is a listening socket, which the kernel
 * closes with the process, so `kill -9` leaves names but no lock. The folder is made when it is not there.
 * The lock does not keep the process alive.
 *
 * Rejects with {@link FolderInUseError}, with `JournalFolderError` when the folder cannot be used, and with RangeError for a path too long for a
 * socket (not on Linux). Processes on different machines that share a network folder do not see each other's sockets: use local disks.
 *
 * How two cannot hold it: a contender listens on a name of its own and links that to `control.sock`, which only one can (a dead `control.sock`
 * is first moved away, looked at again, and put back if it lives after all). It then marks itself as holder, by renaming its own name, and only then looks
 * for other holders' marks. Of two that marked themselves, the later one sees the earlier one's mark, however long either was paused.
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
      // Two may have seen each other and both stepped back; at different times they will not meet again.
      await delay(SETTLE_MS * Math.random() * (round + 1));
    }
    throw new FolderInUseError(folder);
  });
}

class Contender implements FolderLock {
  readonly #folder: string;
  readonly #server: ControlServer;
  readonly #address: SocketAddress;
  /** Tells our socket from any other at the same name; the number cannot be given again while we listen. */
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

  /** Undefined when our name was swept away while it was not yet listening; try again. */
  static async listen(folder: string): Promise<Contender | undefined> {
    const ownName = `control.${randomBytes(8).toString('hex')}.sock`;
    const address = await addressOf(folder, ownName);
    const server = new ControlServer();
    try {
      await server.listen(address.path);
      await chmod(path.join(folder, ownName), 0o600);
      return new Contender(
        folder,
        server,
        address,
        ownName,
        (await stat(path.join(folder, ownName), { bigint: true })).ino,
      );
    } catch (error) {
      await server.close();
      await address.release();
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Links our socket to the folder's name. False: lost to somebody who moves at the same time, try again. Throws when somebody lives there. */
  async takeName(): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (await this.#link(this.#ownName, CONTROL_NAME)) return true;
      if (await this.#isAlive(CONTROL_NAME)) throw new FolderInUseError(this.#folder);
      await this.#moveDeadAway();
    }
    return false;
  }

  /** Marks us as holder, then looks whether anybody else is marked and whether the name is still ours. False: step back. */
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
      // Only now: closing removes the address it listened on, and through a reused folder handle that could be another folder's.
      await this.#address.release();
    })();
    return this.#released;
  }

  /** Whether another marked holder lives, and which names have nobody behind them (or somebody who does not listen yet: look again before removing). */
  async #look(): Promise<{ readonly live: boolean; readonly dead: readonly string[] }> {
    const dead: string[] = [];
    for (const name of await readdir(this.#folder)) {
      const match = OWN_NAME.exec(name);
      if (match === null || name === this.#ownName) continue;
      if (!(await this.#isAlive(name))) dead.push(name);
      else if (match[1] !== undefined) {
        // Its `control.sock` was moved away, else we would not be here: give it back before stepping back.
        if (await this.#isOurs(CONTROL_NAME)) await rm(this.#path(CONTROL_NAME), { force: true });
        await this.#link(name, CONTROL_NAME);
        return { live: true, dead };
      }
    }
    return { live: false, dead };
  }

  /** True when `control.sock` is ours, also after putting it back where somebody had moved it away by mistake. */
  async #keepName(): Promise<boolean> {
    return (
      (await this.#isOurs(CONTROL_NAME)) ||
      ((await this.#link(this.#ownName, CONTROL_NAME)) && (await this.#isOurs(CONTROL_NAME)))
    );
  }

  async #moveDeadAway(): Promise<void> {
    const aside = `control.${randomBytes(8).toString('hex')}.sock`;
    if (!(await succeeds(rename(this.#path(CONTROL_NAME), this.#path(aside)), 'ENOENT'))) return;
    // Between looking and moving, somebody else may have done the same and be the new holder: then this is its socket.
    if (await this.#isAlive(aside)) await this.#link(aside, CONTROL_NAME);
    await rm(this.#path(aside), { force: true });
  }

  /** Gives a socket a second name; false when that name is taken or the socket's first name is gone. */
  #link(from: string, to: string): Promise<boolean> {
    return succeeds(link(this.#path(from), this.#path(to)), 'EEXIST', 'ENOENT');
  }

  async #isAlive(name: string): Promise<boolean> {
    // A connection to what is no socket is refused as well, and a file of somebody else is not ours to move away.
    const there = await lstat(this.#path(name)).catch(() => undefined);
    if (there === undefined) return false;
    if (!there.isSocket()) throw new Error(`${this.#path(name)} is in the way: it is not a socket`);
    try {
      const socket = await connectTo(this.#folder, name);
      socket?.destroy();
      return socket !== undefined;
    } catch {
      // Not reachable for another reason (no permission, too many waiting): somebody may be there, so nothing is taken.
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

/** The same on Windows, where the system itself lets only one listen on a pipe and forgets it with its process. Not tested. */
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

/** True when it succeeded, false when it failed with one of these codes. */
async function succeeds(action: Promise<unknown>, ...codes: readonly string[]): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (codes.includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}
