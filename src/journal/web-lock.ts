import { createDeferred } from './deferred.ts';

/** A name that is this context's alone among all tabs and workers of its origin. */
export interface WebLock {
  /** Settles when the name is not held any more: after {@link release}, or when somebody stole it. */
  readonly ended: Promise<void>;
  /** Gives the name free. A second call does nothing. */
  release(): Promise<void>;
}

/**
 * Takes a name by the Web Locks of the browser, which lets go of it when the tab or worker ends, however it ends. Undefined when another one still has it after `waitSeconds`.
 * Rejects with a DOMException where the browser allows no locks; there are none but in a secure context.
 */
export async function holdName(name: string, waitSeconds: number): Promise<WebLock | undefined> {
  const held = createDeferred();
  const released = createDeferred();
  const state = { held: false };
  const signal = waitSeconds > 0 ? AbortSignal.timeout(waitSeconds * 1000) : undefined;
  const request = navigator.locks.request(name, signal ? { signal } : { ifAvailable: true }, (lock) => {
    if (!lock) return held.resolve();
    state.held = true;
    held.resolve();
    return released.promise;
  });
  const ended = request.then(
    () => undefined,
    (error: unknown) => {
      if (!state.held && signal?.aborted) held.resolve();
      else held.reject(error);
    },
  );
  await held.promise;
  if (!state.held) return undefined;
  return {
    ended,
    release() {
      released.resolve();
      return ended;
    },
  };
}
