import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdentifierError, normaliseIdentifier } from '../../src/core/identifiers/normalise.ts';
import { chainVectors } from '../vectors/chain.ts';
import { anyCharacter } from '../any-character.ts';

/** Unicode's White_Space, written out from PropList.txt so that the property escape is compared with something. */
const WHITE_SPACE = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
  0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
].map((code) => String.fromCharCode(code));

function reasonOf(value: unknown): string {
  try {
    normaliseIdentifier(value as string);
  } catch (error) {
    expect(error).toBeInstanceOf(IdentifierError);
    return (error as IdentifierError).reason;
  }
  return 'accepted';
}

describe('normaliseIdentifier', () => {
  it.each(chainVectors.cases)('normalises $input as the vectors say', ({ input, normalised }) => {
    expect(normaliseIdentifier(input)).toBe(normalised);
  });

  it.each([
    ['spaces inside', ' +1 000  111 ', '+1000111'],
    ['a no-break space at the ends', '\u00a0a@b.c\u00a0', 'a@b.c'],
    ['a no-break space inside', 'a\u00a0b', 'a\u00a0b'],
    ['a tab inside', 'a\tb', 'a\tb'],
    ['a next line at the ends', '\u0085a\u0085', 'a'],
    ['a byte order mark, which is no white space', '\ufeffa', '\ufeffa'],
    ['a zero width space, which is no white space', '\u200ba', '\u200ba'],
    ['the Mongolian vowel separator, which is none any more', '\u180ea', '\u180ea'],
    ['a space behind a byte order mark', '\ufeff a', '\ufeffa'],
    ['mixed white space', '\u3000 \t\u2003a b\u2028\r\n', 'ab'],
    ['a dotted capital I', '\u0130', 'i\u0307'],
    ['a capital I, dotted in every locale', 'TITLE', 'title'],
    ['a sharp s', 'STRA\u1e9eE', 'stra\u00dfe'],
    ['a final sigma', '\u039f\u0394\u039f\u03a3', '\u03bf\u03b4\u03bf\u03c2'],
    ['a sigma that removing a space puts inside', '\u0391\u03a3 \u0392', '\u03b1\u03c3\u03b2'],
    ['a pair of surrogates', '\u{10400}', '\u{10428}'],
    ['letters composed and not, which stay different', '\u00c5A\u030a', '\u00e5a\u030a'],
  ])('treats %s', (_, value, expected) => {
    expect(normaliseIdentifier(value)).toBe(expected);
  });

  it('trims exactly what Unicode calls white space', () => {
    for (let code = 0; code <= 0xffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      const trimmed =
        normaliseIdentifier(`${character}x`).endsWith('x') && normaliseIdentifier(`${character}x`).length === 1;
      expect(trimmed, `U+${code.toString(16)}`).toBe(WHITE_SPACE.includes(character));
    }
  });

  it.each(['', ' ', '     ', '\u00a0', '\u0085 \u3000', ...WHITE_SPACE])(
    'refuses what is empty in the end (%j)',
    (value) => {
      expect(reasonOf(value)).toBe('empty');
    },
  );

  it.each(['\ud800', 'a\udc00b', '\udc00\ud800', 'x\ud83d', ' \ud800 '])('refuses a lone surrogate (%j)', (value) => {
    expect(reasonOf(value)).toBe('lone-surrogate');
  });

  it.each([[undefined], [null], [7], [{}], [['a']], [new String('a')]])(
    'refuses what is not a string (%j)',
    (value) => {
      expect(reasonOf(value)).toBe('not-a-string');
    },
  );

  it('changes nothing the second time', () => {
    const awkward = fc.constantFrom(...WHITE_SPACE, ' ', '\ufeff', '\u0130', '\u03a3', '\u0391', '\u1e9e', '\u0307');
    const text = fc.string({ unit: fc.oneof(awkward, fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 })) });
    fc.assert(
      fc.property(text, (value) => {
        if (reasonOf(value) !== 'accepted') return;
        const once = normaliseIdentifier(value);
        expect(normaliseIdentifier(once)).toBe(once);
        expect(once).not.toContain(' ');
      }),
      { numRuns: 2000 },
    );
  });

  // Quadratic time would exceed the time limit of the test.
  it('takes linear time on a long run of spaces inside', () => {
    const value = `a${'\u2003'.repeat(1_000_000)}b`;
    expect(normaliseIdentifier(value)).toBe(value);
  });

  it('never says the value', () => {
    for (const value of ['secret\ud800', 'secret\udfff@example.com']) {
      expect(() => normaliseIdentifier(value)).toThrow(/^(?!.*secret)/s);
    }
    expect(() => normaliseIdentifier({ toString: () => 'secret' } as never)).toThrow(/^(?!.*secret)/s);
  });
});
