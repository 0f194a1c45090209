import type { Pace } from './pace.ts';
import { ELEMENT_BYTES } from '../group/group.ts';
import { createRowKeys, openPacked, ROW_BYTES, sealPacked, type RowKeys } from '../rows.ts';
import { findTag } from '../snapshot.ts';
import { endOfIdentifier, SOURCE_BYTES, type EpochPoints } from './points.ts';
import { Records } from './records.ts';
import { versionAt } from './versions.ts';

/** What {@link writeRows} needs. */
export interface RowsToWrite {
  /** Number of the publication within the epoch. No other publication of the epoch has it. */
  readonly ordinal: number;
  /** Records of {@link SOURCE_BYTES}, ascending. */
  readonly source: Uint8Array;
  /** Points of all identifiers in `source`. */
  readonly points: EpochPoints;
  /** The snapshot of this epoch that was published last; empty if there is none. */
  readonly published: Uint8Array;
}

/**
 * Returns the rows of all identifiers, in no order. A row whose content is published already keeps its bytes. Each
 * other row gets a version that was never used at its index.
 */
export async function writeRows({ ordinal, source, points, published }: RowsToWrite, pace: Pace): Promise<Uint8Array> {
  const { epoch } = points;
  const rows = new Records(ROW_BYTES, source.length / SOURCE_BYTES);
  for (let from = 0, at = 0; from < source.length; at += ELEMENT_BYTES) {
    const to = endOfIdentifier(source, from);
    const wanted: Uint8Array[] = [];
    for (; from < to; from += SOURCE_BYTES) wanted.push(source.subarray(from + ELEMENT_BYTES, from + SOURCE_BYTES));
    const point = points.points.subarray(at, at + ELEMENT_BYTES);
    const keys = createRowKeys(epoch, point);
    const before = await findRows(published, keys, pace);
    for (const [index, { content, kept }] of (await assignRows(before.contents, wanted, pace)).entries()) {
      const row = kept
        ? before.rows[index]!
        : sealPacked(keys, index, versionAt(epoch, point, index, ordinal), content);
      rows.add().set(row);
      // Also within an identifier: an address that many share can have a hundred thousand reports.
      if (pace.isDue()) await pace.turn();
    }
  }
  return rows.join(pace);
}

/** Returns the published rows of an identifier, by index, and their contents. */
async function findRows(published: Uint8Array, keys: RowKeys, pace: Pace) {
  const rows: Uint8Array[] = [];
  const contents: Uint8Array[] = [];
  for (;;) {
    const index = rows.length;
    const at = findTag(published, keys.tag(index));
    if (at === -1) return { rows, contents };
    rows.push(published.subarray(at, at + ROW_BYTES));
    contents.push(openPacked(keys, index, rows[index]!));
    if (pace.isDue()) await pace.turn();
  }
}

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
