import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answerCalls } from '../../src/data-folder/service-calls.ts';
import type { FolderLock } from '../../src/holds/folder-lock.ts';

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
  socket.emit('data', '{"do":"reporters recompute"}\n');
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
