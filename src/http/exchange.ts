/** A request as the answer function reads it: a plain record that each adapter fills from what its platform has. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** As the client sent it, with the prefix under which the service is mounted, without the query. */
  readonly path: string;
  /** What follows the first `?`, without it; empty when there is none. */
  readonly query: string;
  /** A header's value by its lowercase name; undefined when it was not sent. */
  header(name: string): string | undefined;
  /** The address of whoever asks, as far as known (silent: 8). */
  readonly client?: string | undefined;
  /** The whole body, or `too-large` as soon as it is known to be longer than `limitBytes`. Rejects when it cannot be read to its end. Called at most once. */
  body(limitBytes: number): Promise<Uint8Array | 'too-large'>;
  /** What a framework's parser made of the body, when one ran before; then `body` is not called. */
  readonly parsedBody?: unknown;
}

/** The reply: a plain record that each adapter writes with what its platform has. Header names are in their usual spelling. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for HEAD and for 304. */
  readonly body: string;
}
