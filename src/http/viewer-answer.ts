import { SHA256 } from '../crypto/sha256.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { formatViewer } from '../protocol/viewer.ts';
import { withHeaders, type HttpReply, type HttpRequest } from './exchange.ts';
import { retryHeaders, statusOf } from './status.ts';

/** The viewer is public, so pages of any origin may read it. */
const PUBLIC_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' } as const;
const JSON_TYPE = 'application/json; charset=utf-8';
// Allow caching, because replies change rarely (spec 4.5). A cache may show a deleted report for up to five minutes.
const CACHE_CONTROL = 'public, max-age=300';
const ENTITY_TAG_DIGITS = 32;

/** Answers a request to the public viewer (spec 4.5). Rejects only if the service rejects. */
export async function answerViewer(service: Service, request: HttpRequest, linkHash: string): Promise<HttpReply> {
  // Clients without an address share one limit, so hiding the address does not avoid the limit.
  const reports = await service.view({ linkHash, client: request.client ?? 'unknown' });
  if (!reports.ok) return refuseViewer(reports.refusal);

  const body = formatViewer(reports.value);
  // A hash of the body, so that all servers of a service send the same tag.
  const entityTag = `"${SHA256.digest(body).slice(0, ENTITY_TAG_DIGITS)}"`;
  const headers = withHeaders(PUBLIC_HEADERS, { 'Cache-Control': CACHE_CONTROL, ETag: entityTag });
  if (namesEntityTag(request.header('if-none-match') ?? '', entityTag)) return { status: 304, headers, body: '' };
  return { status: 200, headers: withHeaders(headers, { 'Content-Type': JSON_TYPE }), body };
}

/**
 * Returns the viewer's reply to a refusal: the status and an empty list. Caches must not keep it, because the link may
 * exist after the next query. A server failure is always 500, as clients of the viewer expect (spec 4.5, 7). If the
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

/** Returns true if an If-None-Match header is `*` or lists the tag, weak or strong (RFC 9110, section 13.1.2). */
function namesEntityTag(ifNoneMatch: string, entityTag: string): boolean {
  return ifNoneMatch.split(',').some((part) => {
    const candidate = part.trim();
    return candidate === '*' || candidate.replace(/^W\//, '') === entityTag;
  });
}
