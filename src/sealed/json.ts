import { SealedError } from './errors.ts';

/** A value that JSON keeps. Numbers are finite. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object of {@link JsonValue}. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Returns the value of JSON in UTF-8; undefined for all other bytes. */
export function parseJson(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Says whether a value is what a field expects. */
export type Check = (value: JsonValue) => boolean;

/** True for an object with exactly these fields, each of which passes its check. */
export function isShape(value: unknown, fields: Readonly<Record<string, Check>>): value is JsonObject {
  return (
    isObject(value) &&
    Object.keys(value).length === Object.keys(fields).length &&
    Object.entries(fields).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]!))
  );
}

/** True for an object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns what `read` makes of the JSON of a file. Throws `SealedError` with `malformed` if `read` throws, or if
 * `write` makes another text of the result: each value has one text. The message contains no part of the text.
 */
export function readAsWritten<T, Stored>(
  text: string,
  what: string,
  read: (stored: Stored) => T,
  write: (value: T) => string,
): T {
  try {
    const value = read(JSON.parse(text) as Stored);
    if (write(value) === text) return value;
  } catch {
    // Not JSON, or not of this form.
  }
  throw new SealedError('malformed', `${what} expected the file as it was written; restore a backup`);
}
