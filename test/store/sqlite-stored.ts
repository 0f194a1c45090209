import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** New files in a folder that is gone with the tests. */
export async function newFiles(): Promise<() => string> {
  const root = await mkdtemp(join(tmpdir(), 'redflag-sqlite-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const made = { files: 0 };
  return () => join(root, `${made.files++}.db`);
}
