import type { Socket } from 'node:net';
import type { FolderLock } from '../../stores/holds/folder-lock.ts';
import { DataFolderError } from './errors.ts';

/**
 * Milliseconds between two signs of life during a call. Most calls take milliseconds, but some read the whole store.
 */
const BEAT_MS = 2_000;
/** Maximum milliseconds until a service accepts a call. If it takes longer, the process is probably stopped. */
const SILENCE_MS = 10_000;
/** Milliseconds that a working service may be silent: one statement on a large store can block everything else. */
const WORK_MS = 120_000;

/**
 * Answers calls from other processes of the same user, over the socket of the data folder. A call and its answer are
 * one line of JSON each. The service sends a space when it accepts a call, and another every {@link BEAT_MS} until the
 * answer. The socket is as private as the folder (mode 600). If the caller disconnects before the answer, `signal` is
 * aborted.
 */
export function answerCalls<Call>(lock: FolderLock, run: (call: Call, signal: AbortSignal) => Promise<unknown>): void {
  const answer = async (line: string, signal: AbortSignal): Promise<string> => {
    try {
      const call: Call = JSON.parse(line);
      return JSON.stringify({ answer: await run(call, signal) });
    } catch (error) {
      const known = error instanceof DataFolderError;
      return JSON.stringify({ error: known ? error.message : 'the service could not run the command' });
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
      // A caller that disconnects is not an error of the service.
      .catch(() => socket.destroy());
  });
}

/**
 * Sends a call to the process that serves a folder, and returns the answer. Rejects with DataFolderError if the process
 * refuses the call, ends before it answers, or is silent for too long (`SILENCE_MS`, `WORK_MS`).
 */
export async function callService<Answer>(socket: Socket, call: object): Promise<Answer> {
  const state = { accepted: false, silent: false };
  socket.setTimeout(SILENCE_MS, () => {
    state.silent = true;
    socket.destroy();
  });
  socket.once('data', () => {
    state.accepted = true;
    socket.setTimeout(WORK_MS);
  });
  socket.write(`${JSON.stringify(call)}\n`);
  const line = await readLine(socket).catch(() => {
    if (state.silent)
      throw new DataFolderError('the running service did not answer; run the command again, or restart the service');
    if (state.accepted)
      throw new DataFolderError('the running service ended before it answered; check whether the command took effect');
    throw new DataFolderError(
      'another program has the data open and accepts no commands; if a service is starting or stopping, run the command again; otherwise stop that program',
    );
  });
  socket.destroy();
  const reply: { readonly answer: Answer; readonly error?: string } = JSON.parse(line);
  if (reply.error !== undefined) throw new DataFolderError(reply.error);
  return reply.answer;
}

/**
 * Resolves with the first line. Rejects if the connection ends before the end of the line. Ignores later errors of the
 * connection.
 *
 * Does not use node:readline, which emits a connection's error a second time. Unhandled, that error would end the
 * service.
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
