/** Where progress is shown; standard error of a process. */
export interface ProgressTarget {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A line that tells how far a long piece of work is. */
export interface Progress {
  /** So many rows and bytes are done; cheap enough to be called for each row. */
  update(rows: number, bytes: number): void;
  /** Takes the line away. */
  clear(): void;
}

const REDRAW_MS = 200;
const BAR_CELLS = 24;
const CLEAR_LINE = '\r\u001b[K';
const SILENT: Progress = { update: () => undefined, clear: () => undefined };

/**
 * A bar with percent by bytes, rows a second and the time that remains, on a terminal; nothing elsewhere. It has no colours, so NO_COLOR changes nothing.
 *
 * @param label what is being done
 * @param totalBytes what `bytes` is at the end
 * @param bytesBefore what `bytes` is at the beginning: what an earlier run did counts for the percent and not for the speed
 */
export function showProgress(
  target: ProgressTarget,
  label: string,
  totalBytes: number,
  bytesBefore = 0,
  now: () => number = () => performance.now(),
): Progress {
  if (!target.isTTY) return SILENT;
  const startedAt = now();
  let drawnAt = startedAt;
  return {
    update(rows, bytes) {
      const time = now();
      if (time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      const line = describe({ label, rows, bytes, totalBytes, bytesBefore, seconds: (time - startedAt) / 1000 });
      // A line that wraps could not be taken back.
      target.write(CLEAR_LINE + line.slice(0, (target.columns ?? 80) - 1));
    },
    clear: () => target.write(CLEAR_LINE),
  };
}

function describe(state: {
  label: string;
  rows: number;
  bytes: number;
  totalBytes: number;
  bytesBefore: number;
  seconds: number;
}): string {
  const share = state.totalBytes === 0 ? 1 : Math.min(1, state.bytes / state.totalBytes);
  const filled = Math.floor(share * BAR_CELLS);
  const bytesASecond = (state.bytes - state.bytesBefore) / state.seconds;
  const left = bytesASecond > 0 ? `, ${formatDuration((state.totalBytes - state.bytes) / bytesASecond)} left` : '';
  return `${state.label} [${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}] ${Math.floor(share * 100)}%, ${Math.round(state.rows / state.seconds)} rows/s${left}`;
}

/** As in `42 s`, `5 min 10 s` and `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
