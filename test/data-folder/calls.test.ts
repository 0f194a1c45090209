import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DataFolderError } from '../../src/service/data-folder/errors.ts';
import { answerCalls, callService } from '../../src/service/data-folder/calls.ts';
import type { FolderLock } from '../../src/stores/holds/folder-lock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a service that takes long says so until it answers', async () => {
  const socket = new PassThrough() as unknown as Socket;
  const written: string[] = [];
  vi.spyOn(socket, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const ended = new Promise<void>((resolve) =>
    vi.spyOn(socket, 'end').mockImplementation(((text: string) => {
      written.push(text);
      resolve();
      return socket;
    }) as Socket['end']),
  );
  const lock = { onConnection: (handler: (socket: Socket) => void) => handler(socket) } as FolderLock;
  answerCalls(lock, () => new Promise((resolve) => setTimeout(() => resolve('done'), 60_000)));
  socket.emit('data', '{"do":"recomputeTrust"}\n');
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
  // Often enough for a caller that waits ten seconds for a word.
  expect(written.length).toBeGreaterThan(6);
  expect(JSON.parse(written.join(''))).toEqual({ answer: 'done' });
  // And says nothing afterwards.
  const length = written.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toHaveLength(length);
});

describe('a caller', () => {
  const CONTENDED =
    'another program has the data open and accepts no commands; if a service is starting or stopping, run the command again; otherwise stop that program';
  const ENDED = 'the running service ended before it answered; check whether the command took effect';
  const SILENT = 'the running service did not answer; run the command again, or restart the service';

  /** A connection to a service. `timers` are the times of silence that the caller allows. */
  function connect() {
    const timers: number[] = [];
    const onSilence: (() => void)[] = [];
    const socket = new PassThrough() as unknown as Socket;
    vi.spyOn(socket, 'write').mockReturnValue(true);
    socket.setTimeout = (milliseconds, callback) => {
      timers.push(milliseconds);
      if (callback) onSilence.push(callback);
      return socket;
    };
    return { socket, timers, beSilent: () => onSilence.forEach((callback) => callback()) };
  }

  it('reads each part of a long answer once', async () => {
    const { socket } = connect();
    const answer = callService(socket, { do: 'listKeys' });
    const state = { read: 0 };
    for (const name of ['includes', 'indexOf'] as const) {
      const original = String.prototype[name];
      vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...args) {
        state.read += this.length;
        return Reflect.apply(original, this, args) as never;
      });
    }
    const part = 'a'.repeat(1_000);
    for (const text of [' {"answer":"', ...Array<string>(200).fill(part), '"}\nmore']) socket.emit('data', text);
    vi.restoreAllMocks();
    expect(await answer).toBe(part.repeat(200));
    expect(state.read).toBeLessThan(3 * 200 * part.length);
  });

  it('waits ten seconds to be accepted and two minutes for the answer', async () => {
    const { socket, timers } = connect();
    const answer = callService(socket, { do: 'listKeys' });
    expect(socket.write).toHaveBeenCalledWith('{"do":"listKeys"}\n');
    expect(timers).toEqual([10_000]);
    socket.emit('data', ' ');
    expect(timers).toEqual([10_000, 120_000]);
    socket.emit('data', ' {"answer":{"problems');
    socket.emit('data', '":[]}}\n');
    expect(await answer).toEqual({ problems: [] });
    expect(socket.destroyed).toBe(true);
  });

  it.each([
    [
      'the service refuses the call',
      (socket: Socket) => socket.emit('data', '{"error":"no such key"}\n'),
      'no such key',
    ],
    ['the connection ends at once', (socket: Socket) => socket.destroy(), CONTENDED],
    ['the connection breaks', (socket: Socket) => socket.emit('error', new Error('EPIPE')), CONTENDED],
    [
      'the connection ends after the service accepted the call',
      (socket: Socket) => {
        socket.emit('data', '  ');
        socket.destroy();
      },
      ENDED,
    ],
  ])('is refused if %s', async (_, happen, message) => {
    const { socket } = connect();
    const answer = callService(socket, { do: 'listKeys' });
    happen(socket);
    await expect(answer).rejects.toThrow(new DataFolderError(message));
  });

  it('is refused if the service is silent for too long', async () => {
    const { socket, beSilent } = connect();
    const answer = callService(socket, { do: 'listKeys' });
    beSilent();
    await expect(answer).rejects.toThrow(new DataFolderError(SILENT));
  });
});
