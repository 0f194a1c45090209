import { randomInt } from 'node:crypto';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { createRandom } from '../../src/lab/random.ts';
import { budget, isLong } from '../budget.ts';
import { buildWriter, killOftenAndLook } from './sqlite-child.ts';
import { doubleRows, flipBits, makeSound, PAGE, pagesOf } from './sqlite-damage.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
/** A file, and what it answers. */
const file = newFile();
const sound = await makeSound(file);

it('kill -9 at a random moment, again and again, loses nothing that was acknowledged', async () => {
  const rounds = budget(6);
  const { reports, removals } = await killOftenAndLook(await buildWriter(dirname(newFile())), newFile(), rounds);
  // A writer that was killed before it wrote shows nothing.
  expect(reports).toBeGreaterThan(isLong ? rounds : 0);
  console.log(`${reports} acknowledged reports and ${removals} acknowledged removals in ${rounds} rounds`);
});

it('a file with one bit changed somewhere never answers otherwise than before without a report', async () => {
  const random = newRandom();
  const became = await flipBits(file, newFile, sound, (bytes) => [
    ...Array.from({ length: budget(20) }, () => Math.floor(random() * bytes.length)),
    // The first bytes of every eighth page say what it is, and the last ones are its first row.
    ...range(0, bytes.length >> 15).flatMap((page) => [0, 4, 4090].map((at) => (page << 15) + at)),
    // The header of the file.
    18,
    47,
    52,
    105,
  ]);
  expect(became.reported).toBeGreaterThan(budget(5));
  console.log('changed bits:', became);
});

it('a file with one bit changed in its small tables never either', async () => {
  // Every third byte, or a tenth of these, beginning with a random one.
  const step = isLong ? 3 : 30;
  const first = Math.floor(newRandom()() * step);
  const became = await flipBits(file, newFile, sound, (bytes) =>
    smallTables(bytes).filter((_, nth) => nth % step === first),
  );
  expect(became.reported).toBeGreaterThan(budget(30));
  console.log('changed bits:', became);
});

it('a file whose page names one row twice and another not at all, nor twice', async () => {
  const became = await doubleRows(file, newFile, sound, isLong ? 1 : 10);
  expect(became.reported).toBeGreaterThan(budget(5));
  expect(became.unseen).toBe(0);
});

/** Every used byte of each page that has at most 1,200 of them: header, places of rows, and rows. */
function smallTables(bytes: Buffer): readonly number[] {
  return pagesOf(bytes).flatMap(({ start, cellsAt, cells, contentAt }) => {
    const used = [...range(start, cellsAt + 2 * cells), ...range(contentAt, start + PAGE)];
    return used.length > 1200 ? [] : used;
  });
}

/** A new source of numbers, whose seed is printed. */
function newRandom(): () => number {
  const seed = randomInt(2 ** 31);
  console.log('seed of the changed bits:', seed);
  return createRandom(seed);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
