import { HASHES } from './byte-hashes.ts';
import { requireWhole } from '../core/domain/options.ts';
import { ELEMENT_BYTES } from './group/group.ts';
import { toAscii } from './group/hash-to-group.ts';

/**
 * A row: what one report says about one identifier. Only the element N = sk · H1(hash) of the identifier finds and
 * opens the row. Numbers are big-endian.
 *
 * ```
 * row      = tag(i) 8 · iv 6 · pad ⊕ content 12                                                         26 bytes
 * tags(b)  = SHA-512("redflag sealed tags" · epoch u32 · b u32 · N), which has the tags of the indexes 8·b to 8·b + 7
 * tag(i)   = tags(i div 8)[8·(i mod 8) .. 8 + 8·(i mod 8)]
 * iv       = SHA-512("redflag sealed iv" · epoch u32 · i u32 · N · content)[0..6]
 * pad      = SHA-512("redflag sealed pad" · epoch u32 · i u32 · N · iv)[0..12]
 * content  = report 6 · reporter u16 · (severity 4 bits · kind 5 · type 6 · disputed 1) u16 · days u16
 * ```
 *
 * The tags of an identifier have nothing in common. Its rows have the indexes 0, 1, 2 and so on without a gap: a reader
 * looks up index 0, then 1, until one is missing. A row whose iv is not that of its content says nothing. It keeps the
 * place of a deleted report, or pads the snapshot.
 *
 * The iv is synthetic: it is computed from the content, so two contents have two pads, and the same content has the
 * same bytes. Nothing must be remembered.
 */
export const ROW_BYTES = 26;
export const TAG_BYTES = 8;
/** Bytes of a report's tag. Equal tags are one report. */
export const REPORT_TAG_BYTES = 6;
/** Bytes of a row's content before it is closed. */
export const CONTENT_BYTES = 12;
/** Maximum of a reporter's number. */
export const MAX_REPORTER = 0xffff;
/** Maximum of a report's day. */
export const MAX_DAYS = 0xffff;
/** Code of a kind that the manifest does not list. */
export const OTHER_KIND = 31;
/** Code of an offence type that the manifest does not list. */
export const OTHER_TYPE = 63;

const IV_BYTES = 6;
/** Tags that one hash gives. */
const TAGS_AT_ONCE = 8;
const CONTENT_AT = TAG_BYTES + IV_BYTES;
const MAX_U32 = 0xffff_ffff;

const TAGS = /* @__PURE__ */ toAscii('redflag sealed tags');
const IV = /* @__PURE__ */ toAscii('redflag sealed iv');
const PAD = /* @__PURE__ */ toAscii('redflag sealed pad');

/** What a row says. */
export interface RowContent {
  /** {@link REPORT_TAG_BYTES} bytes, the same in all rows of a report. */
  readonly report: Uint8Array;
  /** The reporter's number in the reporters' table, 0 to 65,535. */
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
}

/** What finds, opens and closes the rows of one identifier in one epoch. Keep no longer than the epoch. */
export interface RowKeys {
  /** Returns the tag of a row: {@link TAG_BYTES} bytes. The index is 0 to 2^32 - 1. */
  tag(index: number): Uint8Array;
  /** Returns the row of a content of {@link CONTENT_BYTES}. */
  close(index: number, content: Uint8Array): Uint8Array;
  /** Returns the content of the row that has the tag of the index; undefined if the row says nothing. */
  open(index: number, row: Uint8Array): Uint8Array | undefined;
}

/**
 * Returns the keys of an identifier's rows. `element` is N, 32 bytes; under another epoch it must be evaluated again.
 * Throws RangeError for a wrong epoch or length. Holds a copy of the element.
 */
export function createRowKeys(epoch: number, element: Uint8Array): RowKeys {
  requireWhole('epoch', epoch, 0, MAX_U32);
  if (element.length !== ELEMENT_BYTES) throw new RangeError(`"element" expected 32 bytes, got ${element.length}`);
  const digestOf = (label: Uint8Array, more: number) => {
    const from = label.length + 8 + ELEMENT_BYTES;
    const asked = new Uint8Array(from + more);
    asked.set(label);
    putU32(asked, label.length, epoch);
    asked.set(element, label.length + 8);
    return (number: number, last?: Uint8Array, length?: number): Uint8Array => {
      putU32(asked, label.length + 4, number);
      if (last) asked.set(last, from);
      return HASHES.sha512(asked, length);
    };
  };
  const tagsOf = digestOf(TAGS, 0);
  const ivOf = digestOf(IV, CONTENT_BYTES);
  const padOf = digestOf(PAD, IV_BYTES);
  const xorPad = (index: number, iv: Uint8Array, content: Uint8Array): Uint8Array => {
    const pad = padOf(index, iv, CONTENT_BYTES);
    for (let at = 0; at < CONTENT_BYTES; at++) pad[at]! ^= content[at]!;
    return pad;
  };
  let [block, tags] = [-1, new Uint8Array()];
  const tag = (index: number): Uint8Array => {
    const wanted = Math.floor(index / TAGS_AT_ONCE);
    if (wanted !== block) [block, tags] = [wanted, tagsOf(wanted) as Uint8Array<ArrayBuffer>];
    const from = TAG_BYTES * (index % TAGS_AT_ONCE);
    return tags.slice(from, from + TAG_BYTES);
  };
  return {
    tag,
    close(index, content) {
      const iv = ivOf(index, content, IV_BYTES);
      const row = new Uint8Array(ROW_BYTES);
      row.set(tag(index));
      row.set(iv, TAG_BYTES);
      row.set(xorPad(index, iv, content), CONTENT_AT);
      return row;
    },
    open(index, row) {
      const iv = row.subarray(TAG_BYTES, CONTENT_AT);
      const content = xorPad(index, iv, row.subarray(CONTENT_AT));
      return ivOf(index, content, IV_BYTES).every((byte, at) => byte === iv[at]) ? content : undefined;
    },
  };
}

/** Faster than a DataView, which must be made for each array. */
function putU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Returns the content as {@link CONTENT_BYTES} bytes. Throws RangeError for a number out of its range. */
export function packContent(content: RowContent): Uint8Array {
  requireWhole('reporter', content.reporter, 0, MAX_REPORTER);
  requireWhole('severity', content.severity, 1, 10);
  requireWhole('kind', content.kind, 0, OTHER_KIND);
  requireWhole('type', content.type, 0, OTHER_TYPE);
  requireWhole('days', content.days, 0, MAX_DAYS);
  if (content.report.length !== REPORT_TAG_BYTES)
    throw new RangeError(`"report" expected ${REPORT_TAG_BYTES} bytes, got ${content.report.length}`);
  const packed = new Uint8Array(CONTENT_BYTES);
  const view = new DataView(packed.buffer);
  packed.set(content.report);
  view.setUint16(6, content.reporter);
  view.setUint16(8, (content.severity << 12) | (content.kind << 7) | (content.type << 1) | Number(content.disputed));
  view.setUint16(10, content.days);
  return packed;
}

/** Returns the content of the bytes of {@link packContent}. */
export function unpackContent(packed: Uint8Array): RowContent {
  const readU16 = (at: number): number => (packed[at]! << 8) | packed[at + 1]!;
  const flags = readU16(8);
  return {
    report: packed.slice(0, REPORT_TAG_BYTES),
    reporter: readU16(6),
    severity: flags >> 12,
    kind: (flags >> 7) & 0x1f,
    type: (flags >> 1) & 0x3f,
    disputed: (flags & 1) === 1,
    days: readU16(10),
  };
}
