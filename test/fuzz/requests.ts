import { PLACES, type Expected } from './script.ts';
import type { Random } from './random.ts';

type Field = readonly [name: string, value: string];

/** One request, before it is written as bytes. Texts have one character per byte. */
export interface Request {
  readonly about: string;
  readonly method: string;
  readonly target: string;
  readonly version: '1.0' | '1.1';
  readonly headers: readonly Field[];
  readonly body: string | undefined;
  readonly framing: 'length' | 'chunked';
  readonly expected: Expected;
}

/** A form and its right answer. */
interface Form {
  readonly about: string;
  readonly fields: readonly Field[];
  readonly expected: Expected;
}

export const HEX = '0123456789abcdef';
const FORM = 'application/x-www-form-urlencoded';
const KINDS = ['email', 'ip', 'phone', 'domain', 'paypal-email', 'x_1', 'a', 'k'.repeat(32)];
const TYPES = ['fraud', 'chargeback', 'phishing', 'identity_theft', 'other'];
const TEXTS = [
  'Never paid.',
  'Twice & again = 100 % lost + more; "quoted"\r\n\tand two lines.',
  'Fran\u00e7ois \u2014 \u0434\u043e\u043b\u0433, \u5fc5\u305a, \ud83d\ude00.',
  '<script>alert(1)</script> http://phish.example/login?x=1&y=2',
  '--a boundary\r\n\r\n0\r\n\r\nGET / HTTP/1.1',
  'x'.repeat(1_900),
];

/** A person whom only the fuzzing asks about. */
const hash = (random: Random): string => random.text(40, HEX);

function identifiers(random: Random): Field[] {
  const kind = random.pick(KINDS);
  // A name has at most 32 characters, with its number.
  const most = kind.length === 32 ? 0 : random.pick([0, 0, 0, 1, 3, 20]);
  return Array.from({ length: 1 + most }, (_, n) => [n === 0 ? kind : `${kind}${n + 1}`, hash(random)]);
}

export function reportForm(random: Random, tag: string): Form {
  return {
    about: 'report',
    fields: [
      ['_api', PLACES.key],
      ['_action', 'report'],
      ['_type', random.pick(TYPES)],
      ['_value', String(1 + random.upTo(9))],
      ['_text', `${tag}${tag}${tag} ${random.pick(TEXTS)}`],
      ...identifiers(random),
    ],
    expected: { status: 200, body: 'stored' },
  };
}

const queryForm = (random: Random): Form => ({
  about: 'query',
  fields: [['_api', PLACES.key], ['_action', 'query'], ...identifiers(random)],
  expected: { status: 200, body: 'line' },
});

const FORMS: readonly ((random: Random, tag: string) => Form)[] = [
  reportForm,
  reportForm,
  queryForm,
  queryForm,
  () => ({
    about: 'delete',
    fields: [
      ['_api', PLACES.key],
      ['_action', 'delete'],
      ['_code', PLACES.code],
    ],
    // The code may have been used by a mutated script.
    expected: { status: 200, body: 'OK' },
  }),
  (random) => ({
    about: 'unknown code',
    fields: [
      ['_api', PLACES.key],
      ['_action', 'delete'],
      ['_code', random.text(16, HEX)],
    ],
    expected: { status: 404, body: 'anything' },
  }),
  (random, tag) => {
    const { fields } = random.chance(0.5) ? queryForm(random) : reportForm(random, tag);
    return {
      about: 'unknown key',
      fields: fields.map(([name, value]) => [name, name === '_api' ? random.text(16, HEX) : value]),
      expected: { status: 401, body: 'anything' },
    };
  },
];

/** Encodes a value by the rules of forms, with random freedom where they leave it. */
function encode(random: Random, value: string): string {
  return [...value]
    .map((character) => {
      if (character === ' ') return random.chance(0.5) ? '+' : '%20';
      const isPlain = /[\w.~-]/.test(character) || (character > '\x7f' && random.chance(0.3));
      if (isPlain && random.chance(0.98)) return toBytes(character);
      const escapes = Buffer.from(character).toString('hex').replaceAll(/../g, '%$&');
      return random.chance(0.5) ? escapes : escapes.toUpperCase();
    })
    .join('');
}

