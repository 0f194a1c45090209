import type { PrintNotice } from '../data-folder/errors.ts';

/**
 * Returns a signal that is aborted at the first SIGINT or SIGTERM. A second one ends the process at once, with exit
 * code 1.
 */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    // The second signal may differ from the first: Ctrl-C after a supervisor's SIGTERM.
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

/**
 * Ends the process with code 1 after this many milliseconds, if it still runs then. No acknowledged write is lost: each
 * one is durable before its reply.
 */
export function endWithin(ms: number, print: PrintNotice): void {
  const end = (): void => {
    print({ event: 'stopped-early', advice: 'background work had not ended; no acknowledged write is lost' });
    process.exit(1);
  };
  setTimeout(end, ms).unref();
}
