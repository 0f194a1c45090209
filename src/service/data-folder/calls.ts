import type { Socket } from 'node:net';
import { toAuditNote } from '../../core/domain/audit.ts';
import { formatRefusal } from '../../core/protocol/wording.ts';
import type { FolderLock } from '../../stores/holds/folder-lock.ts';
import { DataFolderError, withDataFolderErrors } from './errors.ts';
import type { FolderCalls } from './folder-calls.ts';
import type { ProgramEngine } from './program-engine.ts';

/**
 * Everything that commands may call on a data folder: methods of the engine and of {@link FolderCalls}. Each takes one
 * argument at most. Argument and result are JSON: properties that are undefined get lost on the way, and no Infinity,
 * Map or bytes may be among them.
 */
const CALLS = [
  'createReporter',
  'findReporter',
  'listReporters',
  'updateReporter',
  'suspendReporter',
  'setBudget',
  'issueKey',
  'listKeys',
  'rotateKey',
  'revokeKey',
  'listStandings',
  'recomputeTrust',
  'listDisputes',
  'openDispute',
  'decideDispute',
  'countAlike',
  'answerDispute',
  'answerPersons',
  'listPersonCases',
  'listDisputeRequests',
  'refuseDisputeRequest',
  'refuseDisputeRequests',
  'listProtected',
  'protect',
  'unprotect',
  'listAudit',
  'verifyAudit',
  'recordAction',
  'explain',
  'describe',
  'createSignInLink',
  'endSessions',
  'pepperStatus',
  'addPepper',
  'rotatePepperFile',
  'exportData',
  'importData',
  'check',
  'backUp',
  'erase',
  'eraseReports',
  'addWebhook',
  'listWebhooks',
  'removeWebhook',
  'testWebhook',
  'sealedStatus',
  'rotateSealed',
  'destroySealed',
] as const satisfies readonly (keyof (ProgramEngine & FolderCalls))[];

type CallName = (typeof CALLS)[number];

/** What commands may call, in this process or in the service that has the data folder open. */
export type Calls = Pick<ProgramEngine & FolderCalls, CallName>;

export type AnswerOf<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

/** A call as sent over the socket. It may come from another program or version. */
export interface Call {
  readonly do: string;
  readonly with?: unknown;
}

/** Returns an object that passes each call to `run`. */
export function createCalls(run: (call: Call) => Promise<unknown>): Calls {
  const methods = CALLS.map((name) => [name, (given: unknown) => run({ do: name, with: given })] as const);
  return Object.fromEntries(methods) as unknown as Calls;
}

/**
 * Runs a call. Throws DataFolderError if it is unknown or fails. A refusal of the engine is a result. `signal` is
 * aborted when the caller disconnects.
 */
export async function runCall(target: Calls, call: Call, signal?: AbortSignal): Promise<unknown> {
  const name = CALLS.find((one) => one === call.do);
  if (name === undefined)
    throw new DataFolderError(
      'the running service does not know this command; restart the service with this version of redflag',
    );
  // First of all: a call with a name that the audit log refuses must change nothing.
  const { by } = (call.with ?? {}) as { readonly by?: string };
  const note = toAuditNote(by, Date.now);
  if (!note.ok) throw new DataFolderError(formatRefusal(note.refusal));
  const run: (given: never, signal?: AbortSignal) => Promise<unknown> = target[name];
  // Engine and folder validate what they are given.
  return withDataFolderErrors(run(call.with as never, signal));
}

/**
 * Milliseconds between two signs of life during a call. Most calls take milliseconds, but some read the whole store.
 */
const BEAT_MS = 2_000;
/** Maximum milliseconds until a service accepts a call. If it takes longer, the process is probably stopped. */
const SILENCE_MS = 10_000;
/** Milliseconds that a working service may be silent: one statement on a large store can block everything else. */
const WORK_MS = 120_000;

export const SERVICE_ENDED = 'the running service ended before it answered; check whether the command took effect';

/**
 * Answers calls from other processes of the same user, over the socket of the data folder. A call and its answer are
 * one line of JSON each. The service sends a space when it accepts a call, and another every {@link BEAT_MS} until the
 * answer. The socket is as private as the folder (mode 600). If the caller disconnects before the answer, `signal` is
 * aborted.
 */
export function answerCalls(lock: FolderLock, run: (call: Call, signal: AbortSignal) => Promise<unknown>): void {
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
export async function callService(socket: Socket, call: Call): Promise<unknown> {
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
    if (state.accepted) throw new DataFolderError(SERVICE_ENDED);
    throw new DataFolderError(
      'another program has the data open and accepts no commands; if a service is starting or stopping, run the command again; otherwise stop that program',
    );
  });
  socket.destroy();
  const reply: { readonly answer?: unknown; readonly error?: string } = JSON.parse(line);
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
      // Only in the new part: an answer may have very many parts.
      const end = chunk.indexOf('\n');
      if (end >= 0) resolve(text + chunk.slice(0, end));
      text += chunk;
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('the connection ended')));
  });
}
