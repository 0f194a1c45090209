import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JournalDamagedError } from '../../src/stores/journal/errors.ts';
import { encodeFileHeader, encodeRecordsFrame, encodeSnapshotFile } from '../../src/stores/journal/format.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { openJournal } from '../../src/stores/journal/open.ts';
import { bytesOf, openAndCollect, text } from './collect.ts';
import { createReadOnlyMedium } from './faulty.ts';

interface Written {
  readonly bytes: Uint8Array;
  /** Where each frame begins; the last entry is the end. */
  readonly borders: readonly number[];
}

function write(snapshot: string | undefined, batches: readonly (readonly string[])[]): Written {
  const start =
    snapshot === undefined
      ? { chunks: [encodeFileHeader(false).bytes], chain: encodeFileHeader(false).chain }
      : encodeSnapshotFile([bytesOf(snapshot)]);
  const parts = [...start.chunks];
  let { chain } = start;
  let at = parts.reduce((sum, part) => sum + part.length, 0);
  const borders = [at];
  for (const batch of batches) {
    const frame = encodeRecordsFrame(batch.map(bytesOf), chain);
    parts.push(frame.bytes);
    chain = frame.chain;
    at += frame.bytes.length;
    borders.push(at);
  }
  return { bytes: new Uint8Array(Buffer.concat(parts)), borders };
}

const BATCHES = [
  ['one', 'two'],
  [''],
  ['a record with \0 zeros \0\0\0\0'],
  ['\0\0\0\0'],
  ['x'.repeat(600), 'y'.repeat(300)],
  ['same'],
  ['same'],
  ['same'],
];

const anyBatches = fc.array(fc.array(fc.uint8Array({ maxLength: 60 }).map(text), { minLength: 1, maxLength: 6 }), {
  maxLength: 8,
});

