import { HASHES } from '../byte-hashes.ts';
import { joinBytes, toAscii } from '../group/hash-to-group.ts';
import type { Random } from '../group/group.ts';
import { ROW_BYTES, TAG_BYTES } from '../rows.ts';

const DUMMY = /* @__PURE__ */ toAscii('redflag sealed dummy');
const MARK = /* @__PURE__ */ toAscii('redflag sealed blank');
const NONCE_BYTES = 6;
const MARK_AT = TAG_BYTES + NONCE_BYTES;

/**
 * Rows that say nothing: `tag 8 · nonce 6 · mark 12`, where the mark is SHA-512("redflag sealed blank" · secret key of
 * the epoch · tag · nonce). Only the publisher tells them from others. It must: a row that is none, and that no stored
 * identifier opens, is of an identifier that was erased.
 */
export interface BlankRows {
  /** Returns a blank row with the tag of a row, and a fresh nonce. */
  inPlaceOf(row: Uint8Array): Uint8Array;
  /** Returns the blank row with this number, from 0: always the same, also if all publications were lost. */
  dummy(number: number): Uint8Array;
  /** True for a blank row. */
  has(row: Uint8Array): boolean;
}

/** Returns the blank rows of an epoch. */
export function createBlankRows(secretKey: Uint8Array, random: Random): BlankRows {
  const markOf = (row: Uint8Array): Uint8Array =>
    HASHES.sha512(joinBytes([MARK, secretKey, row.subarray(0, MARK_AT)]), ROW_BYTES - MARK_AT);
  const marked = (tag: Uint8Array, nonce: Uint8Array): Uint8Array => {
    const row = new Uint8Array(ROW_BYTES);
    row.set(tag);
    row.set(nonce, TAG_BYTES);
    row.set(markOf(row), MARK_AT);
    return row;
  };
  return {
    inPlaceOf: (row) => marked(row.subarray(0, TAG_BYTES), random(NONCE_BYTES)),
    dummy(number) {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setUint32(0, number);
      const digest = HASHES.sha512(joinBytes([DUMMY, secretKey, bytes]), MARK_AT);
      return marked(digest.subarray(0, TAG_BYTES), digest.subarray(TAG_BYTES));
    },
    has: (row) => markOf(row).every((byte, at) => byte === row[MARK_AT + at]),
  };
}
