/**
 * Functions that depend on time, randomness or the platform. They are arguments, so a test can repeat a run exactly.
 */
export interface Effects {
  /** Milliseconds since the epoch, UTC. */
  readonly clock: () => number;
  /** Milliseconds since any start. Never goes back and never jumps, unlike `clock`. Limits use it. */
  readonly monotonic: () => number;
  /** Time of the buckets in a shared store (ms). Undefined: the store's own clock. Only tests need another one. */
  readonly storeTime?: (() => number) | undefined;
  /** Returns fresh bytes from a cryptographic source, or from a seeded one in a repeatable test. */
  readonly random: (byteCount: number) => Uint8Array;
  /** Resolves after the event loop has run other work. Called between slices of long work. */
  readonly giveTurn: () => Promise<void>;
  /** Resolves after the given time. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Runs a task once after the given time. Does not keep the process alive. Returns a function that cancels it. */
  readonly later: (milliseconds: number, task: () => void) => () => void;
}
