import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROW_BYTES, TAG_BYTES } from '../../src/sealed/rows.ts';

/** Asserts that no tag has two contents, and returns the newest sequence. Drafts of a publication do not count. */
export async function readPads(folder: string, pads: Map<string, string>): Promise<number | undefined> {
  const names = (await readdir(join(folder, 'sealed')).catch(() => [])).filter((name) => /^\d+-\d+$/.test(name));
  for (const name of names) {
    // A publisher may remove it meanwhile.
    const bytes = await readFile(join(folder, 'sealed', name, 'snapshot')).catch(() => new Uint8Array());
    for (let at = 0; at < bytes.length; at += ROW_BYTES) {
      const pad = Buffer.from(bytes.subarray(at, at + TAG_BYTES)).toString('hex');
      const content = Buffer.from(bytes.subarray(at + TAG_BYTES, at + ROW_BYTES)).toString('hex');
      expect(pads.get(pad) ?? content).toBe(content);
      pads.set(pad, content);
    }
  }
  return names.length === 0 ? undefined : Math.max(...names.map((name) => Number(name.split('-')[1])));
}
