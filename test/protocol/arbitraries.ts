import fc from 'fast-check';
import type { Identifier } from '../../src/core/domain/identifier.ts';
import type { RateLimit, Refusal } from '../../src/core/domain/refusal.ts';
import type { PublicReport } from '../../src/core/domain/report.ts';
import type { QueryResult } from '../../src/core/domain/verdict.ts';
import type { FormRequest } from '../../src/core/protocol/form.ts';
import { createLink } from '../../src/core/protocol/link.ts';
import { anyCharacter } from '../any-character.ts';

const hex = (length: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));

export const hashes = hex(40);
export const codes = hex(16);
/** Kinds as a form can say them: no number at the end. */
export const kinds = fc.oneof(
  fc.constantFrom('email', 'ip', 'phone', 'domain', 'email0'),
  fc.stringMatching(/^[a-z][a-z0-9_-]{0,20}$/).filter((kind) => !/[1-9][0-9]*$/.test(kind)),
);
export const identifiers: fc.Arbitrary<Identifier[]> = fc.array(fc.record({ kind: kinds, hash: hashes }), {
  minLength: 1,
  maxLength: 32,
});

// What has no UTF-8 form.
const notUtf8 = /\p{Surrogate}/u;

/** Texts that a report may have. */
export const texts = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
  )
  .filter((text) => text.trim() !== '' && !/[^\P{Cc}\n\r\t]/u.test(text) && !notUtf8.test(text));

export const requests: fc.Arbitrary<FormRequest> = fc.oneof(
  fc.record({
    action: fc.constant('report' as const),
    apiKey: codes,
    type: fc.string().filter((type) => !notUtf8.test(type)),
    severity: fc.integer({ min: 1, max: 10 }),
    text: texts,
    identifiers,
  }),
  fc.record({ action: fc.constant('delete' as const), apiKey: codes, deletionCode: codes }),
  fc.record({ action: fc.constant('query' as const), apiKey: codes, identifiers }),
);

/** Addresses with and without hyphens, ports and paths. */
export const publicUrls = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.stringMatching(/^[a-z]([a-z0-9-]{0,10}[a-z0-9])?(\.[a-z]([a-z0-9-]{0,10}[a-z])?){1,2}$/),
    fc.option(fc.integer({ min: 1024, max: 65535 }), { nil: undefined }),
    fc.stringMatching(/^(\/[A-Za-z0-9._~-]{1,8}){0,3}\/{0,2}$/),
  )
  .map(([scheme, host, port, path]) => `${scheme}://${host}${port === undefined ? '' : `:${port}`}${path}`)
  // A dot segment is refused, which has a test of its own.
  .filter((url) => URL.canParse(url) && !/\/\.{1,2}(?=\/|$)/.test(url));

export const results: fc.Arbitrary<QueryResult> = fc.record({
  points: fc.oneof(fc.nat(100), fc.maxSafeNat()),
  reported: fc.oneof(fc.nat(100), fc.maxSafeNat()),
  reliability: fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
  link: fc.tuple(publicUrls, hashes).map(([publicUrl, hash]) => createLink(publicUrl)(hash)),
});

export const reports: fc.Arbitrary<PublicReport[]> = fc.array(
  fc.record({
    reportId: codes,
    type: fc.string(),
    severity: fc.integer({ min: 1, max: 10 }),
    text: fc.string({ unit: 'grapheme' }),
    createdAt: fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
    reporter: fc.string(),
  }),
  { maxLength: 5 },
);

const plain = [
  'malformed-body',
  'invalid-encoding',
  'unsupported-content-type',
  'invalid-field-name',
  'file-upload',
  'method-not-allowed',
  'not-found',
  'unknown-action',
  'sealed-only',
  'invalid-type',
  'invalid-severity',
  'no-identifier',
  'invalid-code',
  'unknown-key',
  'revoked-key',
  'suspended-key',
  'key-scope',
  'unknown-code',
  'already-deleted',
  'name-taken',
  'unknown-reporter',
  'unknown-key-id',
  'invalid-hash',
  'unknown-report',
  'unknown-request',
  'dispute-open',
  'no-open-dispute',
  'already-protected',
  'not-protected',
  'unknown-sign-in',
  'internal',
] as const;
const anyNumber = fc.oneof(fc.double(), fc.integer());
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('e-mail', 'a-b-c-d', 'x\r\ny'),
);

/** Every refusal of the closed list, with whatever its members could be made to hold. */
export const refusals: fc.Arbitrary<Refusal> = fc.oneof(
  // Each by itself: TypeScript takes an object of many possible reasons for none of them.
  ...plain.map((reason) => fc.constant({ reason } as Refusal)),
  fc.record({ reason: fc.constant('body-too-large' as const), limitBytes: anyNumber }),
  fc.record({ reason: fc.constantFrom('too-many-fields' as const, 'too-many-identifiers' as const), limit: anyNumber }),
  fc.record({
    reason: fc.constantFrom(
      'repeated-field' as const,
      'unknown-field' as const,
      'missing-field' as const,
      'invalid-identifier' as const,
    ),
    field: anyText,
  }),
  fc.record(
    { reason: fc.constant('invalid-text' as const), limitCharacters: anyNumber, characters: anyNumber, at: anyNumber },
    { requiredKeys: ['reason', 'limitCharacters'] },
  ),
  fc.record({
    reason: fc.constantFrom('invalid-name' as const, 'invalid-contact' as const, 'invalid-note' as const),
    limitCharacters: anyNumber,
  }),
  fc.record({
    reason: fc.constant('personal-data' as const),
    kinds: fc.subarray(['email', 'phone', 'ip', 'card', 'iban'] as const),
  }),
  fc.record({ reason: fc.constant('unavailable' as const), retryAfterSeconds: anyNumber }),
  fc.record({
    reason: fc.constant('limited' as const),
    limit: fc.record({
      name: anyText as fc.Arbitrary<RateLimit['name']>,
      requests: anyNumber,
      windowSeconds: anyNumber,
    }),
    retryAfterSeconds: anyNumber,
  }),
);
