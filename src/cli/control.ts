import type { Socket } from 'node:net';
import type { FolderLock } from '../journal/folder-lock.ts';
import { CommandError } from './arguments.ts';

/** Most calls are answered within milliseconds, some read the whole store: so often the service says that it is at it. */
const BEAT_MS = 2_000;
/** A service that has not even taken the call within this time will not answer: it is stopped (not ended). */
const SILENCE_MS = 10_000;
/** One that is at it may be silent for so long: a single statement on a large store keeps everything else waiting. */
const WORK_MS = 120_000;

/**
 * Calls from another process of the same user to the one that serves a data folder, over the folder's socket: one JSON line there, one back,
 * with a space before it as soon as the call is taken, and one for each while that it takes.
 * The socket is as private as the folder (mode 600). The signal is aborted when the caller goes away before it is answered.
 */
export function answerCalls(lock: FolderLock, run: (call: unknown, signal: AbortSignal) => Promise<unknown>): void {
  const answer = async (line: string, signal: AbortSignal): Promise<string> => {
    try {
      return JSON.stringify({ answer: await run(JSON.parse(line), signal) });
    } catch (error) {
      return JSON.stringify({ error: error instanceof CommandError ? error.message : 'the service could not do it' });
    }
  };
  lock.onConnection((socket) => {
    readLine(socket)
      .then(async (line) => {
        socket.write(' ');
        const beat = setInterval(() => socket.write(' '), BEAT_MS);
        beat.unref();
        const caller = new AbortController();
        socket.once('close', () => caller.abort());
        const reply = await answer(line, caller.signal);
        clearInterval(beat);
        socket.end(`${reply}\n`);
      })
      // A caller that goes away is its own business.
      .catch(() => socket.destroy());
  });
}

/** Calls the process that serves a folder. Throws CommandError with what it answered, or when it went away. */
export async function callService(socket: Socket, call: unknown): Promise<unknown> {
  const state = { taken: false, silent: false };
  socket.setTimeout(SILENCE_MS, () => {
    state.silent = true;
    socket.destroy();
  });
  socket.once('data', () => {
    state.taken = true;
    socket.setTimeout(WORK_MS);
  });
  socket.write(`${JSON.stringify(call)}\n`);
  const line = await readLine(socket).catch(() => {
    if (state.silent) throw new CommandError('the running service did not answer');
    if (state.taken) throw new CommandError('the running service ended before it answered');
    throw new CommandError(
      'another program has the data open and takes no commands: one that embeds redflag, or a service that is just starting or stopping; stop that program, or try again in a moment',
    );
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
