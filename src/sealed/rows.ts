import { HASHES, type ByteHashes } from './byte-hashes.ts';
import { requireWhole } from '../core/domain/options.ts';
import { SealedFormatError } from './errors.ts';
import { ELEMENT_BYTES } from './group/group.ts';
import { toAscii } from './group/hash-to-group.ts';

/**
 * A row: what one report says about one identifier. Only the element N = sk · H1(hash) of the identifier finds and
 * opens the row. Numbers are big-endian.
 *
 * ```
 * row      = tag(i) 8 · version u16 · pad ⊕ content 12                                                  22 bytes
 * tags(b)  = SHA-512("redflag sealed tags" · epoch u32 · b u32 · N), which has the tags of the indexes 10·b to 10·b + 9
 * tag(i)   = tags(0)[0..2] · tags(i div 10)[2 + 6·(i mod 10) .. 8 + 6·(i mod 10)]
 * pad      = SHA-512("redflag sealed pad" · epoch u32 · i u32 · version u16 · N)[0..12]
 * content  = report 6 · reporter u16 · (severity 4 bits · kind 5 · type 6 · disputed 1) u16 · days u16
 * ```
 *
 * The rows of an identifier have the indexes 0, 1, 2 and so on without a gap, and the same first two bytes. A reader
 * looks up index 0, then 1, until one is missing. A pad is used for one content only. So give an index another version
 * each time that it is written in one epoch, also if its row was dropped in between. The number of the sequence within
 * the epoch is such a version: it needs no memory of dropped rows.
 */
export const ROW_BYTES = 22;
export const TAG_BYTES = 8;
/** Bytes of a report's tag. Equal tags are one report. */
export const REPORT_TAG_BYTES = 6;
/** Bytes of a row's content before the pad. */
export const CONTENT_BYTES = 12;
/** Maximum of the version. */
export const MAX_VERSION = 0xffff;
/** Maximum of a reporter's number. */
export const MAX_REPORTER = 0xffff;
/** Maximum of a report's day. */
export const MAX_DAYS = 0xffff;
/** Code of a kind that the manifest does not list. */
export const OTHER_KIND = 31;
/** Code of an offence type that the manifest does not list. */
export const OTHER_TYPE = 63;

const ADDRESS_BYTES = 2;
/** Bytes of a tag after the address. */
const OWN_BYTES = TAG_BYTES - ADDRESS_BYTES;
/** Tags that one hash gives: 2 bytes are left for the address. */
const TAGS_AT_ONCE = 10;
const CONTENT_AT = TAG_BYTES + 2;
const MAX_U32 = 0xffff_ffff;

const TAGS = /* @__PURE__ */ toAscii('redflag sealed tags');
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

/** What finds and opens the rows of one identifier in one epoch. Keep no longer than the epoch. */
export interface RowKeys {
  /** Number of the epoch, 0 to 2^32 - 1. */
  readonly epoch: number;
  /** Returns the tag of a row: {@link TAG_BYTES} bytes. The index is 0 to 2^32 - 1. */
  tag(index: number): Uint8Array;
  /** Returns the pad of a row: {@link CONTENT_BYTES} fresh bytes. */
  pad(index: number, version: number): Uint8Array;
}

/**
 * Returns the keys of an identifier's rows. `element` is N, 32 bytes; under another epoch it must be evaluated again.
 * Throws RangeError for a wrong epoch or length. Holds a copy of the element.
 */
export function createRowKeys(epoch: number, element: Uint8Array, hashes: ByteHashes = HASHES): RowKeys {
  requireWhole('epoch', epoch, 0, MAX_U32);
  if (element.length !== ELEMENT_BYTES) throw new RangeError(`"element" expected 32 bytes, got ${element.length}`);
  const asked = preimage(TAGS, epoch, 4, element);
  const pad = preimage(PAD, epoch, 6, element);
  const tagsOf = (block: number): Uint8Array => {
    putU32(asked, TAGS.length + 4, block);
    return hashes.sha512(asked);
  };
  const first = tagsOf(0);
  const address = first.subarray(0, ADDRESS_BYTES);
  let [block, tags] = [0, first];
  return {
    epoch,
    tag(index) {
      const wanted = Math.floor(index / TAGS_AT_ONCE);
      if (wanted !== block) [block, tags] = [wanted, wanted === 0 ? first : tagsOf(wanted)];
      const from = ADDRESS_BYTES + OWN_BYTES * (index % TAGS_AT_ONCE);
      const tag = new Uint8Array(TAG_BYTES);
      tag.set(address);
      tag.set(tags.subarray(from, from + OWN_BYTES), ADDRESS_BYTES);
      return tag;
    },
    pad(index, version) {
      putU32(pad, PAD.length + 4, index);
      pad[PAD.length + 8] = version >> 8;
      pad[PAD.length + 9] = version & 0xff;
      return hashes.sha512(pad, CONTENT_BYTES);
    },
  };
}

