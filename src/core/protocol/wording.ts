import { PERSONAL_DATA, type RateLimit, type Refusal, type RefusalReason } from '../domain/refusal.ts';
import type { TextProblem } from '../domain/text.ts';

type Sentences = {
  readonly [Reason in RefusalReason]: string | ((refusal: Extract<Refusal, { readonly reason: Reason }>) => string);
};

const SENTENCES: Sentences = {
  'malformed-body': 'The request body cannot be read as a form.',
  'invalid-encoding': 'The request holds text that is not UTF8.',
  'unsupported-content-type':
    'The content type, charset or compression is not supported. Send a URL encoded form or multipart form data, not compressed, with its text in UTF8.',
  'body-too-large': ({ limitBytes }) => `The request body is larger than ${whole(limitBytes)} bytes.`,
  'too-many-fields': ({ limit }) => `The form has more than ${whole(limit)} fields.`,
  'repeated-field': ({ field }) => `The field ${name(field)} was sent more than once.`,
  'invalid-field-name':
    'A field name is not valid. Names have 1 to 32 letters, digits, underscores or hyphens and begin with a letter.',
  'unknown-field': ({ field }) => `The field ${name(field)} is not known for this action.`,
  'file-upload': 'The form contains a file. Only text fields are accepted.',
  'method-not-allowed': 'This HTTP method is not allowed at this address.',
  'not-found': 'There is nothing at this address.',
  'missing-field': ({ field }) => `The field ${name(field)} is missing.`,
  'unknown-action': 'The field _action must be report, delete or query.',
  'sealed-only': 'This service takes no hashes. Report and query with a client of its sealed protocol.',
  'invalid-type': 'The field _type is not one of the offence types of this service.',
  'invalid-severity': 'The field _value must be a whole number from 1 to 10.',
  'invalid-text': ({ limitCharacters, ...problem }) =>
    `The field _text ${textRule(limitCharacters)}${describeProblem(problem)}`,
  'personal-data': ({ kinds }) =>
    `The field _text is public and must have no personal data. Found: ${kinds.map((kind) => PERSONAL_DATA[kind] ?? 'other').join(', ')}. Write what happened without it, and send the value as a hashed identifier.`,
  'invalid-identifier': ({ field }) =>
    `The field ${name(field)} must be a hash of 40 hex characters, without spaces or quotes around it. Leave the field out if it is empty.`,
  'no-identifier': 'At least one hashed identifier is needed.',
  'too-many-identifiers': ({ limit }) => `More than ${whole(limit)} identifiers were sent.`,
  'invalid-code': 'The field _code must be a deletion code of 16 hex characters, without spaces or quotes around it.',
  'unknown-key':
    'The API key is not valid. A key has 16 hex characters. Send it without spaces, line breaks or quotes around it.',
  'revoked-key': 'The API key has been revoked.',
  'suspended-key': 'The reporter of this API key is suspended.',
  'key-scope': 'This API key is not for this action.',
  limited: ({ limit, retryAfterSeconds }) => `${formatLimit(limit)} Try again in ${whole(retryAfterSeconds)} seconds.`,
  'unknown-code': 'No report of yours has this deletion code.',
  'already-deleted': 'This report was already deleted.',
  'invalid-name': ({ limitCharacters }) =>
    `The name must be one line of 1 to ${whole(limitCharacters)} characters, not blank and without invisible characters. A person cannot have the name engine.`,
  'invalid-contact': ({ limitCharacters }) =>
    `The contact must be an email address, an https: or mailto: address or a phone number, of at most ${whole(limitCharacters)} characters.`,
  'name-taken': 'This name is already taken.',
  'unknown-reporter': 'There is no such reporter.',
  'unknown-key-id': 'There is no API key with this key id.',
  'too-many-keys': ({ limit }) =>
    `There are ${whole(limit)} keys that work, or that are a day old at most. Revoke one, or wait.`,
  'invalid-note': ({ limitCharacters }) => `The text ${textRule(limitCharacters)}`,
  'invalid-hash': 'The identifier must be a hash of 40 hex characters.',
  'unknown-report': 'There is no such report.',
  'dispute-open': 'A dispute about this report is already open.',
  'unknown-request': 'There is no such request.',
  'no-open-dispute': 'No dispute about this report is open.',
  'already-protected': 'This identifier is already on the allow list.',
  'not-protected': 'This identifier is not on the allow list.',
  'unknown-sign-in': 'This sign in link or session is unknown, was used before, or has ended.',
  overloaded: ({ retryAfterSeconds }) =>
    `The service has too much to do. Try again in ${whole(retryAfterSeconds)} seconds.`,
  unavailable: ({ retryAfterSeconds }) =>
    `The service is not available. Try again in ${whole(retryAfterSeconds)} seconds.`,
  internal: 'The service failed to answer this request.',
};

/**
 * Returns one line of English for a refusal, without submitted values. The line has no hyphen, because clients read a
 * body with three hyphens as a result (protocol 4.4). The line may hold the name of a field. Characters that are
 * invalid in a name, such as a hyphen, become `_`.
 */
export function formatRefusal(refusal: Refusal): string {
  const sentence = SENTENCES[refusal.reason];
  return typeof sentence === 'string' ? sentence : (sentence as (of: Refusal) => string)(refusal);
}

function textRule(limitCharacters: number): string {
  return `must have 1 to ${whole(limitCharacters)} characters, not only white space or invisible characters, and no control, direction or tag characters except tabs and line breaks.`;
}

/** Says which of the rules for a text it breaks; empty if that is unknown. */
function describeProblem({ characters, at }: TextProblem): string {
  if (at !== undefined) return ` Its character ${whole(at)} is a control, direction or tag character.`;
  if (characters === undefined) return '';
  return characters === 0 ? ' It has none that can be seen.' : ` It has ${whole(characters)} characters.`;
}

function formatLimit(limit: RateLimit): string {
  if (limit.name === 'identifiers') return 'The daily budget of identifiers is used up.';
  if (limit.name === 'unknown-key') return 'Too many requests with keys that do not work.';
  return `Too many ${name(limit.name)} requests.`;
}

// A program can create a refusal with any text as its field. Keep the text one line of plain letters.
function name(field: string): string {
  return field.slice(0, 32).replace(/[^A-Za-z0-9_]/g, '_');
}

// A sign or an exponent may hold a hyphen (`1e-7`). Avoid both.
function whole(value: number): string {
  return Number.isFinite(value) ? Math.max(0, Math.ceil(value)).toFixed(0) : '0';
}
