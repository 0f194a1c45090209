/**
 * The reply is not one of the protocol: HTML, fewer or more than four segments, no JSON, a redirect (spec 4.4, 7). Whether a report or delete was
 * done is not known. The content is left out: it may be a whole page and may repeat what was sent.
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
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
