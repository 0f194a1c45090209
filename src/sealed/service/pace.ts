/** Lets other work run during a long computation. */
export interface Pace {
  /** True if the slice is used up: await {@link turn}. Reads the clock: cheap enough for each row. */
  isDue(): boolean;
  /** Gives other work a turn, and begins the next slice. */
  turn(): Promise<void>;
}

/** Milliseconds of a slice. A request then waits no longer for a publication than for another request. */
const SLICE_MS = 5;

/**
 * Returns a pace. `giveTurn` resolves after other work has run; `monotonic` returns milliseconds that never go back.
 */
export function createPace(giveTurn: () => Promise<void>, monotonic: () => number, sliceMs = SLICE_MS): Pace {
  let beganMs = monotonic();
  return {
    isDue: () => monotonic() - beganMs >= sliceMs,
    async turn() {
      await giveTurn();
      beganMs = monotonic();
    },
  };
}
