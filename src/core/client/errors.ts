import { RedflagError } from '../domain/redflag-error.ts';

// Maximum length of `details`: a whole page may begin with `ERROR:` and would fill a log.
const DETAILS_CHARACTERS = 500;

/**
 * The service refused the request: a body `ERROR: <details>` (protocol 4.2, 7), or the viewer's limit (protocol 4.5).
 * Not a RedflagError, because the message repeats text of the service.
 */
export class ServiceError extends Error {
  /**
   * Always `ServiceError`. If the package is loaded twice, `instanceof` misses errors of the other copy; compare the
   * name.
   */
  override readonly name = 'ServiceError';
  /** HTTP status. Some services send errors with status 200. */
  readonly status: number;
  /** Text of the service, at most 500 characters. It is untrusted: escape it before you show it. */
  readonly details: string;
  /** Seconds to wait before the next request, if the service sent them. */
  readonly retryAfterSeconds: number | undefined;
  /** True if the service refuses the API key, as far as its status and text tell. */
  readonly isKeyRefused: boolean;

  constructor(status: number, details: string, retryAfterSeconds: number | undefined, isKeyRefused = false) {
    const bounded = details.slice(0, DETAILS_CHARACTERS);
    super(`The service refused the request: ${bounded}`);
    this.status = status;
    this.details = bounded;
    this.retryAfterSeconds = retryAfterSeconds;
    this.isKeyRefused = isKeyRefused;
  }
}

/**
 * The reply does not follow the protocol (protocol 4.4, 7), e.g. HTML, invalid JSON, a redirect or a wrong number of
 * segments. A report or delete may have taken effect. The error omits the reply's content, which may repeat submitted
 * values.
 */
export class UnexpectedResponseError extends RedflagError {
  static override readonly kind = 'UnexpectedResponseError';
  /** HTTP status; 0 for a redirect that a browser hides. */
  readonly status: number;
  /** Characters of the body's first line. */
  readonly firstLineLength: number;

  constructor(status: number, body: string) {
    const firstLineLength = body.split(/\r\n|\r|\n/, 1)[0]?.length ?? 0;
    super(`The service sent an unexpected response: status ${status}, first line of ${firstLineLength} characters`);
    this.status = status;
    this.firstLineLength = firstLineLength;
  }
}

/** The reply is larger than the option `replyBytes` of the client. A report or delete may have taken effect. */
export class ReplyTooLargeError extends RedflagError {
  static override readonly kind = 'ReplyTooLargeError';
  /** The value of the option `replyBytes`. */
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The service sent a reply of more than ${limitBytes} bytes`);
    this.limitBytes = limitBytes;
  }
}
