import type { Refusal } from '../domain/refusal.ts';

/**
 * When to come back: `Retry-After` in whole seconds, and for a limit the fields of the IETF draft "RateLimit header fields for HTTP":
 * `RateLimit-Policy: "query";q=600;w=60` (requests, window in seconds) and `RateLimit: "query";r=0;t=12` (none left, seconds until the next).
 * Empty for a refusal that time does not cure.
 */
export function retryHeaders(refusal: Refusal): Record<string, string> {
  if (refusal.reason !== 'limited' && refusal.reason !== 'unavailable') return {};
  // At least 1: a client that is told 0 comes back at once and is refused again.
  const seconds = Math.max(1, Math.ceil(refusal.retryAfterSeconds));
  if (refusal.reason === 'unavailable') return { 'Retry-After': `${seconds}` };
  const { name, requests, windowSeconds } = refusal.limit;
  return {
    'Retry-After': `${seconds}`,
    'RateLimit-Policy': `"${name}";q=${requests};w=${Math.ceil(windowSeconds)}`,
    RateLimit: `"${name}";r=0;t=${seconds}`,
  };
}
