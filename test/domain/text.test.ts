import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, isPublicText, replaceForbidden, toPublicLine, withoutMarks } from '../../src/core/domain/text.ts';

describe('isPublicText (protocol 2.1)', () => {
  it.each(['a', 'a\nb\r\nc\td', 'ﷺ', '日本語', '👩‍💻', 'می\u200cخواهم', 'क्\u200dष', 'a\u200b', '\ufeffa', ' a '])(
    'takes %j',
    (text) => expect(isPublicText(text, 10)).toBe(true),
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

  it.each(['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069', '\u206a', '\ufff9'])(
    'refuses the invisible control %j',
    (character) => {
      expect(isPublicText(`ab${character}cd`, 10)).toBe(false);
    },
  );

  it.each(['\u{e0001}', '\u{e0041}', '\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e007f}'])('refuses the tag in %j', (text) => {
    expect(isPublicText(`a${text}b`, 20)).toBe(false);
  });

  it.each([
    '\u200b',
    '\u200d \u200c',
    '\u2060\n',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\ufe0f',
    '\u2028',
    '\u{1d173}',
    '\u180e',
  ])('refuses %j, in which nothing is visible', (text) => {
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

describe('piles of combining marks', () => {
  const pile = (marks: number): string => `Z${'\u0334\u0345'.repeat(marks / 2)}`;

  it.each(['ที่นี่ไม่มีผู้ใด', 'שָׁלוֹם', 'རྒྱུད', 'क्षत्रियाणां', 'ng\u0300\u0302\u0323', '👩‍❤️‍💋‍👨', '1️⃣', pile(8)])(
    '%j stays as it is',
    (text) => expect(withoutMarks(text)).toBe(text),
  );

  it.each([
    ['one letter', pile(1_000), pile(8)],
    [
      'joiners between them',
      'Z' + `${'\u0334'.repeat(8)}\u200d`.repeat(100),
      'Z' + '\u0334'.repeat(8) + '\u200d'.repeat(100),
    ],
    ['each of two letters', pile(10) + pile(10), pile(8) + pile(8)],
  ])('are cut after eight marks: %s', (_, text, cut) => {
    expect(withoutMarks(text)).toBe(cut);
    expect(toPublicLine(text, 2_000)).toBe(/\u200d/.test(cut) ? undefined : cut.normalize('NFC'));
    expect(replaceForbidden(text, '?')).toBe(cut);
  });
});
