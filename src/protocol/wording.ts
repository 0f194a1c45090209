import type { Refusal } from '../domain/refusal.ts';

/**
 * The one place where a refusal becomes words: one English sentence, without a hyphen anywhere (a body with three of them would be read as
 * a result, spec 4.4) and without any submitted value. The name of a field may stand in it; what a name cannot hold, its hyphen included, is shown as `_`.
 */
export function wordRefusal(refusal: Refusal): string {
  switch (refusal.reason) {
    case 'malformed-body':
      return 'The request body cannot be read as a form.';
    case 'invalid-encoding':
      return 'The request holds text that is not UTF8.';
    case 'unsupported-content-type':
      return 'Send the fields as a URL encoded form or as multipart form data, in UTF8.';
    case 'body-too-large':
      return `The request body is larger than ${whole(refusal.limitBytes)} bytes.`;
    case 'too-many-fields':
      return `The form has more than ${whole(refusal.limit)} fields.`;
    case 'repeated-field':
      return `The field ${name(refusal.field)} was sent more than once.`;
    case 'invalid-field-name':
      return 'A field name is not valid, names are 1 to 32 letters, digits, underscores and hyphens and begin with a letter.';
    case 'unknown-field':
      return `The field ${name(refusal.field)} is not known for this action.`;
    case 'file-upload':
      return 'The form holds a file, only text fields are accepted.';
    case 'method-not-allowed':
      return 'This method is not allowed here.';
    case 'not-found':
      return 'There is nothing at this address.';
    case 'missing-field':
      return `The field ${name(refusal.field)} is missing.`;
    case 'unknown-action':
      return 'The field _action must be report, delete or query.';
    case 'invalid-type':
      return 'The field _type is not one of the offence types of this service.';
    case 'invalid-severity':
      return 'The field _value must be a whole number from 1 to 10.';
    case 'invalid-text':
      return `The field _text must hold 1 to ${whole(refusal.limitCharacters)} characters, not only white space and no control characters.`;
    case 'invalid-identifier':
      return `The field ${name(refusal.field)} must be a hash of 40 hex characters.`;
    case 'no-identifier':
      return 'At least one hashed identifier is needed.';
    case 'too-many-identifiers':
      return `More than ${whole(refusal.limit)} identifiers were sent.`;
    case 'invalid-code':
      return 'The field _code must be a deletion code of 16 hex characters.';
    case 'unknown-key':
      return 'The API key is not valid.';
    case 'revoked-key':
      return 'The API key has been revoked.';
    case 'suspended-key':
      return 'The reporter of this API key is suspended.';
    case 'limited':
      return `Too many ${name(refusal.limit.name)} requests, try again in ${whole(refusal.retryAfterSeconds)} seconds.`;
    case 'unknown-code':
      return 'No report of yours has this deletion code.';
    case 'already-deleted':
      return 'This report was already deleted.';
    case 'invalid-name':
      return `The name must hold 1 to ${whole(refusal.limitCharacters)} characters.`;
    case 'name-taken':
      return 'This name is already taken.';
    case 'unknown-reporter':
      return 'There is no such reporter.';
    case 'unknown-key-id':
      return 'There is no such API key.';
    case 'invalid-note':
      return `The reason must hold 1 to ${whole(refusal.limitCharacters)} characters.`;
    case 'invalid-hash':
      return 'The identifier must be a hash of 40 hex characters.';
    case 'unknown-report':
      return 'There is no such report.';
    case 'dispute-open':
      return 'A dispute about this report is already open.';
    case 'no-open-dispute':
      return 'No dispute about this report is open.';
    case 'already-protected':
      return 'This identifier is already on the allow list.';
    case 'not-protected':
      return 'This identifier is not on the allow list.';
    case 'unavailable':
      return `The service is not available, try again in ${whole(refusal.retryAfterSeconds)} seconds.`;
    case 'internal':
      return 'The service failed to answer this request.';
  }
}

// A refusal may be made by hand; whatever its field says, the sentence stays one line of plain letters.
function name(field: string): string {
  return field.slice(0, 32).replace(/[^A-Za-z0-9_]/g, '_');
}

// Never a sign and never an exponent: `1e-7` has a hyphen.
function whole(value: number): string {
  return Number.isFinite(value) ? Math.max(0, Math.ceil(value)).toFixed(0) : '0';
}
