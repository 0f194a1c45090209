import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { holdFile } from '../../src/stores/holds/file-hold.ts';
import { useFolder } from '../folder.ts';

const base = useFolder('file-hold');

it('a kill while the lock directory is recorded leaves the record before or after, never one between', async () => {
  const file = join(base, 'redflag.sqlite');
  const mark = join(`${file}.holder`, 'lock-directory');
  const hold = await holdFile(file);
  // As the database library does when it opens the file.
  await mkdir(`${file}.lock`);
  const before = await open(mark);
  await hold.opened();
  // Emptied anew, the record would be younger than the directory, and the next start would take the directory for
  // another program's.
  expect(await before.readFile('utf8')).toBe('');
  expect(await readFile(mark, 'utf8')).toBe(String((await stat(`${file}.lock`, { bigint: true })).ctimeNs));
  await before.close();
  await hold.release();
});