// The places of keys, codes and links stay readable, so that the service's values can be put there.
const isPlace = (value: string): boolean => Object.values<string>(PLACES).includes(value);

export function urlencode(random: Random, fields: readonly Field[]): string {
  return fields
    .map(([name, value]) => `${name}=${isPlace(value) ? value : encode(random, value)}`)
    .join(random.chance(0.05) ? '&&' : '&');
}

export const toBytes = (text: string): string => Buffer.from(text).toString('latin1');

export function multipart(random: Random, fields: readonly Field[], boundary: string): string {
  const isBare = random.chance(0.2);
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\n${random.chance(0.5) ? 'Content-Disposition' : 'content-disposition'}: form-data; name=${isBare ? name : `"${name}"`}\r\n` +
      `${random.chance(0.1) ? 'Content-Type: text/plain; charset=utf-8\r\n' : ''}\r\n${toBytes(value)}\r\n`,
  );
  const preamble = random.chance(0.1) ? 'This is a form.\r\n' : '';
  return `${preamble}${parts.join('')}--${boundary}--\r\n${random.chance(0.1) ? 'The end.\r\n' : ''}`;
}

/** A valid POST of a form. */
export function postOf(random: Random, { about, fields, expected }: Form): Request {
  const isMultipart = random.chance(0.35);
  const boundary = random.chance(0.5)
    ? `----${random.text(16, HEX)}`
    : `form-${random.text(4 + random.upTo(50), "abcXYZ019'_-")}`;
  const shuffled = random.chance(0.2) ? [...fields].reverse() : fields;
  const cased = shuffled.map(([name, value]) => [random.chance(0.05) ? name.toUpperCase() : name, value] as const);
  // A boundary within a text would end the part.
  const safe = cased.every(([, value]) => !value.includes(boundary)) ? boundary : 'no-text-has-this-boundary';
  const type = isMultipart
    ? `multipart/form-data; boundary=${random.chance(0.3) || /'/.test(safe) ? `"${safe}"` : safe}`
    : random.pick([FORM, FORM, `${FORM}; charset=utf-8`, `${FORM};charset="UTF-8"`]);
  return {
    about: `${about}${isMultipart ? ', multipart' : ''}`,
    method: 'POST',
    target: random.pick(['/api/', '/api/', '/api', '/api/?ignored=1', 'http://shop.example/api/']),
    version: '1.1',
    headers: [['Content-Type', type]],
    body: isMultipart ? multipart(random, cased, safe) : urlencode(random, cased),
    framing: random.chance(0.25) ? 'chunked' : 'length',
    expected,
  };
}

const READS: readonly (readonly [about: string, target: (random: Random) => string, expected: Expected])[] = [
  ['viewer', () => `/report/${PLACES.link}`, { status: 200, body: 'reports' }],
  ['viewer, parameter', () => `/api/?showreport=${PLACES.link}`, { status: 200, body: 'reports' }],
  ['unknown link', (random) => `/report/${random.text(40, HEX)}`, { status: 404, body: 'nothing' }],
  ['no link', () => '/api/?showreport=', { status: 404, body: 'nothing' }],
  ['no page', (random) => `/${random.text(random.upTo(40), 'abc/%2F.')}`, { status: 404, body: 'anything' }],
  ['GET form', (random) => `/api/?${urlencode(random, queryForm(random).fields)}`, { status: 200, body: 'line' }],
];

function readOf(random: Random, tag: string): Request {
  // A GET never stores anything.
  const storing = `/api/?${urlencode(random, reportForm(random, tag).fields)}`;
  const [about, target, expected] = random.chance(0.1)
    ? (['GET report', () => storing, { status: 404, body: 'anything' }] as const)
    : random.pick(READS);
  const path = target(random);
  const isHead = random.chance(0.2) && about !== 'GET form';
  const isSame = about === 'viewer' && random.chance(0.2);
  return {
    about: `${isHead ? 'HEAD ' : ''}${about}`,
    method: isHead ? 'HEAD' : 'GET',
    target: path.replaceAll(/[^\x21-\x7e]/g, encodeURIComponent),
    version: '1.1',
    headers: isSame ? [['If-None-Match', '*']] : [],
    body: undefined,
    framing: 'length',
    expected: isSame ? { status: 304, body: 'anything' } : isHead ? { ...expected, body: 'anything' } : expected,
  };
}

const CLASSIC_BODIES: Readonly<Record<string, Expected['body']>> = { stored: 'classic-stored', line: 'classic-line' };

/** The same request in the classic dialect, if it goes to the form endpoint or to the viewer beside it. */
function toClassic(request: Request): Request {
  const { about, method, target, expected } = request;
  if (!/\/api\b/.test(target)) return request;
  const classic = { ...request, about: `${about}, classic`, target: target.replace('/api', '/classic/api') };
  // The viewer and deletions have the same replies, and HEAD sends no form.
  if (target.includes('showreport') || expected.body === 'OK' || method === 'HEAD') return classic;
  return { ...classic, expected: { status: 200, body: CLASSIC_BODIES[expected.body] ?? 'classic-error' } };
}

/** A valid request. With `isLast`, also one after which the server closes the connection. */
export function requestOf(random: Random, tag: string, isLast: boolean): Request {
  const plain = random.chance(0.75) ? postOf(random, random.pick(FORMS)(random, tag)) : readOf(random, tag);
  const made = random.chance(0.25) ? toClassic(plain) : plain;
  // The service may close the connection, because it does not wait for the body.
  const request: Request =
    isLast && random.chance(0.03)
      ? {
          ...made,
          about: `wrong method, ${made.about}`,
          method: 'PUT',
          target: '/api/',
          expected: { status: 405, body: 'anything' },
        }
      : made;
  const old = isLast && random.chance(0.1);
  const extra: Field[] = [['Host', random.pick(['127.0.0.1', 'shop.example:80', 'x'])]];
  if (isLast && random.chance(0.2)) extra.push(['Connection', 'close']);
  else if (old && random.chance(0.5)) extra.push(['Connection', 'keep-alive']);
  if (random.chance(0.2)) extra.push(['User-Agent', 'shop/1.0 (fuzz)'], ['Accept', '*/*']);
  if (random.chance(0.1)) extra.push(['X-Forwarded-For', random.pick(['203.0.113.9', 'unknown', '::1, 10.0.0.1'])]);
  if (request.body !== undefined && !old && random.chance(0.05)) extra.push(['Expect', '100-continue']);
  return {
    ...request,
    version: old ? '1.0' : '1.1',
    framing: old ? 'length' : request.framing,
    headers: random.chance(0.5) ? [...extra, ...request.headers] : [...request.headers, ...extra],
  };
}

const PLACE = new RegExp(Object.values(PLACES).join('|'), 'g');

/** Returns the size of the next chunk. No chunk ends within a place. */
function wholePlaces(body: string, at: number, size: number): number {
  const end = at + size;
  for (const { index, 0: place } of body.matchAll(PLACE))
    if (index < end && end < index + place.length) return index + place.length - at;
  return Math.min(body.length - at, size);
}

/** Returns a body in chunks of random sizes. */
export function chunksOf(random: Random, body: string): string {
  let text = '';
  for (let at = 0; at < body.length;) {
    const size = wholePlaces(body, at, 1 + random.upTo(random.pick([3, 100, 4_000])));
    const extension = random.chance(0.05) ? ';name=value' : '';
    text += `${size.toString(16)}${extension}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  return `${text}0\r\n${random.chance(0.1) ? 'X-Trailer: 1\r\n' : ''}\r\n`;
}

/** Returns the headers that say where a body ends. */
export function framingOf({ body, framing }: Request): Field[] {
  if (body === undefined) return [];
  return framing === 'chunked' ? [['Transfer-Encoding', 'chunked']] : [['Content-Length', String(body.length)]];
}

/** Writes a request as bytes. */
export function write(random: Random, request: Request, framing = framingOf(request)): string {
  const { method, target, version, headers, body = '' } = request;
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `${method} ${target} HTTP/${version}\r\n${lines}\r\n`;
  return head + (request.framing === 'chunked' && request.body !== undefined ? chunksOf(random, body) : body);
}
