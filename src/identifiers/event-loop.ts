/** Lets timers, input and painting have their turn between pieces of work. */
export interface EventLoop {
  /** Resolves on a later turn of the event loop. */
  nextTurn(): Promise<void>;
  /** To be called when the work is done: an open channel would keep a process alive. */
  close(): void;
}

/**
 * The cheapest real turn that the platform has. A timer would do everywhere, but browsers hold nested ones back for 4 ms,
 * longer than an identifier takes; and in Node a message channel hands over a thousand messages in one turn.
 */
export function createEventLoop(): EventLoop {
  if (typeof setImmediate === 'function') {
    return { nextTurn: () => new Promise((resolve) => setImmediate(resolve)), close: () => {} };
  }
  if (typeof MessageChannel === 'function') return overChannel(new MessageChannel());
  return { nextTurn: () => new Promise((resolve) => setTimeout(resolve, 0)), close: () => {} };
}

function overChannel({ port1, port2 }: MessageChannel): EventLoop {
  return {
    nextTurn: () =>
      new Promise((resolve) => {
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      }),
    close() {
      port1.close();
      port2.close();
    },
  };
}
