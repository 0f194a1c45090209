import { ELEMENT_BYTES, type Random } from '../group/group.ts';
import { createRowKeys, ROW_BYTES, type RowKeys } from '../rows.ts';
import { findTag } from '../snapshot.ts';
import type { BlankRows } from './blank-rows.ts';
import type { Pace } from './pace.ts';
import { choose, rowsAtFirst, rowsOfDay } from './padding.ts';
import { endOfIdentifier, SOURCE_BYTES, type EpochPoints } from './points.ts';
import { Records, sortRecords } from './records.ts';

/** What {@link writeRows} needs. */
export interface RowsToWrite {
  /** Records of {@link SOURCE_BYTES}, ascending. */
  readonly source: Uint8Array;
  /** Points of all identifiers in `source`. */
  readonly points: EpochPoints;
  /** The snapshot of this epoch that was published last. Undefined if there is none. */
  readonly published: Uint8Array | undefined;
  readonly blanks: BlankRows;
  readonly random: Random;
}

/**
 * Returns the next snapshot. No published tag goes: a row whose report was deleted becomes blank, until a later report
 * of the same identifier takes its place. The numbers of new and of changed rows are those of a ladder, with blank rows
 * among them.
 */
export async function writeRows(
  { source, points, published = new Uint8Array(), blanks, random }: RowsToWrite,
  pace: Pace,
): Promise<Uint8Array> {
  const isFirst = published.length === 0;
  /** 1 for each published row of an identifier in `source`. */
  const owned = new Uint8Array(published.length / ROW_BYTES);
  /** The new rows, and then the published ones. */
  const rows = new Records(ROW_BYTES);
  let added = 0;
  /** Rows that take the place of published ones. */
  const changes = new Map<number, Uint8Array>();
  /** Published rows that stay blank, by their place. */
  const blank: number[] = [];
  const rowAt = (place: number): Uint8Array => published.subarray(place * ROW_BYTES, (place + 1) * ROW_BYTES);

  for (let from = 0, at = 0; from < source.length; at += ELEMENT_BYTES) {
    const to = endOfIdentifier(source, from);
    const contents: Uint8Array[] = [];
    for (; from < to; from += SOURCE_BYTES) contents.push(source.subarray(from + ELEMENT_BYTES, from + SOURCE_BYTES));
    const keys = createRowKeys(points.epoch, points.points.subarray(at, at + ELEMENT_BYTES));
    const before = await findRows(published, keys, pace);
    for (const place of before.places) owned[place] = 1;
    for (const [index, content] of (await assignRows(before.contents, contents, pace)).entries()) {
      const place = before.places[index];
      const old = before.contents[index];
      if (place === undefined) {
        rows.add().set(keys.close(index, content!));
        added++;
      } else if (content !== old)
        changes.set(place, content ? keys.close(index, content) : blanks.inPlaceOf(rowAt(place)));
      else if (content === undefined) blank.push(place);
      // Also within an identifier: an address that many share can have a hundred thousand reports.
      if (pace.isDue()) await pace.turn();
    }
  }

  for (const [place, isOwned] of owned.entries()) {
    if (isOwned === 0) {
      if (blanks.has(rowAt(place))) blank.push(place);
      // The row of an erased identifier.
      else changes.set(place, blanks.inPlaceOf(rowAt(place)));
    }
    if (pace.isDue()) await pace.turn();
  }

  const hiding = isFirst ? 0 : Math.min(blank.length, rowsOfDay(changes.size) - changes.size);
  for (const place of choose(Uint32Array.from(blank), hiding, random))
    changes.set(place, blanks.inPlaceOf(rowAt(place)));
  const wanted = isFirst ? rowsAtFirst(added) : rowsOfDay(added);
  for (let dummy = 0; added < wanted; dummy++) {
    const row = blanks.dummy(dummy);
    if (findTag(published, row) === -1) {
      rows.add().set(row);
      added++;
    }
    if (pace.isDue()) await pace.turn();
  }
  for (const place of owned.keys()) {
    rows.add().set(changes.get(place) ?? rowAt(place));
    if (pace.isDue()) await pace.turn();
  }
  return sortRecords(await rows.join(pace), ROW_BYTES, pace);
}

/** Returns the places of the published rows of an identifier, by index, and their contents; undefined for a blank. */
async function findRows(published: Uint8Array, keys: RowKeys, pace: Pace) {
  const places: number[] = [];
  const contents: (Uint8Array | undefined)[] = [];
  for (;;) {
    const index = places.length;
    const at = findTag(published, keys.tag(index));
    if (at === -1) return { places, contents };
    places.push(at / ROW_BYTES);
    contents.push(keys.open(index, published.subarray(at, at + ROW_BYTES)));
    if (pace.isDue()) await pace.turn();
  }
}

/**
 * Returns the contents of an identifier's rows, by index, in slices: each of `wanted` once. A content that is published
 * already keeps its index and its object. New ones take the places of those that go, or follow. Undefined is a blank.
 *
 * @param published contents by index, as they are published now.
 * @param wanted contents to publish. Equal contents count as often as they appear.
 */
export async function assignRows(
  published: readonly (Uint8Array | undefined)[],
  wanted: readonly Uint8Array[],
  pace: Pace,
): Promise<(Uint8Array | undefined)[]> {
  const waiting = new Map<string, Uint8Array[]>();
  for (const content of wanted) {
    const name = nameOf(content);
    const equal = waiting.get(name);
    if (equal) equal.push(content);
    else waiting.set(name, [content]);
    if (pace.isDue()) await pace.turn();
  }
  const rows: (Uint8Array | undefined)[] = [];
  for (const content of published) {
    rows.push(content && waiting.get(nameOf(content))?.pop() && content);
    if (pace.isDue()) await pace.turn();
  }
  const added = [...waiting.values()].flat().reverse();
  for (let at = 0; added.length > 0; at++) {
    rows[at] ??= added.pop();
    if (pace.isDue()) await pace.turn();
  }
  return rows;
}

function nameOf(content: Uint8Array): string {
  return String.fromCharCode(...content);
}
