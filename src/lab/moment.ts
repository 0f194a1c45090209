/** A day as in 2021-01-31, as milliseconds UTC of its beginning; undefined for anything else. */
export function parseDay(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The parser takes a 31st of February for one of March.
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
}

/** A time with its offset, as in 2021-01-31T12:00:00Z, as milliseconds UTC; undefined for anything else: without an offset it is another moment on another machine. */
export function parseTime(text: string): number | undefined {
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  if (day === undefined || parseDay(day) === undefined) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
