import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Refusal, RefusalReason } from '../../src/core/domain/refusal.ts';
import { statusOf } from '../../src/core/http/status.ts';
import { formatClassicError } from '../../src/core/protocol/classic.ts';
import { formatError } from '../../src/core/protocol/reply.ts';
import { readErrorTable } from './error-table.ts';

// The compiler asks for every reason; an empty list says that only an operator or the viewer ever meets it.
const REFUSALS: Readonly<Record<RefusalReason, readonly Refusal[]>> = {
  'malformed-body': [{ reason: 'malformed-body' }],
  'invalid-encoding': [{ reason: 'invalid-encoding' }],
  'unsupported-content-type': [{ reason: 'unsupported-content-type' }],
  'body-too-large': [{ reason: 'body-too-large', limitBytes: 1000 }],
  'too-many-fields': [{ reason: 'too-many-fields', limit: 7 }],
  'repeated-field': [{ reason: 'repeated-field', field: 'email' }],
  'invalid-field-name': [{ reason: 'invalid-field-name' }],
  'unknown-field': [{ reason: 'unknown-field', field: '_note' }],
  'file-upload': [{ reason: 'file-upload' }],
  'method-not-allowed': [{ reason: 'method-not-allowed' }],
  'not-found': [{ reason: 'not-found' }],
  'missing-field': [
    { reason: 'missing-field', field: '_text' },
    { reason: 'missing-field', field: '_api' },
  ],
  'unknown-action': [{ reason: 'unknown-action' }],
  'sealed-only': [{ reason: 'sealed-only' }],
  'invalid-type': [{ reason: 'invalid-type' }],
  'invalid-severity': [{ reason: 'invalid-severity' }],
  'invalid-text': [
    { reason: 'invalid-text', limitCharacters: 500, characters: 501 },
    { reason: 'invalid-text', limitCharacters: 500, characters: 0 },
    { reason: 'invalid-text', limitCharacters: 500, at: 17 },
  ],
  'personal-data': [
    { reason: 'personal-data', kinds: ['email', 'phone'] },
    { reason: 'personal-data', kinds: ['card'] },
  ],
  'invalid-identifier': [{ reason: 'invalid-identifier', field: 'phone2' }],
  'no-identifier': [{ reason: 'no-identifier' }],
  'too-many-identifiers': [{ reason: 'too-many-identifiers', limit: 7 }],
  'invalid-code': [{ reason: 'invalid-code' }],
  'unknown-key': [{ reason: 'unknown-key' }],
  'revoked-key': [{ reason: 'revoked-key' }],
  'suspended-key': [{ reason: 'suspended-key' }],
  'key-scope': [{ reason: 'key-scope' }],
  limited: (['query', 'report', 'delete', 'identifiers', 'unknown-key'] as const).map((name) => ({
    reason: 'limited',
    limit: { name, requests: 1, windowSeconds: 60 },
    retryAfterSeconds: 7,
  })),
  'unknown-code': [{ reason: 'unknown-code' }],
  'already-deleted': [{ reason: 'already-deleted' }],
  'invalid-name': [],
  'invalid-contact': [],
  'name-taken': [],
  'unknown-reporter': [],
  'unknown-key-id': [],
  'too-many-keys': [],
  'invalid-note': [],
  'invalid-hash': [],
  'unknown-report': [],
  'unknown-request': [],
  'dispute-open': [],
  'no-open-dispute': [],
  'already-protected': [],
  'not-protected': [],
  'unknown-sign-in': [],
  overloaded: [{ reason: 'overloaded', retryAfterSeconds: 7 }],
  unavailable: [{ reason: 'unavailable', retryAfterSeconds: 7 }],
  internal: [{ reason: 'internal' }],
};

describe('the table of errors in docs/protocol.md', () => {
  const rows = readErrorTable();
  const refusals = Object.values(REFUSALS).flat();

  it.each(refusals.map((refusal) => [formatError(refusal), statusOf(refusal)] as const))(
    'has “%s” with %i',
    (body, status) => {
      expect(rows.filter((row) => row.body.test(body) && row.status === status)).toHaveLength(1);
    },
  );

  it('has nothing that is never sent', () => {
    for (const row of rows)
      expect(
        refusals.some((refusal) => row.body.test(formatError(refusal)) && row.status === statusOf(refusal)),
        String(row.body),
      ).toBe(true);
  });
});

it('the table of the classic dialect has every error body, and no other', () => {
  const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `(ERR:[A-Z]+|NODATA)` \|/gm)].map(([, body]) => body);
  const sent = new Set(Object.values(REFUSALS).flatMap((refusals) => refusals.map(formatClassicError)));
  expect(listed.sort()).toEqual([...sent].sort());
});
