import { describe, expect, it } from 'vitest';
import { accept, refuse, RefusedError, unwrap } from '../../src/core/domain/refusal.ts';

describe('unwrap', () => {
  it.each([7, undefined, false])('returns the value %s of an outcome', (value) => {
    expect(unwrap(accept(value))).toBe(value);
  });

  it('throws the refusal, with its reason as the message and no submitted value', () => {
    const refusal = { reason: 'invalid-identifier', field: 'email2' } as const;
    let thrown: unknown;
    try {
      unwrap(refuse(refusal));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(RefusedError);
    expect(thrown).toMatchObject({ name: 'RefusedError', message: 'invalid-identifier', refusal });
  });
});
