/** Parses a day like 2021-01-31. Returns milliseconds UTC of its midnight; undefined for anything else. */
export function parseDay(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // `Date.parse` reads 31 February as a day in March.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
}

/**
 * Parses a time like 2021-01-31T12:00:00Z. Returns milliseconds UTC; undefined for anything else. The offset is
 * required: without it, the result would depend on the machine's time zone.
 */
export function parseTime(text: string): number | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  if (day === undefined || parseDay(day) === undefined) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
