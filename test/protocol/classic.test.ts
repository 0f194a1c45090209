import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../src/core/domain/refusal.ts';
import {
  formatClassicError,
  formatClassicReceipt,
  formatClassicResult,
  parseClassicError,
  parseClassicReceipt,
  parseClassicResult,
  toViewerCode,
} from '../../src/core/protocol/classic.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';
const LINK = `https://flags.example/report/${HASH}`;
const CODE = HASH.slice(0, 16);

describe('the classic dialect', () => {
  it('writes a result as numbers and a viewer code in a tag', () => {
    expect(formatClassicResult({ points: 42, reported: 3, reliability: 10, link: LINK })).toBe(
      `<report>42-3-10.0-${CODE}</report>`,
    );
    expect(formatClassicResult({ points: 0, reported: 0, reliability: 0, link: LINK })).toBe(
      `<report>0-0-0.0-${CODE}</report>`,
    );
  });

  it('reads what it writes', () => {
    const numbers = fc.record({
      points: fc.nat(100),
      reported: fc.maxSafeNat(),
      reliability: fc.nat(100).map((tenths) => tenths / 10),
    });
    fc.assert(
      fc.property(numbers, (verdict) => {
        const body = formatClassicResult({ ...verdict, link: LINK });
        expect(parseClassicResult(body)).toEqual({ ...verdict, viewerCode: toViewerCode(HASH) });
      }),
    );
    expect(parseClassicReceipt(formatClassicReceipt(CODE))).toBe(CODE);
  });

  it.each([
    '',
    'NODATA',
    `<report>1-1-1.0-${CODE}`,
    `<report>1-1-1.0-${HASH}</report>`,
    `<report>1-1-1-${CODE}</report>`,
    `<report>-1-1-1.0-${CODE}</report>`,
    `<report>01-1-1.0-${CODE}</report>`,
    `<report>9007199254740993-1-1.0-${CODE}</report>`,
    `<html><report>1-1-1.0-${CODE}</report></html>`,
  ])('reads nothing in %j', (body) => {
    expect(parseClassicResult(body)).toBeUndefined();
  });

  it.each(['OK', `OK:${HASH}`, `OK: ${CODE}`, `ok:${CODE}`])('finds no deletion code in %j', (body) => {
    expect(parseClassicReceipt(body)).toBeUndefined();
  });

  it('throws for a result or a code that cannot be written', () => {
    const result = { points: 1, reported: 1, reliability: 1, link: LINK };
    expect(() => formatClassicResult({ ...result, link: 'https://flags.example/' })).toThrow(TypeError);
    expect(() => formatClassicResult({ ...result, reliability: 11 })).toThrow(TypeError);
    expect(() => formatClassicReceipt('x')).toThrow('"deletionCode" expected 16 lowercase hex characters');
  });

  it.each([
    [{ reason: 'missing-field', field: '_api' }, 'ERR:API'],
    [{ reason: 'unknown-key' }, 'ERR:API'],
    [{ reason: 'revoked-key' }, 'ERR:API'],
    [{ reason: 'suspended-key' }, 'ERR:API'],
    [{ reason: 'key-scope' }, 'ERR:API'],
    [{ reason: 'method-not-allowed' }, 'ERR:ACTION'],
    [{ reason: 'unavailable', retryAfterSeconds: 1 }, 'ERR:UNAVAILABLE'],
    [{ reason: 'missing-field', field: '_action' }, 'ERR:ACTION'],
    [{ reason: 'unknown-action' }, 'ERR:ACTION'],
    [{ reason: 'sealed-only' }, 'ERR:ACTION'],
    [{ reason: 'missing-field', field: '_text' }, 'ERR:DATA'],
    [{ reason: 'invalid-severity' }, 'ERR:DATA'],
    [{ reason: 'unknown-code' }, 'ERR:DATA'],
    [{ reason: 'already-deleted' }, 'ERR:DATA'],
    [{ reason: 'no-identifier' }, 'NODATA'],
    [
      { reason: 'limited', limit: { name: 'query', requests: 1, windowSeconds: 60 }, retryAfterSeconds: 1 },
      'ERR:LIMIT',
    ],
    [{ reason: 'overloaded', retryAfterSeconds: 1 }, 'ERR:UNAVAILABLE'],
    [{ reason: 'internal' }, 'ERR:UNAVAILABLE'],
  ] satisfies [Refusal, string][])('says %j as %s', (refusal, error) => {
    expect(formatClassicError(refusal)).toBe(error);
    expect(parseClassicError(error)).toBe(error);
  });

  it('takes no other body for an error', () => {
    for (const body of ['ERR', 'ERR:OTHER', 'ERROR: The API key is not valid.', 'OK', `OK:${CODE}`, 'ERR:API ', ''])
      expect(parseClassicError(body)).toBeUndefined();
  });
});
