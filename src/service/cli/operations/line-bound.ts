export interface LineBound {
  write(line: object): void;
  /** Writes the number of lines that were left out, if any. */
  close(): void;
}

/**
 * Passes on at most `most` lines in `windowMs` milliseconds. At the end of such a time, passes on one line with the
 * number of those left out: `{"event":"requests-left-out","leftOut":N}`.
 */
export function createLineBound(most: number, windowMs: number, write: (line: object) => void): LineBound {
  let written = 0;
  let leftOut = 0;
  let end: NodeJS.Timeout | undefined;
  const close = (): void => {
    clearTimeout(end);
    end = undefined;
    if (leftOut > 0) write({ event: 'requests-left-out', leftOut });
    written = leftOut = 0;
  };
  return {
    write(line) {
      // One timer for each time in which there are lines.
      end ??= setTimeout(close, windowMs).unref();
      if (written < most) {
        written++;
        write(line);
      } else leftOut++;
    },
    close,
  };
}
