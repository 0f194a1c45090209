import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startWorldThread } from '../../src/service/playground/workers.ts';

const TASK = { seed: 1, scenario: 'base', changes: {} } as const;

class FakeWorker extends EventTarget {
  answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  postMessage(): void {}
}

let worker: FakeWorker;
beforeEach(() => {
  worker = new FakeWorker();
  vi.stubGlobal('Worker', function create() {
    queueMicrotask(() => worker.answer('ready'));
    return worker;
  });
});
afterEach(() => vi.unstubAllGlobals());

const start = () => startWorldThread(Promise.resolve(new ArrayBuffer(0)));

it('resolves with the world, after its progress', async () => {
  const simulate = await start();
  const shares: number[] = [];
  const world = simulate(TASK, (share) => shares.push(share));
  worker.answer({ share: 0.5 });
  worker.answer({ world: 'the world' });
  worker.answer({ share: 0.7 });
  expect(await world).toBe('the world');
  expect(shares).toEqual([0.5]);
});

it('rejects with the failure of a world', async () => {
  const simulate = await start();
  const world = simulate(TASK, () => {});
  worker.answer({ failure: 'Choose another seed.' });
  await expect(world).rejects.toThrow('Choose another seed.');
});

it.each(['error', 'messageerror'])('rejects if the worker fails after its start: %s', async (type) => {
  const simulate = await start();
  const world = simulate(TASK, () => {});
  worker.dispatchEvent(new Event(type));
  await expect(world).rejects.toThrow('The simulation failed. Reload the page.');
});
