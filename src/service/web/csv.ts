import { formOfKind } from '../../core/identifiers/value-form.ts';

/** A spreadsheet runs a cell that begins so, also in full-width characters, and with or without quotes. */
const RUNS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Where a reader of semicolons begins a cell in the middle of a quoted text, and would run it. */
const RUNS_INSIDE = /([;\t\r\n])(?=["']*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Returns text as a cell of a CSV file that people open in a spreadsheet: quoted if a reader would split it. A text
 * that a spreadsheet would run begins with an apostrophe, which it hides. In countries whose spreadsheets separate
 * cells by semicolons, quotes in the middle of a line do not hold a cell together: so what follows a semicolon or a
 * line break has an apostrophe, too.
 */
export function csvCell(text: string): string {
  const inert = (RUNS.test(text) ? `'${text}` : text).replace(RUNS_INSIDE, "$1'");
  return /[",;\r\n\t]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** A row of a CSV file. An empty cell is an empty text or null. */
export type CsvRow = readonly (string | number | null)[];

/** Returns a line of a CSV file (RFC 4180). Numbers are written as they are. */
export function csvLine(row: CsvRow): string {
  const cells = row.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(cell ?? '')));
  return `${cells.join(',')}\r\n`;
}

/** Characters by which spreadsheets separate cells, depending on the country, as a command line writes them. */
export const DELIMITERS: Readonly<Record<string, string>> = { ';': "';'", '\t': "'\\t'", '|': "'|'", ',': "','" };

/** True for a first row that names columns, at least one of them as known identifiers are called. Else, it is data. */
export function isHeader(names: readonly (string | undefined)[]): boolean {
  return (
    names.every((name) => name !== undefined && name.length <= 40 && !/(?:\d\D*){4}|[@\p{Cc}\p{Cf}]/u.test(name)) &&
    names.some((name) => /^(?:e-?mail|phone|ip|domain|name|address)$/i.test(name!) || formOfKind(name!) !== 'other')
  );
}
