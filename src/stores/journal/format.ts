import { JournalDamagedError, JournalVersionError } from './errors.ts';

/**
 * The bytes of a journal, version 1. Numbers are little-endian.
 *
 * ```
 * file   = header, [snapshot frame], records frame*
 * header = "redflagJ" · version u16 · flags u16 (bit 0: snapshot) · CRC-32 of the 12 bytes before   16 bytes
 * frame  = payload length u32 · CRC-32 of the payload · kind u8 · header CRC-32                     13 bytes
 *          payload
 * ```
 *
 * A frame's header CRC covers its first 9 bytes and continues from the header CRC of the previous frame. The first
 * frame continues from the file header's CRC. The header contains the payload's CRC, so each header CRC depends on all
 * earlier bytes. If a frame is missing, duplicated or moved, the next header CRC is wrong.
 *
 * The payload CRC is not seeded. A CRC is linear: for one payload length, two seeded CRCs would cancel out. The chain
 * would then lose its history.
 *
 * A snapshot's payload is opaque. A records payload is `[length u32 · bytes]*` and one {@link END_MARK}.
 */
const MAGIC: readonly number[] = [...'redflagJ'].map((character) => character.charCodeAt(0));
const VERSION = 1;
const SNAPSHOT_FOLLOWS = 1;

/** Maximum bytes per frame, except for a longer single record. Bounds the memory of one write and one read. */
export const MAX_BATCH_BYTES = 1024 * 1024;
export const FILE_HEADER_BYTES = 16;
export const FRAME_HEADER_BYTES = 13;
/** Maximum of the length field. */
export const MAX_PAYLOAD_BYTES = 0xffffffff;

const SNAPSHOT_KIND = 1;
const RECORDS_KIND = 2;

/** Ends each records payload. Not zero, because zeros at the end of a file mean blocks that never reached the disk. */
const END_MARK = 0xff;

export type FrameKind = 'snapshot' | 'records';

/** A decoded frame header, and the chain value for the next frame. */
export interface FrameHeader {
  readonly kind: FrameKind;
  readonly payloadBytes: number;
  readonly payloadCrc: number;
  readonly chain: number;
}

/** Encodes the file header. Returns its bytes and the chain value for the first frame. */
export function encodeFileHeader(withSnapshot: boolean): { readonly bytes: Uint8Array; readonly chain: number } {
  const bytes = new Uint8Array(FILE_HEADER_BYTES);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  view.setUint16(8, VERSION, true);
  view.setUint16(10, withSnapshot ? SNAPSHOT_FOLLOWS : 0, true);
  const chain = crc32(bytes.subarray(0, 12));
  view.setUint32(12, chain, true);
  return { bytes, chain };
}

/**
 * Decodes the file's first {@link FILE_HEADER_BYTES}. Throws {@link JournalDamagedError} for a wrong beginning or
 * checksum, and {@link JournalVersionError} for another version or unknown flags.
 */
export function decodeFileHeader(bytes: Uint8Array): { readonly withSnapshot: boolean; readonly chain: number } {
  const view = viewOf(bytes);
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new JournalDamagedError(0, 'the first bytes of a journal');
  const chain = view.getUint32(12, true);
  // Verify the checksum before the version: a flipped bit must not look like a newer format.
  if (crc32(bytes.subarray(0, 12)) !== chain) throw new JournalDamagedError(0, 'a file header with a valid checksum');
  const version = view.getUint16(8, true);
  const flags = view.getUint16(10, true);
  if (version !== VERSION || (flags & ~SNAPSHOT_FOLLOWS) !== 0) throw new JournalVersionError(version, VERSION);
  return { withSnapshot: (flags & SNAPSHOT_FOLLOWS) !== 0, chain };
}

/** True if `bytes`, shorter than a file header, are the start of one. A crash during creation leaves such bytes. */
export function isTornFileHeader(bytes: Uint8Array): boolean {
  return [false, true].some((withSnapshot) => {
    const whole = encodeFileHeader(withSnapshot).bytes;
    return bytes.length < whole.length && bytes.every((byte, i) => byte === whole[i]);
  });
}

/**
 * Writes a frame's header into the first {@link FRAME_HEADER_BYTES} of `into`. Returns the chain value for the next
 * frame.
 */
function putFrameHeader(
  into: Uint8Array,
  kind: number,
  payloadBytes: number,
  payloadCrc: number,
  chain: number,
): number {
  const view = viewOf(into);
  view.setUint32(0, payloadBytes, true);
  view.setUint32(4, payloadCrc, true);
  view.setUint8(8, kind);
  const next = crc32(into.subarray(0, 9), chain);
  view.setUint32(9, next, true);
  return next;
}

/** Decodes a frame's header. Undefined if its checksum is wrong or its kind unknown. */
export function decodeFrameHeader(bytes: Uint8Array, chain: number): FrameHeader | undefined {
  const view = viewOf(bytes);
  const next = view.getUint32(9, true);
  if (crc32(bytes.subarray(0, 9), chain) !== next) return undefined;
  const kind = view.getUint8(8);
  if (kind !== SNAPSHOT_KIND && kind !== RECORDS_KIND) return undefined;
  return {
    kind: kind === SNAPSHOT_KIND ? 'snapshot' : 'records',
    payloadBytes: view.getUint32(0, true),
    payloadCrc: view.getUint32(4, true),
    chain: next,
  };
}

