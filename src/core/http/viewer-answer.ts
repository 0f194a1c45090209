import { SHA256 } from '../crypto/crypto.ts';
import type { Outcome, Refusal } from '../domain/refusal.ts';
import type { PublicReport } from '../domain/report.ts';
import type { Service } from '../engine/service.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { toBody, type SendInTurn } from './long-bodies.ts';
import { retryHeaders, statusOf } from './status.ts';
import { formatViewer } from '../protocol/viewer.ts';

interface TaggedBody extends Pick<HttpReply, 'body'> {
  readonly entityTag: string;
}

/** Answers a request to the public viewer (protocol 4.5). Rejects only if the service rejects. */
export type AnswerViewer = (request: HttpRequest, linkHash: string) => Promise<Outcome<HttpReply>>;

/**
 * Returns the function that answers the viewer. The service returns the same list of reports while they are the same.
 * So the body and the tag of a list are made once, and kept as long as the service keeps the list.
 */
export function createViewerAnswer(service: Service, sendInTurn: SendInTurn): AnswerViewer {
  const made = new WeakMap<readonly PublicReport[], TaggedBody>();

  const madeOf = (reports: readonly PublicReport[]) => {
    let known = made.get(reports);
    if (known === undefined) {
      const text = formatViewer(reports);
      known = { body: toBody(text), entityTag: entityTagOf(text) };
      made.set(reports, known);
    }
    return known;
  };

  return async (request, linkHash) => {
    // Clients without an address share one limit, so hiding the address does not avoid the limit.
    const reports = await service.view({ linkHash, client: request.client ?? 'unknown' });
    if (!reports.ok) return reports;
    const { body, entityTag } = madeOf(reports.value);
    return sendInTurn(request, replyWithJson(request.header('if-none-match'), entityTag, body));
  };
}

/**
 * Returns the viewer's reply to a refusal: the status and an empty list. Caches must not keep it, because the link may
 * exist after the next query. A server failure is always 500, as clients of the viewer expect (protocol 4.5, 7). If the
 * store is unavailable, Retry-After says when to retry.
 */
export function refuseViewer(refusal: Refusal): HttpReply {
  return {
    status: refusal.reason === 'unavailable' ? 500 : statusOf(refusal),
    headers: withHeaders(PUBLIC_HEADERS, {
      'Content-Type': JSON_TYPE,
      'Cache-Control': 'no-store',
      ...retryHeaders(refusal),
    }),
    body: formatViewer([]),
  };
}

/** Public texts of JSON: pages of any origin may read them. */
const PUBLIC_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' } as const;
const JSON_TYPE = 'application/json; charset=utf-8';
// Allow caching, because replies change rarely (protocol 4.5). A cache may show a deleted report for up to five
// minutes.
const CACHE_CONTROL = 'public, max-age=300';
const ENTITY_TAG_DIGITS = 32;

/** Returns the tag of a body: a hash, so that all servers of a service send the same tag. */
export function entityTagOf(text: string): string {
  return `"${SHA256.digest(text).slice(0, ENTITY_TAG_DIGITS)}"`;
}

/** Returns the reply with a body; with status 304 if the header If-None-Match names its tag. */
export function replyWithJson(ifNoneMatch: string | undefined, entityTag: string, body: HttpReply['body']): HttpReply {
  const headers = withHeaders(PUBLIC_HEADERS, { 'Cache-Control': CACHE_CONTROL, ETag: entityTag });
  return namesEntityTag(ifNoneMatch ?? '', entityTag)
    ? { status: 304, headers, body: '' }
    : { status: 200, headers: withHeaders(headers, { 'Content-Type': JSON_TYPE }), body };
}

/** Returns true if an If-None-Match header is `*` or lists the tag, weak or strong (RFC 9110, section 13.1.2). */
export function namesEntityTag(ifNoneMatch: string, entityTag: string): boolean {
  return ifNoneMatch.split(',').some((part) => {
    const candidate = part.trim();
    return candidate === '*' || candidate.replace(/^W\//, '') === entityTag;
  });
}
