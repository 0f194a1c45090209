import type { Spawn } from './pool.ts';
import type { WorkerAnswer } from './worker.ts';

/** What is used of a Web Worker; a page's `Worker` is one. Written out, so that these types need no DOM library. */
export interface WebWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  // The types of events are the DOM library's.
  // oxlint-disable-next-line no-explicit-any
  addEventListener(type: string, listener: (event: any) => void): void;
}

/** How many workers a pool has unless told otherwise: one for each core that the browser admits to. */
export function defaultWebPoolSize(): number {
  return globalThis.navigator?.hardwareConcurrency || 2;
}

/** Web Workers, each made by `create`: module workers that run `hash-worker.ts`. */
export function webWorkers(create: () => WebWorker): Spawn {
  return ({ onAnswer, onEnd }) => {
    const worker = create();
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => onAnswer(data));
    worker.addEventListener('error', (event: ErrorEvent) => {
      // The caller hears of it; the page's own error handler need not.
      event.preventDefault();
      // A script that cannot be loaded is an event without words.
      onEnd(event.message || 'its script could not be loaded');
    });
    worker.addEventListener('messageerror', () => onEnd('its answer could not be read'));
    return { post: (request) => worker.postMessage(request), terminate: () => worker.terminate(), keepAlive: () => {} };
  };
}
