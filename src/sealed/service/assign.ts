import type { Pace } from './pace.ts';

/** A row of an identifier in the next publication. Its index is its place in the list. */
export interface AssignedRow {
  /** Bytes of `packContent`. */
  readonly content: Uint8Array;
  /** True if the published row of this index has the same content, and so keeps its version. */
  readonly kept: boolean;
}

/**
 * Returns the rows of an identifier, in slices: each content of `wanted` once, at the indexes 0, 1, 2 and so on. A
 * content that is published already keeps its index. A hole is filled with a new content, or with the last row. So few
 * rows change, and no index is missing.
 *
 * @param published contents by index, as they are published now.
 * @param wanted contents to publish, ascending. Equal contents count as often as they appear.
 */
export async function assignRows(
  published: readonly Uint8Array[],
  wanted: readonly Uint8Array[],
  pace: Pace,
): Promise<AssignedRow[]> {
  const waiting = new Map<string, Uint8Array[]>();
  for (const content of wanted) {
    const name = nameOf(content);
    const equal = waiting.get(name);
    if (equal) equal.push(content);
    else waiting.set(name, [content]);
    if (pace.isDue()) await pace.turn();
  }
  const rows: (AssignedRow | undefined)[] = [];
  for (const content of published) {
    const found = waiting.get(nameOf(content))?.pop();
    rows.push(found && { content: found, kept: true });
    if (pace.isDue()) await pace.turn();
  }
  /** The new contents, descending. */
  const added = [...waiting.values()].flat().reverse();
  const addNext = (): AssignedRow | undefined => {
    const content = added.pop();
    return content && { content, kept: false };
  };
  for (let at = 0; at < rows.length; at++) {
    rows[at] ??= addNext();
    while (rows[at] === undefined && rows.length > at) {
      const last = rows.pop();
      if (last !== undefined) rows[at] = { content: last.content, kept: false };
    }
    if (pace.isDue()) await pace.turn();
  }
  for (let next = addNext(); next !== undefined; next = addNext()) rows.push(next);
  return rows as AssignedRow[];
}

function nameOf(content: Uint8Array): string {
  return String.fromCharCode(...content);
}
