import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPace } from '../../../src/sealed/service/pace.ts';
import { Records, sortRecords } from '../../../src/sealed/service/records.ts';

/** Gives a turn at each chance. */
const pace = createPace(
  async () => {},
  () => 0,
  0,
);
const width = 4;
const lists = fc.array(fc.uint8Array({ minLength: width, maxLength: width }), { maxLength: 20 });

it('keeps all records in their order, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 0, max: 8 }), async (list, atOnce) => {
      const records = new Records(width, atOnce);
      for (const bytes of list) records.add().set(bytes);
      expect(await records.join(pace)).toEqual(Uint8Array.from(list.flatMap((bytes) => [...bytes])));
    }),
  );
});

it('sorts records by their bytes', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const sorted = [...list].sort((left, right) => Buffer.compare(left, right));
      expect(await sortRecords(Uint8Array.from(list.flatMap((bytes) => [...bytes])), width, pace)).toEqual(
        Uint8Array.from(sorted.flatMap((bytes) => [...bytes])),
      );
    }),
    // Each case takes 65,536 turns, one for each bucket.
    { numRuns: 10 },
  );
});
