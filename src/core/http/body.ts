import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { HttpRequest } from './exchange.ts';
import { headersOfParts, readMultipart, toCharacters } from './multipart.ts';

/** Decoded names and values, in the order of the request. */
export type FieldPairs = Iterable<readonly [string, string]>;

/** Encodings of a form (protocol 4.1). The specification does not mention multipart, but most PHP clients send it. */
const READERS = new Map<
  string,
  (bytes: Uint8Array, contentType: string, mostFields: number) => Outcome<FieldPairs> | Promise<Outcome<FieldPairs>>
>([
  ['application/x-www-form-urlencoded', fromUrlencoded],
  ['multipart/form-data', fromMultipart],
]);
/** A charset that is not UTF-8, with or without quotes. Many clients name one and send only ASCII. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*(?:"utf-?8"|utf-?8(?:[\s;]|$)))/i;
const EMPTY_FIELDS = /&&+/g;
const NEXT_FIELD = /&[^&]/g;
/** Fields of a urlencoded body that are decoded. The form is refused for their number, or what is wrong in them. */
const MAX_DECODED = 1_000;
const PART = /content-disposition\s*:/gi;
const API_FIELD = /name="?_api\b/i;
/** Where ASCII bytes may stand for other characters. Of UTF-16 and ISO-2022, the bytes tell. */
const HIDES_IN_ASCII = /charset\s*=[\s"']*(?:utf_?-?7|unicode-1-1-utf-7|hz)/i;
const NOT_PRINTABLE = /[^\t\n\r -~]/;
/** Escapes of bytes that are not ASCII, of NUL and of ESC. */
const NOT_ASCII_ESCAPE = /%(?:[89a-f]|00|1b)/i;
/** Characters of a urlencoded text that need decoding. The character `+` is replaced separately. */
const NEEDS_DECODING = /[%\u0080-\uFFFF]/;
const NOT_ASCII = /%[89a-f]|[\u0080-\uFFFF]/i;
const NO_ESCAPE = /%(?![0-9a-f]{2})/gi;
/** As many as a text has characters. Further ones are refused: each costs as much as twenty other characters. */
const MAX_NO_ESCAPES = 2_000;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Parsers replace invalid UTF-8 by this character. But a client may also send it. */
const REPLACEMENT = '\uFFFD';

/**
 * Returns the fields of a request body. Checks the content type first, even if a framework has parsed the body. Then
 * uses `parsedBody`, or reads the bytes. `parsedBody` may be text, bytes, URLSearchParams, FormData or a plain object
 * of strings, depending on the framework.
 *
 * Refusals: `unsupported-content-type` (type, compression, or another charset with more than ASCII),
 * `body-too-large`, `malformed-body` (also if the body ends early), `invalid-encoding`, `file-upload`; for multipart
 * also `missing-field` and `too-many-fields`, which cost no parsing.
 */
export async function readFields(
  request: HttpRequest,
  limitBytes: number,
  maxFields: number,
): Promise<Outcome<FieldPairs>> {
  const contentType = request.header('content-type') ?? '';
  const [mediaType = ''] = contentType.split(';', 1);
  const read = READERS.get(mediaType.trim().toLowerCase());
  if (read === undefined) return refuse({ reason: 'unsupported-content-type' });
  const isOtherCharset = OTHER_CHARSET.test(contentType);

  const { parsedBody } = request;
  let bytes: Uint8Array | 'too-large';
  if (typeof parsedBody === 'string') {
    if (LONE_SURROGATE.test(parsedBody)) return refuse({ reason: 'invalid-encoding' });
    bytes = new TextEncoder().encode(parsedBody);
  } else if (parsedBody instanceof Uint8Array) bytes = parsedBody;
  else if (parsedBody !== undefined) {
    const fields = fromParsed(parsedBody, limitBytes, maxFields);
    if (!isOtherCharset || !fields.ok || isAscii(contentType, [...fields.value].flat().join(' '))) return fields;
    return refuse({ reason: 'unsupported-content-type' });
  } else {
    // Refuse a compressed body, because nothing here decompresses it. The parsers of frameworks do.
    const coding = request.header('content-encoding') ?? 'identity';
    if (coding.trim().toLowerCase() !== 'identity') return refuse({ reason: 'unsupported-content-type' });
    try {
      bytes = await request.body(limitBytes);
    } catch {
      // The client disconnected, or other code has already read the body.
      return refuse({ reason: 'malformed-body' });
    }
  }
  if (bytes === 'too-large' || bytes.length > limitBytes) return refuse({ reason: 'body-too-large', limitBytes });
  // Look at the bytes: the same bytes are the same text in UTF-8 and in all such charsets.
  if (isOtherCharset) {
    const text = toCharacters(bytes);
    if (!isAscii(contentType, text) || (read === fromUrlencoded && NOT_ASCII_ESCAPE.test(text)))
      return refuse({ reason: 'unsupported-content-type' });
  }
  return read(bytes, contentType, maxFields);
}

/** True if a text of another charset has only characters that UTF-8 writes with the same bytes. */
function isAscii(contentType: string, text: string): boolean {
  return !HIDES_IN_ASCII.test(contentType) && !NOT_PRINTABLE.test(text);
}

/** Returns the pairs of a urlencoded text, by the rules of the URL standard. If it is not UTF-8, decodes no escapes. */
export function fromQueryText(text: string): FieldPairs {
  return readPairs(text) ?? decodePairs(text.replaceAll('%', '%25'));
}

/** As {@link fromQueryText}, but returns undefined if escapes are not UTF-8. */
function readPairs(text: string): FieldPairs | undefined {
  if (!NEEDS_DECODING.test(text)) return splitPairs(text.replaceAll('+', ' '));
  const encoded = withWholeEscapes(text);
  return encoded === undefined ? undefined : decodePairs(encoded);
}

function decodePairs(text: string): FieldPairs {
  // URLSearchParams removes one leading `?`. Add one, so that a `?` from the client stays in the first name.
  return new URLSearchParams(`?${text}`);
}

/**
 * Returns a urlencoded text with `%25` for each `%` that begins no escape; undefined if it is not UTF-8, or has more
 * than {@link MAX_NO_ESCAPES} of them. Node throws and catches an error for each name and value that does not decode:
 * eight microseconds for four characters.
 */
function withWholeEscapes(text: string): string | undefined {
  if (countUpTo(text, NO_ESCAPE, MAX_NO_ESCAPES + 1) > MAX_NO_ESCAPES) return undefined;
  const encoded = text.replace(NO_ESCAPE, '%25');
  try {
    // Without the comparison, the minifier of the package removes the call.
    return decodeURIComponent(encoded) === '' ? undefined : encoded;
  } catch {
    return undefined;
  }
}

/** Returns the pairs of a text in which nothing is encoded. Most forms hold only names, hashes and codes. */
function splitPairs(text: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    pairs.push(equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]);
  }
  return pairs;
}

