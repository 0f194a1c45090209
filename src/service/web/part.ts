import type { HttpReply, HttpRequest } from '../../core/http/exchange.ts';
import type { PagesPlace } from '../../core/http/pages.ts';

/** How the clients of a service hash. */
export interface PageHashing {
  /** Text before the value in every round. */
  readonly prefix: string;
  /** Rounds of the chain. */
  readonly iterations: number;
}

/** Who runs a service, for its public pages. */
export interface PublicOperator {
  /** 1 to 80 characters. */
  readonly name: string;
  /** An email address, an address that begins with `https:` or `mailto:`, or a phone number. */
  readonly contact?: string | undefined;
}

/** Where a public page is, and whose it is. */
export interface PublicPlace extends PagesPlace {
  /** Who runs the service; undefined if the operator has not said it. */
  readonly operator?: PublicOperator | undefined;
  /** True if a person can see a case by its number, on `/case`. */
  readonly hasCases?: boolean | undefined;
}

/** Where a page of a part is. */
export interface Place extends PublicPlace {
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
