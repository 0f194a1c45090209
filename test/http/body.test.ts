import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { unwrap } from '../../src/core/domain/refusal.ts';
import { BodyBytes, fromQueryText, readFields } from '../../src/core/http/body.ts';
import { lawFor } from '../budget.ts';
import { asking } from './asking.ts';
import { anyCharacter } from '../any-character.ts';

const FORM = 'application/x-www-form-urlencoded';

/** Texts near a form: separators, escapes that are valid and others, and characters of one, two and four bytes. */
const near = fc.string({
  unit: fc.oneof(
    fc.constantFrom('&', '=', '+', '%', '%2', '%26', '%3D', '%2b', '%C3%A9', '%FF', '?', '#', ';', ' '),
    fc.constantFrom('a', 'email', '_api', '0', '\u0000', '\u007F', '\u0080', 'é', '\uFEFF', '\uFFFD', '\uD800', '😀'),
  ),
  maxLength: 40,
});

/** Some versions of Node break characters after it. */
const NO_ESCAPE = /%(?![0-9a-f]{2})/gi;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

describe('text that is not UTF-8', () => {
  const read = async (text: string) =>
    (await readFields(asking({ text, headers: { 'content-type': FORM } }), 9_999, 64)).ok;

  it.each(['%FF', 'caf%E9', '%C3', '%C3x', '%E2x%82%AC', '%ED%A0%80', '%F3%EF%BF%BD', '%EF%BF%BD%BD', '%80%EF%BF%BD'])(
    '%s is refused',
    async (text) => {
      expect(await read(`a=${text}`)).toBe(false);
      expect(await read(`${text}=a`)).toBe(false);
    },
  );

  it('is not the replacement character, which a client may send', async () => {
    for (const text of ['%EF%BF%BD', '%ef%bf%bd', '\ufffd', '%EF%BF%BD%EF%BF%BD', 'caf%C3%A9%EF%BF%BD', '%', '%G1%2'])
      expect(await read(`a=${text}`)).toBe(true);
  });

  it('is refused exactly where bytes are invalid, whatever stands around them', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.string().map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 5 }), async (parts) => {
        const sent = Buffer.concat(parts);
        const isValid = Buffer.from(sent.toString('utf8')).equals(sent);
        const escaped = [...sent].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
        expect(await read(`a=${escaped}`)).toBe(isValid);
      }),
      lawFor(0.1),
    );
  });
});

describe('a charset that is not UTF-8', () => {
  const labels = ['ISO-8859-1', 'windows-1252', '"us-ascii"', 'latin1', 'iso-8859-15', 'ascii', 'Shift_JIS', 'utf-16'];
  const label = fc
    .tuple(fc.constantFrom(...labels), fc.constantFrom('; charset=', ';charset=', ' ; Charset = ', ';x=y;CHARSET='))
    .map(([name, before]) => `${before}${name}`);
  const BOUNDARY = 'another-boundary';
  const toPart = ([name, value]: readonly [string, string], type = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n${value}\r\n`;
  const toMultipart = (pairs: readonly (readonly [string, string])[], type = '') =>
    `${toPart(['_api', '1'])}${pairs.map((pair) => toPart(pair, type)).join('')}--${BOUNDARY}--\r\n`;
  const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
  const read = async (text: string | Buffer, type: string) =>
    readFields(asking({ text, headers: { 'content-type': type } }), 99_999, 64);
  const pairs = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.string({ unit: 'grapheme-ascii' })));

  it('is read where all is ASCII, as without it', async () => {
    await fc.assert(
      fc.asyncProperty(label, pairs, async (charset, sent) => {
        const form = new URLSearchParams([...sent]).toString();
        expect([...unwrap(await read(form, `${FORM}${charset}`))]).toEqual(sent);
        const whole = [['_api', '1'], ...sent];
        const type = `Content-Type: text/plain${charset}\r\n`;
        expect([...unwrap(await read(toMultipart(sent), `${MULTIPART}${charset}`))]).toEqual(whole);
        expect([...unwrap(await read(toMultipart(sent, type), MULTIPART))]).toEqual(whole);
        const parsedBody = Object.fromEntries(sent);
        const parsed = await readFields(asking({ parsedBody, headers: { 'content-type': FORM + charset } }), 9_999, 64);
        expect([...unwrap(parsed)]).toEqual(Object.entries(parsedBody));
      }),
      lawFor(0.3),
    );
  });

  it('is refused where a byte or an escape is not ASCII', async () => {
    const refused = { ok: false, refusal: { reason: 'unsupported-content-type' } };
    const strange = fc.constantFrom('\u0080', 'é', '\u00ff', '\0', '\u001b');
    await fc.assert(
      fc.asyncProperty(label, strange, fc.string({ unit: 'grapheme-ascii' }), async (charset, character, other) => {
        const value = `${other}${character}`;
        const escaped = `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
        // One byte a character, and as UTF-8: the label says that it is another text.
        for (const encoding of ['latin1', 'utf8'] as const) {
          expect(await read(Buffer.from(`a=${character}`, encoding), `${FORM}${charset}`)).toMatchObject(refused);
          const body = Buffer.from(toMultipart([['a', value]]), encoding);
          expect(await read(body, `${MULTIPART}${charset}`)).toMatchObject(refused);
          const type = `Content-Type: text/plain${charset}\r\n`;
          const labelled = Buffer.from(toMultipart([['a', value]], type), encoding);
          expect(await read(labelled, MULTIPART)).toMatchObject(refused);
        }
        for (const sent of [escaped, escaped.toUpperCase()])
          expect(await read(`a=${sent}`, `${FORM}${charset}`)).toMatchObject(refused);
        const parsed = asking({ parsedBody: { a: value }, headers: { 'content-type': `${FORM}${charset}` } });
        expect(await readFields(parsed, 9_999, 64)).toMatchObject(refused);
      }),
      lawFor(0.3),
    );
    // Text in UTF-16 has a byte of 0 for each ASCII character.
    expect(await read(Buffer.from('a=1', 'utf16le'), `${FORM};charset=utf-16le`)).toMatchObject(refused);
    for (const hiding of ['utf-7', '"UTF-7"', 'hz-gb-2312'])
      expect(await read('a=caf+AOk-', `${FORM};charset=${hiding}`)).toMatchObject(refused);
  });

  it('is no label of a part when it stands in a text', async () => {
    const mail = 'é\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\né';
    expect([...unwrap(await read(toMultipart([['_text', mail]]), MULTIPART))]).toContainEqual(['_text', mail]);
  });
});

