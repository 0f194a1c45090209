import { HASHES } from './byte-hashes.ts';
import { requireWhole } from '../core/domain/options.ts';
import type { Standing } from '../core/scoring/evidence.ts';
import { ELEMENT_BYTES } from './group/group.ts';
import { joinBytes, toAscii } from './group/hash-to-group.ts';
import { precisionOf, stepOf } from './precision-steps.ts';

/**
 * A row: what one report says about one identifier. Only the element N = sk · H1(hash) of the identifier finds and
 * opens the row. Numbers are big-endian.
 *
 * ```
 * row      = tag(i) 8 · pad(i) ⊕ content 13                                                             21 bytes
 * key(i)   = SHA-512("redflag sealed row" · salt 32 · i u32 · N 32)
 * tag(i)   = key(i)[0..8]
 * pad(i)   = key(i)[8..21]
 * content  = report 6 · reporter u16 · (severity 4 bits · kind 5 · type 6 · disputed 1) u16 · days u16 · standing u8
 * standing = step of the precision 4 bits · established 1 bit · verified 1 bit, or 255 for that of a new key
 * ```
 *
 * Each publication has a fresh salt, so no pad is used twice, and the rows of two publications have nothing in common.
 * The rows of an identifier have the indexes 0, 1, 2 and so on without a gap: a reader looks up index 0, then 1, until
 * one is missing. All other rows are random bytes: they hide the number of rows.
 */
export const ROW_BYTES = 21;
export const TAG_BYTES = 8;
/** Bytes of a publication's salt. */
export const SALT_BYTES = 32;
/** Bytes of a report's tag. Equal tags are one report. */
export const REPORT_TAG_BYTES = 6;
/** Bytes of a row's content before it is closed. */
export const CONTENT_BYTES = 13;
/** Maximum of a reporter's number. */
export const MAX_REPORTER = 0xffff;
/** Maximum of a report's day. */
export const MAX_DAYS = 0xffff;
/** Code of a kind that the manifest does not list. */
export const OTHER_KIND = 31;
/** Code of an offence type that the manifest does not list. */
export const OTHER_TYPE = 63;

const NEW_KEY = 255;
const LABEL = /* @__PURE__ */ toAscii('redflag sealed row');

/** What a row says. */
export interface RowContent {
  /** {@link REPORT_TAG_BYTES} bytes, the same in all rows of a report. */
  readonly report: Uint8Array;
  /** The reporter's number, 0 to 65,535. */
  readonly reporter: number;
  /** 1 to 10. */
  readonly severity: number;
  /** Index in the manifest's `kinds`, or {@link OTHER_KIND}. */
  readonly kind: number;
  /** Index in the manifest's `types`, or {@link OTHER_TYPE}. */
  readonly type: number;
  /** True while a dispute is open. */
  readonly disputed: boolean;
  /** Day of the report, UTC, counted from 1970: 0 to 65,535 (the year 2149). */
  readonly days: number;
  /** Of the reporter; its precision is rounded to a step. Undefined: that of a new key. */
  readonly standing: Standing | undefined;
}

/** What finds, opens and closes the rows of one identifier in one publication. */
export interface RowKeys {
  /** Returns the tag of a row: {@link TAG_BYTES} bytes. The index is 0 to 2^32 - 1. */
  tag(index: number): Uint8Array;
  /** Returns the row of a content of {@link CONTENT_BYTES}. */
  close(index: number, content: Uint8Array): Uint8Array;
  /** Returns the content of the row that has the tag of the index. */
  open(index: number, row: Uint8Array): Uint8Array;
}

/**
 * Returns the keys of an identifier's rows. `element` is N, 32 bytes; under another epoch it must be evaluated again.
 * Throws RangeError for a wrong length.
 */
export function createRowKeys(salt: Uint8Array, element: Uint8Array): RowKeys {
  if (salt.length !== SALT_BYTES) throw new RangeError(`"salt" expected 32 bytes, got ${salt.length}`);
  if (element.length !== ELEMENT_BYTES) throw new RangeError(`"element" expected 32 bytes, got ${element.length}`);
  const input = joinBytes([LABEL, salt, new Uint8Array(4), element]);
  const number = new DataView(input.buffer, LABEL.length + SALT_BYTES, 4);
  let [known, key] = [-1, new Uint8Array()];
  const keyOf = (index: number): Uint8Array => {
    if (index !== known) {
      number.setUint32(0, index);
      [known, key] = [index, HASHES.sha512(input, ROW_BYTES) as Uint8Array<ArrayBuffer>];
    }
    return key;
  };
  const withPad = (index: number, bytes: Uint8Array): Uint8Array => {
    const pad = keyOf(index);
    return bytes.map((byte, at) => byte ^ pad[TAG_BYTES + at]!);
  };
  const tag = (index: number): Uint8Array => keyOf(index).slice(0, TAG_BYTES);
  return {
    tag,
    close: (index, content) => joinBytes([tag(index), withPad(index, content)]),
    open: (index, row) => withPad(index, row.slice(TAG_BYTES)),
  };
}

/** Returns the content as {@link CONTENT_BYTES} bytes. Throws RangeError for a number out of its range. */
export function packContent(content: RowContent): Uint8Array {
  const { report, reporter, severity, kind, type, disputed, days, standing } = content;
  requireWhole('reporter', reporter, 0, MAX_REPORTER);
  requireWhole('severity', severity, 1, 10);
  requireWhole('kind', kind, 0, OTHER_KIND);
  requireWhole('type', type, 0, OTHER_TYPE);
  requireWhole('days', days, 0, MAX_DAYS);
  if (report.length !== REPORT_TAG_BYTES)
    throw new RangeError(`"report" expected ${REPORT_TAG_BYTES} bytes, got ${report.length}`);
  const packed = new Uint8Array(CONTENT_BYTES);
  const view = new DataView(packed.buffer);
  packed.set(report);
  view.setUint16(6, reporter);
  view.setUint16(8, (severity << 12) | (kind << 7) | (type << 1) | Number(disputed));
  view.setUint16(10, days);
  packed[12] =
    standing === undefined
      ? NEW_KEY
      : (stepOf(standing.precision) << 2) | (Number(standing.established) << 1) | Number(standing.verified);
  return packed;
}

/** Returns the content of the bytes of {@link packContent}. */
export function unpackContent(packed: Uint8Array): RowContent {
  const readU16 = (at: number): number => (packed[at]! << 8) | packed[at + 1]!;
  const flags = readU16(8);
  const standing = packed[12]!;
  return {
    report: packed.slice(0, REPORT_TAG_BYTES),
    reporter: readU16(6),
    severity: flags >> 12,
    kind: (flags >> 7) & 0x1f,
    type: (flags >> 1) & 0x3f,
    disputed: (flags & 1) === 1,
    days: readU16(10),
    standing:
      standing === NEW_KEY
        ? undefined
        : {
            precision: precisionOf((standing >> 2) & 15),
            established: (standing & 2) !== 0,
            verified: (standing & 1) !== 0,
          },
  };
}
