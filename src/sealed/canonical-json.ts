/** A value that JSON keeps. Numbers are finite. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object of {@link JsonValue}. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/**
 * Returns the canonical JSON of a value (RFC 8785): names sorted by UTF-16 code units, no spaces, numbers with the
 * shortest digits. Throws TypeError for a number that is not finite, and for what JSON does not keep.
 */
export function toCanonicalJson(value: JsonValue): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('JSON expected a finite number');
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => toCanonicalJson(item)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const object = value as JsonObject;
    const names = Object.keys(object).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${toCanonicalJson(object[name]!)}`).join(',')}}`;
  }
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`JSON expected a value that it keeps, got ${typeof value}`);
  return text;
}

/** Returns the value of canonical JSON in UTF-8; undefined for all other bytes. */
export function parseCanonicalJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value = JSON.parse(text) as JsonValue;
    return toCanonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
