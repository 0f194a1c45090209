import type { Refusal } from '../domain/refusal.ts';
import type { PublicRecord } from '../domain/public-record.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { toBody } from './long-bodies.ts';
import { retryHeaders, statusOf } from './status.ts';

/** A page for people. */
export interface Page {
  /** The whole document. */
  readonly html: string;
  /** Value of Content-Security-Policy: what the page may load. */
  readonly policy: string;
}

/** Where the pages of a service are. */
export interface PagesPlace {
  /** Path before all pages as browsers see it, such as `/redflag`: that of the public address. Empty if none. */
  readonly basePath: string;
  /** The dialect at this path. `/docs` and `/openapi.json` describe the specification: `classic` has neither. */
  readonly dialect: Dialect;
  /** What {@link Pages.languageOf} returned. */
  readonly language?: string | undefined;
}

/** Where the page of a record is, and where the other pages are. */
export interface RecordPlace extends PagesPlace {
  /** The last part of the address: 40 hex characters, or 16 in the classic dialect. */
  readonly linkId: string;
}

/** What a page of a refusal stands for, and where the other pages are. */
export interface RefusedPlace extends PagesPlace {
  /**
   * `record`: the page of a link. `api`: the address to which programs send forms, opened in a browser. `other`: any
   * other address, also one that the service does not have.
   */
  readonly kind: 'record' | 'api' | 'other';
}

/** Makes the pages of the service from what they show. */
export interface Pages {
  /** Returns the language of a request's pages, which is then in their place. It is one of a few texts. */
  languageOf?(request: HttpRequest): string;
  /** What is behind a link. */
  record(record: PublicRecord, place: RecordPlace): Page;
  /** In place of a page that is refused: unknown, over the limit, or not available. */
  refused(refusal: Refusal, place: RefusedPlace): Page;
  /**
   * Answers a path that the protocol does not have, such as `/panel`; returns undefined if there is no such page.
   * `path` is without the path that requests have before it. An error is logged, and answered with
   * {@link Pages.refused}.
   */
  other?(request: HttpRequest, place: PagesPlace & { readonly path: string }): Promise<HttpReply> | undefined;
}

/**
 * A page of another site can neither load such a reply as its own, nor keep hold of the window that shows it (Spectre,
 * cross-site leaks). Also for the scripts of pages.
 */
export const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

/** Pages are about persons: search engines must not list them, and no address of a page reaches another site. */
const HEADERS = {
  ...ISOLATED,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
  Vary: 'Accept',
} as const;

/** Returns the reply with a page. */
export function replyWithPage({ html, policy }: Page): HttpReply {
  return { status: 200, headers: withHeaders(HEADERS, { 'Content-Security-Policy': policy }), body: html };
}

/**
 * Returns the function that replies with the page of a record. Requests that waited together get one record, so its
 * page is rendered once.
 */
export function createRecordReply(pages: Pages): (record: PublicRecord, place: RecordPlace) => HttpReply {
  const made = new WeakMap<PublicRecord, Map<string, HttpReply>>();
  return (record, place) => {
    const name = `${place.linkId} ${place.basePath} ${place.language}`;
    const known = made.get(record)?.get(name);
    if (known !== undefined) return known;
    const page = pages.record(record, place);
    const reply = { ...replyWithPage(page), body: toBody(page.html) };
    made.set(record, (made.get(record) ?? new Map<string, HttpReply>()).set(name, reply));
    return reply;
  };
}

/** Returns the reply with the page of a refusal, with the status of the reason. */
export function refuseWithPage(refusal: Refusal, { html, policy }: Page): HttpReply {
  const headers = withHeaders(HEADERS, { 'Content-Security-Policy': policy, ...retryHeaders(refusal) });
  return { status: statusOf(refusal), headers, body: html };
}

/** Of a header Accept. Browsers send about eight types. */
const MAX_TYPES = 64;
/** Of a type. Most have only `q`. */
const MAX_PARAMETERS = 8;

/**
 * Returns true if the header Accept prefers HTML to JSON, as browsers do. A program that accepts anything gets JSON
 * (RFC 9110, section 12.5.1). Reads the first types and their first parameters: a header has room for thousands.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const wanted = new Map<string, number>();
  for (const part of (accept ?? '').split(',', MAX_TYPES)) {
    const [type = '', ...parameters] = part.split(';', MAX_PARAMETERS).map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    wanted.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  return (wanted.get('text/html') ?? 0) > (wanted.get('application/json') ?? 0);
}
