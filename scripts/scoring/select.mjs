// Bundles select.ts, because Node 20 cannot run TypeScript, and runs it.
import { build } from 'esbuild';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outfile = `${root}build/scoring/select.mjs`;
await build({
  entryPoints: [`${root}scripts/scoring/select.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
});
await import(pathToFileURL(outfile));
