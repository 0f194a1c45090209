import { crc32 } from './crc32.ts';
import { JournalDamagedError } from './damaged.ts';
import type { FrameHeader } from './format.ts';
import {
  FILE_HEADER_BYTES,
  FRAME_HEADER_BYTES,
  decodeFileHeader,
  decodeFrameHeader,
  decodeRecords,
  encodeFileHeader,
  isTornFileHeader,
} from './format.ts';
import type { JournalMedium } from './medium.ts';

/** Bytes asked of the medium at once. */
const WINDOW_BYTES = 1024 * 1024;
/** The smallest block that a disk writes wholly or not at all: only at its borders can a crash leave zeros behind good bytes. */
const BLOCK_BYTES = 512;

/** More than one append ever writes: zeros that go on for longer are not its unwritten blocks. */
const TORN_BYTES_MOST = 2 * WINDOW_BYTES;

/** Who gets what a journal holds, in the order in which it was written. */
export interface JournalReader {
  /** The snapshot, before any record. At most once. */
  onSnapshot(bytes: Uint8Array): void | Promise<void>;
  /** One record. The bytes may be kept; they are a view on a larger buffer. */
  onRecord(bytes: Uint8Array): void;
}

/** What reading found. */
export interface JournalContents {
  /** Where the last whole frame ends; bytes from here on belong to nobody and are to be cut off. 0: there is not even a file header. */
  readonly end: number;
  /** Chain value for the next frame. */
  readonly chain: number;
  /** Payload of the snapshot; 0 without one. */
  readonly snapshotBytes: number;
  /** Bytes of records frames. */
  readonly recordsBytes: number;
}

/**
 * Reads `size` bytes of a journal and hands out what is in them. Writes nothing. `tornAllowed` says that the last frame may be one that a crash
 * cut short; it is then left out of `end`. Rejects with {@link JournalDamagedError} on anything else that was not written so,
 * with `JournalVersionError` for a newer format, and with what the reader or the medium throws.
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
    // A file that begins with a snapshot came into being at once (JournalMedium.replace). No crash leaves a part of it, so none is forgiven:
    // cutting it off would throw away everything that was ever acknowledged.
    const header =
      at + FRAME_HEADER_BYTES <= size ? decodeFrameHeader(await window.take(at, FRAME_HEADER_BYTES), chain) : undefined;
    if (header?.kind !== 'snapshot') throw new JournalDamagedError(at, 'the header of a snapshot');
    snapshotBytes = header.payloadBytes;
    at += FRAME_HEADER_BYTES;
    if (at + snapshotBytes > size)
      throw new JournalDamagedError(size, `a snapshot of ${snapshotBytes} bytes from byte ${at} on`);
    const payload = await readWhole(medium, at, snapshotBytes);
    if (crc32(payload) !== header.payloadCrc) throw new JournalDamagedError(at, 'a snapshot with a right checksum');
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
          ? 'a frame whose payload has a right checksum'
          : header === undefined
            ? 'a frame header that follows from the frame before it'
            : `${header.payloadBytes} more bytes`,
      );
    }
    break;
  }
  return { end: at, chain, snapshotBytes, recordsBytes: at - recordsStart };
}

/** True when the bytes from `at` to `size`, which are no whole frame, can be what a crash left of the last append. */
async function isTorn(
  medium: JournalMedium,
  at: number,
  size: number,
  header: FrameHeader | undefined,
): Promise<boolean> {
  if (size - at < FRAME_HEADER_BYTES) return true;
  if (header !== undefined) {
    const end = at + FRAME_HEADER_BYTES + header.payloadBytes;
    // The header is good, so its length is: the payload was cut short.
    if (end > size) return true;
    // A whole last frame with a wrong checksum may have been acknowledged and is damage, unless its last block never reached the disk.
    // The frame's last byte is never zero, so zeros at the end were not written by anybody.
    const lastBlock = Math.floor((size - 1) / BLOCK_BYTES) * BLOCK_BYTES;
    return end === size && lastBlock > at && (await isZero(medium, lastBlock, size));
  }
  // Without a header nobody knows how long the frame was, and what looks like its payload may be later, acknowledged frames. So only this
  // passes for torn: nothing but zeros from where the frame begins, or from a block border within its header.
  if (size - at > TORN_BYTES_MOST) return false;
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
      `${length - bytes.byteLength} more bytes, as the size promised`,
    );
  return bytes;
}

/** A moving view on the medium, so that thousands of small frames cost one read. */
class Window {
  readonly #medium: JournalMedium;
  readonly #size: number;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(medium: JournalMedium, size: number) {
    this.#medium = medium;
    this.#size = size;
  }

  /** These bytes if they are here already: the way without a promise, which is what makes replay fast. */
  near(offset: number, length: number): Uint8Array | undefined {
    const from = offset - this.#start;
    return from >= 0 && from + length <= this.#bytes.length ? this.#bytes.subarray(from, from + length) : undefined;
  }

  async take(offset: number, length: number): Promise<Uint8Array> {
    if (this.near(offset, length) === undefined) {
      // A fresh buffer each time: records handed out earlier are views on the old one.
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
