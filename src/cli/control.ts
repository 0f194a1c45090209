import type { Socket } from 'node:net';
import type { FolderLock } from '../journal/folder-lock.ts';
import { CommandError } from './arguments.ts';

/** A call is answered within milliseconds; one that is not by then will not be. */
const CALL_MS = 10_000;

/**
 * Calls from another process of the same user to the one that serves a data folder, over the folder's socket: one JSON line there, one back.
 * The socket is as private as the folder (mode 600).
 */
export function answerCalls(lock: FolderLock, run: (call: unknown) => Promise<unknown>): void {
  const answer = async (line: string): Promise<string> => {
    try {
      return JSON.stringify({ answer: await run(JSON.parse(line)) });
    } catch (error) {
      return JSON.stringify({ error: error instanceof CommandError ? error.message : 'the service could not do it' });
    }
  };
  lock.onConnection((socket) => {
    readLine(socket)
      .then(async (line) => socket.end(`${await answer(line)}\n`))
      // A caller that goes away is its own business.
      .catch(() => socket.destroy());
  });
}

/** Calls the process that serves a folder. Throws CommandError with what it answered, or when it went away. */
export async function callService(socket: Socket, call: unknown): Promise<unknown> {
  // A service that is stopped (not ended) takes connections and never answers.
  socket.setTimeout(CALL_MS, () => socket.destroy());
  socket.write(`${JSON.stringify(call)}\n`);
  const line = await readLine(socket).catch(() => {
    throw new CommandError('the running service did not answer');
  });
  socket.destroy();
  const reply = JSON.parse(line) as { answer?: unknown; error?: string };
  if (reply.error !== undefined) throw new CommandError(reply.error);
  return reply.answer;
}

/**
 * The first line that arrives. Rejects when the other end goes away before; what happens to the connection later is nobody's error.
 * Not by node:readline, which emits a broken connection's error once more, where nobody listens: that would end the service.
 */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection ended')));
  });
}
