import {
  crc32,
  FILE_HEADER_BYTES,
  FRAME_HEADER_BYTES,
  decodeFileHeader,
  decodeFrameHeader,
  decodeRecords,
  encodeFileHeader,
  isTornFileHeader,
  MAX_BATCH_BYTES,
  type FrameHeader,
} from './format.ts';
import { JournalDamagedError } from './errors.ts';
import type { JournalMedium } from './medium.ts';

/** Bytes per read. */
const WINDOW_BYTES = 1024 * 1024;
/** Smallest block that a disk writes atomically. After a crash, zeros follow valid bytes only at a block border. */
const BLOCK_BYTES = 512;

/** If more bytes follow the last valid frame, they are damage and not an interrupted append. */
const MAX_TORN_BYTES = 2 * MAX_BATCH_BYTES;

/** Receives the content of a journal, in writing order. */
export interface JournalReader {
  /** Receives the snapshot, before any record. Called at most once. */
  onSnapshot(bytes: Uint8Array): void | Promise<void>;
  /** Receives one record. The bytes may be kept, but they are a view of a larger buffer. */
  onRecord(bytes: Uint8Array): void;
}

/** Layout of a journal, as found by reading it. */
export interface JournalContents {
  /** End of the last whole frame. Bytes after it must be cut off. 0 if there is no file header. */
  readonly end: number;
  /** Chain value for the next frame. */
  readonly chain: number;
  /** Payload bytes of the snapshot; 0 without one. */
  readonly snapshotBytes: number;
  /** Bytes of all records frames. */
  readonly recordsBytes: number;
}

/**
 * Reads `size` bytes of a journal and passes their content to `reader`. Writes nothing. If `tornAllowed`, a crash may
 * have cut off the last frame; `end` excludes that frame.
 *
 * Rejects with {@link JournalDamagedError} if the bytes differ in any other way from what was written. Also rejects
 * with `JournalVersionError` for a newer format, and with errors of the reader and the medium.
 */
export async function readJournal(
  medium: JournalMedium,
  size: number,
  tornAllowed: boolean,
  reader: JournalReader,
): Promise<JournalContents> {
  const window = new Window(medium, size);
  if (size < FILE_HEADER_BYTES) {
    if (!tornAllowed || !isTornFileHeader(await window.take(0, size)))
      throw new JournalDamagedError(0, 'the header of a journal');
    return { end: 0, chain: encodeFileHeader(false).chain, snapshotBytes: 0, recordsBytes: 0 };
  }
  const file = decodeFileHeader(await window.take(0, FILE_HEADER_BYTES));
  let { chain } = file;
  let snapshotBytes = 0;
  let at = FILE_HEADER_BYTES;
  if (file.withSnapshot) {
    // A file with a snapshot is created atomically (JournalMedium.replace), so a crash never leaves a part of it.
    // Cutting the file off here would discard all acknowledged data.
    const header =
      at + FRAME_HEADER_BYTES <= size ? decodeFrameHeader(await window.take(at, FRAME_HEADER_BYTES), chain) : undefined;
    if (header?.kind !== 'snapshot') throw new JournalDamagedError(at, 'the header of a snapshot');
    snapshotBytes = header.payloadBytes;
    at += FRAME_HEADER_BYTES;
    if (at + snapshotBytes > size)
      throw new JournalDamagedError(size, `a snapshot of ${snapshotBytes} bytes from byte ${at} on`);
    const payload = await readWhole(medium, at, snapshotBytes);
    if (crc32(payload) !== header.payloadCrc) throw new JournalDamagedError(at, 'a snapshot with a valid checksum');
    await reader.onSnapshot(payload);
    at += snapshotBytes;
    chain = header.chain;
  }
  const recordsStart = at;
  while (at < size) {
    const header =
      at + FRAME_HEADER_BYTES <= size
        ? decodeFrameHeader(window.near(at, FRAME_HEADER_BYTES) ?? (await window.take(at, FRAME_HEADER_BYTES)), chain)
        : undefined;
    const payloadAt = at + FRAME_HEADER_BYTES;
    if (header?.kind === 'snapshot') throw new JournalDamagedError(at, 'a records frame');
    const whole = header !== undefined && payloadAt + header.payloadBytes <= size;
    if (whole) {
      const payload =
        window.near(payloadAt, header.payloadBytes) ?? (await window.take(payloadAt, header.payloadBytes));
      if (crc32(payload) === header.payloadCrc) {
        for (const record of decodeRecords(payload, payloadAt)) reader.onRecord(record);
        at = payloadAt + header.payloadBytes;
        chain = header.chain;
        continue;
      }
    }
    if (!tornAllowed || !(await isTorn(medium, at, size, header))) {
      throw new JournalDamagedError(
        at,
        whole
          ? 'a frame whose payload has a valid checksum'
          : header === undefined
            ? 'a frame header that continues the previous frame'
            : `${header.payloadBytes} more bytes`,
      );
    }
    break;
  }
  return { end: at, chain, snapshotBytes, recordsBytes: at - recordsStart };
}