describe('a multipart body', () => {
  const BOUNDARY = 'a-boundary';
  const PART = (disposition: string, value: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`;
  const END = `--${BOUNDARY}--`;
  const A = PART('form-data; name="_api"', '1');
  const read = async (text: string | Buffer, parameter = BOUNDARY) =>
    readFields(asking({ text, headers: { 'content-type': `multipart/form-data; boundary=${parameter}` } }), 99_999, 64);
  const pairsOf = async (text: string | Buffer, parameter?: string) => [...unwrap(await read(text, parameter))];

  it.each([
    ['as most clients send it', `${A}${END}\r\n`],
    ['without a last line break', `${A}${END}`],
    ['with a preamble', `This is a message in MIME.\r\n${A}${END}\r\n`],
    ['with an empty line before it', `\r\n${A}${END}\r\n`],
    ['with an epilogue', `${A}${END}\r\nand more, --${BOUNDARY}, too\r\n`],
    ['with a name without quotes', `${PART('form-data; name=_api', '1')}${END}\r\n`],
    ['with a name without quotes, in other letters', `${PART('Form-Data;NAME=_api', '1')}${END}\r\n`],
    ['with all of these', `before\r\n${PART('form-data; name=_api', '1')}${END}after`],
  ])('is read %s', async (_, text) => {
    expect(await pairsOf(text)).toEqual([['_api', '1']]);
    expect(await pairsOf(text, `"${BOUNDARY}"`)).toEqual([['_api', '1']]);
  });

  it('keeps values that look like its parts', async () => {
    const value = 'Content-Disposition: form-data; name=b\r\n\r\n--\r\n--';
    const text = `before\r\n${PART('form-data; name=_api', value)}${PART('form-data; name="c"', 'é\ufffd')}${END}`;
    expect(await pairsOf(text)).toEqual([
      ['_api', value],
      ['c', 'é\ufffd'],
    ]);
  });

  it('keeps each byte of a long value if names are quoted', async () => {
    const value = 'é€😀ÿ\u0080 '.repeat(1_500);
    const text = `${PART('form-data; name=_api', '1')}${PART('form-data; name=c', value)}${END}`;
    expect(await pairsOf(text)).toEqual([
      ['_api', '1'],
      ['c', value],
    ]);
  });

  it.each([
    ['ends early', A],
    ['has no part', END],
    ['has another boundary', A.replaceAll(BOUNDARY, 'other') + END],
    ['has a part without a name', A + PART('form-data', '1') + END],
    ['has a part that is no form data', A + PART('attachment; name=a', '1') + END],
  ])('that %s is refused or has no fields', async (_, text) => {
    const found = await read(text);
    expect(found.ok ? [...found.value] : found.refusal).toEqual(found.ok ? [] : { reason: 'malformed-body' });
  });

  const lines = (count: number, line = 'a:') => `${line}\r\n`.repeat(count);
  const withHeaders = (headers: string) =>
    `${A}--${BOUNDARY}\r\n${headers}Content-Disposition: form-data; name="b"\r\n\r\n1\r\n${END}\r\n`;

  it.each([
    ['16,000 headers of a part', withHeaders(lines(16_000)), undefined],
    ['headers of many parts', A + `--${BOUNDARY}\r\n${lines(20)}\r\n1\r\n`.repeat(50) + END, undefined],
    ['a long header', withHeaders(lines(1, `a: ${'x'.repeat(1_000)}`)), undefined],
    ['headers without an end', `${A}--${BOUNDARY}\r\n${lines(16_000)}`, undefined],
    ['headers before any part', lines(16_000) + A.replaceAll(BOUNDARY, 'c') + END, undefined],
    ['a boundary that parsers read otherwise', withHeaders(lines(16_000)), '"a\\-boundary"'],
    ['a quoted boundary beside it', withHeaders(lines(16_000)), `c; x="; boundary=c"; boundary=${BOUNDARY}`],
    ['a boundary with more behind it', withHeaders(lines(16_000)), `${BOUNDARY} c`],
  ])('with %s is refused before it is parsed', async (_, text, parameter) => {
    const parsed = vi.spyOn(Response.prototype, 'formData');
    const found = await read(text, parameter);
    expect(found).toEqual({ ok: false, refusal: { reason: 'malformed-body' } });
    expect(parsed).not.toHaveBeenCalled();
    parsed.mockRestore();
  });

  it('may have some headers beside its name', async () => {
    expect(await pairsOf(withHeaders(lines(6)))).toEqual([
      ['_api', '1'],
      ['b', '1'],
    ]);
  });

  it('is refused if it is not UTF-8', async () => {
    const text = Buffer.from(PART('form-data; name="_api"', 'caf\u00e9') + END, 'latin1');
    expect(await read(text)).toEqual({ ok: false, refusal: { reason: 'invalid-encoding' } });
  });

  it('with an unquoted file name is a file', async () => {
    const text = `${PART('form-data; name=_api; filename=b.txt', '1')}${END}`;
    expect(await read(text)).toEqual({ ok: false, refusal: { reason: 'file-upload' } });
  });
});

describe('a urlencoded text', () => {
  it('has the pairs that the platform finds, and if it is not UTF-8, its escapes as they are', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.string({ unit: anyCharacter })), (text) => {
        const escaped = text.replace(NO_ESCAPE, '%25');
        const platform = new URLSearchParams(`?${isDecodable(escaped) ? escaped : text.replaceAll('%', '%25')}`);
        expect([...fromQueryText(text)]).toEqual([...platform]);
      }),
      lawFor(0.1),
    );
  });

  it.each(['%', '%f', '%ff', '%C3', '%E2%82', '%zz', 'a=%ff', '%=%ff'])(
    'never has the platform decode what does not decode: many of %j',
    async (part) => {
      const given: string[] = [];
      class Watched extends URLSearchParams {
        constructor(text: string) {
          super(text);
          given.push(text);
        }
      }
      vi.stubGlobal('URLSearchParams', Watched);
      try {
        const text = Array<string>(100).fill(part).join('&');
        expect([...fromQueryText(text)].length).toBe(100);
        await readFields(asking({ text: Buffer.from(text), headers: { 'content-type': FORM } }), 1_000, 64);
      } finally {
        vi.unstubAllGlobals();
      }
      for (const text of given) expect(isDecodable(text)).toBe(true);
    },
  );

  it('is refused if more of its % begin no escape than a text has characters', async () => {
    const read = async (text: string) =>
      readFields(asking({ text: Buffer.from(text), headers: { 'content-type': FORM } }), 65_536, 64);
    const [most] = [...unwrap(await read(`a=${'%'.repeat(2_000)}`))];
    expect(most).toEqual(['a', '%'.repeat(2_000)]);
    for (const part of ['%', '%z'])
      expect(await read(`a=${part.repeat(2_001)}`)).toEqual({ ok: false, refusal: { reason: 'invalid-encoding' } });
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
          const fields = await readFields(asking({ text, headers: { 'content-type': FORM } }), 1_000, 64);
          const sent = Buffer.from(text);
          const unescaped = sent
            .toString('latin1')
            .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
          const isUtf8 = [sent, Buffer.from(unescaped, 'latin1')].every((bytes) =>
            Buffer.from(bytes.toString('utf8')).equals(bytes),
          );
          const escaped = sent.toString('utf8').replace(NO_ESCAPE, '%25');
          if (isUtf8) expect([...unwrap(fields)]).toEqual([...new URLSearchParams(`?${escaped}`)]);
          else expect(fields).toEqual({ ok: false, refusal: { reason: 'invalid-encoding' } });
        },
      ),
      lawFor(0.1),
    );
  });

  it('are decoded anew after a body that was not UTF-8', async () => {
    const read = (...text: number[]) => readFields(asking({ text: Uint8Array.from(text) }), 100, 64);
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
    const fields = await readFields(
      asking({ text: 'a=é', headers: { 'content-type': `${FORM}; ${parameter}` } }),
      100,
      64,
    );
    expect(fields.ok).toBe(isAccepted);
  });
});

describe('a body that arrives in parts', () => {
  it('is copied, whole or not at all, so that no part is kept', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 5 })), fc.nat(100), (parts, limit) => {
        const body = new BodyBytes(limit);
        const shared = new Uint8Array(5);
        const all = parts.flatMap((part) => [...part]);
        const fits = parts.map((part) => {
          shared.set(part);
          return body.add(shared.subarray(0, part.length));
        });
        const isWhole = all.length <= limit;
        expect(fits.every(Boolean)).toBe(isWhole);
        expect([...body.whole()]).toEqual(isWhole ? all : []);
      }),
    );
  });
});
