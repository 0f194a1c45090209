import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, isPublicText } from '../../src/domain/text.ts';

describe('isPublicText (spec 2.1)', () => {
  it.each(['a', 'a\nb\r\nc\td', 'ﷺ', '日本語', '👩‍💻', ' a '])('takes %j', (text) =>
    expect(isPublicText(text, 10)).toBe(true),
  );

  it.each([
    '',
    ' \n\t ',
    '\ufeff',
    '\u0000',
    'a\u0007',
    'a\u007f',
    'a\u0085b',
    'a\u001bb',
    '\ud800',
    'a\udc00b',
    7,
    null,
    undefined,
  ])('refuses %j', (text) => {
    expect(isPublicText(text, 10)).toBe(false);
  });

  it('counts code points, not units', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.constantFrom('a', 'é', '👩'), (length, character) => {
        expect(isPublicText(character.repeat(length), 20)).toBe(length <= 20);
      }),
    );
  });

  it.each([
    ['a'.repeat(20), true],
    ['a'.repeat(21), false],
    ['👩'.repeat(20), true],
    ['👩'.repeat(21), false],
    [`${'👩'.repeat(19)}ab`, false],
  ])('of 20 characters at most: %s', (text, valid) => {
    expect(isPublicText(text, 20)).toBe(valid);
  });
});

it.each([
  [0, 'entry', 'entries', '0 entries'],
  [1, 'entry', 'entries', '1 entry'],
  [2, 'entry', 'entries', '2 entries'],
  [1, 'row', undefined, '1 row'],
  [2, 'row', undefined, '2 rows'],
])('%d with the noun %s', (number, one, many, words) => {
  expect(count(number, one, many)).toBe(words);
});