/** True if an interrupted append explains the bytes from `at` to `size`, which are not a whole frame. */
async function isTorn(
  medium: JournalMedium,
  at: number,
  size: number,
  header: FrameHeader | undefined,
): Promise<boolean> {
  if (size - at < FRAME_HEADER_BYTES) return true;
  if (header !== undefined) {
    const end = at + FRAME_HEADER_BYTES + header.payloadBytes;
    // The header's checksum is right, so the length is right too: the payload was cut off.
    if (end > size) return true;
    // A complete last frame with a wrong checksum may have been acknowledged. It is damage, unless its last block never
    // reached the disk. A frame's last byte is never zero, so zeros at the end were not written.
    const lastBlock = Math.floor((size - 1) / BLOCK_BYTES) * BLOCK_BYTES;
    return end === size && lastBlock > at && (await isZero(medium, lastBlock, size));
  }
  // Without a valid header, the frame's length is unknown, and the bytes after it may be later, acknowledged frames. So
  // only zeros count as a torn frame: from its beginning, or from a block border within its header.
  if (size - at > MAX_TORN_BYTES) return false;
  if (await isZero(medium, at, size)) return true;
  const border = Math.ceil(at / BLOCK_BYTES) * BLOCK_BYTES;
  return border < at + FRAME_HEADER_BYTES && (await isZero(medium, border, size));
}

async function isZero(medium: JournalMedium, from: number, to: number): Promise<boolean> {
  for (let at = from; at < to; at += WINDOW_BYTES) {
    const bytes = await readWhole(medium, at, Math.min(WINDOW_BYTES, to - at));
    if (bytes.some((byte) => byte !== 0)) return false;
  }
  return true;
}

async function readWhole(medium: JournalMedium, offset: number, length: number): Promise<Uint8Array> {
  const bytes = await medium.read(offset, length);
  if (bytes.byteLength !== length)
    throw new JournalDamagedError(
      offset + bytes.byteLength,
      `${length - bytes.byteLength} more bytes, as the file size states`,
    );
  return bytes;
}

/** A buffer over a part of the medium: thousands of small frames then need only one read. */
class Window {
  readonly #medium: JournalMedium;
  readonly #size: number;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(medium: JournalMedium, size: number) {
    this.#medium = medium;
    this.#size = size;
  }

  /** Returns these bytes if the buffer holds them, otherwise undefined. Synchronous, because this makes replay fast. */
  near(offset: number, length: number): Uint8Array | undefined {
    const from = offset - this.#start;
    return from >= 0 && from + length <= this.#bytes.length ? this.#bytes.subarray(from, from + length) : undefined;
  }

  async take(offset: number, length: number): Promise<Uint8Array> {
    if (this.near(offset, length) === undefined) {
      // A new buffer each time: earlier records are views of the old one.
      this.#bytes = await readWhole(
        this.#medium,
        offset,
        Math.min(Math.max(length, WINDOW_BYTES), this.#size - offset),
      );
      this.#start = offset;
    }
    return this.near(offset, length)!;
  }
}
