import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JournalMedium } from '../../src/stores/journal/medium.ts';

/** A place that holds one medium's bytes. */
export interface MediumPlace {
  /** A medium on what is there now. */
  open(): Promise<JournalMedium>;
  /** True when the bytes are still there for a medium opened after the first was closed. */
  readonly survivesClose: boolean;
  remove(): Promise<void>;
  /** Bytes of more than one write or read. Fewer for a browser: each byte takes a long way there. */
  readonly largeBytes?: number;
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const plain = (value: Uint8Array): number[] => [...value];

/** What every journal medium promises (`src/stores/journal/medium.ts`). `makePlace` gives an empty place. */
export function describeJournalMedium(name: string, makePlace: () => Promise<MediumPlace>): void {
  describe(`journal medium: ${name}`, () => {
    let place: MediumPlace;
    let medium: JournalMedium;

    beforeEach(async () => {
      place = await makePlace();
      medium = await place.open();
    });
    afterEach(async () => {
      await medium.close();
      await place.remove();
    });

    const all = async (): Promise<number[]> => plain(await medium.read(0, (await medium.size()) + 10));

    it('begins empty', async () => {
      expect(await medium.size()).toBe(0);
      expect(await all()).toEqual([]);
    });

    it('adds bytes at the end', async () => {
      await medium.append(bytes(1, 2, 3));
      await medium.append(bytes(4));
      expect(await medium.size()).toBe(4);
      expect(await all()).toEqual([1, 2, 3, 4]);
    });

    it('reads a part, and fewer bytes only at the end', async () => {
      await medium.append(bytes(1, 2, 3, 4, 5));
      expect(plain(await medium.read(1, 3))).toEqual([2, 3, 4]);
      expect(plain(await medium.read(3, 9))).toEqual([4, 5]);
      expect(plain(await medium.read(5, 1))).toEqual([]);
      expect(plain(await medium.read(9, 1))).toEqual([]);
    });

    it("gives bytes that later writes do not change, and keeps none of the caller's", async () => {
      const mine = bytes(1, 2, 3);
      await medium.append(mine);
      mine.fill(9);
      const read = await medium.read(0, 3);
      await medium.truncate(0);
      await medium.append(bytes(7, 7, 7));
      expect(plain(read)).toEqual([1, 2, 3]);
      read.fill(8);
      expect(await all()).toEqual([7, 7, 7]);
    });

    it('cuts the end off and goes on there', async () => {
      await medium.append(bytes(1, 2, 3, 4));
      await medium.truncate(2);
      expect(await all()).toEqual([1, 2]);
      await medium.append(bytes(5));
      expect(await all()).toEqual([1, 2, 5]);
    });

    it('replaces everything by the chunks in their order, and appends to what is new', async () => {
      await medium.append(bytes(1, 2, 3));
      await medium.replace([bytes(4), bytes(), bytes(5, 6)]);
      expect(await all()).toEqual([4, 5, 6]);
      await medium.append(bytes(7));
      expect(await all()).toEqual([4, 5, 6, 7]);
      await medium.truncate(3);
      await medium.replace([]);
      expect(await all()).toEqual([]);
    });

    it('takes a view on a larger buffer for what it shows', async () => {
      const large = bytes(0, 1, 2, 3, 0);
      await medium.append(large.subarray(1, 4));
      await medium.replace([large.subarray(2, 4)]);
      expect(await all()).toEqual([2, 3]);
    });

    it('holds more than one write or read takes', async () => {
      const large = new Uint8Array(place.largeBytes ?? 40 * 1024 * 1024).map((_, i) => (i * 31) >>> 7);
      const most = Math.floor(large.length * 0.9);
      await medium.replace([large.subarray(0, most)]);
      await medium.append(large.subarray(most));
      expect(await medium.size()).toBe(large.length);
      expect(Buffer.compare(await medium.read(0, large.length), large)).toBe(0);
    });

    it('refuses everything once closed, except closing again', async () => {
      await medium.append(bytes(1));
      await medium.close();
      await medium.close();
      await expect(medium.append(bytes(2))).rejects.toThrow('closed');
      await expect(medium.size()).rejects.toThrow('closed');
      await expect(medium.read(0, 1)).rejects.toThrow('closed');
      await expect(medium.truncate(0)).rejects.toThrow('closed');
      await expect(medium.replace([])).rejects.toThrow('closed');
    });

    it('keeps its bytes for the next one', async (context) => {
      context.skip(!place.survivesClose, 'memory ends with its medium');
      await medium.append(bytes(1, 2));
      await medium.close();
      medium = await place.open();
      expect(await all()).toEqual([1, 2]);
      await medium.replace([bytes(3)]);
      await medium.append(bytes(4));
      await medium.close();
      medium = await place.open();
      expect(await all()).toEqual([3, 4]);
    });
  });
}
