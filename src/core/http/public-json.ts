import { SHA256 } from '../crypto/sha256.ts';
import { withHeaders, type HttpReply } from './exchange.ts';

/** Public texts of JSON: pages of any origin may read them. */
export const PUBLIC_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' } as const;
export const JSON_TYPE = 'application/json; charset=utf-8';
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
