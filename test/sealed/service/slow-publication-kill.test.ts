import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { budget } from '../../budget.ts';
import { checksum } from '../../../src/sealed/byte-hashes.ts';
import { toHex } from '../../../src/sealed/encoding.ts';
import { serialiseKeys } from '../../../src/sealed/key-file.ts';
import { createKeys } from '../../../src/sealed/keys.ts';
import { parseManifest } from '../../../src/sealed/manifest-format.ts';
import { ROW_BYTES, TAG_BYTES } from '../../../src/sealed/rows.ts';
import { requireRows } from '../../../src/sealed/snapshot.ts';
import { openPublicationFiles } from '../../../src/sealed/service/publication-files.ts';
import { buildChild } from '../../data-folder/build-child.ts';
import { useFolder } from '../../folder.ts';
import { startChild } from '../../journal/child.ts';
import { seededRandom } from '../group-samples.ts';
import { group, START } from './publishing.ts';

const root = useFolder('kill');
const program = join(root, 'publish.mjs');

beforeAll(() => buildChild(join(import.meta.dirname, 'children', 'publish.ts'), program));

/** Asserts that each publication is whole, and adds its pads to those that are known. Returns the highest sequence. */
async function assertWhole(folder: string, pads: Map<string, string>): Promise<number> {
  let highest = -1;
  for (const name of await readdir(folder)) {
    if (!/^\d+-\d+$/.test(name)) continue;
    const [epoch, sequence] = name.split('-').map(Number) as [number, number];
    const read = (file: string): Promise<Uint8Array> => readFile(join(folder, name, file));
    const manifest = parseManifest(await read('manifest'))!;
    expect(manifest).toMatchObject({ sequence, epoch: { number: epoch } });
    const snapshot = await read('snapshot');
    requireRows(snapshot, 'snapshot');
    expect(checksum(snapshot)).toBe(manifest.snapshot);
    expect(checksum(await read('reporters'))).toBe(manifest.reporters);
    if (manifest.delta !== null) expect(checksum(await read('delta'))).toBe(manifest.delta.sha256);
    for (let at = 0; at < snapshot.length; at += ROW_BYTES) {
      const pad = `${epoch} ${toHex(snapshot.subarray(at, at + TAG_BYTES + 2))}`;
      const content = toHex(snapshot.subarray(at + TAG_BYTES + 2, at + ROW_BYTES));
      expect(pads.get(pad) ?? content).toBe(content);
      pads.set(pad, content);
    }
    highest = Math.max(highest, sequence);
  }
  return highest;
}

const KILLS = budget(8);

it(`leaves only whole publications, and uses no sequence or pad twice, if it is killed ${KILLS} times`, async () => {
  const folder = join(root, 'published');
  const keysFile = join(root, 'keys');
  await writeFile(keysFile, serialiseKeys(createKeys(group, START, seededRandom('kill'))));
  const pads = new Map<string, string>();
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
    highest = Math.max(highest, await assertWhole(folder, pads));
    expect(highest).toBeGreaterThanOrEqual(sequences.at(-1)!);
  }
  await openPublicationFiles(folder);
  expect((await readdir(folder)).filter((name) => name.startsWith('draft-'))).toEqual([]);
  expect(published).toBeGreaterThan(KILLS);
});
