import type { Refusal } from '../domain/refusal.ts';

/** What an operator is told, and nothing else. */
export interface LogEvent {
  readonly event: 'internal-error';
  /** The error's class and where it was thrown, one stack frame a line. Never its message: it may hold submitted data. */
  readonly error: string;
}

// A store that is busy or restarting is usually back within seconds; sooner would only add to its load.
const STORE_RETRY_SECONDS = 5;
// A pepper that is missing is mended by an operator, like a disk that is full.
const UNAVAILABLE: ReadonlySet<string> = new Set(['StoreUnavailableError', 'PepperError']);
const CLASS_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
// `at name (place:line:column)`, as V8 writes it; other engines' stacks are left out.
const FRAME = /^at .*(?::\d+:\d+\)?|\(<anonymous>\))$/;
const MOST_FRAMES = 10;

/** The refusal that stands for a thrown error. By name, because an application may hold two copies of the class (one for `import`, one for `require`). */
export function toRefusal(error: unknown): Refusal {
  const isStore = error instanceof Error && UNAVAILABLE.has(error.name);
  return isStore ? { reason: 'unavailable', retryAfterSeconds: STORE_RETRY_SECONDS } : { reason: 'internal' };
}

/** The error's class and stack frames. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const name = CLASS_NAME.test(error.name) ? error.name : 'Error';
  return [name, ...framesOf(error)].join('\n');
}

/** Only what follows the message in the stack: a message may have lines that look like frames. Without knowing where it ends, nothing. */
function framesOf(error: Error): string[] {
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const message = stack.indexOf(error.message);
  if (message === -1) return [];
  const after = stack.slice(message + error.message.length);
  const frames = after.split('\n').map((line) => line.trim());
  return frames.filter((line) => FRAME.test(line)).slice(0, MOST_FRAMES);
}
