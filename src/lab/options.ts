import { nameOf, refuseUnknown, requireWhole } from '../core/domain/options.ts';

// Argument checks that `core/domain/options.ts` lacks. A message contains the argument's name. It contains the value
// only if the value is a number.

/** Throws TypeError for a wrong type, RangeError for a value out of range. The messages name the option. */
type Check = (label: string, value: unknown) => void;

/** Validates an object of options. Throws TypeError if it is not an object, or for an unknown name. */
export function validateOptions<T extends object>(
  label: string,
  options: T,
  checks: { readonly [K in keyof Required<T>]: Check },
): void {
  requireObject(label, options);
  refuseUnknown(options, Object.keys(checks));
  const values: Partial<Record<string, unknown>> = { ...options };
  for (const [name, check] of Object.entries<Check>(checks)) check(name, values[name]);
}

export function optional(check: Check): Check {
  return (label, value) => {
    if (value !== undefined) check(label, value);
  };
}

export function listOf(check: Check): Check {
  return (label, value) => {
    requireList(label, value);
    for (const item of value) check(label, item);
  };
}

export function atLeast(min: number): Check {
  return (label, value) => requireWhole(label, value, min);
}

export function requireList(label: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`"${label}" expected a list, got ${nameOf(value)}`);
}

export function requireObject(label: string, value: unknown): asserts value is object {
  if (!isRecord(value)) throw new TypeError(`"${label}" expected an object, got ${nameOf(value)}`);
}

export function requireFinite(label: string, value: unknown): asserts value is number {
  if (typeof value !== 'number') throw new TypeError(`"${label}" expected a number, got ${nameOf(value)}`);
  if (!Number.isFinite(value)) throw new RangeError(`"${label}" expected a finite number, got ${value}`);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the error for a label other than the numbers 0 and 1. */
export function labelError(label: string, value: unknown): RangeError {
  return new RangeError(
    `"${label}" expected the number 0 or 1, got ${typeof value === 'number' ? value : nameOf(value)}`,
  );
}
