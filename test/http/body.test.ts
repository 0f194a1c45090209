import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unwrap } from '../../src/domain/refusal.ts';
import { fromQueryText, readFields } from '../../src/http/body.ts';
import { cases } from '../cases.ts';
import { asking } from './asking.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Texts near a form: separators, escapes that are valid and others, and characters of one, two and four bytes. */
const near = fc.string({
  unit: fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%2', '%26', '%3D', '%2b', '%C3%A9', '%FF', '?', '#', ';', ' '),
    fc.constantFrom('a', 'email', '_api', '0', '\u0000', '\u007F', '\u0080', 'é', '\uFEFF', '\uFFFD', '\uD800', '😀'),
  ),
  maxLength: 40,
});

describe('a urlencoded text', () => {
  it('has the pairs that the platform finds, whatever it holds', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: 'binary' })), (text) => {
        expect([...fromQueryText(text)]).toEqual([...new URLSearchParams(`?${text}`)]);
      }),
      cases(2_000, 200_000),
    );
  });

  it.each([
    ['', []],
    ['&&', []],
    ['=', [['', '']]],
    ['a', [['a', '']]],
    ['?a=1', [['?a', '1']]],
    [
      'a=1=2&a=3',
      [
        ['a', '1=2'],
        ['a', '3'],
      ],
    ],
    [
      'a+b=c+d&e=%2B',
      [
        ['a b', 'c d'],
        ['e', '+'],
      ],
    ],
    [
      'a+b=c+d&e=+',
      [
        ['a b', 'c d'],
        ['e', ' '],
      ],
    ],
  ])('%j has the pairs %j', (text, pairs) => {
    expect([...fromQueryText(text)]).toEqual(pairs);
  });
});

describe('the bytes of a urlencoded body', () => {
  it('are the pairs of their text, or refused when they are not UTF-8', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          near.map((text) => new TextEncoder().encode(text)),
          fc.uint8Array({ maxLength: 20 }),
        ),
        async (text) => {
          const fields = await readFields(asking({ text, headers: { 'content-type': FORM } }), 1_000);
          let decoded: string;
          try {
            decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text);
          } catch {
            expect(fields).toEqual({ ok: false, refusal: { reason: 'invalid-encoding' } });
            return;
          }
          expect([...unwrap(fields)]).toEqual([...new URLSearchParams(`?${decoded}`)]);
        },
      ),
      cases(500, 50_000),
    );
  });

  it('are decoded anew after a body that was not UTF-8', async () => {
    const read = (...text: number[]) => readFields(asking({ text: Uint8Array.from(text) }), 100);
    // The first bytes of a character of three bytes, then its last: two bodies, both refused.
    expect((await read(0x61, 0xe2, 0x82)).ok).toBe(false);
    expect((await read(0xac)).ok).toBe(false);
    expect([...unwrap(await read(0x61))]).toEqual([['a', '']]);
  });
});

describe('the charset of a content type', () => {
  it.each([
    ['charset=utf-8', true],
    ['charset=UTF8', true],
    ['Charset = "Utf-8"', true],
    ['x=1;charset=utf-8;y=2', true],
    ['charset=utf-8 x', true],
    ['charset="utf-8"x', true],
    ['charset', true],
    ['xcharset=latin1', true],
    ['charset=', false],
    ['charset= ;x', false],
    ['charset=  latin1', false],
    ['charset=utf-88', false],
    ['charset=utf-8"', false],
    ['charset="utf-8', false],
    ['charset=""', false],
    ['charset=" utf-8"', false],
    ['charset="utf-8";charset=latin1', false],
    ['x="; charset=latin1"', false],
  ])('%s is accepted: %j', async (parameter, isAccepted) => {
    const fields = await readFields(asking({ headers: { 'content-type': `${FORM}; ${parameter}` } }), 100);
    expect(fields.ok).toBe(isAccepted);
  });
});
