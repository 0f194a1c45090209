import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { createRandom } from '../../src/lab/random.ts';
import { buildWriter, killOftenAndLook } from './sqlite-child.ts';
import { doubleRows, flipBits, makeSound, PAGE, pagesOf } from './sqlite-damage.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();

it('kill -9 at a random moment, 60 times, loses nothing that was acknowledged', async () => {
  const { reports, removals } = await killOftenAndLook(await buildWriter(dirname(newFile())), newFile(), 60);
  expect(reports).toBeGreaterThan(60);
  console.log(`${reports} acknowledged reports and ${removals} acknowledged removals in 60 rounds`);
});

it('a file with one bit changed, 200 times, never answers otherwise than before without a report', async () => {
  const file = newFile();
  const sound = await makeSound(file);
  const seed = randomInt(2 ** 31);
  console.log('seed of the changed bits:', seed);
  const random = createRandom(seed);
  const became = await flipBits(file, newFile, sound, (bytes) => [
    ...Array.from({ length: 200 }, () => Math.floor(random() * bytes.length)),
    // The first bytes of every eighth page say what it is, and the last ones are its first row.
    ...range(0, bytes.length >> 15).flatMap((page) => [0, 4, 4090].map((at) => (page << 15) + at)),
    // The header of the file.
    18,
    47,
    52,
    105,
  ]);
  expect(became.reported).toBeGreaterThan(50);
  console.log('changed bits:', became);
});

it(
  'a file with one bit changed in every third byte of its small tables, never either',
  { timeout: 1_200_000 },
  async () => {
    const file = newFile();
    const sound = await makeSound(file);
    const became = await flipBits(file, newFile, sound, smallTables);
    expect(became.reported).toBeGreaterThan(300);
    console.log('changed bits:', became);
  },
);

it('a file whose page names one row twice and another not at all, nor twice', async () => {
  const file = newFile();
  const became = await doubleRows(file, newFile, await makeSound(file), 1);
  expect(became.reported).toBeGreaterThan(50);
  expect(became.unseen).toBe(0);
});

/** Every third used byte of each page that has at most 1,200 of them: header, places of rows, and rows. */
function smallTables(bytes: Buffer): readonly number[] {
  return pagesOf(bytes).flatMap(({ start, cellsAt, cells, contentAt }) => {
    const used = [...range(start, cellsAt + 2 * cells), ...range(contentAt, start + PAGE)];
    return used.length > 1200 ? [] : used.filter((_, at) => at % 3 === 0);
  });
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
