/** A row of an identifier in the next publication. Its index is its place in the list. */
export interface AssignedRow {
  /** Bytes of `packContent`. */
  readonly content: Uint8Array;
  /** True if the published row of this index has the same content, and so keeps its version. */
  readonly kept: boolean;
}

/**
 * Returns the rows of an identifier: each content of `wanted` once, at the indexes 0, 1, 2 and so on. A content that is
 * published already keeps its index. A hole is filled with a new content, or with the last row. So few rows change, and
 * no index is missing.
 *
 * @param published contents by index, as they are published now.
 * @param wanted contents to publish. Equal contents count as often as they appear.
 */
export function assignRows(published: readonly Uint8Array[], wanted: readonly Uint8Array[]): AssignedRow[] {
  const waiting = new Map<string, Uint8Array[]>();
  for (const content of wanted) {
    const name = nameOf(content);
    const equal = waiting.get(name);
    if (equal) equal.push(content);
    else waiting.set(name, [content]);
  }
  const rows: (AssignedRow | undefined)[] = published.map((content) => {
    const found = waiting.get(nameOf(content))?.pop();
    return found && { content: found, kept: true };
  });
  const added = [...waiting]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, equal]) => equal.map((content): AssignedRow => ({ content, kept: false })))
    .reverse();
  for (let at = 0; at < rows.length; at++) {
    rows[at] ??= added.pop();
    while (rows[at] === undefined && rows.length > at) {
      const last = rows.pop();
      if (last !== undefined) rows[at] = { content: last.content, kept: false };
    }
  }
  return [...(rows as AssignedRow[]), ...added.reverse()];
}

function nameOf(content: Uint8Array): string {
  return String.fromCharCode(...content);
}
