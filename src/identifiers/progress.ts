/** How far a list or a stream is. */
export interface HashingProgress {
  /** Identifiers whose hashes are there; of a stream: have been handed over. */
  readonly done: number;
  /** How many there will be; undefined for a stream, which does not know. */
  readonly total?: number | undefined;
}

/** Milliseconds between two reports. */
const PAUSE = 100;

/**
 * What calls `onProgress`: at most ten times a second, and at the end. Throws a TypeError for what is no function.
 * What `onProgress` throws is the caller's own error, and ends its call.
 */
export function createProgress(
  onProgress: ((progress: HashingProgress) => void) | undefined,
  total?: number,
): { report(done: number): void; end(done: number): void } {
  if (onProgress === undefined) return { report: () => {}, end: () => {} };
  let last = performance.now();
  const tell = (done: number): void => onProgress(total === undefined ? { done } : { done, total });
  return {
    report(done) {
      const now = performance.now();
      if (done === total || now - last < PAUSE) return;
      last = now;
      tell(done);
    },
    end: tell,
  };
}
