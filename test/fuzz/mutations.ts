import type { Random } from './random.ts';
import {
  chunksOf,
  framingOf,
  HEX,
  multipart,
  postOf,
  reportForm,
  requestOf,
  toBytes,
  urlencode,
  write,
  type Request,
} from './requests.ts';
import { PLACES, type Ending } from './script.ts';

/** Bytes that are not a valid request, and how the client ends. */
export interface Mutated {
  readonly bytes: string;
  readonly ending?: Ending;
}

type Mutation = (random: Random, tag: string) => Mutated;
type Field = readonly [name: string, value: string];

const FORM = 'application/x-www-form-urlencoded';
const ANY_BYTE = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('');

/** A valid report: what would be stored if a mutation went unnoticed. */
const report = (random: Random, tag: string): Request => ({
  ...postOf(random, reportForm(random, tag)),
  version: '1.1',
  target: '/api/',
});
const hosted = (request: Request): Request => ({ ...request, headers: [['Host', 'x'], ...request.headers] });
const plain = (random: Random, tag: string): Request => hosted({ ...report(random, tag), framing: 'length' });
const chunked = (random: Random, tag: string): Request => hosted({ ...report(random, tag), framing: 'chunked' });

/** A report as an urlencoded form, with other fields. */
function form(random: Random, tag: string, change: (fields: Field[]) => Field[], raw?: string): Mutated {
  const fields = change([...reportForm(random, tag).fields]);
  const body = urlencode(random, fields) + (raw ?? '');
  return {
    bytes: write(random, {
      ...plain(random, tag),
      headers: [
        ['Host', 'x'],
        ['Content-Type', FORM],
      ],
      body,
    }),
  };
}

const set =
  (name: string, value: string) =>
  (fields: Field[]): Field[] =>
    fields.map((field) => (field[0] === name ? [name, value] : field));

/** A report as a multipart body of this text. */
function parts(random: Random, tag: string, change: (body: string, boundary: string) => string): Mutated {
  const boundary = `--b${random.text(12, HEX)}`;
  const body = change(multipart(random, reportForm(random, tag).fields, boundary), boundary);
  const headers: Field[] = [
    ['Host', 'x'],
    ['Content-Type', `multipart/form-data; boundary=${boundary}`],
  ];
  return { bytes: write(random, { ...plain(random, tag), headers, body }) };
}

/** Framing headers of a body, given its length. */
const framed =
  (lines: (length: number) => Field[]): Mutation =>
  (random, tag) => {
    const request = random.chance(0.5) ? plain(random, tag) : chunked(random, tag);
    return { bytes: write(random, request, lines(request.body!.length)) };
  };

const withHeader =
  (...more: Field[]): Mutation =>
  (random, tag) => {
    const request = report(random, tag);
    return { bytes: write(random, { ...request, headers: [['Host', 'x'], ...more, ...request.headers] }) };
  };

/** A second report inside the body of a first request whose end is ambiguous. */
const smuggled =
  (headers: (body: string) => Field[]): Mutation =>
  (random, tag) => {
    const inner = write(random, plain(random, tag));
    const body = `0\r\n\r\n${inner}`;
    const outer = { ...plain(random, tag), body };
    return { bytes: write(random, outer, headers(body)) };
  };

const badChunk =
  (replace: (random: Random, chunks: string) => string): Mutation =>
  (random, tag) => {
    const request = chunked(random, tag);
    const whole = write(random, request);
    const head = whole.slice(0, whole.indexOf('\r\n\r\n') + 4);
    return { bytes: head + replace(random, chunksOf(random, request.body!)) };
  };

