import { printNotice, reasonOf, type PrintedNotice, type PrintNotice } from './errors.ts';

export interface NoticePrinter {
  readonly print: PrintNotice;
  /** Prints the counts of notices that were left out. */
  close(): void;
}

const WINDOW_MS = 60_000;
/** Further kinds are told apart by their event only, of which there is a closed list. */
const MAX_KINDS = 64;

/**
 * Returns a function that prints a notice at most once a minute for each kind: an event with its reason, cause, key,
 * reporter, report, webhook and advice. If it left out notices of a kind, it prints the last one at the end of the
 * minute, with their number as `leftOut`.
 */
export function createNoticePrinter(print: PrintNotice = printNotice): NoticePrinter {
  const windows = new Map<string, { last: PrintedNotice | undefined; leftOut: number; end: NodeJS.Timeout }>();
  const begin = (kind: string): void => {
    const end = setTimeout(() => {
      if (tell(kind)) begin(kind);
    }, WINDOW_MS);
    windows.set(kind, { last: undefined, leftOut: 0, end: end.unref() });
  };
  /** Ends a window. Returns false if nothing was left out. */
  const tell = (kind: string): boolean => {
    const { last, leftOut, end } = windows.get(kind)!;
    clearTimeout(end);
    windows.delete(kind);
    if (last !== undefined) print({ ...last, leftOut });
    return last !== undefined;
  };
  return {
    print(notice) {
      const reason = 'error' in notice ? reasonOf(notice.error) : '';
      const { cause, keyId, reporterId, reportId, webhookId, advice } = notice;
      const full = [notice.event, reason, cause, keyId, reporterId, reportId, webhookId, advice].join(' ');
      const kind = windows.has(full) || windows.size < MAX_KINDS ? full : notice.event;
      const window = windows.get(kind);
      if (window === undefined) {
        begin(kind);
        print(notice);
        return;
      }
      window.last = notice;
      window.leftOut++;
    },
    close() {
      for (const kind of windows.keys()) tell(kind);
    },
  };
}
