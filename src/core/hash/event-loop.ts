/** Runs the event loop (timers, input, painting) between pieces of work. */
export interface EventLoop {
  /** Resolves in a later turn of the event loop. */
  nextTurn(): Promise<void>;
  /** Call it after the work: an open channel keeps the process alive. A pending `nextTurn` resolves at once. */
  close(): void;
}

/**
 * Returns the cheapest way to wait for a turn on this platform. A browser's nested timers wait 4 ms, longer than an
 * identifier takes. Node may deliver a thousand channel messages in one turn.
 */
export function createEventLoop(): EventLoop {
  const hasImmediate = typeof setImmediate === 'function';
  if (!hasImmediate && typeof MessageChannel === 'function') return overChannel(new MessageChannel());
  const later: (callback: () => void) => unknown = hasImmediate ? setImmediate : setTimeout;
  return { nextTurn: () => new Promise((resolve) => later(resolve)), close: () => {} };
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
      // A closed channel delivers no message. Resolve here, so that waiting code can clean up.
      pending();
    },
  };
}

/** Counts work, and lets the event loop run every few milliseconds. */
export interface Turns {
  /** Call it after each piece of work, with its cost in rounds. If a turn is due, returns a promise of a later turn. */
  after(work: number): Promise<void> | undefined;
  close(): void;
}

/** Rounds between two turns: 1 to 4 ms, depending on hasher and machine. Other work is converted to rounds. */
export const WORK_A_TURN = 16_000;

export function createTurns(): Turns {
  // Created at the first turn, because most calls end before it.
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
