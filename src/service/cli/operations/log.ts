import { pino } from 'pino';
import { formatNotice, type PrintedNotice } from '../../data-folder/errors.ts';
import { createNoticePrinter, type NoticePrinter } from '../../data-folder/notice-printer.ts';
import { isFailure, type AnswerEvent } from '../../../core/http/exchange.ts';
import { levelOf, type LogLevel } from './notice-levels.ts';

/** At `debug`, lines of requests a second. */
const REQUESTS_A_SECOND = 100;
/** At `info`, lines of failed requests a minute. */
const FAILURES_A_MINUTE = 60;

export interface ServiceLog extends NoticePrinter {
  /** Writes a line about a request: at `debug` about each one, at `info` about each that the service failed. */
  readonly answered: ((event: AnswerEvent) => void) | undefined;
}

/**
 * Returns the log of a service: one line of JSON per event on standard error, written at once. Each line has `time`,
 * `level` and `event`. Bounds the lines of each kind; `leftOut` is the number of lines that were left out.
 */
export function createServiceLog(level: LogLevel): ServiceLog {
  const log = pino(
    {
      level,
      // No process id and no name of the machine: the collector of the log knows both.
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Not a destination of pino: with a reader that is gone, it would end the process.
    process.stderr,
  );
  const notices = createNoticePrinter((notice: PrintedNotice) => log[levelOf(notice.event)](formatNotice(notice)));
  const isDebug = log.isLevelEnabled('debug');
  const lines = isDebug
    ? createLineBound(REQUESTS_A_SECOND, 1_000, (line) => log.debug(line))
    : createLineBound(FAILURES_A_MINUTE, 60_000, (line) => log.info(line));
  const answered = ({ requestId, action, outcome, status, ms }: AnswerEvent): void => {
    if (isDebug || isFailure(outcome))
      lines.write({ event: 'request', requestId, action, outcome, status, ms: Math.round(ms * 1000) / 1000 });
  };
  return {
    print: notices.print,
    answered: log.isLevelEnabled('info') ? answered : undefined,
    close() {
      notices.close();
      lines.close();
    },
  };
}

interface LineBound {
  write(line: object): void;
  /** Writes the number of lines that were left out, if any. */
  close(): void;
}

/**
 * Passes on at most `maxLines` lines in `windowMs` milliseconds. At the end of such a time, passes on one line with the
 * number of those left out: `{"event":"requests-left-out","leftOut":N}`.
 */
export function createLineBound(maxLines: number, windowMs: number, write: (line: object) => void): LineBound {
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
      if (written < maxLines) {
        written++;
        write(line);
      } else leftOut++;
    },
    close,
  };
}
