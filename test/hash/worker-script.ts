import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The script of the workers, made from the source as it is now. */
export async function buildWorkerScript(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'redflag-worker-'));
  const path = join(folder, 'hash-worker.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/hash-worker.ts', import.meta.url))],
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
