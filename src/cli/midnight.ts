const DAY_MS = 86_400_000;
/** A timer may come early and a clock may be set back a little: so long after midnight it is the new day for everybody. */
const AFTER_MS = 5_000;

/** Milliseconds from a moment (ms UTC) to the next midnight, UTC; a whole day at midnight itself. */
export function untilMidnight(nowMs: number): number {
  return DAY_MS - (((nowMs % DAY_MS) + DAY_MS) % DAY_MS);
}

/** Does something shortly after each midnight, UTC, until it is told to stop. An error goes to `onError` and ends nothing. Keeps no process alive. */
export function eachDay(work: () => Promise<unknown>, onError: (error: unknown) => void): { stop(): void } {
  const armed: { timer?: NodeJS.Timeout } = {};
  const arm = (): void => {
    armed.timer = setTimeout(
      () => {
        arm();
        work().catch(onError);
      },
      untilMidnight(Date.now()) + AFTER_MS,
    );
    armed.timer.unref();
  };
  arm();
  return { stop: () => clearTimeout(armed.timer) };
}
