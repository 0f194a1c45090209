import { formatWhole } from '../../core/domain/text.ts';

export const NONE = '–';

/** Formats a figure from 0 to 1 as statistics do: `.808`. */
export function figure(value: number | undefined, digits = 3): string {
  if (!isNumber(value)) return NONE;
  return value.toFixed(digits).replace(/^(-?)0(?=\.)/, '$1');
}

/** Formats a share: `33 %`, with a no-break space. */
export function percent(share: number | undefined, digits = 0): string {
  return isNumber(share) ? `${(share * 100).toFixed(digits)}\u00a0%` : NONE;
}

/** Formats a whole number: `4,512`. */
export function count(value: number): string {
  return isNumber(value) ? formatWhole(value) : NONE;
}

/** Formats an amount or an estimated number without decimals, also below 0: `-1,234`. */
export function rounded(value: number): string {
  // 0 is added because -0.4 rounds to -0.
  return (Math.round(value) + 0).toLocaleString('en-US');
}

/** Formats a ratio: `.53`, `59`. Two decimals below 10. */
export function times(value: number | undefined): string {
  if (!isNumber(value)) return NONE;
  return value < 10 ? figure(value, 2) : count(value);
}

export function day(time: string): string {
  return /^\d{4}-\d{2}-\d{2}T/.test(time) ? time.slice(0, 10) : time;
}

/** Rounds a coordinate to a hundredth. Finer differences are invisible and lengthen the page. */
export function place(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns false for NaN and infinity, and for null, which replaces them in JSON. */
export function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
