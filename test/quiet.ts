import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';

/** Pieces of time in which turns are counted: `WINDOW` pauses of `PAUSE_MS`. However busy the machine is, a loop takes a turn in each pause. */
const WINDOW = 10;
const PAUSE_MS = 2;
/** So many turns in a window are a loop; whatever else a file may do at its end, a server that closes, takes one or two. */
const LOOP = 5;
/** Windows in which a file may come to its end. */
const WINDOWS = 50;

/** Kept for the whole process: the files after one that left a loop behind are not to be blamed for it. */
const shared = globalThis as { loopWasLeft?: boolean };

// Files share a process (vitest.config.ts). A loop over the global setImmediate, or over setTimeout without a pause, that a test leaves
// turning takes time from each file after it, and one of them that winds the clock by hand waits for ever for it. Other things that a test
// may leave, as slower timers, stubs or a clock of its own, are not seen here.
afterAll(async () => {
  if (shared.loopWasLeft) return;
  for (let window = 0; window < WINDOWS; window++) {
    if ((await turnsTaken()) < LOOP) return;
  }
  shared.loopWasLeft = true;
  throw new Error('a test of this file left a loop of setImmediate or setTimeout behind that does not end');
});

/** How many turns of the event loop are asked for in a window in which nothing of the file should run. */
async function turnsTaken(): Promise<number> {
  const kept = { setImmediate: globalThis.setImmediate, setTimeout: globalThis.setTimeout };
  let turns = 0;
  const counted =
    (original: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      turns++;
      return original(...args);
    };
  Object.assign(globalThis, {
    setImmediate: counted(kept.setImmediate as never),
    setTimeout: counted(kept.setTimeout as never),
  });
  for (let i = 0; i < WINDOW; i++) await pause(PAUSE_MS);
  Object.assign(globalThis, kept);
  return turns;
}
