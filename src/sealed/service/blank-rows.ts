import { HASHES } from '../byte-hashes.ts';
import { joinBytes, toAscii } from '../group/hash-to-group.ts';
import type { Random } from '../group/group.ts';
import { ROW_BYTES, TAG_BYTES } from '../rows.ts';

const LABEL = /* @__PURE__ */ toAscii('redflag sealed blank');
const NONCE_BYTES = 6;
const MARK_AT = TAG_BYTES + NONCE_BYTES;

/**
 * Rows that say nothing: `tag 8 · nonce 6 · mark 12`, where the mark is SHA-512(label · secret key of the epoch · tag ·
 * nonce). Only the publisher tells them from others. It must: a row that is none, and that no stored identifier opens,
 * is of an identifier that was erased.
 */
export interface BlankRows {
  /** Returns a blank row with this tag, with a fresh nonce; by default with a random tag. */
  make(tag?: Uint8Array): Uint8Array;
  /** True for a row of {@link make}. */
  has(row: Uint8Array): boolean;
}

/** Returns the blank rows of an epoch. */
export function createBlankRows(secretKey: Uint8Array, random: Random): BlankRows {
  const markOf = (row: Uint8Array): Uint8Array =>
    HASHES.sha512(joinBytes([LABEL, secretKey, row.subarray(0, MARK_AT)]), ROW_BYTES - MARK_AT);
  return {
    make(tag = random(TAG_BYTES)) {
      const row = new Uint8Array(ROW_BYTES);
      row.set(tag.subarray(0, TAG_BYTES));
      row.set(random(NONCE_BYTES), TAG_BYTES);
      row.set(markOf(row), MARK_AT);
      return row;
    },
    has: (row) => markOf(row).every((byte, at) => byte === row[MARK_AT + at]),
  };
}