/** Requests that must be refused: nothing of them may be stored. */
export const REFUSED: Readonly<Record<string, Mutation>> = {
  'length and chunks': framed((length) => [
    ['Content-Length', String(length)],
    ['Transfer-Encoding', 'chunked'],
  ]),
  'chunks and length': framed((length) => [
    ['Transfer-Encoding', 'chunked'],
    ['Content-Length', String(length)],
  ]),
  'two lengths': framed((length) => [
    ['Content-Length', String(length)],
    ['Content-Length', String(length + 1)],
  ]),
  'a list of lengths': framed((length) => [['Content-Length', `${length}, ${length}`]]),
  'a signed length': framed((length) => [['Content-Length', `+${length}`]]),
  'a negative length': framed((length) => [['Content-Length', `-${length}`]]),
  'a hexadecimal length': framed((length) => [['Content-Length', `0x${length.toString(16)}`]]),
  'a huge length': framed(() => [['Content-Length', '9'.repeat(40)]]),
  'no length': framed(() => []),
  'an unknown coding': framed(() => [['Transfer-Encoding', 'xchunked']]),
  'chunks that are not last': framed(() => [['Transfer-Encoding', 'chunked, gzip']]),
  'a smuggled request, length first': smuggled((body) => [
    ['Content-Length', String(body.length)],
    ['Transfer-Encoding', 'chunked'],
  ]),
  'a smuggled request, hidden coding': smuggled((body) => [
    ['Content-Length', String(body.length)],
    ['Transfer-Encoding ', 'chunked'],
  ]),
  'a smuggled request, folded coding': smuggled((body) => [
    ['Content-Length', String(body.length)],
    ['X', '1\r\n Transfer-Encoding: chunked'],
  ]),
  'a body that is too short': (random, tag) => {
    const request = plain(random, tag);
    const bytes = write(random, request, [['Content-Length', String(request.body!.length + 1 + random.upTo(50))]]);
    return { bytes, ending: 'half-close' };
  },
  'a body cut off': (random, tag) => {
    const request = random.chance(0.5) ? plain(random, tag) : chunked(random, tag);
    const bytes = write(random, request);
    const from = bytes.indexOf('\r\n\r\n') + 4;
    const cut = from + random.upTo(Math.max(0, bytes.length - from - 3));
    return { bytes: bytes.slice(0, cut), ending: random.pick(['half-close', 'destroy']) };
  },
  'headers cut off': (random, tag) => {
    const bytes = write(random, plain(random, tag));
    const cut = random.upTo(bytes.indexOf('\r\n\r\n') + 2);
    return { bytes: bytes.slice(0, cut), ending: random.pick(['half-close', 'destroy']) };
  },
  'a wrong chunk size': badChunk((random, chunks) =>
    chunks.replace(/^[0-9a-f]+/, random.pick(['zz', '-1', '0x5', ' ', '', 'f'.repeat(17), '+5', '5 5'])),
  ),
  'a chunk without an end': badChunk((_, chunks) => chunks.replace(/\r\n0\r\n/, '0\r\n')),
  'a chunk size that is too large': badChunk((_, chunks) => `ffffff${chunks}`),
  'a long chunk extension': badChunk((_, chunks) => chunks.replace('\r\n', `;${'x'.repeat(20_000)}\r\n`)),
  'no host': (random, tag) => ({ bytes: write(random, { ...report(random, tag), version: '1.1' }) }),
  'a huge header': (random, tag) => withHeader(['X-Long', 'x'.repeat(17_000 + random.upTo(60_000))])(random, tag),
  'thousands of headers': withHeader(...Array.from({ length: 3_000 }, (_, n): Field => [`X-${n}`, 'x'])),
  'a huge target': (random, tag) => ({
    bytes: write(random, { ...plain(random, tag), target: `/api/?${'x'.repeat(17_000 + random.upTo(60_000))}` }),
  }),
  'NUL in a header': withHeader(['X-Nul', 'a\0b']),
  'NUL in the target': (random, tag) => ({ bytes: write(random, { ...plain(random, tag), target: '/api/\0' }) }),
  'NUL in the text': (random, tag) => form(random, tag, set('_text', `${tag} a\0b`)),
  'a line break in a header': withHeader(['X-Line', 'a\rb']),
  'a compressed body': withHeader(['Content-Encoding', 'gzip']),
  'an unmet expectation': withHeader(['Expect', '200-ok']),
  'another content type': (random, tag) => ({
    bytes: write(random, {
      ...plain(random, tag),
      headers: [
        ['Host', 'x'],
        ['Content-Type', 'text/plain'],
      ],
    }),
  }),
  'another charset': (random, tag) => ({
    bytes: write(random, {
      ...plain(random, tag),
      headers: [
        ['Host', 'x'],
        ['Content-Type', `${FORM}; charset=${random.pick(['latin1', 'utf-16', '"utf-7"'])}`],
      ],
      // A form in ASCII is the same in all of them.
      body: `${urlencode(random, reportForm(random, tag).fields)}${random.pick(['%E9', '\xe9'])}`,
    }),
  }),
  'invalid UTF-8': (random, tag) =>
    form(
      random,
      tag,
      (fields) => [...fields],
      `${random.pick(['', '%41'])}&${random.pick(['\xff', '\xc0\x80', '\xed\xa0\x80'])}=1`,
    ),
  'invalid UTF-8 in escapes': (random, tag) =>
    form(random, tag, (fields) => fields, random.pick(['%FF', '%C0%80', '%ED%A0%80', '%F5%80%80%80', '%E2%82'])),
  'invalid UTF-8 in a part': (random, tag) => parts(random, tag, (body) => body.replace(tag, `${tag}\xff\xfe`)),
  'a broken escape in a hash': (random, tag) => form(random, tag, (fields) => fields, random.pick(['%', '%4', '%zz'])),
  'thousands of fields': (random, tag) =>
    form(random, tag, (fields) => [...fields, ...Array.from({ length: 2_000 }, (_, n): Field => [`f${n}`, ''])]),
  'thousands of parts': (random, tag) =>
    parts(random, tag, (body, boundary) =>
      body.replaceAll(
        `--${boundary}--`,
        `${`--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n`.repeat(600)}--${boundary}--`,
      ),
    ),
  'a field sent twice': (random, tag) => form(random, tag, (fields) => [...fields, random.pick(fields)]),
  'a missing field': (random, tag) => {
    const without = random.upTo(4);
    return form(random, tag, (fields) => fields.filter((_, n) => n !== without));
  },
  'no identifier': (random, tag) => form(random, tag, (fields) => fields.slice(0, 5)),
  'a wrong severity': (random, tag) =>
    form(random, tag, set('_value', random.pick(['0', '11', '', '-1', '07', '5.0', '1e0', '\u0665', '5\0']))),
  'a wrong type': (random, tag) =>
    form(random, tag, set('_type', random.pick(['', 'Fraud ', '__proto__', 'constructor']))),
  'a wrong key': (random, tag) =>
    form(
      random,
      tag,
      set('_api', random.pick(['', PLACES.key.slice(1), `${PLACES.key}0`, "' OR 1=1 --", '\u0430'.repeat(16)])),
    ),
  'a wrong hash': (random, tag) =>
    form(random, tag, (fields) => [
      ...fields,
      ['zip', random.pick(['', 'a'.repeat(39), 'a'.repeat(41), 'g'.repeat(40), 'me@example.com'])],
    ]),
  'a wrong name': (random, tag) =>
    form(random, tag, (fields) => [
      ...fields,
      [random.pick(['', '1a', '_x', 'a b', 'x'.repeat(33), '\u00e9']), 'a'.repeat(40)],
    ]),
  'a text to refuse': (random, tag) =>
    form(
      random,
      tag,
      set(
        '_text',
        `${tag}${random.pick(['\u202e', '\u{e0041}', '\x07', ' me@example.com', ' +49 30 12345678', 'x'.repeat(2_000)])}`,
      ),
    ),
  'an empty text': (random, tag) => form(random, tag, set('_text', random.pick(['', ' ', '\u200b', '\t\r\n']))),
  'too many identifiers': (random, tag) =>
    form(random, tag, (fields) => [
      ...fields,
      ...Array.from({ length: 40 }, (_, n): Field => [`q${n + 1}`, random.text(40, HEX)]),
    ]),
  'a file': (random, tag) =>
    parts(random, tag, (body) => body.replace(/name="?_text"?/, 'name="_text"; filename="a.txt"')),
  'a multipart body without its end': (random, tag) =>
    parts(random, tag, (body, boundary) => body.slice(0, body.lastIndexOf(`--${boundary}--`))),
  'a multipart body with another boundary': (random, tag) =>
    parts(random, tag, (body, boundary) => body.replaceAll(`--${boundary}`, `--${boundary}x`)),
  'a nested multipart body': (random, tag) =>
    parts(random, tag, (body, boundary) =>
      [
        `--${boundary}\r\nContent-Disposition: form-data; name="_text"`,
        `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n${body}\r\n--${boundary}--\r\n`,
      ].join('\r\n'),
    ),
  'a body that is too long': (random, tag) =>
    form(random, tag, (fields) => fields, `&pad=${'x'.repeat(66_000 + random.upTo(200_000))}`),
};

