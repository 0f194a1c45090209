/** Stands where there is no number. */
export const NONE = '–';

/** A figure between 0 and 1 as statistics print it: `.808`. */
export function figure(value: number | undefined, digits = 3): string {
  if (!isNumber(value)) return NONE;
  return value.toFixed(digits).replace(/^(-?)0(?=\.)/, '$1');
}

/** A share: `33 %`. The space does not break. */
export function percent(share: number | undefined, digits = 0): string {
  return isNumber(share) ? `${(share * 100).toFixed(digits)}\u00a0%` : NONE;
}

/** A whole number with its thousands apart: `4,512`. Not by locale: the same bytes everywhere. */
export function count(value: number): string {
  return isNumber(value) ? value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, ',') : NONE;
}

/** How many times as much: `.53`, `59`. Two decimals where they matter. */
export function times(value: number | undefined): string {
  if (!isNumber(value)) return NONE;
  return value < 10 ? figure(value, 2) : count(value);
}

/** The day of an ISO 8601 time. */
export function day(time: string): string {
  return /^\d{4}-\d{2}-\d{2}T/.test(time) ? time.slice(0, 10) : time;
}

/** A coordinate: finer than a hundredth is not seen, and makes the page long. */
export function place(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A result that went through JSON has null where there was no number. */
export function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
