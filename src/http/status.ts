import type { Refusal } from '../domain/refusal.ts';

/** The one place where a refusal becomes a number (silent: 7 shows no status of the form endpoint). */
export function statusOf(refusal: Refusal): number {
  switch (refusal.reason) {
    case 'malformed-body':
    case 'invalid-encoding':
    case 'too-many-fields':
    case 'repeated-field':
    case 'invalid-field-name':
    case 'unknown-field':
    case 'file-upload':
    case 'unknown-action':
    case 'invalid-type':
    case 'invalid-severity':
    case 'invalid-text':
    case 'invalid-identifier':
    case 'no-identifier':
    case 'too-many-identifiers':
    case 'invalid-code':
    case 'invalid-name':
    case 'invalid-note':
    case 'invalid-hash':
      return 400;
    case 'missing-field':
      // Without a key nobody knows who asks; the other fields are simply not there.
      return refusal.field === '_api' ? 401 : 400;
    case 'unknown-key':
      return 401;
    case 'revoked-key':
    case 'suspended-key':
      return 403;
    case 'not-found':
    case 'unknown-code':
    case 'unknown-reporter':
    case 'unknown-key-id':
    case 'unknown-report':
    case 'no-open-dispute':
    case 'not-protected':
      return 404;
    case 'method-not-allowed':
      return 405;
    case 'already-deleted':
    case 'name-taken':
    case 'dispute-open':
    case 'already-protected':
      return 409;
    case 'body-too-large':
      return 413;
    case 'unsupported-content-type':
      return 415;
    case 'limited':
      return 429;
    case 'internal':
      return 500;
    case 'unavailable':
      return 503;
  }
}
