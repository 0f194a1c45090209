// A page that happens to begin with `ERROR:` must not fill a log.
const DETAILS_CHARACTERS = 500;

/** The service understood the request and said no: a body `ERROR: <details>` (spec 4.2, 7), or the viewer's limit (spec 4.5). */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** HTTP status; 200 where a service sends its errors so. */
  readonly status: number;
  /** The service's own words, at most 500 characters. They are text from outside: escape them where they are shown. */
  readonly details: string;
  /** Seconds to wait before the next request, where the service said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, details: string, retryAfterSeconds: number | undefined) {
    const bounded = details.slice(0, DETAILS_CHARACTERS);
    super(`The service refused: ${bounded}`);
    this.status = status;
    this.details = bounded;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
