import type { Spawn } from './pool.ts';
import type { WorkerAnswer } from './worker.ts';

/** The parts of a Web Worker that a pool uses. Declared here, so that the types do not need the DOM library. */
export interface WebWorker {
  /** The pool sends only values that can be cloned, and transfers none. */
  postMessage(message: unknown): void;
  /** Ends the worker at once. */
  terminate(): void;
  /** Calls the listener at each event of a type: `message`, `error` or `messageerror`. */
  // The event types are in the DOM library.
  // oxlint-disable-next-line no-explicit-any
  addEventListener(type: string, listener: (event: any) => void): void;
}

/** Returns the default size of a pool: one worker for each core that the browser reports. */
export function defaultWebPoolSize(): number {
  return globalThis.navigator?.hardwareConcurrency || 2;
}

/** Returns a function that starts Web Workers. `create` returns a module worker that runs `hash-worker.ts`. */
export function webWorkers(create: () => WebWorker): Spawn {
  return ({ onAnswer, onEnd }) => {
    const worker = create();
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => onAnswer(data));
    worker.addEventListener('error', (event: ErrorEvent) => {
      // The call rejects with the error, so the page's error handler need not report it.
      event.preventDefault();
      // If the script cannot be loaded, the event has no message.
      onEnd(event.message || 'its script could not be loaded');
    });
    worker.addEventListener('messageerror', () => onEnd('its answer could not be read'));
    return { post: (request) => worker.postMessage(request), terminate: () => worker.terminate(), keepAlive: () => {} };
  };
}
