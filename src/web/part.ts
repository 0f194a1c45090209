import type { HttpReply, HttpRequest } from '../http/exchange.ts';

/** Where a page is. */
export interface Place {
  /** The path of the page alone, such as `/panel`. */
  readonly path: string;
  /**
   * Path before all pages as browsers see it, such as `/redflag`: that of the public address. Empty if there is none.
   * Addresses and paths of cookies begin with it.
   */
  readonly basePath: string;
}

/**
 * Answers the paths of one part of the pages; returns undefined for all others. An error is logged, and answered
 * with a page that says that the service is not available.
 */
export type Part = (request: HttpRequest, place: Place) => Promise<HttpReply> | undefined;
