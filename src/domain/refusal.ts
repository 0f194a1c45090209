import type { PersonalDataKind } from './personal-data.ts';

/**
 * All reasons for a refusal. Refusals are return values, not exceptions. `protocol/wording.ts` holds the texts and
 * `http/status.ts` the status codes.
 */
export type Refusal =
  // The request cannot be read (spec 4.1).
  | { readonly reason: 'malformed-body' }
  | { readonly reason: 'invalid-encoding' }
  | { readonly reason: 'unsupported-content-type' }
  | { readonly reason: 'body-too-large'; readonly limitBytes: number }
  | { readonly reason: 'too-many-fields'; readonly limit: number }
  | { readonly reason: 'repeated-field'; readonly field: string }
  | { readonly reason: 'invalid-field-name' }
  | { readonly reason: 'unknown-field'; readonly field: string }
  | { readonly reason: 'file-upload' }
  | { readonly reason: 'method-not-allowed' }
  | { readonly reason: 'not-found' }
  // A field is missing or invalid (spec 2.1, 4.2 to 4.4).
  | { readonly reason: 'missing-field'; readonly field: string }
  | { readonly reason: 'unknown-action' }
  | { readonly reason: 'invalid-type' }
  | { readonly reason: 'invalid-severity' }
  | { readonly reason: 'invalid-text'; readonly limitCharacters: number }
  | { readonly reason: 'personal-data'; readonly kinds: readonly PersonalDataKind[] }
  | { readonly reason: 'invalid-identifier'; readonly field: string }
  | { readonly reason: 'no-identifier' }
  | { readonly reason: 'too-many-identifiers'; readonly limit: number }
  | { readonly reason: 'invalid-code' }
  // The reporter has no valid key or exceeds a limit (spec 5, 8).
  | { readonly reason: 'unknown-key' }
  | { readonly reason: 'revoked-key' }
  | { readonly reason: 'suspended-key' }
  | { readonly reason: 'key-scope' }
  | { readonly reason: 'limited'; readonly limit: RateLimit; readonly retryAfterSeconds: number }
  // The report does not exist or was deleted (spec 4.3).
  | { readonly reason: 'unknown-code' }
  | { readonly reason: 'already-deleted' }
  // Administration.
  | { readonly reason: 'invalid-name'; readonly limitCharacters: number }
  | { readonly reason: 'name-taken' }
  | { readonly reason: 'unknown-reporter' }
  | { readonly reason: 'unknown-key-id' }
  | { readonly reason: 'invalid-note'; readonly limitCharacters: number }
  | { readonly reason: 'invalid-hash' }
  | { readonly reason: 'unknown-report' }
  | { readonly reason: 'dispute-open' }
  | { readonly reason: 'no-open-dispute' }
  | { readonly reason: 'already-protected' }
  | { readonly reason: 'not-protected' }
  // The service cannot answer now (spec 7).
  | { readonly reason: 'overloaded'; readonly retryAfterSeconds: number }
  | { readonly reason: 'unavailable'; readonly retryAfterSeconds: number }
  | { readonly reason: 'internal' };

export type RefusalReason = Refusal['reason'];

/**
 * Limit of a token bucket: at most `requests` tokens, refilled evenly over `windowSeconds` (spec 8). A token of `query`
 * and of `identifiers`, the daily budget, is one identifier of a query. Any other token is one request.
 */
export interface RateLimit {
  readonly name: 'query' | 'identifiers' | 'report' | 'delete' | 'viewer' | 'unknown-key';
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Result of an operation: a value or a refusal. After a refusal, nothing was stored or changed. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export function refuse(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}

export function accept<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Thrown by {@link unwrap}. The message is the reason's name, never a submitted value. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** Returns the value of an outcome. Throws {@link RefusedError} for a refusal. */
export function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new RefusedError(outcome.refusal);
}