/** True if a urlencoded text is UTF-8, also where it is encoded as `%XX`. */
export function isUtf8(text: string): boolean {
  // Most texts have only escapes of ASCII, and are not decoded.
  return !NOT_ASCII.test(text) || (!LONE_SURROGATE.test(text) && withWholeEscapes(text) !== undefined);
}

function fromUrlencoded(bytes: Uint8Array, _: string, maxFields: number): Outcome<FieldPairs> {
  const all = decodeUtf8(bytes);
  const text = all && firstFields(all.replaceAll(EMPTY_FIELDS, '&'), Math.max(MAX_DECODED, maxFields + 1));
  const pairs = text === undefined ? undefined : readPairs(text);
  return pairs ? accept(pairs) : refuse({ reason: 'invalid-encoding' });
}

/** Returns a urlencoded text up to its field with this number. */
function firstFields(text: string, max: number): string {
  let found = 0;
  for (const { index } of text.matchAll(NEXT_FIELD)) if (++found === max) return text.slice(0, index);
  return text;
}

async function fromMultipart(bytes: Uint8Array, contentType: string, maxFields: number): Promise<Outcome<FieldPairs>> {
  // Look before parsing: the parser needs a millisecond for a body of many small parts. Every part has this header,
  // which holds the name of its field.
  const text = toCharacters(bytes);
  if (countUpTo(text, PART, maxFields + 1) > maxFields) return refuse({ reason: 'too-many-fields', limit: maxFields });
  if (text.search(PART) >= 0 && !API_FIELD.test(text)) return refuse({ reason: 'missing-field', field: '_api' });
  const parts = headersOfParts(text, contentType, maxFields);
  if (parts === undefined) return refuse({ reason: 'malformed-body' });
  // The headers of a part may name a charset, too.
  if (NOT_PRINTABLE.test(text) && parts.some((headers) => OTHER_CHARSET.test(headers)))
    return refuse({ reason: 'unsupported-content-type' });
  try {
    const fields = fromEntries(await readMultipart(bytes, contentType));
    const isSure = !fields.ok || !hasReplacement(fields.value) || decodeUtf8(bytes) !== undefined;
    return isSure ? fields : refuse({ reason: 'invalid-encoding' });
  } catch {
    return refuse({ reason: 'malformed-body' });
  }
}

