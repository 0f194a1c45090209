import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/core/domain/refusal.ts';
import { formatRefusal } from '../../src/core/protocol/wording.ts';

describe('the sentence of a refusal', () => {
  it.each<[Refusal, string]>([
    [
      { reason: 'unknown-key' },
      'The API key is not valid. A key has 16 hex characters. ' +
        'Send it without spaces, line breaks or quotes around it.',
    ],
    [{ reason: 'missing-field', field: '_action' }, 'The field _action is missing.'],
    [{ reason: 'repeated-field', field: 'email2' }, 'The field email2 was sent more than once.'],
    [{ reason: 'too-many-identifiers', limit: 32 }, 'More than 32 identifiers were sent.'],
    [
      { reason: 'limited', limit: { name: 'query', requests: 600, windowSeconds: 60 }, retryAfterSeconds: 12 },
      'Too many query requests. Try again in 12 seconds.',
    ],
  ])('names what a client needs: %j', (refusal, sentence) => {
    expect(formatRefusal(refusal)).toBe(sentence);
  });

  it.each([
    ['Paypal-E-mail_2', 'Paypal_E_mail_2'],
    ['a b\r\nc', 'a_b__c'],
    ['é', '_'],
    ['k'.repeat(32), 'k'.repeat(32)],
    ['k'.repeat(33), 'k'.repeat(32)],
  ])('writes the field %j as %s', (field, written) => {
    expect(formatRefusal({ reason: 'unknown-field', field })).toBe(
      `The field ${written} is not known for this action.`,
    );
  });

  it.each([
    [30, '30'],
    [11.2, '12'],
    [1e-7, '1'],
    [0, '0'],
    [-5, '0'],
    [Number.NaN, '0'],
    [Number.POSITIVE_INFINITY, '0'],
  ])('rounds %d seconds up to %s, and writes no sign', (retryAfterSeconds, written) => {
    expect(formatRefusal({ reason: 'unavailable', retryAfterSeconds })).toBe(
      `The service is not available. Try again in ${written} seconds.`,
    );
  });
});