/**
 * Encodes a file that contains one snapshot. Returns chunks to write in order; the snapshot's bytes are not copied.
 * Throws RangeError if the snapshot is longer than {@link MAX_PAYLOAD_BYTES}.
 */
export function encodeSnapshotFile(snapshot: readonly Uint8Array[]): {
  readonly chunks: readonly Uint8Array[];
  readonly chain: number;
  readonly payloadBytes: number;
} {
  const payloadBytes = snapshot.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  if (payloadBytes > MAX_PAYLOAD_BYTES)
    throw new RangeError(`a snapshot holds at most ${MAX_PAYLOAD_BYTES} bytes, got ${payloadBytes}`);
  const payloadCrc = snapshot.reduce((crc, chunk) => crc32(chunk, crc), 0);
  const file = encodeFileHeader(true);
  const head = new Uint8Array(FILE_HEADER_BYTES + FRAME_HEADER_BYTES);
  head.set(file.bytes);
  const chain = putFrameHeader(head.subarray(FILE_HEADER_BYTES), SNAPSHOT_KIND, payloadBytes, payloadCrc, file.chain);
  return { chunks: [head, ...snapshot], chain, payloadBytes };
}

/** Encodes these records as one frame. Throws RangeError if its payload would exceed {@link MAX_PAYLOAD_BYTES}. */
export function encodeRecordsFrame(
  records: readonly Uint8Array[],
  chain: number,
): { readonly bytes: Uint8Array; readonly chain: number } {
  const payloadBytes = records.reduce((sum, record) => sum + 4 + record.byteLength, 1);
  if (payloadBytes > MAX_PAYLOAD_BYTES)
    throw new RangeError(`a frame holds at most ${MAX_PAYLOAD_BYTES} bytes, got ${payloadBytes}`);
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + payloadBytes);
  const view = viewOf(bytes);
  let at = FRAME_HEADER_BYTES;
  for (const record of records) {
    view.setUint32(at, record.byteLength, true);
    bytes.set(record, at + 4);
    at += 4 + record.byteLength;
  }
  bytes[at] = END_MARK;
  const next = putFrameHeader(bytes, RECORDS_KIND, payloadBytes, crc32(bytes.subarray(FRAME_HEADER_BYTES)), chain);
  return { bytes, chain: next };
}

/**
 * Decodes the records of a payload whose checksum is right. Returns views of the payload. `offset` is the payload's
 * place in the file. Throws {@link JournalDamagedError} if the lengths do not fit: the writer had a defect.
 */
export function decodeRecords(payload: Uint8Array, offset: number): Uint8Array[] {
  const view = viewOf(payload);
  const records: Uint8Array[] = [];
  const end = payload.length - 1;
  let at = 0;
  while (at + 4 <= end) {
    const start = at + 4;
    at = start + view.getUint32(at, true);
    if (at <= end) records.push(payload.subarray(start, at));
  }
  if (at !== end || payload[end] !== END_MARK)
    throw new JournalDamagedError(offset, 'records that fill the frame exactly');
  return records;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Sixteen tables of 256 entries in one array ("slicing by 16"). Entry `256 * k + byte` is the checksum of that byte
 * followed by k zero bytes, so one step processes sixteen bytes. In V8, one flat array is three times faster than
 * sixteen arrays.
 */
const TABLES: Int32Array = /* @__PURE__ */ makeTables();

function makeTables(): Int32Array {
  const tables = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    // 0xedb88320 is the polynomial of IEEE 802.3 with its bits reversed: the CRC-32 of zip, gzip and PNG.
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[byte] = value;
  }
  for (let i = 256; i < tables.length; i++) tables[i] = (tables[i - 256]! >>> 8) ^ tables[tables[i - 256]! & 0xff]!;
  return tables;
}

/**
 * Returns the CRC-32 (IEEE 802.3) of `bytes` as an unsigned 32-bit number, as zlib does. `seed` is the checksum of the
 * preceding bytes: `crc32(b, crc32(a))` is the checksum of a and b together.
 */
export function crc32(bytes: Uint8Array, seed = 0): number {
  const t = TABLES;
  const length = bytes.length;
  let value = ~seed;
  let i = 0;
  // Only the first four bytes depend on the running value, so the other twelve lookups can run in parallel.
  for (const end = length - 15; i < end; i += 16) {
    value =
      t[3840 + ((bytes[i]! ^ value) & 0xff)]! ^
      t[3584 + ((bytes[i + 1]! ^ (value >>> 8)) & 0xff)]! ^
      t[3328 + ((bytes[i + 2]! ^ (value >>> 16)) & 0xff)]! ^
      t[3072 + (bytes[i + 3]! ^ (value >>> 24))]! ^
      t[2816 + bytes[i + 4]!]! ^
      t[2560 + bytes[i + 5]!]! ^
      t[2304 + bytes[i + 6]!]! ^
      t[2048 + bytes[i + 7]!]! ^
      t[1792 + bytes[i + 8]!]! ^
      t[1536 + bytes[i + 9]!]! ^
      t[1280 + bytes[i + 10]!]! ^
      t[1024 + bytes[i + 11]!]! ^
      t[768 + bytes[i + 12]!]! ^
      t[512 + bytes[i + 13]!]! ^
      t[256 + bytes[i + 14]!]! ^
      t[bytes[i + 15]!]!;
  }
  for (; i < length; i++) value = (value >>> 8) ^ t[(value ^ bytes[i]!) & 0xff]!;
  return ~value >>> 0;
}
