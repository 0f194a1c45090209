import fc from 'fast-check';

const SURROGATES_AT = 0xd800;
const SURROGATES = 0x800;
const numberOf = (codePoint: number): number => (codePoint < SURROGATES_AT ? codePoint : codePoint - SURROGATES);

/**
 * Any character, for `fc.string`. The same as its unit 'binary', which builds a table of all characters in each process
 * that uses it: that takes a second and 125 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: numberOf(0x10ffff) }).map(
  (number) => String.fromCodePoint(number < SURROGATES_AT ? number : number + SURROGATES),
  (text) => {
    const codePoint = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (codePoint === undefined || String.fromCodePoint(codePoint) !== text) throw new Error('not one character');
    return numberOf(codePoint);
  },
);
