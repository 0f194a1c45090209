import type { HttpReply, HttpRequest } from '../../core/http/exchange.ts';
import type { PagesPlace } from '../../core/http/pages.ts';

/** Where a page is. */
export interface Place extends PagesPlace {
  /** The path of the page alone, such as `/panel`. */
  readonly path: string;
}

/**
 * Answers the paths of one part of the pages; returns undefined for all others. An error is logged, and answered
 * with a page that says that the service is not available.
 */
export type Part = (request: HttpRequest, place: Place) => Promise<HttpReply> | undefined;
