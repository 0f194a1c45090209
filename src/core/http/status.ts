import type { Refusal, RefusalReason } from '../domain/refusal.ts';

/**
 * HTTP status of each reason to refuse a form (protocol 7, our choice). The OpenAPI document has an example of each.
 */
const FORM_STATUSES = {
  'malformed-body': 400,
  'invalid-encoding': 400,
  'too-many-fields': 400,
  'repeated-field': 400,
  'invalid-field-name': 400,
  'unknown-field': 400,
  'file-upload': 400,
  'unknown-action': 400,
  'sealed-only': 400,
  'invalid-type': 400,
  'invalid-severity': 400,
  'invalid-text': 400,
  'personal-data': 400,
  'invalid-identifier': 400,
  'no-identifier': 400,
  'too-many-identifiers': 400,
  'invalid-code': 400,
  'missing-field': 400,
  'unknown-key': 401,
  'revoked-key': 403,
  'suspended-key': 403,
  'key-scope': 403,
  'unknown-code': 404,
  'already-deleted': 409,
  'body-too-large': 413,
  'unsupported-content-type': 415,
  limited: 429,
  internal: 500,
  overloaded: 503,
  unavailable: 503,
} as const satisfies Partial<Record<RefusalReason, number>>;

/** Reasons to refuse a form. */
export type FormReason = keyof typeof FORM_STATUSES;

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  ...FORM_STATUSES,
  // Of any other request.
  'not-found': 404,
  'method-not-allowed': 405,
  // Of an operator's call.
  'invalid-name': 400,
  'invalid-contact': 400,
  'invalid-note': 400,
  'invalid-hash': 400,
  'unknown-sign-in': 403,
  'unknown-reporter': 404,
  'unknown-key-id': 404,
  'unknown-report': 404,
  'unknown-request': 404,
  'no-open-dispute': 404,
  'not-protected': 404,
  'name-taken': 409,
  'too-many-keys': 409,
  'dispute-open': 409,
  'already-protected': 409,
};

export function statusOf(refusal: Refusal): number {
  // Without a key the client is not authenticated: 401. Any other missing field is a wrong request.
  if (refusal.reason === 'missing-field' && refusal.field === '_api') return 401;
  return STATUSES[refusal.reason];
}

/** Returns the status of a request that Node cannot read, by the code of Node's error. */
export function statusOfUnreadable(code: string | undefined): number {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
  return code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
}

/**
 * Returns headers that say when to retry: `Retry-After` in whole seconds. Limits add the headers of the IETF draft
 * "RateLimit header fields for HTTP". `RateLimit-Policy: "query";q=1800;w=60` gives tokens and window in seconds.
 * `RateLimit: "query";r=0;t=12` gives remaining tokens and seconds until the refused request is allowed. Empty if a
 * retry would not help.
 */
export function retryHeaders(refusal: Refusal): Record<string, string> {
  if (!('retryAfterSeconds' in refusal)) return {};
  // At least 1: with 0, a client would retry at once and be refused again.
  const seconds = Math.max(1, Math.ceil(refusal.retryAfterSeconds));
  if (refusal.reason !== 'limited') return { 'Retry-After': `${seconds}` };
  const { name, requests, windowSeconds } = refusal.limit;
  return {
    'Retry-After': `${seconds}`,
    'RateLimit-Policy': `"${name}";q=${requests};w=${Math.ceil(windowSeconds)}`,
    RateLimit: `"${name}";r=0;t=${seconds}`,
  };
}
