import { runChains, type ChainParameters } from './chain.ts';
import { createTurns, type Turns } from './event-loop.ts';
import type { Hasher } from './hasher.ts';

/**
 * The port through which `identifiers` hashes a list or a stream. A runner decides on which thread the chains run. It
 * serves one call, with one prefix and number of rounds. Implementations: this thread (below) and `pool.ts`.
 */
export interface ChunkRunner {
  readonly size: number;
  /** Number of chunks to run at the same time, so that no worker waits. */
  readonly ahead: number;
  /** Starts the chains of normalised values. `first` is the index of the first value, for error messages. */
  start(values: readonly string[], first: number): ChunkRun;
  /** Releases the runner. Does not stop running chunks. */
  close(): void;
}

export interface ChunkRun {
  /** 40 lowercase hex characters for each value, in order. */
  readonly hashes: Promise<string[]>;
  /** Stops unfinished work within some milliseconds. `hashes` rejects with the reason. */
  cancel(reason: unknown): void;
}

/**
 * Signal to stop a run. Not an AbortSignal: in Node, the first one costs as much as a thousand rounds of four chains.
 */
export interface Stop {
  /** Reason to stop. While the run may continue, the property is missing. */
  reason?: unknown;
}

/** Returns a runner that runs chunks in this thread, one after another, in slices. */
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
          stop.reason ??= reason;
        },
      };
    },
    close: () => turns.close(),
  };
}

/** Fixed cost of a step, in rounds. Without it, a list of short chains would rarely yield to the event loop. */
const STEP_WORK = 16;

/**
 * {@link runChains} with turns of the event loop between slices. If `stop` has a reason after a turn, rejects with it.
 */
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
    // End an unfinished run, so that it erases its digests.
    run.return([]);
  }
}
