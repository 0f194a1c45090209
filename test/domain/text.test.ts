import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicText } from '../../src/domain/text.ts';

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
});
