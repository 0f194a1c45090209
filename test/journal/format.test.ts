import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  crc32,
  decodeFileHeader,
  decodeFrameHeader,
  decodeRecords,
  encodeFileHeader,
  encodeRecordsFrame,
  encodeSnapshotFile,
  isTornFileHeader,
} from '../../src/stores/journal/format.ts';
import { JournalDamagedError, JournalVersionError } from '../../src/stores/journal/errors.ts';
import { bytesOf } from './collect.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A file header with these numbers and a right checksum. */
function headerWith(version: number, flags: number): Uint8Array {
  const { bytes } = encodeFileHeader(false);
  const view = new DataView(bytes.buffer);
  view.setUint16(8, version, true);
  view.setUint16(10, flags, true);
  view.setUint32(12, crc32(bytes.subarray(0, 12)), true);
  return bytes;
}

describe('journal format', () => {
  it('has these bytes, for ever', () => {
    const file = encodeFileHeader(false);
    expect(hex(file.bytes)).toBe(`${hex(bytesOf('redflagJ'))}01000000${hex(file.bytes).slice(24)}`);
    const frame = encodeRecordsFrame([bytesOf('hi'), bytesOf('')], file.chain);
    // length 11 · payload CRC · records · header CRC · 2 "hi" · 0 "" · end mark
    expect(hex(frame.bytes)).toMatch(/^0b000000[0-9a-f]{8}02[0-9a-f]{8}02000000686900000000ff$/);
    expect(hex(file.bytes) + hex(frame.bytes)).toMatchInlineSnapshot(
      `"726564666c61674a010000009055d9700b000000b0bb4b8902389f422402000000686900000000ff"`,
    );
    expect(
      encodeSnapshotFile([bytesOf('sn'), bytesOf('ap')])
        .chunks.map(hex)
        .join(''),
    ).toMatchInlineSnapshot(`"726564666c61674a01000100d164c269040000009e1d64360185bac1e5736e6170"`);
  });

  it('reads its own file header', () => {
    for (const withSnapshot of [false, true]) {
      const { bytes, chain } = encodeFileHeader(withSnapshot);
      expect(decodeFileHeader(bytes)).toEqual({ withSnapshot, chain });
    }
  });

  it('refuses a newer version and unknown features by name, not as damage', () => {
    expect(() => decodeFileHeader(headerWith(2, 0))).toThrow(JournalVersionError);
    expect(() => decodeFileHeader(headerWith(2, 0))).toThrow('format 2');
    expect(() => decodeFileHeader(headerWith(1, 2))).toThrow(JournalVersionError);
    expect(() => decodeFileHeader(bytesOf('SQLite format 3\0'))).toThrow(JournalDamagedError);
  });

  it('takes every beginning of a file header for torn, and nothing else', () => {
    const { bytes } = encodeFileHeader(true);
    for (let cut = 0; cut < bytes.length; cut++) expect(isTornFileHeader(bytes.subarray(0, cut))).toBe(true);
    expect(isTornFileHeader(bytes)).toBe(false);
    expect(isTornFileHeader(bytesOf('redflagK'))).toBe(false);
    expect(isTornFileHeader(bytesOf('{}'))).toBe(false);
  });

  it('reads its own frames', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 20 }),
        fc.nat(0xffffffff),
        (records, chain) => {
          const frame = encodeRecordsFrame(records, chain);
          const header = decodeFrameHeader(frame.bytes, chain)!;
          expect(header).toMatchObject({ kind: 'records', payloadBytes: frame.bytes.length - 13, chain: frame.chain });
          const payload = frame.bytes.subarray(13);
          expect(crc32(payload)).toBe(header.payloadCrc);
          expect(decodeRecords(payload, 0).map(hex)).toEqual(records.map(hex));
          expect(payload.at(-1)).not.toBe(0);
        },
      ),
    );
  });

  it('never comes back to an earlier chain value by writing the same frame again', () => {
    // The lengths around those of the header fields are where a badly seeded chain forgets its past.
    for (let length = 0; length < 24; length++) {
      const seen = new Set<number>();
      let { chain } = encodeFileHeader(false);
      for (let i = 0; i < 200; i++) {
        seen.add(chain);
        ({ chain } = encodeRecordsFrame([new Uint8Array(length)], chain));
      }
      expect(seen.size).toBe(200);
    }
  });

  it('refuses records that do not fill their frame', () => {
    expect(() => decodeRecords(Uint8Array.of(5, 0, 0, 0, 1, 0xff), 100)).toThrow(JournalDamagedError);
    expect(() => decodeRecords(Uint8Array.of(1, 0, 0, 0, 1, 0), 100)).toThrow('byte 100');
    expect(() => decodeRecords(Uint8Array.of(0, 0, 0xff), 100)).toThrow(JournalDamagedError);
    expect(() => decodeRecords(new Uint8Array(0), 100)).toThrow(JournalDamagedError);
  });
});
