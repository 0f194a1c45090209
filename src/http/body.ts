import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import { toFormEncoding } from './content-type.ts';
import type { HttpRequest } from './exchange.ts';

/** Names and values in the order they were sent, decoded. */
export type FieldPairs = Iterable<readonly [string, string]>;

/**
 * The fields of a request's body. The content type is judged first, also when a framework has parsed the body already; then the bytes are read, or
 * `parsedBody` is taken: text, bytes, URLSearchParams, FormData or a plain object of texts, as the parsers of the common frameworks leave them.
 *
 * Refusals: `unsupported-content-type`, `body-too-large`, `malformed-body` (also when the body ends early), `invalid-encoding`, `file-upload`.
 */
export async function readFields(request: HttpRequest, limitBytes: number): Promise<Outcome<FieldPairs>> {
  const contentType = request.header('content-type');
  const encoding = toFormEncoding(contentType);
  if (contentType === undefined || encoding === undefined) return refuse({ reason: 'unsupported-content-type' });

  const parsed = request.parsedBody;
  if (parsed !== undefined && typeof parsed !== 'string' && !(parsed instanceof Uint8Array)) return fromParsed(parsed);

  // A parser that ran before has also inflated; here compressed bytes would be read as if they were text.
  const coding = request.header('content-encoding');
  if (parsed === undefined && coding !== undefined && coding.trim().toLowerCase() !== 'identity')
    return refuse({ reason: 'unsupported-content-type' });

  const bytes = await readBytes(request, limitBytes);
  if (!bytes.ok) return bytes;
  return encoding === 'multipart' ? fromMultipart(bytes.value, contentType) : fromUrlencoded(bytes.value);
}

/** The pairs of a urlencoded text, as the URL standard reads it. */
export function fromQueryText(text: string): FieldPairs {
  // The constructor drops one leading `?`; with its own there, a `?` that was sent stays part of the first name.
  return new URLSearchParams(`?${text}`);
}

async function readBytes(request: HttpRequest, limitBytes: number): Promise<Outcome<Uint8Array>> {
  const { parsedBody } = request;
  let bytes: Uint8Array | 'too-large';
  if (typeof parsedBody === 'string') bytes = new TextEncoder().encode(parsedBody);
  else if (parsedBody instanceof Uint8Array) bytes = parsedBody;
  else {
    try {
      bytes = await request.body(limitBytes);
    } catch {
      // The client went away, or somebody else has read the body.
      return refuse({ reason: 'malformed-body' });
    }
  }
  return bytes === 'too-large' || bytes.length > limitBytes
    ? refuse({ reason: 'body-too-large', limitBytes })
    : accept(bytes);
}

function fromUrlencoded(bytes: Uint8Array): Outcome<FieldPairs> {
  try {
    return accept(fromQueryText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    return refuse({ reason: 'invalid-encoding' });
  }
}

async function fromMultipart(bytes: Uint8Array, contentType: string): Promise<Outcome<FieldPairs>> {
  let form: FormData;
  try {
    // The platform's own parser, over bytes whose number is already bounded. A copy, because a framework's buffer may be a window of a pool.
    form = await new Response(bytes.slice(), { headers: { 'content-type': contentType } }).formData();
  } catch {
    return refuse({ reason: 'malformed-body' });
  }
  return fromEntries(form);
}

function fromParsed(parsed: unknown): Outcome<FieldPairs> {
  // By tag rather than by class: a framework may bring its own FormData.
  const tag = Object.prototype.toString.call(parsed);
  if (tag === '[object FormData]' || tag === '[object URLSearchParams]')
    return fromEntries(parsed as Iterable<readonly [string, unknown]>);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || !isPlain(parsed))
    return refuse({ reason: 'malformed-body' });

  return fromEntries(Object.entries(parsed).flatMap(([name, value]) => spread(name, value)));
}

/** A parser collects a repeated field in a list. Two pairs let the form refuse it as what it was; a list of one (`email[]`) is no field either. */
function spread(name: string, value: unknown): (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return [[name, value]];
  const file: unknown = value.find(isFile);
  return file === undefined
    ? [
        [name, ''],
        [name, ''],
      ]
    : [[name, file]];
}

function fromEntries(entries: Iterable<readonly [string, unknown]>): Outcome<FieldPairs> {
  const pairs: [string, string][] = [];
  for (const [name, value] of entries) {
    if (typeof value !== 'string') return refuse({ reason: isFile(value) ? 'file-upload' : 'malformed-body' });
    pairs.push([name, value]);
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
