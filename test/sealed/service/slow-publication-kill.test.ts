import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { budget } from '../../budget.ts';
import { checksum } from '../../../src/sealed/byte-hashes.ts';
import { serialiseKeys } from '../../../src/sealed/key-file.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { requireRows } from '../../../src/sealed/snapshot.ts';
import { openPublicationFiles } from '../../../src/sealed/service/publications.ts';
import { buildChild } from '../../data-folder/build-child.ts';
import { useFolder } from '../../folder.ts';
import { startChild } from '../../journal/child.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator } from '../test-evaluator.ts';
import { NO_HEADS, START } from './publishing.ts';

const root = useFolder('kill');
const program = join(root, 'publish.mjs');

beforeAll(() => buildChild(join(import.meta.dirname, 'children', 'publish.ts'), program));

/** Asserts that each publication is whole, and that no two have one salt. Returns the highest sequence. */
async function assertWhole(folder: string, salts: Map<string, number>): Promise<number> {
  let highest = -1;
  for (const name of await readdir(folder)) {
    if (!/^\d+-\d+$/.test(name)) continue;
    const [epoch, sequence] = name.split('-').map(Number) as [number, number];
    const read = (file: string): Promise<Uint8Array> => readFile(join(folder, name, file));
    const manifest = parseManifest(await read('manifest'))!;
    expect(manifest).toMatchObject({ sequence, epoch: { number: epoch } });
    const snapshot = await read('snapshot');
    requireRows(snapshot);
    expect(checksum(snapshot)).toBe(manifest.snapshot);
    expect(salts.get(manifest.salt) ?? sequence).toBe(sequence);
    salts.set(manifest.salt, sequence);
    highest = Math.max(highest, sequence);
  }
  return highest;
}

const KILLS = budget(8);

it(`leaves only whole publications, and uses no sequence or salt twice, if it is killed ${KILLS} times`, async () => {
  const folder = join(root, 'published');
  const keysFile = join(root, 'keys');
  await writeFile(keysFile, serialiseKeys(createKeys(createTestEvaluator().access, START, seededRandom('kill'))));
  const salts = new Map<string, number>();
  const used = new Set<number>();
  let highest = -1;
  let published = 0;
  for (let round = 0; round < KILLS; round++) {
    const child = startChild(program, [folder, keysFile, String(round)]);
    await child.line(0);
    // A publication takes some milliseconds to some hundred, so this ends them at any moment.
    await pause((round * 37) % 400);
    await child.kill();
    const sequences = child.lines.map((line) => Number(line.split(' ')[1]));
    for (const sequence of sequences) {
      expect(used.has(sequence)).toBe(false);
      used.add(sequence);
      expect(sequence).toBeGreaterThan(highest);
    }
    published += sequences.length;
    highest = Math.max(highest, await assertWhole(folder, salts));
    expect(highest).toBeGreaterThanOrEqual(sequences.at(-1)!);
  }
  await openPublicationFiles(folder, NO_HEADS);
  expect((await readdir(folder)).filter((name) => name.startsWith('draft-'))).toEqual([]);
  expect(published).toBeGreaterThan(KILLS);
});
