import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { FolderLock } from '../journal/folder-lock.ts';
import { CommandError } from './arguments.ts';

/**
 * Calls from another process of the same user to the one that serves a data folder, over the folder's socket: one JSON line there, one back.
 * The socket is as private as the folder (mode 600).
 */
export function answerCalls(lock: FolderLock, run: (call: unknown) => Promise<unknown>): void {
  lock.onConnection((socket) => {
    // A caller that goes away is its own business.
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (line) => {
      const answer = async (): Promise<string> => {
        try {
          return JSON.stringify({ answer: await run(JSON.parse(line)) });
        } catch (error) {
          return JSON.stringify({ error: error instanceof CommandError ? error.message : 'the service could not do it' });
        }
      };
      void answer().then((text) => socket.end(`${text}\n`));
    });
  });
}

/** Calls the process that serves a folder. Throws CommandError with what it answered, or when it went away. */
export async function callService(socket: Socket, call: unknown): Promise<unknown> {
  const line = await new Promise<string>((resolve, reject) => {
    socket.on('error', () => reject(new CommandError('the running service went away')));
    const lines = createInterface({ input: socket });
    lines.once('line', resolve);
    lines.once('close', () => reject(new CommandError('the running service did not answer')));
    socket.write(`${JSON.stringify(call)}\n`);
  });
  socket.destroy();
  const reply = JSON.parse(line) as { answer?: unknown; error?: string };
  if (reply.error !== undefined) throw new CommandError(reply.error);
  return reply.answer;
}
