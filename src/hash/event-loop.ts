/** Lets timers, input and painting have their turn between pieces of work. */
export interface EventLoop {
  /** Resolves on a later turn of the event loop. */
  nextTurn(): Promise<void>;
  /** To be called when the work is done: an open channel would keep a process alive. A turn that is still awaited comes at once. */
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
  let pending = (): void => {};
  return {
    nextTurn: () =>
      new Promise((resolve) => {
        pending = resolve;
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      }),
    close() {
      port1.close();
      port2.close();
      // A closed channel delivers nothing more, and whoever waits for it still has something to clear up.
      pending();
    },
  };
}

/** Counts work and gives the event loop its turn after every few milliseconds of it. */
export interface Turns {
  /** To be called after `work` was done; the promise, when it is time for a turn, resolves on a later one. */
  after(work: number): Promise<void> | undefined;
  /** To be called when all work is done. */
  close(): void;
}

/** Rounds of a chain (other work is counted in their price) between two turns: 1 to 4 ms, by hasher and machine. */
export const WORK_A_TURN = 16_000;

export function createTurns(): Turns {
  // Opened at the first turn: most calls are over before one is due.
  let eventLoop: EventLoop | undefined;
  let total = 0;
  return {
    after(work) {
      total += work;
      if (total < WORK_A_TURN) return undefined;
      total = 0;
      return (eventLoop ??= createEventLoop()).nextTurn();
    },
    close: () => eventLoop?.close(),
  };
}
