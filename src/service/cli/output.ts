/** Prints an answer: as one line of JSON for programs, or as text from `format` for people. */
export function printAnswer<T>(answer: T, json: boolean | undefined, format: (answer: T) => string): void {
  process.stdout.write(json ? toJson(answer) : format(answer));
}

/** Returns an answer as JSON with a line end. Escapes characters that change a terminal or the order of the text. */
export function toJson(answer: unknown, indent?: number): string {
  const escape = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(answer, null, indent).replace(/[\u007f-\u009f\p{Bidi_C}]/gu, escape)}\n`;
}

/** Prints lines for the operator on standard error. */
export function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`redflag: ${warning}\n`);
}

const NAMES_SHOWN = 30;

/** For a copy that was made although the store accepts no writes. */
export const NOT_RECORDED = 'The audit log has no entry of this, because the store accepts no writes.\n';

/** Maximum width of a column. A longer cell is written whole, and what follows it is not aligned. */
const MAX_WIDTH = 80;

/** Returns rows as aligned columns, one line per row, each cell as {@link printable}. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const table = rows.map((row) => row.map((cell) => printable(cell)));
  const widths: number[] = [];
  for (const row of table)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, Math.min(cell.length, MAX_WIDTH));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

export function onOneLine(text: string): string {
  return text.replace(/[\r\n\t\u2028\u2029]+/g, ' ');
}

/**
 * Returns a text of another machine as one line, without characters that can change a terminal or the order of the
 * text.
 */
export function printable(text: string): string {
  return onOneLine(text).replace(/[\p{Cc}\p{Bidi_C}]/gu, '\ufffd');
}

/** Returns names of a file for a message: on one line, at most {@link NAMES_SHOWN}, as {@link printable}. */
export function formatNames(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return `${printable(names.slice(0, NAMES_SHOWN).join(', '))}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Formats a moment as ISO 8601 UTC, and null as a hyphen. */
export function formatMoment(atMs: number | null): string {
  return atMs === null ? '-' : new Date(atMs).toISOString();
}

/** Returns a text in a colour (SGR code) if the stream is a terminal with colours. `hasColors` respects NO_COLOR. */
export function colour(stream: NodeJS.WriteStream, code: number, text: string): string {
  return stream.isTTY && stream.hasColors() ? `\u001b[${code}m${text}\u001b[39m` : text;
}
