import { ReplyTooLargeError, ServiceError, UnexpectedResponseError } from '../../../client.ts';
import { count } from '../../../core/domain/text.ts';
import type { ClassicError } from '../../../core/protocol/classic.ts';
import { CommandError } from '../errors.ts';
import { printable } from '../output.ts';
import { CLIENT_VARIABLES } from '../settings/sources.ts';

const UNAVAILABLE: ClassicError = 'ERR:UNAVAILABLE';

/** What the codes of the classic dialect mean. Other services send sentences. */
const CLASSIC: Readonly<Record<ClassicError, string>> = {
  'ERR:API': 'the API key is not valid',
  'ERR:ACTION': 'the action is unknown',
  'ERR:DATA': 'a value is missing, not valid or unknown',
  'ERR:LIMIT': 'too many requests; try again later',
  [UNAVAILABLE]: 'it is not available; try again later',
  NODATA: 'no identifier arrived',
};

/** Errors before a connection exists: nothing was sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ConnectionRefused'];

/** What to do about a refused key. */
export const CHECK_KEY = `; check ${CLIENT_VARIABLES.apiKey} or --key-file`;

/**
 * Returns the error of a client's call as one line that says what to do. `isWrite` is true for a report or deletion,
 * which may have taken effect although the call failed. Returns any other error unchanged.
 */
export function formatFailure(error: unknown, seconds: number, isWrite: boolean): unknown {
  const unknown = isWrite ? '. The request may have taken effect' : '';
  if (error instanceof ServiceError) {
    const { status, details, isKeyRefused } = error;
    // A service may store a report and then lose the connection to its database.
    const isUnknown = status >= 500 || details === UNAVAILABLE;
    return new CommandError(`the service refused: ${formatDetails(details, isKeyRefused)}${isUnknown ? unknown : ''}`);
  }
  if (error instanceof UnexpectedResponseError)
    return new CommandError(
      `the service sent an unexpected response (status ${error.status}); check --url and --dialect${unknown}`,
    );
  if (error instanceof ReplyTooLargeError)
    return new CommandError(`the service sent more than ${error.limitBytes} bytes; check --url${unknown}`);
  if (!(error instanceof Error)) return error;
  if (error.name === 'TimeoutError')
    return new CommandError(
      `no complete reply within ${count(seconds, 'second')}; check --url, or allow more time with --timeout${unknown}`,
    );
  // Node's fetch wraps the error of the connection. Bun does not.
  const connection: NodeJS.ErrnoException = error.cause instanceof Error ? error.cause : error;
  if (connection !== error || connection.code !== undefined) {
    const { code = '' } = connection;
    const why = code === '' ? '' : ` (${code})`;
    return new CommandError(`no connection to the service${why}; check --url${UNSENT.includes(code) ? '' : unknown}`);
  }
  return error;
}

/** Returns the service's words about a refusal, and what to do. */
export function formatDetails(details: string, isKeyRefused: boolean): string {
  const meaning = Object.hasOwn(CLASSIC, details) ? `${details}, ${CLASSIC[details as ClassicError]}` : details;
  return `${printable(meaning).replace(/\.$/, '')}${isKeyRefused ? CHECK_KEY : ''}`;
}
