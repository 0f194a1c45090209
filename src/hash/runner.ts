import { runChains, type ChainParameters } from './chain.ts';
import { createTurns, type Turns } from './event-loop.ts';
import type { Hasher } from './hasher.ts';

/**
 * Where the chains of a list or a stream run: the port between "which values, in what order" (`identifiers`) and "on which
 * thread". Made for one call, with its prefix and rounds. Two implementations: this thread (below) and `pool.ts`.
 */
export interface ChunkRunner {
  /** Chunks that run at the same time. */
  readonly size: number;
  /** Chunks that are worth being started before the answer of the first is there. */
  readonly ahead: number;
  /** Starts the chains of some normalised values; `first` is the index of the first of them, for errors. */
  start(values: readonly string[], first: number): ChunkRun;
  /** To be called when the call is over; ends nothing that still runs. */
  close(): void;
}

/** Some chains on their way. */
export interface ChunkRun {
  /** 40 lowercase hex characters for each value, in order. */
  readonly hashes: Promise<string[]>;
  /** Stops the work within some milliseconds, unless it is done; `hashes` rejects with the reason. */
  cancel(reason: unknown): void;
}

/** Where a run looks whether it is to stop. No AbortSignal, because the first one of a process costs Node as much as a thousand rounds of four chains. */
export interface Stop {
  /** Why; not there as long as it is to go on. */
  reason?: unknown;
}

/** Runs chunks in this thread, in slices, one after another. */
export function createInlineRunner(hasher: Hasher, parameters: ChainParameters): ChunkRunner {
  const turns = createTurns();
  return {
    size: 1,
    ahead: 1,
    start(values) {
      const stop: Stop = {};
      return {
        hashes: runInSlices(hasher, values, parameters, turns, stop),
        cancel: (reason) => {
          if (!('reason' in stop)) stop.reason = reason;
        },
      };
    },
    close: () => turns.close(),
  };
}

/** What one step costs beside its rounds, in rounds: a list of short chains must have its turns too. */
const STEP_WORK = 16;

/** {@link runChains}, with turns of the event loop; after each it may be stopped, and rejects with the reason. */
export async function runInSlices(
  hasher: Hasher,
  values: readonly string[],
  parameters: ChainParameters,
  turns: Turns,
  stop: Stop,
): Promise<string[]> {
  hasher.warmUp(values.length);
  const run = runChains(hasher, values, parameters);
  try {
    for (;;) {
      const step = run.next();
      if (step.done) return step.value;
      const turn = turns.after(STEP_WORK + step.value);
      if (turn === undefined) continue;
      await turn;
      if ('reason' in stop) throw stop.reason;
    }
  } finally {
    // A run that was left early still holds digests.
    run.return([]);
  }
}
