import { DAY_MS } from '../../../core/domain/day.ts';
import { SPREADSHEET_DAYS } from './order-times.ts';

/** How databases write a day without a clock. */
const MIDNIGHT = /[T ](?:00:00(?::00(?:\.0{1,9})?)?|12:00(?::00)? ?AM)$/i;
/** The days of clocks without a day: of Access and Google Sheets, Excel, Unix and .NET. */
const NO_DAY =
  /^(?:1899-12-3[01]|1900-01-0[01]|1970-01-01|0001-01-01|3[01]([./])12\1(?:18)?99|12\/3[01]\/(?:18)?99|0?1([./])0?1\2(?:1900|1970|0001))[T ](?=\d{1,2}:)/;
const CLOCK = /\d[:h]\d/i;
/** A part of a day, as Excel stores a clock. */
const PART_OF_DAY = /^0?[.,](\d{1,20})$/;

/** Returns the text of the cells of a time, which may be in several columns: day, clock and zone. */
export function joinCells(texts: readonly string[]): string {
  const [day = '', ...others] = texts;
  if (others.length === 0) return day.trim();
  const parts = others.map((text) => toClock(text.replace(NO_DAY, '')));
  const date = parts.some((text) => CLOCK.test(text)) ? toDate(day.replace(MIDNIGHT, '')) : day;
  return [date, ...parts].join(' ').trim();
}

function toClock(text: string): string {
  const digits = PART_OF_DAY.exec(text)?.[1];
  return digits === undefined ? text : new Date(Number(`0.${digits}`) * DAY_MS + 500).toISOString().slice(11, 19);
}

/** Replaces a day of a spreadsheet. */
function toDate(text: string): string {
  return /^[34]\d{4}$/.test(text)
    ? new Date((Number(text) - SPREADSHEET_DAYS) * DAY_MS).toISOString().slice(0, 10)
    : text;
}
