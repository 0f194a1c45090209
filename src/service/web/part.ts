import type { HttpReply, HttpRequest } from '../../core/http/exchange.ts';
import type { PagesPlace } from '../../core/http/pages.ts';

/** How the clients of a service hash. */
export interface PageHashing {
  /** Text before the value in every round. */
  readonly prefix: string;
  /** Rounds of the chain. */
  readonly iterations: number;
}

/** Where a page is. */
export interface Place extends PagesPlace {
  /** The path of the page alone, such as `/panel`. */
  readonly path: string;
  /** How the clients of the service hash. */
  readonly hashing: PageHashing;
}

/**
 * Answers the paths of one part of the pages; returns undefined for all others. An error is logged, and answered
 * with a page that says that the service is not available.
 */
export type Part = (request: HttpRequest, place: Place) => Promise<HttpReply> | undefined;