const edit =
  (change: (random: Random, bytes: string) => string): Mutation =>
  (random, tag) => ({ bytes: change(random, write(random, requestOf(random, tag, true))) });

const insert = (bytes: string, at: number, more: string, instead = 0): string =>
  bytes.slice(0, at) + more + bytes.slice(at + instead);

/** Requests that may be accepted or refused; the replies must be well-formed, and all else must hold. */
export const UNKNOWN: Readonly<Record<string, Mutation>> = {
  'flipped bytes': edit((random, bytes) => {
    let flipped = bytes;
    for (let n = random.upTo(6); n >= 0; n--)
      flipped = insert(flipped, random.upTo(flipped.length - 1), random.pick([...ANY_BYTE]), 1);
    return flipped;
  }),
  'inserted bytes': edit((random, bytes) =>
    insert(
      bytes,
      random.upTo(bytes.length),
      random.text(1 + random.upTo(30), random.pick([ANY_BYTE, '\0', '\r\n', '%&=;:"'])),
    ),
  ),
  'deleted bytes': edit((random, bytes) => insert(bytes, random.upTo(bytes.length), '', 1 + random.upTo(20))),
  'repeated bytes': edit((random, bytes) => {
    const at = random.upTo(bytes.length);
    return insert(bytes, at, bytes.slice(at, at + 1 + random.upTo(200)).repeat(1 + random.upTo(3)));
  }),
  'cut off': edit((random, bytes) => bytes.slice(0, random.upTo(bytes.length))),
  'two requests in one': (random, tag) => {
    const [one, other] = [write(random, requestOf(random, tag, true)), write(random, requestOf(random, tag, true))];
    return { bytes: one.slice(0, random.upTo(one.length)) + other.slice(random.upTo(other.length)) };
  },
  'bare line feeds': edit((_, bytes) => bytes.replaceAll('\r\n', '\n')),
  'folded headers': edit((_, bytes) => bytes.replace(/: /, ':\r\n ')),
  'space before a colon': edit((_, bytes) => bytes.replace(/: /, ' : ')),
  'headers twice': (random, tag) => {
    const request = requestOf(random, tag, true);
    const framing = framingOf(request);
    const bytes = write(
      random,
      { ...request, headers: [...request.headers, random.pick([...request.headers, ...framing])] },
      framing,
    );
    return { bytes };
  },
  'a missing header': edit((random, bytes) => {
    const lines = bytes.split('\r\n');
    lines.splice(1 + random.upTo(3), 1);
    return lines.join('\r\n');
  }),
  'a wrong length': (random, tag) => {
    const request = plain(random, tag);
    return { bytes: write(random, request, [['Content-Length', String(random.upTo(2 * request.body!.length))]]) };
  },
  'another method': edit((random, bytes) =>
    bytes.replace(
      /^\w+/,
      random.pick(['get', 'OPTIONS', 'TRACE', 'CONNECT', 'PATCH', 'PRI', 'M-SEARCH', 'X'.repeat(300), '']),
    ),
  ),
  'another version': edit((random, bytes) =>
    bytes.replace(
      /HTTP\/1\.\d/,
      random.pick(['HTTP/2.0', 'HTTP/0.9', 'HTTP/1.9', 'HTTP/11', 'http/1.1', 'RTSP/1.0', '']),
    ),
  ),
  'another target': edit((random, bytes) =>
    bytes.replace(
      / \S+ /,
      ` ${random.pick(['*', '//', '/../api/', 'http://', 'http:///api/?', '?', '%', '/%00', '/report/%', 'x:y', '/api/?showreport=%ff&showreport', '/report/__proto__', '/api/#a'])} `,
    ),
  ),
  upgrade: edit((random, bytes) =>
    bytes.replace(
      '\r\n',
      `\r\nConnection: Upgrade\r\nUpgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.0', ''])}\r\n`,
    ),
  ),
  'forty requests ahead': (random, tag) => ({ bytes: write(random, plain(random, tag)).repeat(40) }),
  'another protocol': (random) => ({
    bytes: random.pick([
      `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${random.text(300, ANY_BYTE)}`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0`,
      'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
      'EHLO x\r\n',
      '\r\n'.repeat(1_000),
      random.text(1 + random.upTo(2_000), ANY_BYTE),
    ]),
  }),
  'too many bytes after a request': edit((random, bytes) => bytes + random.text(random.upTo(5_000), ANY_BYTE)),
  'a wide text': (random, tag) => form(random, tag, set('_text', toBytes(`${tag} \ud83d\ude00\u0301\ufdfd`))),
};
