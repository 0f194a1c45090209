import type { Refusal } from '../domain/refusal.ts';
import type { Service } from '../engine/service.ts';
import { formatViewer } from '../protocol/viewer.ts';
import { entityTagOf, namesEntityTag } from './entity-tag.ts';
import type { HttpReply, HttpRequest } from './exchange.ts';
import { retryHeaders } from './retry-headers.ts';
import { statusOf } from './status.ts';

/** Any page may read what anyone may read. */
const PUBLIC_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' } as const;
const JSON_TYPE = 'application/json; charset=utf-8';
// Clients cache because replies change rarely (spec 4.5); five minutes is how long a deleted report may still be seen in a cache.
const CACHE_CONTROL = 'public, max-age=300';

/** The public viewer (spec 4.5). Rejects only when the service does. */
export async function answerViewer(service: Service, request: HttpRequest, linkHash: string): Promise<HttpReply> {
  // Clients whose address nobody knows are counted as one: not saying where one comes from must not be a way around the limit.
  const reports = await service.view({ linkHash, client: request.client ?? 'unknown' });
  if (!reports.ok) return refuseViewer(reports.refusal);

  const body = formatViewer(reports.value);
  const entityTag = entityTagOf(body);
  const headers = { ...PUBLIC_HEADERS, 'Cache-Control': CACHE_CONTROL, ETag: entityTag };
  if (namesEntityTag(request.header('if-none-match'), entityTag)) return { status: 304, headers, body: '' };
  return { status: 200, headers: { ...headers, 'Content-Type': JSON_TYPE }, body };
}

/**
 * A refusal of the viewer: its number and an empty list. Not kept by caches: the next query may put something behind the link.
 * A server failure is always 500, the number that clients of the viewer know (spec 4.5, 7); an unavailable store still says when to come back.
 */
export function refuseViewer(refusal: Refusal): HttpReply {
  return {
    status: refusal.reason === 'unavailable' ? 500 : statusOf(refusal),
    headers: { ...PUBLIC_HEADERS, 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...retryHeaders(refusal) },
    body: formatViewer([]),
  };
}
