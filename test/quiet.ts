import { setTimeout as pause } from 'node:timers/promises';
import { afterAll } from 'vitest';

/** So often a file may still be at work when its tests are over: a server that closes, a connection that is given back. */
const TRIES = 40;
const WATCHED_MS = 25;
/** So many turns of the event loop within `WATCHED_MS` are a loop that goes on. */
const LOOP = 5;

// Files share a process (vitest.config.ts): a loop that a test leaves turning takes time from each file after it, and one of them that
// winds the clock by hand waits for ever for it. So a file ends only when nothing turns any more, and fails if something does.
afterAll(async () => {
  for (let left = TRIES; await turnsTaken() >= LOOP; left--) {
    if (left === 0) throw new Error('a test of this file left a loop of setImmediate or setTimeout behind that does not end');
  }
});

/** How many turns of the event loop are asked for while nothing of the file should run. */
async function turnsTaken(): Promise<number> {
  const kept = { setImmediate: globalThis.setImmediate, setTimeout: globalThis.setTimeout };
  let turns = 0;
  const counted = (original: (...args: unknown[]) => unknown) => (...args: unknown[]) => {
    turns++;
    return original(...args);
  };
  Object.assign(globalThis, { setImmediate: counted(kept.setImmediate as never), setTimeout: counted(kept.setTimeout as never) });
  await pause(WATCHED_MS);
  Object.assign(globalThis, kept);
  return turns;
}
