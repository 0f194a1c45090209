export interface ProgressTarget {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  /** Sets the number of finished rows and bytes. Fast enough to be called for each row. */
  update(rows: number, bytes: number): void;
  clear(): void;
}

const REDRAW_MS = 200;
const BAR_CELLS = 24;
const CLEAR_LINE = '\r\u001b[K';
const SILENT: Progress = { update: () => undefined, clear: () => undefined };

/**
 * Shows progress on a terminal: a bar, the percentage of bytes, rows per second and the remaining time. The bar has no
 * colours, so NO_COLOR does not apply.
 *
 * @param label name of the work
 * @param totalBytes value of `bytes` at the end
 */
export function showProgress(
  target: ProgressTarget,
  label: string,
  totalBytes: number,
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
      const seconds = (time - startedAt) / 1000;
      const share = totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);
      const bar = '#'.repeat(Math.floor(share * BAR_CELLS)).padEnd(BAR_CELLS, '.');
      const speed = bytes / seconds;
      const left = speed > 0 ? `, ${formatDuration((totalBytes - bytes) / speed)} left` : '';
      const line = `${label} [${bar}] ${Math.floor(share * 100)}%, ${Math.round(rows / seconds)} rows/s${left}`;
      // Cut the line: a wrapped line cannot be cleared.
      target.write(CLEAR_LINE + line.slice(0, (target.columns ?? 80) - 1));
    },
    clear: () => target.write(CLEAR_LINE),
  };
}

/** Formats a duration, as in `42 s`, `5 min 10 s` and `3 h 20 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
