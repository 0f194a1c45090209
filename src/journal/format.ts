import { crc32 } from './crc32.ts';
import { JournalDamagedError } from './damaged.ts';

/**
 * The bytes of a journal, version 1. Numbers are little-endian.
 *
 * ```
 * file   = header, [snapshot frame], records frame*
 * header = "redflagJ" · version u16 · flags u16 (bit 0: a snapshot frame follows) · CRC-32 of the 12 bytes before     16 bytes
 * frame  = payload length u32 · CRC-32 of the payload · kind u8 · header CRC-32                                        13 bytes
 *          payload
 * ```
 *
 * A frame's header CRC covers its first 9 bytes and continues from the header CRC of the frame before it (the first one from the file
 * header's CRC). It binds the payload through the payload's CRC, so every header depends on everything before it: a frame that is missing,
 * doubled or moved makes the next header wrong. The payload CRC itself is not seeded: seeding both would let the two cancel out
 * for payloads of one particular length (a CRC is linear), and the chain would forget its past there.
 *
 * A snapshot's payload is opaque. A records payload is `[length u32 · bytes]*` and one {@link END_MARK}.
 */
const MAGIC: readonly number[] = [...'redflagJ'].map((character) => character.charCodeAt(0));
const VERSION = 1;
const SNAPSHOT_FOLLOWS = 1;

export const FILE_HEADER_BYTES = 16;
export const FRAME_HEADER_BYTES = 13;
/** The length field's reach. */
export const MAX_PAYLOAD_BYTES = 0xffffffff;

const SNAPSHOT_KIND = 1;
const RECORDS_KIND = 2;

/** Ends each records payload. Not zero, so a file that ends in zeros ends in blocks that never reached the disk, not in somebody's record. */
const END_MARK = 0xff;

export type FrameKind = 'snapshot' | 'records';

/** What a frame's first 13 bytes say, and the chain value for the frame after it. */
export interface FrameHeader {
  readonly kind: FrameKind;
  readonly payloadBytes: number;
  readonly payloadCrc: number;
  readonly chain: number;
}

/** The journal was written by a newer version of this library, in a format that this one does not know. Nothing was changed. */
export class JournalVersionError extends Error {
  override readonly name = 'JournalVersionError';
  readonly version: number;

  constructor(version: number) {
    super(
      `the journal has format ${version} or uses features newer than this version knows (it reads format ${VERSION}); nothing was changed`,
    );
    this.version = version;
  }
}

/** The file's first bytes, and the chain value for the first frame. */
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

/** Reads the file's first {@link FILE_HEADER_BYTES}. Throws {@link JournalDamagedError} or {@link JournalVersionError}. */
export function decodeFileHeader(bytes: Uint8Array): { readonly withSnapshot: boolean; readonly chain: number } {
  const view = viewOf(bytes);
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new JournalDamagedError(0, 'the first bytes of a journal');
  const chain = view.getUint32(12, true);
  // The checksum comes before the version: a flipped bit must not pass for a newer format.
  if (crc32(bytes.subarray(0, 12)) !== chain) throw new JournalDamagedError(0, 'a file header with a right checksum');
  const version = view.getUint16(8, true);
  const flags = view.getUint16(10, true);
  if (version !== VERSION || (flags & ~SNAPSHOT_FOLLOWS) !== 0) throw new JournalVersionError(version);
  return { withSnapshot: (flags & SNAPSHOT_FOLLOWS) !== 0, chain };
}

/** True when `bytes` (fewer than a file header) are the beginning of one: what a crash while creating the journal leaves. */
export function isTornFileHeader(bytes: Uint8Array): boolean {
  return [false, true].some((withSnapshot) => {
    const whole = encodeFileHeader(withSnapshot).bytes;
    return bytes.length < whole.length && bytes.every((byte, i) => byte === whole[i]);
  });
}

/** Writes a frame's header into the first {@link FRAME_HEADER_BYTES} of `into` and gives the chain value for the next frame. */
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

/** Reads a frame's header; undefined when its checksum is wrong or its kind unknown. */
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
 * A whole file that holds one snapshot, as the chunks to write one after the other (the snapshot's own bytes are not copied).
 * Throws RangeError when the snapshot is longer than {@link MAX_PAYLOAD_BYTES}.
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

/** One frame with these records. Throws RangeError when they are longer together than a frame can say. */
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
 * The records of a payload whose checksum was right, as views on it. `offset` is where the payload begins in the file, for the error:
 * {@link JournalDamagedError} when the lengths do not fit (a writer's fault, since the checksum is right).
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
  if (at !== end || payload[end] !== END_MARK) throw new JournalDamagedError(offset, 'records that fill their frame');
  return records;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
