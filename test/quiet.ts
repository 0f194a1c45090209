import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';

/**
 * Turns are counted in windows of `WINDOW` pauses of `PAUSE_MS` each. However busy the machine is, a loop takes a turn
 * in each pause.
 */
const WINDOW = 10;
const PAUSE_MS = 2;
/**
 * A window with this many turns has a loop. Anything else that a file does at its end, such as closing a server, takes
 * one or two turns.
 */
const LOOP = 5;
/** Windows that a file may take until it is quiet. */
const WINDOWS = 50;

/** Kept for the whole process: the files that run after a loop was left behind are not to blame for it. */
const shared = globalThis as { loopWasLeft?: boolean };

// Files share a process (vitest.config.ts). If a test leaves a loop over setImmediate, or over setTimeout without a
// pause, the loop takes time from all later files. A later test that advances a fake clock by hand can hang. This check
// does not see slower timers, stubs or fake clocks that a test leaves behind.
afterAll(async () => {
  if (shared.loopWasLeft) return;
  for (let window = 0; window < WINDOWS; window++) {
    if ((await turnsTaken()) < LOOP) return;
  }
  shared.loopWasLeft = true;
  throw new Error('a test of this file left a loop of setImmediate or setTimeout behind that does not end');
});

/** Counts the turns of the event loop that are requested in a window in which no code of the file should run. */
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