describe('reading a journal', () => {
  it('gives back any batches in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.option(fc.uint8Array({ maxLength: 90 }).map(text), { nil: undefined }),
        anyBatches,
        async (snapshot, batches) => {
          const read = await openAndCollect(createReadOnlyMedium(write(snapshot, batches).bytes));
          expect(read).toMatchObject({ snapshot, records: batches.flat(), notices: [] });
        },
      ),
    );
  });

  it('gives back frames larger than it reads at once', async () => {
    const batches = [
      ['a'.repeat(3_000_000)],
      ...Array.from({ length: 3000 }, (_, i) => [`${i}`.padStart(1000, '.')]),
      ['b'.repeat(1_500_000), 'c'],
    ];
    const read = await openAndCollect(createReadOnlyMedium(write('s'.repeat(2_500_000), batches).bytes));
    expect(read.snapshot).toBe('s'.repeat(2_500_000));
    expect(read.records).toEqual(batches.flat());
  });

  it('at every cut gives exactly the frames before it, and goes on there', async () => {
    const { bytes, borders } = write(undefined, BATCHES);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const medium = createMemoryMedium(bytes.subarray(0, cut));
      const read = await openAndCollect(medium);
      const whole = borders.filter((border) => border <= cut).length - 1;
      expect(read.records).toEqual(BATCHES.slice(0, Math.max(0, whole)).flat());
      const kept = whole < 0 ? 0 : borders[whole]!;
      expect(read.notices).toEqual(cut === kept ? [] : [{ reason: 'torn', offset: kept, bytes: cut - kept }]);
      await read.journal.append(bytesOf('after'));
      expect((await openAndCollect(medium)).records).toEqual([...read.records, 'after']);
    }
  });

  it('after a snapshot the same; a cut snapshot is damage, since replacing is all or nothing', async () => {
    const { bytes, borders } = write('snapshot', BATCHES);
    for (let cut = 16; cut < borders[0]!; cut++)
      await expect(openAndCollect(createReadOnlyMedium(bytes.subarray(0, cut)))).rejects.toThrow(JournalDamagedError);
    for (let cut = borders[0]!; cut <= bytes.length; cut++) {
      const read = await openAndCollect(createMemoryMedium(bytes.subarray(0, cut)));
      expect(read.snapshot).toBe('snapshot');
      expect(read.records).toEqual(BATCHES.slice(0, borders.filter((border) => border <= cut).length - 1).flat());
    }
  });

  it.each([
    ['without a snapshot', undefined],
    ['after a snapshot that ends in zeros', 'snapshot'.padEnd(700, '\0')],
  ])('finds every flipped bit and writes nothing (%s)', async (_, snapshot) => {
    const { bytes } = write(snapshot, BATCHES);
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const damaged = bytes.slice();
        damaged[at]! ^= 1 << bit;
        await expect(openAndCollect(createReadOnlyMedium(damaged))).rejects.toBeInstanceOf(JournalDamagedError);
      }
    }
  });

  it('finds a flipped bit before a torn end', async () => {
    const { bytes, borders } = write(undefined, BATCHES);
    const cut = bytes.slice(0, bytes.length - 3);
    for (let at = 0; at < borders.at(-2)!; at++) {
      const damaged = cut.slice();
      damaged[at]! ^= 0x10;
      await expect(openAndCollect(createReadOnlyMedium(damaged))).rejects.toBeInstanceOf(JournalDamagedError);
    }
  });

  it('finds a frame that is missing, doubled or moved', async () => {
    const { bytes, borders } = write(undefined, BATCHES);
    const frames = borders.slice(0, -1).map((start, i) => bytes.subarray(start, borders[i + 1]));
    const open = (order: readonly number[]) =>
      openAndCollect(
        createReadOnlyMedium(new Uint8Array(Buffer.concat([bytes.subarray(0, 16), ...order.map((i) => frames[i]!)]))),
      );
    const all = frames.map((_, i) => i);
    for (const i of all) {
      const before = all.slice(0, i);
      await expect(open([...before, i, i, ...all.slice(i + 1)])).rejects.toThrow(JournalDamagedError);
      if (i < frames.length - 1) {
        await expect(open([...before, ...all.slice(i + 1)])).rejects.toThrow(JournalDamagedError);
        await expect(open([...before, i + 1, i, ...all.slice(i + 2)])).rejects.toThrow(JournalDamagedError);
      }
    }
  });

  it('says where the damage is and what it wanted', async () => {
    const { bytes, borders } = write(undefined, BATCHES);
    const damaged = bytes.slice();
    damaged[borders[2]! + 20]! ^= 1;
    await expect(openAndCollect(createReadOnlyMedium(damaged))).rejects.toMatchObject({
      offset: borders[2],
      expected: 'a frame whose payload has a valid checksum',
    });
    damaged[borders[2]! + 1]! ^= 1;
    await expect(openAndCollect(createReadOnlyMedium(damaged))).rejects.toMatchObject({
      offset: borders[2],
      expected: 'a frame header that continues the previous frame',
    });
  });

  describe('after a power loss', () => {
    const long = write(undefined, [['first'], ['z'.repeat(3100)]]);
    const start = long.borders[1]!;
    /** The last frame with zeros from here on. */
    const zeroed = (from: number): Uint8Array => long.bytes.slice().fill(0, from);

    it('takes zeros from a block border in the last frame for torn', async () => {
      for (const from of [start, 512, 1024, 1536, 2048, 2560, 3072]) {
        const read = await openAndCollect(createMemoryMedium(zeroed(from)));
        expect(read.records).toEqual(['first']);
        expect(read.notices).toEqual([{ reason: 'torn', offset: start, bytes: long.bytes.length - start }]);
      }
    });

    it('takes a header that a block border cuts for torn', async () => {
      for (let padding = 440; padding < 500; padding++) {
        const { bytes, borders } = write(undefined, [['p'.repeat(padding)], ['z'.repeat(700)]]);
        const at = borders[1]!;
        if (at > 512 || at + 13 <= 512) continue;
        expect((await openAndCollect(createMemoryMedium(bytes.slice().fill(0, 512)))).records).toEqual([
          'p'.repeat(padding),
        ]);
      }
    });

    it('takes zeros within a block, or zeros with something behind them, for damage', async () => {
      // The last block of the file is there, so it was written after the zeros.
      const hole = long.bytes.slice().fill(0, 1024, 1536);
      await expect(openAndCollect(createReadOnlyMedium(hole))).rejects.toThrow(JournalDamagedError);
      // A last block that is only partly zero was written.
      await expect(openAndCollect(createReadOnlyMedium(zeroed(long.bytes.length - 2)))).rejects.toThrow(
        JournalDamagedError,
      );
      // A header that is bad before the block border was not cut by it.
      const header = zeroed(512);
      header[start]! ^= 1;
      await expect(openAndCollect(createReadOnlyMedium(header))).rejects.toThrow(JournalDamagedError);
    });
  });

  it('refuses a snapshot that is not the first frame, and one that the header did not announce', async () => {
    const announced = encodeSnapshotFile([bytesOf('s')]);
    const frame = announced.chunks[0]!.slice(16);
    const without = Buffer.concat([encodeFileHeader(false).bytes, frame, bytesOf('s')]);
    await expect(openAndCollect(createReadOnlyMedium(new Uint8Array(without)))).rejects.toThrow(JournalDamagedError);
    const records = encodeRecordsFrame([bytesOf('r')], encodeFileHeader(true).chain);
    await expect(
      openAndCollect(
        createReadOnlyMedium(new Uint8Array(Buffer.concat([encodeFileHeader(true).bytes, records.bytes]))),
      ),
    ).rejects.toMatchObject({ offset: 16 });
  });

  it('writes nothing when the caller cannot use what it is given', async () => {
    const { bytes } = write(undefined, BATCHES);
    const open = openJournal({
      medium: createReadOnlyMedium(bytes.subarray(0, bytes.length - 1)),
      onSnapshot: () => undefined,
      onRecord: () => {
        throw new Error('not a record of mine');
      },
    });
    await expect(open).rejects.toThrow('not a record of mine');
  });
});
