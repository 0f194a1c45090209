import type { World, WorldTask } from './world-job.ts';
import type { WorldAnswer, WorldRequest } from './world-worker.ts';

/** Simulates a world in a worker, one at a time. `onShare` gets the progress, 0 to 1. */
export type Simulate = (task: WorldTask, onShare: (share: number) => void) => Promise<World>;

/** Starts the worker, and resolves when its script is loaded. */
export async function startWorldThread(wasm: Promise<ArrayBuffer>): Promise<Simulate> {
  const worker = new Worker(new URL('world-worker.js', import.meta.url), { type: 'module' });
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('message', () => resolve(), { once: true });
    worker.addEventListener('error', () => reject(new Error('A script could not be loaded. Reload the page.')));
  });
  const bytes = await wasm;
  return (task, onShare) =>
    new Promise((resolve, reject) => {
      const end = new AbortController();
      const fail = (message: string): void => {
        end.abort();
        reject(new Error(message));
      };
      const answer = ({ data }: MessageEvent<WorldAnswer>): void => {
        if ('share' in data) return onShare(data.share);
        if ('failure' in data) return fail(data.failure);
        end.abort();
        resolve(data.world);
      };
      worker.addEventListener('message', answer, end);
      for (const type of ['error', 'messageerror'])
        worker.addEventListener(type, () => fail('The simulation failed. Reload the page.'), end);
      worker.postMessage({ ...task, wasm: bytes } satisfies WorldRequest);
    });
}