/** Returns how often a global pattern is found, at most `max` times. */
function countUpTo(text: string, pattern: RegExp, max: number): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) if (++found === max) break;
  return found;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function hasReplacement(pairs: FieldPairs): boolean {
  for (const pair of pairs) if (pair.some((text) => text.includes(REPLACEMENT))) return true;
  return false;
}

/**
 * Refuses the replacement character: only the parser has seen the bytes. The bounds are those of a body that is read:
 * no form is shorter than its names and values.
 */
function fromParsed(parsed: unknown, limitBytes: number, maxFields: number): Outcome<FieldPairs> {
  const fields = pairsOf(parsed, Math.max(MAX_DECODED, maxFields + 1));
  if (!fields.ok) return fields;
  let bytes = 0;
  for (const [name, value] of fields.value) {
    bytes += name.length + value.length;
    if (bytes <= limitBytes) bytes += new TextEncoder().encode(name + value).length - name.length - value.length;
    if (bytes > limitBytes) return refuse({ reason: 'body-too-large', limitBytes });
  }
  return hasReplacement(fields.value) ? refuse({ reason: 'invalid-encoding' }) : fields;
}

function pairsOf(parsed: unknown, max: number): Outcome<FieldPairs> {
  // Test the tag, not the class: a framework may have its own FormData class.
  const tag = Object.prototype.toString.call(parsed);
  if (tag === '[object FormData]' || tag === '[object URLSearchParams]')
    return fromEntries(parsed as Iterable<readonly [string, unknown]>, max);
  if (typeof parsed !== 'object' || parsed === null || !isPlain(parsed)) return refuse({ reason: 'malformed-body' });
  return fromEntries(
    Object.entries(parsed)
      .slice(0, max)
      .flatMap(([name, value]) => spread(name, value)),
    max,
  );
}

/**
 * Returns the pairs of one field. Parsers collect repeated fields in an array. For an array, returns two pairs, so that
 * the form refuses the field as repeated, even for one value (`email[]`).
 */
function spread(name: string, value: unknown): (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return [[name, value]];
  const file: unknown = value.find(isFile);
  const repeated = [name, ''] as const;
  return file === undefined ? [repeated, repeated] : [[name, file]];
}

function fromEntries(entries: Iterable<readonly [string, unknown]>, max = Infinity): Outcome<FieldPairs> {
  const pairs: [string, string][] = [];
  for (const [name, value] of entries) {
    if (typeof value !== 'string') return refuse({ reason: isFile(value) ? 'file-upload' : 'malformed-body' });
    pairs.push([name, value]);
    if (pairs.length === max) break;
  }
  return accept(pairs);
}

function isFile(value: unknown): boolean {
  const tag = Object.prototype.toString.call(value);
  return tag === '[object File]' || tag === '[object Blob]';
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The bytes of a body that arrives in parts, in one buffer. The parts are copied: each kept one would cost memory of
 * its own, and a body may come byte by byte.
 */
export class BodyBytes {
  readonly #limit: number;
  #bytes = new Uint8Array();
  #length = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Adds a part. Returns false, and forgets all, if the body is above its limit. */
  add(part: Uint8Array): boolean {
    const length = this.#length + part.length;
    if (length > this.#limit) {
      this.#bytes = new Uint8Array();
      // So that no later part fits.
      this.#length = Number.POSITIVE_INFINITY;
      return false;
    }
    if (length > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(length, Math.min(2 * this.#bytes.length, this.#limit)));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
    return true;
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}
