// Validation of options. A message names the option and the expected value. It repeats the given value only if that is
// a number.

/** Throws TypeError for an unknown option. Otherwise a misspelt option would silently have its default. */
export function refuseUnknown(given: object | undefined, names: readonly string[], label = ''): void {
  for (const name of Object.keys(given ?? {})) {
    if (!names.includes(name)) throw new TypeError(`"${label}${name}" is not an option`);
  }
}

/** Throws TypeError unless the value is a number, and RangeError unless it is whole and from `least` to `most`. */
export function requireWhole(label: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (typeof value !== 'number') throw new TypeError(`"${label}" expected a number, got ${nameOf(value)}`);
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`"${label}" expected a whole number ${range}, got ${value}`);
}

/** Maximum end of a key or protection (ms, UTC). No later time is a date: ECMAScript, section 21.4.1.1. */
export const END_MOST = 8.64e15 - 1;

/** Throws TypeError unless the value is in the list. */
export function requireOneOf(label: string, value: unknown, values: readonly string[]): void {
  if (typeof value === 'string' && values.includes(value)) return;
  throw new TypeError(`"${label}" expected ${values.map((one) => `"${one}"`).join(' or ')}`);
}

export function requireFunction(label: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`"${label}" expected a function, got ${nameOf(value)}`);
}

export function requireString(label: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`"${label}" expected a string, got ${nameOf(value)}`);
}

export function requireBoolean(label: string, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean') throw new TypeError(`"${label}" expected true or false, got ${nameOf(value)}`);
}

/** Returns a short description of a value's type, e.g. `a list of 2`. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? `a list of ${value.length}` : typeof value;
}
