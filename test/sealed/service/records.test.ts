import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDelta } from '../../../src/sealed/delta.ts';
import { createBlankRows } from '../../../src/sealed/service/blank-rows.ts';
import { createEpochNames } from '../../../src/sealed/service/epoch-names.ts';
import { createPace } from '../../../src/sealed/service/pace.ts';
import { SOURCE_BYTES } from '../../../src/sealed/service/points.ts';
import { Records, sortRecords } from '../../../src/sealed/service/records.ts';
import { readSource } from '../../../src/sealed/service/read-source.ts';
import { writeRows } from '../../../src/sealed/service/write-rows.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { packContent, ROW_BYTES } from '../../../src/sealed/rows.ts';
import { seededRandom } from '../group-samples.ts';
import { group, rules, START } from './publishing.ts';

/** Takes a turn at each chance, and counts them. */
let turns = 0;
const pace = createPace(
  async () => void turns++,
  () => 0,
  0,
);
const width = 4;
/** Many records have the same first bytes. */
const lists = fc.array(fc.array(fc.constantFrom(0, 1, 255), { minLength: width, maxLength: width }), {
  maxLength: 300,
  size: 'max',
});

it('keeps all records in their order, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 0, max: 8 }), async (list, atOnce) => {
      const records = new Records(width, atOnce);
      for (const bytes of list) records.add().set(bytes);
      expect(await records.join(pace)).toEqual(Uint8Array.from(list.flat()));
    }),
  );
});

it('sorts records by their bytes', async () => {
  await fc.assert(
    fc.asyncProperty(lists, async (list) => {
      const sorted = list
        .map((bytes) => Buffer.from(bytes))
        .sort((left, right) => Buffer.compare(left, right))
        .flatMap((bytes) => [...bytes]);
      expect(await sortRecords(Uint8Array.from(list.flat()), width, pace)).toEqual(Uint8Array.from(sorted));
    }),
  );
});

it('takes turns between the rows of one identifier', async () => {
  const reports = 2000;
  const source = new Uint8Array(reports * SOURCE_BYTES);
  for (let at = 0; at < reports; at++) {
    const report = Uint8Array.of(0, 0, 0, 0, at >> 8, at & 0xff);
    const content = { report, reporter: 1, severity: 5, kind: 0, type: 0, disputed: false, days: 1 };
    source.set(packContent(content), at * SOURCE_BYTES + 32);
  }
  const points = { epoch: 1, elements: new Uint8Array(32), points: new Uint8Array(32).fill(7) };
  turns = 0;
  expect(await sortRecords(source, SOURCE_BYTES, pace)).toEqual(source);
  expect(turns).toBeGreaterThan(reports);
  turns = 0;
  const blanks = createBlankRows(new Uint8Array(32), seededRandom('blank'));
  const parts = { source, points, blanks, random: seededRandom('padding') };
  const published = await writeRows({ ...parts, published: undefined }, pace);
  expect(turns).toBeGreaterThan(reports);
  turns = 0;
  const rows = await writeRows({ ...parts, published }, pace);
  // The lowest rungs of new and of changed rows.
  expect(rows.length - published.length).toBe(64 * ROW_BYTES);
  expect(createDelta(published, rows)).toHaveLength(128 * ROW_BYTES);
  expect(turns).toBeGreaterThan(3 * reports);
});

it('takes turns between pages without rows', async () => {
  const pages = 7;
  const source = {
    async *readRows() {
      for (let page = 0; page < pages; page++) yield [];
    },
    countUnsealed: async () => 0,
    readReporters: async () => new Map(),
  };
  turns = 0;
  await readSource(
    source,
    createKeys(group, START, seededRandom('pages')),
    rules,
    createEpochNames(new Uint8Array(32)),
    pace,
  );
  expect(turns).toBeGreaterThanOrEqual(pages);
});
