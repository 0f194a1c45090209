import { RedflagError } from '../domain/redflag-error.ts';
import type { Refusal } from '../domain/refusal.ts';
import { StoreKeyError, StoreUnavailableError } from '../store/errors.ts';

/** One failure, for the operator's log. */
export interface LogEvent {
  /**
   * `store-unavailable`: the store cannot be used now; the reply was 503, or 500 from the viewer. `internal-error`: a
   * defect or damaged data; the reply was 500.
   */
  readonly event: 'store-unavailable' | 'internal-error';
  /**
   * The error's class. Errors of redflag add their message (`PepperError: …`), which holds no submitted data. For other
   * errors the message may hold such data, so only a system or database code is added (`error (42501)`). Internal
   * errors also have a stack, one frame per line.
   */
  readonly error: string;
  /** The error's causes, nearest first, in the same form: `Error (ECONNREFUSED)`. */
  readonly cause?: string;
  /** The id in the reply's header X-Request-Id, if it has one. */
  readonly requestId?: string;
}

// A busy or restarting store usually recovers within seconds. Earlier retries would add to its load.
const STORE_RETRY_SECONDS = 5;
// Error codes of the system and Node, of SQLite, and of SQL (SQLSTATE).
const CODE = /^(?:E[A-Z][A-Z0-9_]{1,40}|SQLITE_[A-Z0-9_]{1,40}|[0-9A-Z]{5})$/;
const MAX_CAUSES = 5;
const CLASS_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/;
// V8's form of a frame: `at name (place:line:column)`. Stacks of other engines are omitted.
const FRAME = /^at .*(?::\d+:\d+\)?|\(<anonymous>\))$/;
const MAX_FRAMES = 10;

/**
 * Returns the refusal for a thrown error. A wrong secret or pepper is `unavailable`, because the operator can supply
 * the right one.
 */
export function toRefusal(error: unknown): Refusal {
  const isUnavailable = error instanceof StoreUnavailableError || error instanceof StoreKeyError;
  return isUnavailable ? { reason: 'unavailable', retryAfterSeconds: STORE_RETRY_SECONDS } : { reason: 'internal' };
}

export function toLogEvent(error: unknown, requestId?: string): LogEvent {
  const causes = causesOf(error).map(nameOf);
  const more = {
    ...(causes.length > 0 && { cause: causes.join(', ') }),
    ...(requestId !== undefined && { requestId }),
  };
  // Omit the stack: an unavailable disk or server is not a defect in the code.
  if (toRefusal(error).reason === 'unavailable') return { event: 'store-unavailable', error: nameOf(error), ...more };
  return { event: 'internal-error', error: [nameOf(error), ...framesOf(error)].join('\n'), ...more };
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let at = error; at instanceof Error && at.cause !== undefined && causes.length < MAX_CAUSES; at = at.cause)
    causes.push(at.cause);
  return causes;
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const name = CLASS_NAME.test(error.name) ? error.name : 'Error';
  if (error instanceof RedflagError) return `${name}: ${error.message.replaceAll(/\s+/g, ' ')}`;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && CODE.test(code) ? `${name} (${code})` : name;
}

/**
 * Returns the stack frames. Skips the message first, because its lines may look like frames. Empty if the message is
 * not found.
 */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const message = stack.indexOf(error.message);
  if (message === -1) return [];
  const after = stack.slice(message + error.message.length);
  const frames = after.split('\n').map((line) => line.trim());
  return frames.filter((line) => FRAME.test(line)).slice(0, MAX_FRAMES);
}
