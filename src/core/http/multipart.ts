// The platform's parser of multipart bodies accepts only the form that browsers send. RFC 2046 and 7578 allow more, and
// some clients send it. This file brings such a body into the browsers' form.

/** Returns the pairs of a multipart body. Throws TypeError if it is broken or ends early. */
export async function readMultipart(bytes: Uint8Array, contentType: string): Promise<FormData> {
  try {
    return await parse(bytes, contentType);
  } catch (error) {
    const repaired = repair(bytes, contentType);
    if (repaired === undefined) throw error;
    return parse(repaired, contentType);
  }
}

function parse(bytes: Uint8Array, contentType: string): Promise<FormData> {
  // Copy the bytes, because a framework's buffer may be part of a larger shared buffer.
  return new Response(bytes.slice(), { headers: { 'content-type': contentType } }).formData();
}

const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))\s*(?:;|$)/i;
/** RFC 2046, 5.1.1. */
const BOUNDARY_FORM = /^[\w'()+,./:=? -]{1,70}$/;
const DISPOSITION = /^content-disposition:.*$/im;
const FORM_DATA = /form-data/i;
/** A body with more parts is not repaired: that would take long. */
const MAX_PARTS = 1_000;
/** Headers of a part. */
const MAX_HEADER_CHARACTERS = 1_000;
const MAX_HEADER_LINES = 8;
/** Bytes that are passed to a function at once. */
const CHUNK = 8_192;
/** A parameter of this header without quotes. */
const BARE_PARAMETER = /;\s*(name|filename)\s*=\s*([^\s;"]+)/gi;

/**
 * Removes what is before the first part and after the last one, and quotes names. Returns undefined if the body has no
 * beginning or no end.
 */
function repair(bytes: Uint8Array, contentType: string): Uint8Array | undefined {
  const delimiter = `\r\n--${boundaryOf(contentType) ?? ''}`;
  // The line break is for a body without a preamble.
  const text = `\r\n${toCharacters(bytes)}`;
  const from = text.indexOf(delimiter);
  const to = text.indexOf(`${delimiter}--`, from);
  if (from === -1 || to === -1) return undefined;
  const parts = text.slice(from, to).split(delimiter, MAX_PARTS + 1);
  if (parts.length > MAX_PARTS) return undefined;
  const repaired = `${parts.map(quoteNames).join(delimiter)}${delimiter}--\r\n`.slice(2);
  // An iterator over the characters would take several times as long.
  const made = new Uint8Array(repaired.length);
  for (let at = 0; at < made.length; at++) made[at] = repaired.charCodeAt(at);
  return made;
}

/**
 * Returns the headers of each part of a body, given as one character per byte. Undefined if it has no part, more than
 * `maxParts`, or a part with longer headers than a field needs: parsing them would take long.
 */
export function headersOfParts(text: string, contentType: string, maxParts: number): string[] | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}\r\n`, maxParts + 2);
  const headers = parts.map((part) => part.split('\r\n\r\n', 1)[0] ?? '');
  const isLong = (one: string): boolean =>
    one.length > MAX_HEADER_CHARACTERS || one.split('\r\n', MAX_HEADER_LINES + 1).length > MAX_HEADER_LINES;
  return headers.length === 0 || headers.length > maxParts || headers.some(isLong) ? undefined : headers;
}

/** Undefined if the parameter is missing, or if another parser could read it otherwise. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare ?? '';
  return contentType.match(/;\s*boundary\s*=/gi)?.length === 1 && BOUNDARY_FORM.test(boundary) ? boundary : undefined;
}

/** Returns one character per byte. */
export function toCharacters(bytes: Uint8Array): string {
  let text = '';
  // Arguments by spread would take six times as long.
  for (let from = 0; from < bytes.length; from += CHUNK)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from, from + CHUNK));
  return text;
}

function quoteNames(part: string): string {
  const end = part.indexOf('\r\n\r\n');
  if (end > MAX_HEADER_CHARACTERS) return part;
  const headers = part
    .slice(0, end)
    .replace(DISPOSITION, (header) =>
      header
        .replace(FORM_DATA, 'form-data')
        .replace(BARE_PARAMETER, (_, name: string, value: string) => `; ${name.toLowerCase()}="${value}"`),
    );
  return headers + part.slice(end);
}
