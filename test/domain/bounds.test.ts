import { expect, it } from 'vitest';
import { DEFAULT_BOUNDS } from '../../src/core/domain/bounds.ts';

it('a request has at most 32 identifiers and a text of at most 2,000 characters by default', () => {
  expect(DEFAULT_BOUNDS).toEqual({ identifiers: 32, textCharacters: 2000 });
});