/** Returns `label · epoch · zeros · element`. */
function preimage(label: Uint8Array, epoch: number, zeros: number, element: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(label.length + 4 + zeros + ELEMENT_BYTES);
  bytes.set(label);
  putU32(bytes, label.length, epoch);
  bytes.set(element, label.length + 4 + zeros);
  return bytes;
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

/**
 * Returns a row: {@link ROW_BYTES} bytes. Never seal two contents under one index and version of an epoch: their
 * difference would be readable. Throws RangeError for a number out of its range.
 */
export function sealRow(keys: RowKeys, index: number, version: number, content: RowContent): Uint8Array {
  return sealPacked(keys, index, version, packContent(content));
}

/** {@link sealRow} for the bytes of {@link packContent}. */
export function sealPacked(keys: RowKeys, index: number, version: number, packed: Uint8Array): Uint8Array {
  requireWhole('index', index, 0, MAX_U32);
  requireWhole('version', version, 0, MAX_VERSION);
  if (packed.length !== CONTENT_BYTES) throw new RangeError(`a content expected ${CONTENT_BYTES} bytes`);
  const row = new Uint8Array(ROW_BYTES);
  row.set(keys.tag(index));
  new DataView(row.buffer).setUint16(TAG_BYTES, version);
  const pad = keys.pad(index, version);
  for (let at = 0; at < CONTENT_BYTES; at++) row[CONTENT_AT + at] = packed[at]! ^ pad[at]!;
  return row;
}

/** Returns the bytes of {@link packContent} of a row that was found by the tag of the keys at this index. */
export function openPacked(keys: RowKeys, index: number, row: Uint8Array): Uint8Array {
  const packed = keys.pad(index, versionOf(row));
  for (let at = 0; at < CONTENT_BYTES; at++) packed[at]! ^= row[CONTENT_AT + at]!;
  return packed;
}

/** Returns the version of a row. */
export function versionOf(row: Uint8Array): number {
  return readU16(row, TAG_BYTES);
}

function readU16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

/**
 * Opens the row at an index of an identifier. The row's tag must be that of the keys. Throws `SealedFormatError`:
 * `invalid-length`, or `invalid-row` if the tag is another one or the severity is not 1 to 10.
 */
export function openRow(keys: RowKeys, index: number, row: Uint8Array): RowContent {
  if (row.length !== ROW_BYTES)
    throw new SealedFormatError('invalid-length', `a row expected ${ROW_BYTES} bytes, got ${row.length}`);
  const tag = keys.tag(index);
  if (tag.some((byte, at) => byte !== row[at]))
    throw new SealedFormatError('invalid-row', 'the row belongs to another identifier, index or epoch');
  return openFound(keys, index, row);
}

/** {@link openRow} for a row that was found by the tag of the keys at this index. Does not compare the tag again. */
export function openFound(keys: RowKeys, index: number, row: Uint8Array): RowContent {
  const content = openPacked(keys, index, row);
  const packed = readU16(content, 8);
  const severity = packed >> 12;
  if (severity < 1 || severity > 10)
    throw new SealedFormatError('invalid-row', 'the row opens to a severity that is not 1 to 10; fetch a new snapshot');
  return {
    report: content.slice(0, REPORT_TAG_BYTES),
    reporter: readU16(content, 6),
    severity,
    kind: (packed >> 7) & 0x1f,
    type: (packed >> 1) & 0x3f,
    disputed: (packed & 1) === 1,
    days: readU16(content, 10),
  };
}
