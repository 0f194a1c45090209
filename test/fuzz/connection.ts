import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from './script.ts';

/** What happened on one connection. */
export interface Played {
  /** One character per byte. */
  readonly received: string;
  /** False if the connection was still open after `endMs`. */
  readonly hasEnded: boolean;
  /** True if the client may have missed replies: it was the first to close, or the connection broke. */
  readonly mayMiss: boolean;
}

/** A service that has sent nothing for so long has probably answered. The client then closes its side. */
const SILENCE_MS = 250;
const LOOK_MS = 5;

/**
 * Plays a script on a connection of its own. `isDone` says whether all expected replies are there; it is not asked for
 * a script whose replies are unknown.
 */
export function play(
  script: Script,
  { port, endMs, isDone }: { port: number; endMs: number; isDone?: (received: string) => boolean },
): Promise<Played> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let lastMs = performance.now();
    let isOpen = true;
    let mayMiss = script.ending === 'half-close' || script.ending === 'destroy';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const text = (): string => Buffer.concat(chunks).toString('latin1');
    const end = (hasEnded: boolean): void => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(late);
      socket.destroy();
      resolve({ received: text(), hasEnded, mayMiss });
    };
    const late = setTimeout(() => end(false), endMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      lastMs = performance.now();
    });
    // The server has closed its side. Node then closes the connection when the client has done so too.
    socket.on('end', () => socket.end());
    // A server that refuses a request closes the connection while the client still sends.
    socket.on('error', () => (mayMiss = true));
    socket.on('close', () => end(true));
    void (async () => {
      for (const step of script.steps) {
        if (!isOpen) return;
        if (typeof step === 'number') await pause(step);
        else if (socket.writable) socket.write(Buffer.from(step, 'latin1'));
      }
      if (script.ending === 'wait') return;
      if (script.ending === 'destroy') {
        // The bytes must leave first.
        await new Promise((done) =>
          socket.writableLength === 0 ? done(0) : socket.once('drain', done).once('close', done),
        );
        return socket.resetAndDestroy();
      }
      if (script.ending === 'close') {
        lastMs = Math.max(lastMs, performance.now());
        let seen = -1;
        while (isOpen && socket.writable) {
          await pause(LOOK_MS);
          if (isDone === undefined ? performance.now() - lastMs > SILENCE_MS : length !== seen && isDone(text())) break;
          seen = length;
        }
        if (isDone === undefined && isOpen && socket.writable) mayMiss = true;
      }
      socket.end();
    })();
  });
}
