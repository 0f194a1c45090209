/** A spreadsheet runs a cell that begins so, also in full-width characters, and with or without quotes. */
const RUNS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Returns text as a cell of a CSV file that people open in a spreadsheet: quoted if a reader would split it, also a
 * reader of semicolons. A text that a spreadsheet would run begins with an apostrophe, which it hides.
 */
export function csvCell(text: string): string {
  const inert = RUNS.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
