// Validation of options. A message names the option and the expected value. It repeats the given value only if that is
// a number.

/** What is wrong with an option. A caller that names the option otherwise words it with {@link formatFault}. */
export interface OptionFault {
  readonly field: string;
  readonly expected: string;
  readonly actual: string | undefined;
}

/** Returns an error about the option `field`, with an {@link OptionFault}. */
export function optionError<E extends Error>(
  Type: new (message: string) => E,
  field: string,
  expected: string,
  actual?: string,
): E & OptionFault {
  const fault: OptionFault = { field, expected, actual };
  const error = new Type(formatFault(`"${field}"`, fault));
  // Not enumerable, so that a logged error looks as usual.
  for (const [name, value] of Object.entries(fault)) Object.defineProperty(error, name, { value });
  return error as E & OptionFault;
}

export function formatFault(label: string, { expected, actual }: OptionFault): string {
  return `${label} expected ${expected}${actual === undefined ? '' : `, got ${actual}`}`;
}

/** Returns what {@link optionError} noted; undefined for any other error. */
export function faultOf(error: unknown): OptionFault | undefined {
  return error instanceof Error && 'field' in error && 'expected' in error ? (error as Error & OptionFault) : undefined;
}

/** Throws TypeError for an unknown option. Otherwise a misspelt option would silently have its default. */
export function refuseUnknown(options: object | undefined, names: readonly string[], label = ''): void {
  for (const name of Object.keys(options ?? {})) {
    if (!names.includes(name)) throw new TypeError(`"${label}${name}" is not an option`);
  }
}

/** Throws TypeError unless the value is a number, and RangeError unless it is whole and from `min` to `max`. */
export function requireWhole(label: string, value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): void {
  if (typeof value !== 'number') throw optionError(TypeError, label, 'a number', nameOf(value));
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw optionError(RangeError, label, `a whole number ${range}`, String(value));
}

/** Maximum end of a key or protection (ms, UTC). No later time is a date: ECMAScript, section 21.4.1.1. */
export const MAX_END_MS = 8.64e15 - 1;

/** Throws TypeError unless the value is in the list. */
export function requireOneOf(label: string, value: unknown, values: readonly string[]): void {
  if (typeof value === 'string' && values.includes(value)) return;
  throw optionError(TypeError, label, values.map((one) => `"${one}"`).join(' or '));
}

export function requireFunction(label: string, value: unknown): void {
  if (typeof value !== 'function') throw optionError(TypeError, label, 'a function', nameOf(value));
}

export function requireString(label: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw optionError(TypeError, label, 'a string', nameOf(value));
}

export function requireBoolean(label: string, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean') throw optionError(TypeError, label, 'true or false', nameOf(value));
}

/** Returns a short description of a value's type, e.g. `a list of 2`. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? `a list of ${value.length}` : typeof value;
}
