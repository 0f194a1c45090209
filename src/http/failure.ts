import type { Refusal } from '../domain/refusal.ts';

/** What an operator is told, and nothing else. */
export interface LogEvent {
  /** `store-unavailable`: what was asked was answered 503 (the viewer: 500), for the store cannot be used now. `internal-error`: answered 500, for a defect or what is damaged. */
  readonly event: 'store-unavailable' | 'internal-error';
  /**
   * The error's class. Of the store's own errors, whose words are fixed, the message too (`PepperError: …`); of any other one never, for it may hold submitted data, but
   * the code of the system's or the database's (`error (42501)`). With an internal error where it was thrown, one stack frame a line.
   */
  readonly error: string;
  /** What caused it, nearest first, said in the same way: `Error (ECONNREFUSED)`. */
  readonly cause?: string;
}

// A store that is busy or restarting is usually back within seconds; sooner would only add to its load.
const STORE_RETRY_SECONDS = 5;
// A pepper that is missing is mended by an operator, like a disk that is full.
const UNAVAILABLE: ReadonlySet<string> = new Set(['StoreUnavailableError', 'PepperError']);
/** Errors whose messages hold nothing that is stored or was submitted: fixed words, names of tables and files, versions and fingerprints. */
const FIXED_WORDS: ReadonlySet<string> = new Set([
  ...UNAVAILABLE,
  'StoreDamagedError',
  'StoreFormatError',
  'JournalFailedError',
  'JournalFolderError',
]);
// Of the system and Node, of SQLite, and of SQL.
const CODE = /^(?:E[A-Z][A-Z0-9_]{1,40}|SQLITE_[A-Z0-9_]{1,40}|[0-9A-Z]{5})$/;
const MOST_CAUSES = 5;
const CLASS_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
// `at name (place:line:column)`, as V8 writes it; other engines' stacks are left out.
const FRAME = /^at .*(?::\d+:\d+\)?|\(<anonymous>\))$/;
const MOST_FRAMES = 10;

/** The refusal that stands for a thrown error. By name, because an application may hold two copies of the class (one for `import`, one for `require`). */
export function toRefusal(error: unknown): Refusal {
  const isStore = error instanceof Error && UNAVAILABLE.has(error.name);
  return isStore ? { reason: 'unavailable', retryAfterSeconds: STORE_RETRY_SECONDS } : { reason: 'internal' };
}

/** What to log of a thrown error. */
export function toLogEvent(error: unknown): LogEvent {
  const causes = causesOf(error).map((one) => nameOf(one));
  const more = causes.length === 0 ? {} : { cause: causes.join(', ') };
  // That a disk or a server is gone is no defect: nobody has to know where it was found out.
  if (toRefusal(error).reason === 'unavailable') return { event: 'store-unavailable', error: nameOf(error), ...more };
  return { event: 'internal-error', error: [nameOf(error), ...framesOf(error)].join('\n'), ...more };
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && at.cause !== undefined && causes.length < MOST_CAUSES; at = at.cause)
    causes.push(at.cause);
  return causes;
}

/** An error in one line. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const name = CLASS_NAME.test(error.name) ? error.name : 'Error';
  if (FIXED_WORDS.has(name)) return `${name}: ${error.message.replaceAll(/\s+/g, ' ')}`;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && CODE.test(code) ? `${name} (${code})` : name;
}

/** Only what follows the message in the stack: a message may have lines that look like frames. Without knowing where it ends, nothing. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const message = stack.indexOf(error.message);
  if (message === -1) return [];
  const after = stack.slice(message + error.message.length);
  const frames = after.split('\n').map((line) => line.trim());
  return frames.filter((line) => FRAME.test(line)).slice(0, MOST_FRAMES);
}
