// Bundles a script of this folder, because Node 20 cannot run TypeScript, and runs it.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';

export async function runBundled(name) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const outfile = `${root}build/scoring/${name}.mjs`;
  await build({
    entryPoints: [`${root}scripts/scoring/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  await import(pathToFileURL(outfile));
}
