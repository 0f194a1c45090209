import type { TextProblem } from './text.ts';

/** Names of the kinds of personal data that are looked for in a text, in the order of a refusal. */
export const PERSONAL_DATA = {
  email: 'email address',
  phone: 'phone number',
  ip: 'IP address',
  card: 'card number',
  iban: 'IBAN',
} as const satisfies Readonly<Record<PersonalDataKind, string>>;

/** Kind of personal data in a text: email address, phone number, IP address, card number or IBAN. */
export type PersonalDataKind = 'email' | 'phone' | 'ip' | 'card' | 'iban';

/**
 * All reasons for a refusal. Refusals are return values, not exceptions. `core/protocol/wording.ts` holds the texts and
 * `core/http/status.ts` the status codes.
 */
export type Refusal =
  // The request cannot be read (protocol 4.1).
  /** The body cannot be read as a form, or is incomplete. */
  | { readonly reason: 'malformed-body' }
  /** A name or value is not UTF-8. */
  | { readonly reason: 'invalid-encoding' }
  /** The body is not a form in UTF-8, by its header, or is compressed. */
  | { readonly reason: 'unsupported-content-type' }
  /** The body has more than `limitBytes` bytes. */
  | { readonly reason: 'body-too-large'; readonly limitBytes: number }
  /** The form has more than `limit` fields. */
  | { readonly reason: 'too-many-fields'; readonly limit: number }
  /** `field` was sent more than once. The name is in lower case. */
  | { readonly reason: 'repeated-field'; readonly field: string }
  /** A field name is not 1 to 32 letters, digits, `_` or `-`, or begins with a digit or `-`. */
  | { readonly reason: 'invalid-field-name' }
  /** The action has no reserved field `field`, or takes no identifier. The name is in lower case. */
  | { readonly reason: 'unknown-field'; readonly field: string }
  /** A part of multipart form data is a file. */
  | { readonly reason: 'file-upload' }
  /** The address exists, but not with this HTTP method. */
  | { readonly reason: 'method-not-allowed' }
  /** The address does not exist, or the link has no report. */
  | { readonly reason: 'not-found' }
  // A field is missing or invalid (protocol 2.1, 4.2 to 4.4).
  /** The action needs `field`. */
  | { readonly reason: 'missing-field'; readonly field: string }
  /** `_action` is not `report`, `delete` or `query`. */
  | { readonly reason: 'unknown-action' }
  /** The service has a separate evaluator, so it takes no hashes. Use the sealed look-up. */
  | { readonly reason: 'sealed-only' }
  /** The type is not one of the offence types of the service. */
  | { readonly reason: 'invalid-type' }
  /** The severity is not a whole number from 1 to 10. */
  | { readonly reason: 'invalid-severity' }
  /** The description is blank, has more than `limitCharacters` code points, or has forbidden characters. */
  | ({ readonly reason: 'invalid-text'; readonly limitCharacters: number } & TextProblem)
  /** The description has personal data. `kinds` says which, each kind once. */
  | { readonly reason: 'personal-data'; readonly kinds: readonly PersonalDataKind[] }
  /** The identifier in `field` is not a hash of 40 hex characters. */
  | { readonly reason: 'invalid-identifier'; readonly field: string }
  /** No identifier was sent. The hash of the empty text does not count. */
  | { readonly reason: 'no-identifier' }
  /** There are more than `limit` different identifiers. */
  | { readonly reason: 'too-many-identifiers'; readonly limit: number }
  /** The deletion code is not 16 hex characters. */
  | { readonly reason: 'invalid-code' }
  // The reporter has no valid key or exceeds a limit (protocol 5, 8).
  /** No key has this value. */
  | { readonly reason: 'unknown-key' }
  /** The key was revoked, or its time has ended. */
  | { readonly reason: 'revoked-key' }
  /** The operator suspended the reporter of the key. */
  | { readonly reason: 'suspended-key' }
  /** The scope of the key excludes the action. */
  | { readonly reason: 'key-scope' }
  /** The request exceeds `limit`. After `retryAfterSeconds`, it can succeed. */
  | { readonly reason: 'limited'; readonly limit: RateLimit; readonly retryAfterSeconds: number }
  // The report does not exist or was deleted (protocol 4.3).
  /** The reporter has no report with this deletion code. */
  | { readonly reason: 'unknown-code' }
  /** The report with this deletion code was deleted before. */
  | { readonly reason: 'already-deleted' }
  // Administration.
  /** A name is blank, has several lines or more than `limitCharacters` code points, or has forbidden characters. */
  | { readonly reason: 'invalid-name'; readonly limitCharacters: number }
  /** A contact is no email, `https:` or `mailto:` address or phone number, or has more than `limitCharacters`. */
  | { readonly reason: 'invalid-contact'; readonly limitCharacters: number }
  /** Another reporter has the name. */
  | { readonly reason: 'name-taken' }
  /** No reporter has the id. */
  | { readonly reason: 'unknown-reporter' }
  /** No key has the id. */
  | { readonly reason: 'unknown-key-id' }
  /** The reporter has `limit` keys that work. */
  | { readonly reason: 'too-many-keys'; readonly limit: number }
  /** A reason is blank, has more than `limitCharacters` code points, or has forbidden characters. */
  | { readonly reason: 'invalid-note'; readonly limitCharacters: number }
  /** A hash is not 40 lowercase hex characters, or an erasure names none. */
  | { readonly reason: 'invalid-hash' }
  /** No live report has the id. */
  | { readonly reason: 'unknown-report' }
  /** The report already has an open dispute. */
  | { readonly reason: 'dispute-open' }
  /** No request for a dispute has the id. */
  | { readonly reason: 'unknown-request' }
  /** The report has no open dispute. */
  | { readonly reason: 'no-open-dispute' }
  /** The allow-list already has the hash. */
  | { readonly reason: 'already-protected' }
  /** The allow-list does not have the hash. */
  | { readonly reason: 'not-protected' }
  /** A link or session of the panel is unknown, was used before, or has ended. */
  | { readonly reason: 'unknown-sign-in' }
  // The service cannot answer now (protocol 7).
  /** Too many requests run or wait. Retry after `retryAfterSeconds`. */
  | { readonly reason: 'overloaded'; readonly retryAfterSeconds: number }
  /** The store cannot answer now. Retry after `retryAfterSeconds`. */
  | { readonly reason: 'unavailable'; readonly retryAfterSeconds: number }
  /** An error in the service or its data. A retry does not help. */
  | { readonly reason: 'internal' };

/** Name of the reason of a refusal: a closed list. */
export type RefusalReason = Refusal['reason'];

/**
 * Limit of a token bucket: at most `requests` tokens, refilled evenly over `windowSeconds` (protocol 8). A token of
 * `query` is one identifier of a query, and of `identifiers`, the daily budget, also one of a report. A token of
 * `evaluate` and of `elements`, another daily budget, is one element. Any other token is one request.
 */
export interface RateLimit {
  /** Name of the limit, as in the header RateLimit. */
  readonly name:
    | 'query'
    | 'identifiers'
    | 'evaluate'
    | 'elements'
    | 'report'
    | 'delete'
    | 'viewer'
    | 'dispute'
    | 'panel'
    | 'case'
    | 'contact'
    | 'answer'
    | 'unknown-key';
  /** Tokens of a full bucket. The option and the replies have this name, also for limits that count identifiers. */
  readonly requests: number;
  /** Time in which an empty bucket fills, in seconds. */
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
  /**
   * Always `RefusedError`. If the package is loaded twice, `instanceof` misses errors of the other copy; compare the
   * name.
   */
  override readonly name = 'RefusedError';
  /** The refusal of the outcome, with its reason and details. */
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
