import { sha256 } from '@noble/hashes/sha2.js';
import { DAY_MS } from '../../core/domain/day.ts';
import type { Standing } from '../../core/scoring/evidence.ts';
import type { PublishedRow } from '../engine/sealing.ts';
import { type CodeLists, kindCode, typeCode } from '../codes.ts';
import { fromHex, toHex } from '../encoding.ts';
import { ELEMENT_BYTES, type Random } from '../group/group.ts';
import { multiply } from '../group/voprf.ts';
import type { Manifest } from '../manifest-format.ts';
import { createRowKeys, MAX_DAYS, OTHER_KIND, packContent, ROW_BYTES } from '../rows.ts';
import { compareTags } from '../snapshot.ts';
import { createNames, type Names } from './names.ts';
import type { Pace } from './pace.ts';
import { SealedPublicationError } from './publications.ts';

/** What a publication is made of. The engine implements it. */
export interface SealedSource {
  /** Returns the rows that queries count now, in pages. Each report once, in any order. */
  readRows(): AsyncIterable<readonly PublishedRow[]>;
  /** Returns the present standings by reporter id. */
  readReporters(): Promise<ReadonlyMap<string, Standing>>;
}

/** How clients score. Part of the manifest. */
export type PublishedRules = CodeLists & Pick<Manifest, 'model' | 'matchKinds'>;

/** What {@link makeSnapshot} needs. */
export interface SnapshotParts {
  readonly source: SealedSource;
  readonly rules: PublishedRules;
  readonly random: Random;
  readonly pace: Pace;
}

/** Rungs of the ladder of row numbers between a power of two and the next one. */
const RUNGS = 4;
/** The lowest rung, and the least number of rows that say nothing. */
const LEAST = 64;
/** Lists of rows by the first bits of their tags, which are uniform: each is short, and sorted at once. */
const PARTS = 4096;
/** Bytes that are hashed at once: about a millisecond. */
const HASHED_AT_ONCE = 0x4_0000;

/** Returns the number of rows that a snapshot of `count` reported identifiers has. At least a ninth say nothing. */
export function rowsOf(count: number): number {
  const least = count + LEAST + Math.ceil(count / 8);
  const step = 2 ** Math.floor(Math.log2(least)) / RUNGS;
  return Math.ceil(least / step) * step;
}

/**
 * Returns the snapshot of a source under a salt. `key` is k_e of the epoch: each identifier takes one multiplication.
 * Throws {@link SealedPublicationError} for a row with ids or an element of a wrong length, `invalid-element` for an
 * element that is not of the group, and RangeError for more than 65,536 reporters.
 */
export async function makeSnapshot(
  { source, rules, random, pace }: SnapshotParts,
  key: Uint8Array,
  salt: Uint8Array,
): Promise<Uint8Array> {
  const names = createNames(random);
  const parts: Uint8Array[][] = Array.from({ length: PARTS }, () => []);
  let count = 0;
  const add = (row: Uint8Array): void => {
    parts[(row[0]! << 4) | (row[1]! >> 4)]!.push(row);
    count++;
  };
  /** What each identifier became, and the number of its rows. */
  const known = new Map<string, { readonly point: Uint8Array; rows: number }>();
  let standings = await source.readReporters();
  const without = new Set<string>();
  for await (const page of source.readRows()) {
    for (const row of page) {
      if (!standings.has(row.reporterId) && !without.has(row.reporterId)) {
        // A reporter of the last rows may be new.
        standings = await source.readReporters();
        if (!standings.has(row.reporterId)) without.add(row.reporterId);
      }
      const content = contentOf(row, rules, names, standings.get(row.reporterId));
      let identifier = known.get(row.element);
      if (identifier === undefined) {
        const point = multiply(key, elementOf(row));
        known.set(row.element, (identifier = { point, rows: 0 }));
      }
      add(createRowKeys(salt, identifier.point).close(identifier.rows++, content));
      if (pace.isDue()) await pace.turn();
    }
    // Many pages in a row may be empty.
    if (pace.isDue()) await pace.turn();
  }
  for (const wanted = rowsOf(count); count < wanted;) {
    add(random(ROW_BYTES));
    if (pace.isDue()) await pace.turn();
  }
  const snapshot = new Uint8Array(count * ROW_BYTES);
  let at = 0;
  for (const rows of parts) {
    for (const row of rows.sort((left, right) => compareTags(left, 0, right, 0))) {
      snapshot.set(row, at);
      at += ROW_BYTES;
    }
    if (pace.isDue()) await pace.turn();
  }
  return snapshot;
}

function elementOf({ element }: PublishedRow): Uint8Array {
  const bytes = fromHex(element);
  if (bytes?.length === ELEMENT_BYTES) return bytes;
  throw damaged();
}

function damaged(): SealedPublicationError {
  return new SealedPublicationError('a sealed row of the store is damaged; run redflag check');
}

function contentOf(row: PublishedRow, rules: PublishedRules, names: Names, standing: Standing | undefined): Uint8Array {
  const kind = kindCode(rules, row.kind);
  if (rules.matchKinds === 'exact' && kind === OTHER_KIND)
    throw new SealedPublicationError(
      'with matchKinds "exact", the sealed look-up expected each reported kind in its list',
    );
  const report = names.tagOf(row.reportId);
  if (report === undefined) throw damaged();
  return packContent({
    report,
    reporter: names.numberOf(row.reporterId),
    severity: row.severity,
    kind,
    type: typeCode(rules, row.type),
    disputed: row.disputeOpen,
    days: Math.min(MAX_DAYS, Math.max(0, Math.floor(row.createdAt / DAY_MS))),
    standing,
  });
}

/** Returns the SHA-256 of bytes in lowercase hex, in slices. */
export async function hashInSlices(bytes: Uint8Array, pace: Pace): Promise<string> {
  // Only this implementation hashes in pieces on each platform.
  const hash = sha256.create();
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    if (pace.isDue()) await pace.turn();
  }
  return toHex(hash.digest());
}
