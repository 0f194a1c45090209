import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { buildWriter, killOftenAndLook } from './sqlite-child.ts';
import { flipBits, makeSound } from './sqlite-damage.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();
const PAGE = 4096;
/** The first page begins with what the file says of itself. */
const FILE_HEADER = 100;

it('kill -9 at a random moment, 200 times, loses nothing that was acknowledged', { timeout: 600_000 }, async () => {
  const { reports, removals } = await killOftenAndLook(await buildWriter(dirname(newFile())), newFile(), 200);
  expect(reports).toBeGreaterThan(200);
  console.log(`${reports} acknowledged reports and ${removals} acknowledged removals in 200 rounds`);
});

it('a file with one bit changed, 400 times, never answers otherwise than before without a report', { timeout: 600_000 }, async () => {
  const file = newFile();
  const sound = await makeSound(file);
  const became = await flipBits(file, newFile, sound, (bytes) => Array.from({ length: 400 }, () => Math.floor(Math.random() * bytes.length)));
  expect(became.reported).toBeGreaterThan(50);
  console.log('changed bits:', became);
});

it('a file with one bit changed in each byte of its small tables, never either', { timeout: 1_200_000 }, async () => {
  const file = newFile();
  const sound = await makeSound(file);
  const became = await flipBits(file, newFile, sound, smallTables);
  expect(became.reported).toBeGreaterThan(1000);
  console.log('changed bits:', became);
});

/** The bytes in use of every page that has no more than 1200 of them: its header and where its cells begin, and the cells. */
function smallTables(bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let page = 0; page < bytes.length; page += PAGE) {
    const header = page === 0 ? FILE_HEADER : page;
    const isLeaf = bytes[header]! >= 10;
    const cellsAt = header + (isLeaf ? 8 : 12) + 2 * bytes.readUInt16BE(header + 3);
    const content = page + bytes.readUInt16BE(header + 5);
    if (cellsAt - page + (page + PAGE - content) > 1200) continue;
    places.push(...range(page, cellsAt), ...range(content, page + PAGE));
  }
  return places;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
