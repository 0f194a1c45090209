/** The progress of a list or a stream. */
export interface HashingProgress {
  /** Number of identifiers hashed so far. For a stream: number of hashes that the caller received. */
  readonly done: number;
  /** Total number of identifiers; undefined for a stream. */
  readonly total?: number | undefined;
}

const PAUSE_MS = 100;

/**
 * Returns a function that reports progress at most ten times a second, and always if `isEnd` is true. Throws the errors
 * of `onProgress`.
 */
export function createProgress(
  onProgress: ((progress: HashingProgress) => void) | undefined,
  total?: number,
): (done: number, isEnd?: boolean) => void {
  let last = performance.now();
  return (done, isEnd) => {
    const now = performance.now();
    if (!isEnd && (done === total || now - last < PAUSE_MS)) return;
    last = now;
    onProgress?.(total === undefined ? { done } : { done, total });
  };
}
