import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { buildWriter, killOftenAndLook } from './sqlite-child.ts';
import { flipBits, makeSound } from './sqlite-damage.ts';
import { newFiles } from './sqlite-stored.ts';

const newFile = await newFiles();

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
