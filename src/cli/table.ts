/** Rows as aligned columns, a line each, for a person. What people wrote stays on its line, whatever they wrote. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const table = rows.map((row) => row.map((cell) => onOneLine(cell)));
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A text without the line breaks and tabs that it may have been given with. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n\t\u2028\u2029]+/g, ' ');
}

/** A moment, or a hyphen where there is none. */
export function formatMoment(atMs: number | null): string {
  return atMs === null ? '-' : new Date(atMs).toISOString();
}
