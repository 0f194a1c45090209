import { beforeAll, describe, expect, it } from 'vitest';
import { toHex } from '../../../src/sealed/encoding.ts';
import { TAG_BYTES } from '../../../src/sealed/rows.ts';
import { seededRandom } from '../group-samples.ts';
import * as game from './graph-game.ts';
import { memoryPublications } from './memory-publications.ts';
import { createWorld } from './publishing.ts';

const ofPerson: game.Common = ({ person }) => person;
const ofReport: game.Common = ({ report }) => report;

describe('a key holder that evaluates nothing', () => {
  let seen: game.Row[][];
  let all: Awaited<ReturnType<typeof game.playGame>>['all'];
  beforeAll(async () => {
    ({ seen, all } = await game.playGame({ persons: 160, reports: 200, reporters: 20, days: 8 }));
  });

  it.each([
    ['are of one identifier', ofPerson],
    ['are of one report', ofReport],
  ])('guesses no better than chance which rows of a publication %s', (_, common) => {
    for (const rows of seen) {
      const pairs = game.pairsOf(rows, rows, common);
      expect(pairs.right.length).toBeGreaterThan(100);
      game.expectChance(game.advantagesOf(pairs));
    }
  });

  it('guesses no better than chance which rows of two publications are of one identifier', () => {
    for (const [one, other] of [
      [0, 1],
      [2, 3],
      [1, 3],
    ] as const) {
      const pairs = game.pairsOf(seen[one]!, seen[other]!, ofPerson);
      expect(pairs.right.length).toBeGreaterThan(100);
      game.expectChance(game.advantagesOf(pairs));
    }
  });

  it('would guess if the rows of an identifier had an address, as those of the first format', () => {
    const [rows = []] = seen;
    const addressed = rows.map((row) => {
      const address = seededRandom(`address ${row.person ?? row.place}`)(2);
      return { ...row, bytes: new Uint8Array([...address, ...row.bytes.subarray(2)]) };
    });
    const { 'first two bytes': advantage } = game.advantagesOf(game.pairsOf(addressed, addressed, ofPerson));
    expect(advantage).toBeGreaterThan(15);
  });

  it('guesses no better than chance which rows say something', () => {
    for (const rows of seen) game.expectChance(game.advantagesOfOne(rows));
  });

  it('finds no tag, report or content in one publication that another one has', () => {
    const tags = all.flatMap((publication) => game.rowsIn(publication).map((row) => toHex(row.subarray(0, TAG_BYTES))));
    expect(new Set(tags).size).toBe(tags.length);
    const reports = seen.map((rows) => [...new Set(rows.flatMap(({ report }) => report ?? []))]);
    expect(new Set(reports.flat()).size).toBe(reports.flat().length);
  });

  it('sees the same of two stores with as many reported identifiers: one person 40 times, or 40 persons', async () => {
    const sizes = await Promise.all(
      [() => 0, (n: number) => n].map(async (personOf, at) => {
        const made = memoryPublications();
        const other = createWorld(made.store, `same leakage ${at}`);
        const publisher = other.start();
        for (let id = 0; id < 40; id++)
          other.reports.push({ id, reporter: at * id, persons: [personOf(id)], disputeOpen: false });
        await publisher.publish();
        other.reports.splice(0, at === 0 ? 30 : 31);
        await publisher.publish();
        return made.all.map(({ snapshot, signed }) => [snapshot.length, signed.bytes.length]);
      }),
    );
    expect(sizes[1]).toEqual(sizes[0]);
  });
});
